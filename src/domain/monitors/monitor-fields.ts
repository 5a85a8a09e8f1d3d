// The fields of a monitor that callers set: each with its type, its default, and the kinds of checks that
// have it.

import type { FieldProblem } from '../../base/fault.ts'
import type { ChannelId, MonitorId } from '../../base/ids.ts'
import { type AnswerKind, type Expectation, usualExpectation } from '../assertions/expectation.ts'
import type { BrowserAction, ViewportName } from '../browser/action.ts'
import type { CheckType, Method } from '../checks/check-type.ts'
import type { DownWhen } from '../locations/choice.ts'
import type { PlaceId } from '../locations/place.ts'
import type { Step } from '../steps/step.ts'
import type { GroupState } from './group-state.ts'

/** The fields that are stored as callers set them. */
export interface MonitorSettings extends Expectation {
  readonly checkType: CheckType
  readonly name: string
  /** Null on a monitor that looks at nothing. */
  readonly url: string | null
  readonly method: Method
  readonly timeoutMs: number
  readonly degradedThresholdMs: number | null
  readonly degradedThreshold: number
  readonly degradedOpensIncident: boolean
  /** A failing target is good, and one that works is down. */
  readonly isUpsideDown: boolean
  readonly isActive: boolean
  readonly isPublic: boolean
  /** What readers of status pages, badges, feeds and reports see in place of the name. Null: the name. */
  readonly publicName: string | null
  readonly notifyChannelIds: readonly ChannelId[]
  /** No channel hears of it, named or default. */
  readonly alertsNobody: boolean
  readonly failureThreshold: number
  readonly recoveryThreshold: number
  /** Null: min(30, interval / 2). */
  readonly retryIntervalSeconds: number | null
  /**
   * Minutes after an opening at which channels are reminded of it, if nobody acknowledged it; the
   * wait then doubles. 0: never.
   */
  readonly reminderMinutes: number
  readonly followRedirects: boolean
  readonly maxRedirects: number
  readonly ignoreTlsErrors: boolean
  /** Authorities in PEM that are trusted besides the others. Null: none. */
  readonly caCertificates: string | null
  /** What the check proves itself with, and its chain, in PEM; the key is in the request. Null: nothing. */
  readonly clientCertificate: string | null
  /** Where it connects in place of the host of the URL, which stays the name in TLS and HTTP. Null: there. */
  readonly connectTo: string | null
  /** The proxy that it goes through, by its name in the list of the operator. Null: none. */
  readonly proxy: string | null
  /** Days before a certificate's expiry at which to warn. Empty: never. */
  readonly certificateWarnDays: readonly number[]
  /** The same for the registration of a domain. */
  readonly domainWarnDays: readonly number[]
  readonly ipFamily: 'any' | 'ipv4' | 'ipv6'
  readonly tags: readonly string[]
  readonly description: string | null
  readonly runbookUrl: string | null
  /** Push: seconds after the period before a missing report counts. */
  readonly graceSeconds: number
  /** Push: a cron expression in `timezone`, in place of the period. */
  readonly schedule: string | null
  readonly timezone: string
  /** Push: how long a run that was started may take. 0: as long as it likes. */
  readonly maxRunSeconds: number
  /** Push: an outage ends by itself after that long without a report of an error. 0: never. */
  readonly autoRecoveryMinutes: number
  /** Its alerts are held while one of these is down. */
  readonly dependsOn: readonly MonitorId[]
  /** Group: the monitors from which its state follows. */
  readonly memberIds: readonly MonitorId[]
  /** Group: how it follows. */
  readonly groupState: GroupState
  /** The share of each month in which it should work. Null: no objective. */
  readonly sloPercent: number | null
  /** Game: the id of the game, as `games.ts` has it. */
  readonly game: string | null
  /** Browser: the window in which the page is opened. */
  readonly viewport: ViewportName
  /** The places that it is checked from, which vote. Empty: from where the daemon runs. */
  readonly locations: readonly PlaceId[]
  /** How many of them must see it down. */
  readonly downWhen: DownWhen
}

export const authTypes = ['basic', 'digest', 'oauth2', 'awsSigV4'] as const

/** How a check signs in. Null: by Basic, if there is a user name. */
export interface MonitorAuth {
  readonly type: (typeof authTypes)[number]
  /** oauth2: where a token is given for `username`, the client, and `password`, its secret. */
  readonly tokenUrl?: string | null
  readonly scope?: string | null
  readonly audience?: string | null
  /** awsSigV4: the scope of `username`, the access key id, and `password`, its secret access key. */
  readonly region?: string | null
  readonly service?: string | null
}

/** What a check sends that may be secret: stored encrypted, as a whole. */
export interface MonitorRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Null: it signs in without a name, or not at all. */
  readonly username: string | null
  readonly password: string | null
  /** A second secret, besides that of the user. */
  readonly secret: string | null
  /** The private key of the client certificate, in PEM. */
  readonly clientKey: string | null
  /** Null: by Basic, if there is a name. */
  readonly auth: MonitorAuth | null
  readonly steps: readonly Step[]
  /** Values that steps name, by their names. */
  readonly variables: Readonly<Record<string, string>>
  /** What a browser does on the page. */
  readonly actions: readonly BrowserAction[]
}

/** A monitor in the form that callers use; empty optional texts have become null. */
export interface MonitorInput extends MonitorSettings, MonitorRequest {
  readonly intervalMinutes: number
  /** Overrides intervalMinutes. */
  readonly intervalSeconds: number | null
}

/** The defaults of all fields; only `name` has none. */
export const monitorDefaults: Omit<MonitorInput, 'name'> = {
  checkType: 'endpoint',
  url: null,
  method: 'GET',
  ...usualExpectation,
  headers: {},
  body: null,
  username: null,
  password: null,
  secret: null,
  clientKey: null,
  auth: null,
  steps: [],
  variables: {},
  actions: [],
  intervalMinutes: 5,
  intervalSeconds: null,
  timeoutMs: 10_000,
  degradedThresholdMs: 3_000,
  degradedThreshold: 3,
  degradedOpensIncident: false,
  isUpsideDown: false,
  isActive: true,
  isPublic: false,
  publicName: null,
  notifyChannelIds: [],
  alertsNobody: false,
  failureThreshold: 3,
  recoveryThreshold: 2,
  retryIntervalSeconds: null,
  reminderMinutes: 0,
  followRedirects: true,
  maxRedirects: 10,
  ignoreTlsErrors: false,
  caCertificates: null,
  clientCertificate: null,
  connectTo: null,
  proxy: null,
  certificateWarnDays: [30, 14, 7, 3, 1],
  domainWarnDays: [30, 14, 7, 3, 1],
  ipFamily: 'any',
  tags: [],
  description: null,
  runbookUrl: null,
  graceSeconds: 60,
  schedule: null,
  timezone: 'UTC',
  maxRunSeconds: 0,
  autoRecoveryMinutes: 0,
  dependsOn: [],
  memberIds: [],
  groupState: 'worst',
  sloPercent: null,
  game: null,
  viewport: 'desktop',
  locations: [],
  downWhen: 'majority',
}

const { headers, body, username, password, secret, clientKey, auth, ...unsealedToo } =
  monitorDefaults
const { steps, variables, actions, ...unsealed } = unsealedToo
/** A monitor that sends nothing of its own. */
export const emptyRequest: MonitorRequest = {
  ...{ headers, body, username, password, secret, clientKey, auth, steps, variables, actions },
}
/** Their values are encrypted, and in no list of changes. */
export const secretFields: ReadonlySet<string> = new Set(Object.keys(emptyRequest))
/** The values of these are shown to nobody, but their names are. */
export const secretMaps = ['headers', 'variables'] as const
/** The texts of a request that nobody is shown. */
export const secretTexts = ['password', 'secret', 'clientKey'] as const

const { intervalMinutes, intervalSeconds, ...storedAlike } = unsealed
/** What a stored monitor means that lacks one of these: it was added to monitors since. */
export const addedSettings = storedAlike

/** The caller's fields: each may be missing, null, or an empty text. */
export type MonitorFields = { readonly [Field in keyof MonitorInput]?: unknown }

/** Fields that belong together: a kind of check has all of a group, or none. */
export type FieldGroup =
  /** Every kind has these that looks at a target. */
  | 'check'
  /** It connects to a host. */
  | 'connection'
  /** It does so by TCP, and nowhere else. */
  | 'stream'
  /** It does so by TCP, and to others that the host names. */
  | 'streams'
  /** It looks at the machine on which it runs. */
  | 'machine'
  /** It sends an HTTP request, and judges the status. */
  | 'request'
  /** It sends the headers of a handshake, and a message. */
  | 'handshake'
  /** It sends bytes, a query or a command. */
  | 'message'
  /** It signs in with a name and a password. */
  | 'login'
  /** It shares a second secret with the server. */
  | 'secret'
  /** It sends requests in steps. */
  | 'steps'
  /** It opens a page in a browser. */
  | 'browser'
  /** It asks a server of a game. */
  | 'game'
  /** It may use TLS. */
  | 'tls'
  /** It examines nothing but the certificate. */
  | 'certificate'
  | 'registration'
  /** It waits for reports. */
  | 'report'
  /** Its state is told. */
  | 'told'
  /** Its state follows from other monitors. */
  | 'members'

type KindFamily = 'web' | 'network' | 'data' | 'queues' | 'machine' | 'more'

/** What is decided by the kind of a check. `src/probes` declares each kind, with its probe. */
export interface CheckKind extends AnswerKind {
  readonly fields: readonly FieldGroup[]
  /** Among which others people look for it; `more`: it fits nowhere else. */
  readonly family: KindFamily
  /** The drawing for screens, by its name in lucide. */
  readonly icon: string
  /** The query of its URL says how to check, and is not sent to the target. */
  readonly ownsQuery?: true
  /** What is wrong with the body that it sends, as a sentence without its subject. */
  bodyProblem?(body: string): string | null
  /** Rules between its fields that no other kind has. */
  problems?(input: MonitorInput): readonly FieldProblem[]
}

/** The groups of the fields that apply only to some kinds of checks. */
export const fieldGroups: Partial<Record<keyof MonitorInput, readonly FieldGroup[]>> = {
  method: ['request'],
  expectedStatus: ['request'],
  acceptedStatuses: ['request'],
  followRedirects: ['request'],
  maxRedirects: ['request'],
  headers: ['request', 'handshake'],
  body: ['request', 'handshake', 'message'],
  username: ['login', 'request', 'handshake'],
  password: ['login', 'request', 'handshake'],
  secret: ['secret'],
  auth: ['request', 'handshake'],
  steps: ['steps'],
  variables: ['steps', 'browser'],
  actions: ['browser'],
  viewport: ['browser'],
  game: ['game'],
  ignoreTlsErrors: ['tls', 'browser'],
  caCertificates: ['tls', 'certificate'],
  clientCertificate: ['tls', 'certificate'],
  clientKey: ['tls', 'certificate'],
  connectTo: ['stream'],
  proxy: ['stream', 'streams'],
  certificateWarnDays: ['tls', 'certificate'],
  domainWarnDays: ['registration'],
  bodyContains: ['check'],
  bodyNotContains: ['check'],
  responseFormat: ['check'],
  responseAssertionType: ['check'],
  responseAssertionPath: ['check'],
  responseAssertionValue: ['check'],
  assertions: ['check'],
  ipFamily: ['connection'],
  // Push reports are not confirmed, and how long the sender took does not matter.
  timeoutMs: ['check'],
  isUpsideDown: ['check'],
  failureThreshold: ['check'],
  recoveryThreshold: ['check'],
  degradedThresholdMs: ['check'],
  degradedThreshold: ['check'],
  degradedOpensIncident: ['check', 'told'],
  retryIntervalSeconds: ['check'],
  // Where it is looked at from: registries count the questions of each asker, so they are asked from home.
  locations: ['connection', 'machine'],
  downWhen: ['connection', 'machine'],
  memberIds: ['members'],
  groupState: ['members'],
  graceSeconds: ['report'],
  schedule: ['report'],
  timezone: ['report'],
  maxRunSeconds: ['report'],
  autoRecoveryMinutes: ['report'],
}

/** Whether a kind of check has the field. */
export function hasField({ fields }: Pick<CheckKind, 'fields'>, name: string): boolean {
  const groups = groupsOf(name)
  return groups === undefined || groups.some((group) => fields.includes(group))
}

/** The types of the kinds that have the field, by its groups; undefined: all. */
export function typesWith(kinds: readonly CheckKind[], name: string): string[] | undefined {
  const groups = groupsOf(name)
  const types = groups?.flatMap((group) =>
    kinds.filter(({ fields }) => fields.includes(group)).map(({ type }) => type),
  )
  return types && [...new Set(types)]
}

function groupsOf(name: string): readonly FieldGroup[] | undefined {
  return (fieldGroups as Readonly<Record<string, readonly FieldGroup[]>>)[name]
}

/** The fields that a push monitor does not have. */
export const fieldsOfChecks = Object.entries(fieldGroups).flatMap(([name, groups]) =>
  groups.includes('report') ? [] : [name],
)

/** The fields that only a push monitor has. Answers about every kind show the grace. */
export const fieldsOfPush = Object.entries(fieldGroups).flatMap(([name, groups]) =>
  groups.includes('report') && name !== 'graceSeconds' ? [name] : [],
)

const rareGroups: ReadonlySet<FieldGroup> = new Set(['members', 'steps', 'browser', 'game'])

const fieldsOfFew = Object.entries(fieldGroups).flatMap(([name, groups]) =>
  groups.every((group) => rareGroups.has(group)) ? [name] : [],
)

/** The fields that answers about a kind leave out. */
export function fieldsWithout(kind: CheckKind): readonly string[] {
  if (kind.fields.includes('report')) return fieldsOfChecks
  const isMissing = (name: string): boolean => !hasField(kind, name)
  if (kind.fields.includes('check')) return [...fieldsOfPush, ...fieldsOfFew.filter(isMissing)]
  return [...fieldsOfChecks, ...fieldsOfPush].filter(isMissing)
}
