// Exports and imports monitors: everything except headers, passwords, push tokens and kept addresses. Bodies and user names
// are part of what a check asks, so a document has them and says where they are.

import { invalidField, pointerPart, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { createYielder, laterTurn } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'
import { changeEvent } from '../../domain/live-events/live-event.ts'
import { home } from '../../domain/locations/choice.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import type { PlaceId } from '../../domain/locations/place.ts'
import { dependencyProblems } from '../../domain/monitors/dependencies.ts'
import { memberProblems } from '../../domain/monitors/group.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  emptyRequest,
  type MonitorFields,
  type MonitorInput,
  secretTexts,
} from '../../domain/monitors/monitor-fields.ts'
import { completedInput, inputProblems } from '../../domain/monitors/monitor-input.ts'
import { kindOf } from '../../probes/registry.ts'
import { urlForViewers } from '../../probes/viewer-url.ts'
import type { Core } from '../core.ts'
import {
  type Exported,
  type Portable,
  type References,
  type WithId,
  withFields,
} from '../portable.ts'
import {
  type KeptItem,
  mustBeFree,
  oneMustBeFree,
  takenProblems,
  withKept,
} from './kept-addresses.ts'
import { type ChangesDeps, createChanges } from './monitor-changes.ts'
import { createDrafts, type DraftsDeps, newMonitorState } from './monitor-drafts.ts'
import { openRequest } from './monitor-request.ts'

export interface PortableMonitorsDeps extends DraftsDeps, ChangesDeps {}

type PortableItem = MonitorFields & WithId & KeptItem

export function portableMonitors(
  core: Core,
  deps: PortableMonitorsDeps,
): Portable<PortableItem, Monitor> {
  const { store, clock, box, audit } = core
  const { fleet, publish } = deps
  const drafts = createDrafts(core, deps)
  const changes = createChanges(core, deps)

  /** Oldest first, collected with yields. */
  async function monitorsOf(orgId: OrgId): Promise<Monitor[]> {
    const monitors: Monitor[] = []
    let last: Monitor | undefined
    do {
      const slice = store.monitors.list(orgId, limits.scanSlice, last?.id)
      monitors.push(...slice)
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
      if (last) await laterTurn()
    } while (last)
    return monitors.reverse()
  }

  /** What the document calls a location. Home and the shared ones of this installation are no part of it. */
  function placesIn(named: unknown, references: References): PlaceId[] {
    return ((named ?? []) as readonly PlaceId[]).flatMap((place): readonly PlaceId[] => {
      if (place === home || store.locations.has(sharedOwner, place)) return [place]
      return references.referred('location', [place], '/locations')
    })
  }

  return {
    async export(orgId) {
      const yielder = createYielder(clock, limits.turnMs)
      const exported: Exported<MonitorFields & WithId>[] = []
      for (const monitor of await monitorsOf(orgId)) {
        const input = drafts.inputOf(monitor)
        const { body, username, auth, steps, actions, notifyChannelIds, ...others } = input
        const { dependsOn, memberIds, locations } = others
        const named = { notifyChannelIds, dependsOn, memberIds, locations }
        const variables = emptyVariablesOf(monitor, input)
        const asked = { body, username, auth, steps, actions, ...variables }
        const item = { ...itemOf(monitor), ...asked, ...named }
        const maybeSecret = maybeSecretIn(monitor, input)
        exported.push({ item, secrets: secretsOf(monitor, input), maybeSecret })
        if (yielder.isDue()) await yielder.pause()
      }
      return exported
    },
    prepare(item, orgId, references) {
      // What it depends on may come after it, and so may its members.
      const { id, dependsOn, memberIds, ...fields } = item
      const named = (fields.notifyChannelIds ?? []) as readonly string[]
      const notifyChannelIds = references.referred('channel', named, '/notifyChannelIds')
      const locations = placesIn(fields.locations, references)
      const omitted = references.omittedFrom(item)
      const variables = withOmitted(fields.variables, omitted)
      const input = completedInput({ ...fields, variables, notifyChannelIds, locations })
      const secrets = omitted.filter((pointer) => isMissing(pointer, input))
      const mustPause = input.isActive && secrets.length > 0
      const put = mustPause ? { ...input, isActive: false } : input
      drafts.judge(orgId, put, { areReferencesKnown: true })
      const unset = secrets.flatMap((pointer) => variableAt(pointer) ?? [])
      const kept = withKept(box, drafts.monitorOf(orgId, put), item)
      const { shadow } = references
      const made = shadow === null ? kept : { ...kept, shadow }
      const monitor = unset.length === 0 ? made : { ...made, unsetVariables: unset }
      const noted = references.note(id, monitor)
      refuseInvalid(takenProblems(store, noted, item, references.isFirst))
      if (mustPause) references.notePaused({ id: noted.id, secrets })
      return noted
    },
    link(monitor, item, references) {
      const { orgId } = monitor
      const find = (id: MonitorId) =>
        notedMonitor(references, id) ?? store.monitors.readable(orgId, id)
      let linked = monitor
      for (const [name, problemsOf] of linkedFields) {
        const named = (item[name] ?? []) as readonly string[]
        if (named.length === 0) continue
        const needed = references.referred('monitor', named, `/${name}`)
        const [problem] = problemsOf(needed, find, monitor)
        if (problem) {
          throw invalidField(`/${name}/${problem.index}`, problem.keyword, problem.message)
        }
        linked = references.noteAgain({ ...linked, [name]: [...new Set(needed)] })
      }
      return linked
    },
    put(tx, orgId, monitors, pointer) {
      mustBeFree(store, monitors, pointer)
      store.monitors.putNew(tx, orgId, monitors)
      for (const monitor of monitors) {
        store.monitorStates.put(tx, orgId, monitor.id, newMonitorState(monitor))
      }
    },
    async start(monitors) {
      for (const [index, monitor] of monitors.entries()) {
        // Their first checks are spread over their intervals, as after a start.
        fleet.start(monitor, 'start', newMonitorState(monitor))
        publish(monitor.orgId, changeEvent(monitor, 'created', clock.nowMs()))
        if (index % limits.scanSlice === limits.scanSlice - 1) await laterTurn()
      }
    },
    again: {
      find: (orgId, id) => store.monitors.readable(orgId, id as MonitorId),
      fixed: ['checkType'],
      merged(stored, ready, fields) {
        // What was entered here must not go to a server that was named there.
        const isMoved = addressFields.some((name) => fields.has(name))
        const taken = isMoved ? new Set([...fields, ...requestFields]) : fields
        const plain = withFields(stored, ready, taken, { intervalMinutes: ['intervalSeconds'] })
        const request = withFields(openRequest(box, stored), openRequest(box, ready), taken)
        const intervalMinutes = Math.ceil(plain.intervalSeconds / 60)
        const input = { ...plain, ...request, intervalMinutes }
        const { unsetVariables } = taken.has('variables') ? ready : stored
        const { keptAddresses, keptRules } = keptFields.some((one) => fields.has(one))
          ? ready
          : stored
        const optional = { unsetVariables, keptAddresses, keptRules }
        if (inputProblems(input, kindOf(input)).length === 0) {
          return { ...stored, ...drafts.fieldsOf(input), ...optional }
        }
        // What was changed here does not fit what was changed there: all of it comes from there.
        const { id, createdAtMs, updatedAtMs, revision, pushTokenHash, pushTokenBox } = stored
        const { shadow } = stored
        const own = { id, createdAtMs, updatedAtMs, revision, pushTokenHash, pushTokenBox, shadow }
        return { ...stored, ...ready, ...own, ...optional }
      },
      replace(tx, scope, stored, merged, fields) {
        oneMustBeFree(store, merged, '')
        const change = changes.put(tx, stored, merged)
        audit.note(tx, scope, { action: 'monitor.changed', objectId: stored.id, fields })
        return () => changes.follow(change, 'start')
      },
    },
  }
}

/** The fields that say where requests go, and those of what they send. */
const addressFields = ['url', 'auth', 'steps', 'actions', 'connectTo', 'proxy']
const requestFields = Object.keys(emptyRequest)
const keptFields = ['keptAddresses', 'sharedAddresses', 'keptRules']

/** The fields that name other monitors, each with its rules. */
const linkedFields = [
  ['dependsOn', dependencyProblems],
  ['memberIds', memberProblems],
] as const

/** Monitors are noted under their new ids. Undefined for one whose item was refused. */
export function notedMonitor(
  references: References,
  monitorId: MonitorId | undefined,
): Monitor | undefined {
  return references.noted(monitorId ?? '') as Monitor | undefined
}

const ofVariable = '/variables/'

/** The variables of a document, with an empty value for each that it leaves out: steps name them. */
function withOmitted(variables: unknown, omitted: readonly string[]): Record<string, unknown> {
  const names = omitted.flatMap((pointer) => variableAt(pointer) ?? [])
  return {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    ...(isRecord(variables) ? variables : {}),
  }
}

/** A secret that the document does not set. A push token is never missing: the import makes one. */
function isMissing(pointer: string, input: MonitorInput): boolean {
  if (secretTexts.some((name) => pointer === `/${name}` && input[name] === null)) return true
  const given = Object.keys(input.headers)
  if (pointer.startsWith('/headers/')) return !pointersIn('headers', given).includes(pointer)
  return input.variables[variableAt(pointer) ?? ''] === ''
}

function variableAt(pointer: string): string | undefined {
  return pointer.startsWith(ofVariable) ? pointer.slice(ofVariable.length) : undefined
}

/** The variables that are meant to be empty are no secrets: a document without them would ask for their values. */
function emptyVariablesOf(
  { unsetVariables = [] }: Monitor,
  { variables }: MonitorInput,
): Partial<Pick<MonitorInput, 'variables'>> {
  const empty = Object.entries(variables).filter(
    ([name, value]) => value === '' && !unsetVariables.includes(name),
  )
  return empty.length === 0 ? {} : { variables: Object.fromEntries(empty) }
}

function pointersIn(field: string, names: readonly string[]): string[] {
  return names.map((name) => `/${field}/${pointerPart(name)}`)
}

/** Omits what belongs to this installation: owner, creation time, and encrypted parts. */
function itemOf(monitor: Monitor): MonitorFields & WithId {
  const { orgId, headerNames, requestBox, secretNames, pushTokenHash, ...others } = monitor
  const { pushTokenBox, unsetVariables, ...more } = others
  const { createdAtMs, updatedAtMs, revision, formerPushTokens, ...kept } = more
  const { keptAddresses, keptRules, shadow, resumedFromRevision, ...own } = kept
  return own
}

/** What viewers do not see either. */
function maybeSecretIn(
  monitor: Monitor,
  { body, username, steps, actions }: MonitorInput,
): string[] {
  const isUrlMasked = urlForViewers(monitor) !== monitor.url
  return [
    ...(isUrlMasked ? ['/url'] : []),
    ...(body === null ? [] : ['/body']),
    ...(steps.length === 0 ? [] : ['/steps']),
    ...(actions.length === 0 ? [] : ['/actions']),
    ...(username === null ? [] : ['/username']),
  ]
}

function secretsOf(monitor: Monitor, input: MonitorInput): string[] {
  const { headerNames, pushTokenHash, keptAddresses } = monitor
  const { variables: empty = {} } = emptyVariablesOf(monitor, input)
  const names = Object.keys(input.variables).filter((name) => !Object.hasOwn(empty, name))
  return [
    ...pointersIn('headers', headerNames),
    ...pointersIn('variables', names),
    ...secretTexts.filter((name) => input[name] !== null).map((name) => `/${name}`),
    ...(pushTokenHash === null ? [] : ['/pushToken']),
    ...(keptAddresses === undefined ? [] : ['/keptAddresses']),
  ]
}
