// Turns a caller's fields into a monitor: checks every rule and encrypts the secrets.

import { Fault, type FieldProblem, pointerPart, refuseInvalid } from '../../base/fault.ts'
import { type ChannelId, type MonitorId, newId, type OrgId } from '../../base/ids.ts'
import { once } from '../../base/per-object.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { openings, secretsNamedBy } from '../../domain/browser/action-rules.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import { home } from '../../domain/locations/choice.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import { isCheckedHere, type PlaceId } from '../../domain/locations/place.ts'
import { unreadableCertificates } from '../../domain/monitors/ca-certificates.ts'
import { type DependencyProblem, dependencyProblems } from '../../domain/monitors/dependencies.ts'
import { memberProblems } from '../../domain/monitors/group.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  type MonitorFields,
  type MonitorInput,
  secretMaps,
  secretTexts,
} from '../../domain/monitors/monitor-fields.ts'
import {
  completedInput,
  inputProblems,
  intervalSecondsOf,
} from '../../domain/monitors/monitor-input.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import { literalOrigin, secretNamesIn } from '../../domain/steps/step-rules.ts'
import { unusableClientCertificate } from '../../net/connection/usable-identity.ts'
import type { UrlProblem } from '../../net/egress-policy.ts'
import { kindOf } from '../../probes/registry.ts'
import type { TargetRules } from '../../probes/targets.ts'
import { hashToken, mintToken } from '../../seal/tokens.ts'
import type { Core } from '../core.ts'
import {
  maskedRequest,
  openRequest,
  requestOf,
  sealRequest,
  withKeptSecrets,
} from './monitor-request.ts'

export interface DraftsDeps {
  /** Why a URL cannot be the target of a check of this type, or null. */
  readonly judgeTarget: TargetRules['judgeUrl']
  /** The index of the first id that is not a channel of the organization, or null. */
  readonly unknownChannel: (orgId: OrgId, channelIds: readonly ChannelId[]) => number | null
}

type NamedChannels = Pick<MonitorInput, 'notifyChannelIds'>
type NeededMonitors = Pick<MonitorInput, 'dependsOn' | 'memberIds'>
type NamedPlaces = Pick<MonitorInput, 'locations'>

export interface DraftContext {
  readonly areReferencesKnown?: boolean
  /** Stored secrets that would go to another server. */
  readonly carried?: readonly FieldProblem[]
  /** The problems of a change that were found by reading its certificates, before the transaction. */
  readonly unreadable?: readonly FieldProblem[]
  /** It is checked from here at once, wherever its places are. */
  readonly isTrial?: boolean
  /** The record before a change, its input, and the fields that the caller set. */
  readonly was?: {
    readonly monitor: Monitor
    readonly input: MonitorInput
    readonly fields: MonitorFields
  }
}

/** Whether the stored monitor has the problem already, in a field that is not changed. */
function oldProblems(was: NonNullable<DraftContext['was']>) {
  const known = once(() => inputProblems(was.input, kindOf(was.input)))
  return ({ pointer, message }: FieldProblem): boolean => {
    const [, field = ''] = pointer.split('/')
    if (Object.hasOwn(was.fields, field)) return false
    // What cannot be decrypted any more is not kept: it must be sent again.
    const hasMask = (name: (typeof secretMaps)[number]) =>
      name === field && Object.values(was.input[name]).includes(secretMask)
    if (secretMaps.some(hasMask)) return false
    if (secretTexts.some((name) => name === field && was.input[name] === secretMask)) return false
    return known().some((one) => one.pointer === pointer && one.message === message)
  }
}

/** The field that a change must leave out, and why: the places, if these bring the target here. */
function told({ code, reason, field }: UrlProblem, was: DraftContext['was']) {
  const isMoved = was && !isCheckedHere(was.input) && !Object.hasOwn(was.fields, 'url')
  if (code !== 'target_not_allowed' || !isMoved) {
    return { code, field: field ?? 'url', message: reason }
  }
  const message = `must name places other than home: the URL ${reason}`
  return { code, field: 'locations', message }
}

function refusedTarget(refusal: UrlProblem, was?: DraftContext['was']): Fault {
  const { code, field, message } = told(refusal, was)
  const errors = [{ pointer: `/${field}`, keyword: 'target', message }]
  return new Fault(code, `${field} ${message}`, { errors })
}

/** Its requests would be sent with nothing in place of a secret, which looks like an outage. */
function mustHaveVariables({ unsetVariables = [] }: Monitor): void {
  const [first] = unsetVariables
  if (first === undefined) return
  const message = 'came without its value from an import: set it before the monitor is resumed'
  const errors = unsetVariables.map((name) => {
    return { pointer: `/variables/${pointerPart(name)}`, keyword: 'required', message }
  })
  throw new Fault('validation_failed', `The variable ${first} ${message}`, { errors })
}

/** The variables that still have no value after a change. An empty one is a value, where a caller sends it. */
export function unsetAfter(
  { unsetVariables = [] }: Monitor,
  { variables }: MonitorInput,
  fields: MonitorFields,
): Pick<Monitor, 'unsetVariables'> {
  const sent: Readonly<Record<string, unknown>> = isRecord(fields.variables) ? fields.variables : {}
  const unset = unsetVariables.filter((name) => variables[name] === '' && sent[name] !== '')
  return { unsetVariables: unset.length === 0 ? undefined : unset }
}

export function createDrafts(
  { store, clock, box }: Core,
  { judgeTarget, unknownChannel }: DraftsDeps,
) {
  /** The record's part of the input: secrets encrypted, empty texts removed. */
  function fieldsOf(input: MonitorInput) {
    const { headers, body, username, password, secret, clientKey, auth, ...others } = input
    const { steps, variables, actions, intervalMinutes, ...plain } = others
    const secretNames = [...new Set([...secretNamesIn(steps), ...secretsNamedBy(actions)])]
    return {
      ...plain,
      dependsOn: [...new Set(input.dependsOn)],
      memberIds: [...new Set(input.memberIds)],
      locations: [...new Set(input.locations)],
      headerNames: Object.keys(headers),
      requestBox: sealRequest(box, requestOf(input)),
      // Also where there were some before.
      secretNames: secretNames.length === 0 ? undefined : secretNames,
      intervalSeconds: intervalSecondsOf(input),
    }
  }

  function newPushToken() {
    const token = mintToken('spp')
    return { pushTokenHash: hashToken(token), pushTokenBox: box.seal(token) }
  }

  function mintPushToken(input: MonitorInput) {
    if (!waitsForReports(input)) return { pushTokenHash: null, pushTokenBox: null }
    return newPushToken()
  }

  function channelProblems(orgId: OrgId, { notifyChannelIds }: NamedChannels): FieldProblem[] {
    const unknown = unknownChannel(orgId, notifyChannelIds)
    if (unknown === null) return []
    const message = 'is not a channel of this organization'
    return [{ pointer: `/notifyChannelIds/${unknown}`, keyword: 'reference', message }]
  }

  /** `self`: the stored monitor whose list it is to be. */
  function neededProblems(
    orgId: OrgId,
    { dependsOn, memberIds }: NeededMonitors,
    self?: Monitor,
  ): FieldProblem[] {
    if (dependsOn.length + memberIds.length === 0) return []
    const find = (id: MonitorId) => store.monitors.readable(orgId, id)
    const at = (name: string, problems: readonly DependencyProblem[]) =>
      problems.map(({ index, ...problem }) => ({ pointer: `/${name}/${index}`, ...problem }))
    return [
      ...at('dependsOn', dependencyProblems(dependsOn, find, self)),
      ...at('memberIds', memberProblems(memberIds, find, self)),
    ]
  }

  const isPlace = (orgId: OrgId, place: PlaceId): boolean =>
    place === home || store.locations.has(orgId, place) || store.locations.has(sharedOwner, place)

  function placeProblems(orgId: OrgId, { locations }: NamedPlaces): FieldProblem[] {
    return locations.flatMap((place, index) => {
      if (isPlace(orgId, place)) return []
      const message = 'is not a location of this organization, nor one that all share'
      return [{ pointer: `/locations/${index}`, keyword: 'reference', message }]
    })
  }

  /** Where steps and actions lead that have a URL of their own; what is wrong with its form is said before. */
  function partTargets(
    orgId: OrgId,
    { steps, actions }: MonitorInput,
    name: 'steps' | 'actions',
  ): FieldProblem[] {
    const parts =
      name === 'steps' ? steps.map(({ url }, index) => ({ url, index })) : openings(actions)
    const field = name === 'steps' ? 'url' : 'value'
    return parts.flatMap(({ url, index }) => {
      const origin = literalOrigin(url)
      const refused = origin === undefined ? null : judgeTarget('endpoint', origin, 'any', orgId)
      if (refused?.code !== 'target_not_allowed') return []
      return [{ pointer: `/${name}/${index}/${field}`, keyword: 'target', message: refused.reason }]
    })
  }

  /** A secret that is there and has no value yet is no mistake of the monitor. */
  function secretProblems(orgId: OrgId, { steps, actions }: MonitorInput): FieldProblem[] {
    const named = [
      ...steps.map((step, index) => ({ at: `/steps/${index}`, names: secretNamesIn([step]) })),
      ...actions.map((action, index) => ({
        at: `/actions/${index}`,
        names: secretsNamedBy([action]),
      })),
    ]
    return named.flatMap(({ at: pointer, names }) => {
      const unknown = names.filter((name) => store.orgSecrets.named(orgId, name) === undefined)
      return unknown.map((name) => {
        const message = `is to send the secret ${name}, which this organization does not have`
        return { pointer, keyword: 'reference', message }
      })
    })
  }

  /**
   * Throws validation_failed with every problem, and target_not_allowed, unless only probes elsewhere
   * open the target, whose own rules decide. Stored values that break a newer rule stay valid if the
   * change does not touch them.
   */
  function judge(
    orgId: OrgId,
    input: MonitorInput,
    { areReferencesKnown = false, carried = [], was, ...context }: DraftContext = {},
  ): void {
    const { unreadable = was ? [] : unreadableIn(input) } = context
    const broken = [...inputProblems(input, kindOf(input)), ...unreadable]
    const isOld = was ? oldProblems(was) : () => false
    const problems = broken.filter((one) => !isOld(one))
    if (!areReferencesKnown) {
      problems.push(...channelProblems(orgId, input))
      if (!was || Object.hasOwn(was.fields, 'locations')) {
        problems.push(...placeProblems(orgId, input))
      }
      // The stored ones are right, and a circle would have been refused at its last arc.
      const isSaid =
        !was || ['dependsOn', 'memberIds'].some((one) => Object.hasOwn(was.fields, one))
      if (isSaid) problems.push(...neededProblems(orgId, input, was?.monitor))
      const isSaidAnew = !was || ['steps', 'actions'].some((one) => Object.hasOwn(was.fields, one))
      if (isSaidAnew) problems.push(...secretProblems(orgId, input))
    }
    const isFamilyMeant = !was || ['url', 'ipFamily'].some((one) => Object.hasOwn(was.fields, one))
    const ipFamily = isFamilyMeant ? input.ipFamily : 'any'
    const { checkType, url } = input
    const refusal = url === null ? null : judgeTarget(checkType, url, ipFamily, orgId, input)
    const tokenUrl = input.auth?.tokenUrl
    const refused = tokenUrl ? judgeTarget('endpoint', tokenUrl, 'any', orgId) : null
    if (refused && (!was || Object.hasOwn(was.fields, 'auth'))) {
      problems.push({ pointer: '/auth/tokenUrl', keyword: 'target', message: refused.reason })
    }
    for (const name of ['steps', 'actions'] as const) {
      if (!was || Object.hasOwn(was.fields, name)) problems.push(...partTargets(orgId, input, name))
    }
    // A mistyped URL does not say yet which server it leads to.
    if (refusal?.code !== 'validation_failed') problems.push(...carried)
    refuseInvalid(problems)
    if (refusal === null) return
    // What looks at this machine waits, paused, until the operator lists it: imports bring such monitors.
    const isWaiting = !input.isActive && isOfMachine(input)
    const isOurs = context.isTrial || (isCheckedHere(input) && !isWaiting)
    if (refusal.code === 'target_not_allowed' && !isOurs) return
    throw refusedTarget(refusal, was)
  }

  /** The record in the form that callers use, without what has been deleted. */
  function inputOf(monitor: Monitor): MonitorInput {
    const { orgId, intervalSeconds } = monitor
    const request = openRequest(box, monitor)
    const notifyChannelIds = monitor.notifyChannelIds.filter(
      (id) => unknownChannel(orgId, [id]) === null,
    )
    const isThere = (id: MonitorId) => store.monitors.has(orgId, id)
    const dependsOn = monitor.dependsOn.filter(isThere)
    const memberIds = monitor.memberIds.filter(isThere)
    const locations = monitor.locations.filter((place) => isPlace(orgId, place))
    const intervalMinutes = Math.ceil(intervalSeconds / 60)
    const references = { notifyChannelIds, dependsOn, memberIds, locations }
    return { ...monitor, ...request, ...references, intervalMinutes }
  }

  /** What a merge patch makes of an input, and which stored secrets it would take to another server. */
  function merged(base: MonitorInput, fields: MonitorFields) {
    const input = completedInput(fields, { ...base, ...maskedRequest(base) })
    const { carried, ...kept } = withKeptSecrets(input, base)
    return { input: { ...input, ...kept }, carried }
  }

  return {
    fieldsOf,
    newPushToken,
    judge,
    inputOf,

    /**
     * Throws target_not_allowed for a paused monitor that waits until the operator lists what it looks at, and
     * validation_failed for one whose variables came without their values.
     */
    mustMayResume(monitor: Monitor): void {
      mustHaveVariables(monitor)
      const { checkType, url, ipFamily, orgId } = monitor
      const isOurs = isCheckedHere(monitor) && isOfMachine(monitor)
      const refusal = isOurs && url ? judgeTarget(checkType, url, ipFamily, orgId, monitor) : null
      if (refusal?.code === 'target_not_allowed') throw refusedTarget(refusal)
    },

    /**
     * What is wrong with the certificates that a change sets, and with a key that does not fit them. Takes about a
     * millisecond, so it is called outside of transactions.
     */
    unreadable(monitor: Monitor, fields: MonitorFields): FieldProblem[] {
      const names = ['caCertificates', 'clientCertificate', 'clientKey']
      if (!names.some((name) => Object.hasOwn(fields, name))) return []
      return unreadableIn(merged(inputOf(monitor), fields).input)
    },

    /**
     * What a merge patch makes of a monitor's input, judged. `unreadable`: the problems of its
     * certificates, which are read once, before the transaction.
     */
    changed(
      orgId: OrgId,
      monitor: Monitor,
      fields: MonitorFields,
      unreadable: readonly FieldProblem[],
    ): { readonly base: MonitorInput; readonly input: MonitorInput } {
      const base = inputOf(monitor)
      const { input, carried } = merged(base, fields)
      judge(orgId, input, { carried, unreadable, was: { monitor, input: base, fields } })
      return { base, input }
    },

    /** The channels, monitors and locations that it names and that are not there. */
    referenceProblems: (
      orgId: OrgId,
      named: NamedChannels & NeededMonitors & NamedPlaces,
    ): FieldProblem[] => [
      ...channelProblems(orgId, named),
      ...placeProblems(orgId, named),
      ...neededProblems(orgId, named),
    ],

    monitorOf(orgId: OrgId, input: MonitorInput): Monitor {
      const nowMs = clock.nowMs()
      return {
        ...fieldsOf(input),
        ...mintPushToken(input),
        id: newId('monitor', nowMs),
        orgId,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        revision: 1,
      }
    },
  }
}

/** Whether it needs what the operator lists: of the machine, or a proxy. */
function isOfMachine(monitor: Pick<MonitorInput, 'checkType' | 'proxy'>): boolean {
  return monitor.proxy !== null || kindOf(monitor).fields.includes('machine')
}

function unreadableIn(input: MonitorInput): FieldProblem[] {
  return [...unreadableCertificates(input.caCertificates), ...unusableClientCertificate(input)]
}

/** The state of a new monitor, before its first check. */
export function newMonitorState({ createdAtMs, isActive }: Monitor): MonitorState {
  return { ...initialMonitorState(createdAtMs), isPaused: !isActive }
}
