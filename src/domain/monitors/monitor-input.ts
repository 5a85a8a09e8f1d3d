// The fields of a monitor that callers set: defaults, and rules between fields.
import type { FieldProblem } from '../../base/fault.ts'
import { assertionProblems } from '../assertions/assertion-rules.ts'
import type { Assertion } from '../assertions/expectation.ts'
import { type CheckType, checkTypes } from '../checks/check-type.ts'
import { headerProblems } from '../checks/header-rules.ts'
import { limits } from '../limits/limits.ts'
import { cronProblem } from '../schedule/cron.ts'
import { caCertificatesProblems } from './ca-certificates.ts'
import type { Monitor } from './monitor.ts'

/** Fields that the daemon adds to a monitor, or stores in another form. */
type StoredField =
  | 'id'
  | 'orgId'
  | 'headerNames'
  | 'requestBox'
  | 'caCertificates'
  | 'publicName'
  | 'intervalSeconds'
  | 'pushTokenHash'
  | 'pushTokenBox'
  | 'formerPushTokens'
  | 'createdAtMs'
  | 'updatedAtMs'
  | 'revision'

/** A monitor in the form that callers use; empty optional texts have become null. */
export interface MonitorInput extends Omit<Monitor, StoredField> {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly caCertificates: string | null
  readonly publicName: string | null
  readonly intervalMinutes: number
  /** Overrides intervalMinutes. */
  readonly intervalSeconds: number | null
}

/** The defaults of all fields; only `name` has none. */
export const monitorDefaults: Omit<MonitorInput, 'name'> = {
  checkType: 'endpoint',
  url: null,
  method: 'GET',
  expectedStatus: 200,
  acceptedStatuses: [],
  headers: {},
  body: null,
  bodyContains: null,
  bodyNotContains: null,
  responseFormat: 'auto',
  responseAssertionType: null,
  responseAssertionPath: null,
  responseAssertionValue: null,
  assertions: [],
  intervalMinutes: 5,
  intervalSeconds: null,
  timeoutMs: 10_000,
  degradedThresholdMs: 3_000,
  degradedThreshold: 3,
  degradedOpensIncident: false,
  isActive: true,
  isPublic: false,
  publicName: null,
  notifyChannelIds: [],
  failureThreshold: 3,
  recoveryThreshold: 2,
  retryIntervalSeconds: null,
  reminderMinutes: 0,
  followRedirects: true,
  maxRedirects: 10,
  ignoreTlsErrors: false,
  caCertificates: null,
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
  sloPercent: null,
}

/** The caller's fields: each may be missing, null, or an empty text. */
export type MonitorFields = { readonly [Field in keyof MonitorInput]?: unknown }

/**
 * Merges fields into a base: a missing one keeps the base's value, null and '' restore the default.
 * The schema has already checked their types.
 */
export function completedInput(fields: MonitorFields, base: MonitorFields = {}): MonitorInput {
  const input: Record<string, unknown> = { ...monitorDefaults, ...base }
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const isCleared = value === null || value === ''
    input[name] = isCleared ? monitorDefaults[name as keyof typeof monitorDefaults] : value
  }
  // Null is a threshold of its own: never degraded. A short timeout leaves no room for the default,
  // and a monitor with the default counts as one without a chosen threshold.
  const { degradedThresholdMs: defaultMs } = monitorDefaults
  if (fields.degradedThresholdMs === null) input.degradedThresholdMs = null
  const isUnsaid =
    fields.degradedThresholdMs === undefined && input.degradedThresholdMs === defaultMs
  if (isUnsaid && Number(input.timeoutMs) <= Number(defaultMs)) input.degradedThresholdMs = null
  // If only intervalMinutes is given, it applies.
  if (fields.intervalMinutes !== undefined && fields.intervalSeconds === undefined) {
    input.intervalSeconds = null
  }
  if (Array.isArray(fields.assertions)) input.assertions = fields.assertions.map(completedAssertion)
  return input as unknown as MonitorInput
}

/** An empty path or value becomes null. */
function completedAssertion({ source, type, path, value }: Assertion): Assertion {
  return { source, path: path || null, type, value: value || null }
}

export function intervalSecondsOf(input: MonitorInput): number {
  return input.intervalSeconds ?? input.intervalMinutes * 60
}

/** Every rule between fields that the input breaks, each with its pointer. */
export function inputProblems(input: MonitorInput): FieldProblem[] {
  return [
    ...urlProblems(input),
    ...kindProblems(input),
    ...timeProblems(input),
    ...scheduleProblems(input),
    ...bodyProblems(input),
    ...headerProblems(input.headers),
    ...caCertificatesProblems(input.caCertificates),
    ...(input.checkType === 'push' ? [] : assertionProblems(input)),
  ]
}

function urlProblems({ checkType, url, runbookUrl }: MonitorInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (checkType === 'push' && url !== null) {
    problems.push(problem('/url', 'forbidden', 'must be absent on a push monitor'))
  }
  if (checkType !== 'push' && url === null) {
    problems.push(problem('/url', 'required', 'is required'))
  }
  if (runbookUrl !== null && !/^https?:\/\/[^\s]+$/.test(runbookUrl)) {
    problems.push(problem('/runbookUrl', 'format', 'must be an http or https URL'))
  }
  return problems
}

const web = ['endpoint', 'health', 'keyword'] as const
const talking = [...web, 'websocket', 'tcp'] as const
const looking = checkTypes.filter((kind) => kind !== 'push')
/** The checks over TLS that examine more than the certificate; an ssl check does not. */
const secured = [...web, 'websocket', 'smtp'] as const

/** Fields that apply only to some kinds of checks. */
export const fieldKinds: Partial<Record<keyof MonitorInput, readonly CheckType[]>> = {
  method: web,
  expectedStatus: web,
  acceptedStatuses: web,
  followRedirects: web,
  maxRedirects: web,
  headers: [...web, 'websocket'],
  body: talking,
  ignoreTlsErrors: secured,
  caCertificates: [...secured, 'ssl'],
  certificateWarnDays: [...secured, 'ssl'],
  domainWarnDays: ['domain'],
  bodyContains: looking,
  bodyNotContains: looking,
  responseFormat: looking,
  responseAssertionType: looking,
  responseAssertionPath: looking,
  responseAssertionValue: looking,
  assertions: looking,
  ipFamily: looking.filter((kind) => kind !== 'domain'),
  // Push reports are not confirmed, and how long the sender took does not matter.
  timeoutMs: looking,
  failureThreshold: looking,
  recoveryThreshold: looking,
  degradedThresholdMs: looking,
  degradedThreshold: looking,
  degradedOpensIncident: looking,
  retryIntervalSeconds: looking,
  graceSeconds: ['push'],
  schedule: ['push'],
  timezone: ['push'],
  maxRunSeconds: ['push'],
  autoRecoveryMinutes: ['push'],
}

/** The fields that a push monitor does not have. */
export const fieldsOfChecks = Object.entries(fieldKinds).flatMap(([name, kinds]) =>
  kinds.includes('push') ? [] : name,
)

/** The fields that only a push monitor has, besides its grace. */
export const fieldsOfPush = [
  'schedule',
  'timezone',
  'maxRunSeconds',
  'autoRecoveryMinutes',
] as const

/** What a push monitor does anyway, so these values are accepted. */
const pushAnyway: MonitorFields = {
  failureThreshold: 1,
  recoveryThreshold: 1,
  degradedThresholdMs: null,
}

/** A field that would have no effect is probably a mistake, so it is refused. */
function kindProblems(input: MonitorInput): FieldProblem[] {
  const { checkType, url, ipFamily } = input
  const problems = Object.entries(fieldKinds).flatMap(([name, kinds]) => {
    const field = name as keyof typeof monitorDefaults
    if (kinds.includes(checkType) || input[field] === pushAnyway[field]) return []
    const isSaid = JSON.stringify(input[field]) !== JSON.stringify(monitorDefaults[field])
    if (!isSaid) return []
    return [problem(`/${name}`, 'forbidden', `does not apply to checkType ${checkType}`)]
  })
  // The operator configures the addresses of the daemon's own name servers.
  if (checkType === 'dns' && ipFamily !== 'any' && !/[?&]server=/.test(url ?? '')) {
    problems.push(problem('/ipFamily', 'forbidden', 'applies only when the url names a server'))
  }
  return problems
}

/** Escapes for bytes in the body of a tcp check, as capture groups for `split`. */
export const tcpEscape = /(\\x[0-9a-fA-F]{2}|\\[rnt\\])/

function bodyProblems({ body, checkType }: MonitorInput): FieldProblem[] {
  if (body === null) return []
  const bytesMax = limits.requestBodyBytesMax
  if (Buffer.byteLength(body) > bytesMax) {
    return [problem('/body', 'maxLength', `must have at most ${bytesMax} bytes in UTF-8`)]
  }
  if (checkType !== 'tcp') return []
  const pieces = body.split(tcpEscape).filter((_, i) => i % 2 === 0)
  const [unknown] = /\\.?/su.exec(pieces.find((piece) => piece.includes('\\')) ?? '') ?? []
  if (unknown === undefined) return []
  const rule = `must not contain ${unknown} (the escapes are \\r, \\n, \\t, \\\\ and \\xNN, a byte in hex)`
  return [problem('/body', 'format', rule)]
}

function timeProblems(input: MonitorInput): FieldProblem[] {
  // Reports come by themselves; only the next one is awaited.
  if (input.checkType === 'push') return []
  const problems: FieldProblem[] = []
  const intervalSeconds = intervalSecondsOf(input)
  if (input.timeoutMs > intervalSeconds * 1_000) {
    problems.push(problem('/timeoutMs', 'maximum', 'must not be above the interval'))
  }
  if (input.degradedThresholdMs !== null && input.degradedThresholdMs >= input.timeoutMs) {
    problems.push(problem('/degradedThresholdMs', 'maximum', 'must be below timeoutMs'))
  }
  if (input.retryIntervalSeconds !== null && input.retryIntervalSeconds > intervalSeconds) {
    problems.push(problem('/retryIntervalSeconds', 'maximum', 'must not be above the interval'))
  }
  return problems
}

function scheduleProblems({ schedule, timezone }: MonitorInput): FieldProblem[] {
  const found = cronProblem({ cron: schedule ?? '@daily', timezone })
  if (found === null) return []
  const pointer = found.field === 'cron' ? '/schedule' : '/timezone'
  return [problem(pointer, 'format', found.rule)]
}

function problem(pointer: string, keyword: string, message: string): FieldProblem {
  return { pointer, keyword, message }
}
