// Maintenance windows: create, read, change, delete; end, extend and cancel their occurrences.
import { Fault, refuseInvalid } from '../../base/fault.ts'
import { type MaintenanceId, newId } from '../../base/ids.ts'
import type { NounAction } from '../../base/nouns.ts'
import { changedFields } from '../../domain/audit/audit.ts'
import { isForEvery } from '../../domain/maintenance/coverage.ts'
import type { Interval } from '../../domain/maintenance/interval.ts'
import {
  cancelledWindow,
  endedWindow,
  extendedWindow,
  type MaintenanceWindow,
  shownOccurrences,
  type WindowState,
  windowState,
} from '../../domain/maintenance/window.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'
import {
  createWindowFields,
  type TimeFields,
  timeFieldsOf,
  type WindowChanges,
  type WindowFields,
} from './window-fields.ts'

export interface NewWindow extends WindowChanges {
  readonly name: string
}

export interface WindowRecord extends Omit<MaintenanceWindow, 'times'>, TimeFields {
  readonly state: WindowState
  readonly isForAll: boolean
  /** The one that is on, then the next ones. */
  readonly occurrences: readonly Interval[]
}

export interface WindowFilter extends PageRequest {
  readonly state?: WindowState | undefined
}

/** Former versions of the windows of an organization that are kept at once. */
export const formerWindowsMax = 1_000

/** What windows covered before is kept until every monitor has counted it: for minutes, mostly. */
function mustHaveRoomForFormer({ store }: Pick<Core, 'store'>, { orgId }: OrgScope): void {
  if (store.windows.countFormers(orgId) < formerWindowsMax) return
  const words = 'The maintenance windows were changed too often; try again in an hour.'
  throw new Fault('conflict', words)
}

/** The steps of `createRecords` for windows, whose former coverage is kept. */
export function createWindowRecords(core: Core) {
  const { store, clock } = core
  const records = createRecords(core, 'maintenance', {
    ...store.windows,
    put: (tx, window, nowMs, before) =>
      before ? store.windows.replace(tx, before, window, nowMs) : store.windows.put(tx, window),
  })
  return {
    ...records,

    /** Throws conflict if windows were changed too often. */
    replace(
      tx: Tx,
      scope: OrgScope,
      before: MaintenanceWindow,
      changed: MaintenanceWindow,
      action: Extract<NounAction, `maintenance.${string}`> = 'maintenance.changed',
    ): MaintenanceWindow {
      const coversFromMs = coversSame(before, changed) ? before.coversFromMs : clock.nowMs()
      if (coversFromMs !== before.coversFromMs) mustHaveRoomForFormer(core, scope)
      const fields = changedFields(statedOf(before), statedOf(changed))
      return records.replace(tx, scope, before, { ...changed, coversFromMs }, { action, fields })
    },
  }
}

/** Every method throws not_found, and precondition_failed if the window is not at `expectedRevision`. */
export function createWindows(core: Core) {
  const { store, clock } = core
  const windowFields = createWindowFields(store)
  const records = createWindowRecords(core)

  function shown(window: MaintenanceWindow): WindowRecord {
    const nowMs = clock.nowMs()
    const { times: _stated, ...rest } = window
    return {
      ...rest,
      ...timeFieldsOf(window),
      state: windowState(window, nowMs),
      isForAll: isForEvery(window),
      occurrences: shownOccurrences(window, nowMs),
    }
  }

  /** Writes what `change` returns, with what the window covered until now. */
  function save(
    scope: OrgScope,
    id: MaintenanceId,
    action: Extract<NounAction, `maintenance.${string}`>,
    expectedRevision: number | undefined,
    change: (before: MaintenanceWindow, nowMs: number) => MaintenanceWindow,
  ): Promise<WindowRecord> {
    return store.write((tx) => {
      const nowMs = clock.nowMs()
      const before = records.found(scope, id, expectedRevision)
      return shown(records.replace(tx, scope, before, change(before, nowMs), action))
    })
  }

  return {
    /** What is wrong with fields whose shape is right. */
    problems: ({ orgId }: OrgScope, changes: WindowChanges) =>
      windowFields.problems(orgId, changes),

    /** Throws validation_failed, and conflict beyond the quota. */
    create: (scope: OrgScope, input: NewWindow): Promise<WindowRecord> =>
      store.write((tx) => {
        const made = records.add(tx, scope, (nowMs) => {
          const { fields, problems } = windowFields.merged(scope.orgId, input, { nowMs })
          refuseInvalid(problems)
          return newWindow(scope, fields, nowMs)
        })
        return shown(made)
      }),

    get: (scope: OrgScope, id: MaintenanceId) => shown(records.found(scope, id)),

    list(scope: OrgScope, { state, ...page }: WindowFilter): PageOf<WindowRecord> {
      const nowMs = clock.nowMs()
      const found = records.list(
        scope,
        page,
        (window) => state === undefined || windowState(window, nowMs) === state,
      )
      return { ...found, items: found.items.map(shown) }
    },

    /** Applies a merge patch (RFC 7396): null restores a field's default. */
    change(
      scope: OrgScope,
      id: MaintenanceId,
      changes: WindowChanges,
      expectedRevision?: number,
    ): Promise<WindowRecord> {
      return save(scope, id, 'maintenance.changed', expectedRevision, (before, nowMs) => {
        const options = { before, nowMs }
        const { fields, problems } = windowFields.merged(scope.orgId, changes, options)
        refuseInvalid(problems)
        return { ...before, ...fields }
      })
    },

    /** What it covered until now stays out of every uptime. */
    remove: (scope: OrgScope, id: MaintenanceId, expectedRevision?: number) =>
      store.write((tx) => records.remove(tx, scope, id, expectedRevision)),

    /** Ends the occurrence that is on. Throws conflict if none is. */
    end: (scope: OrgScope, id: MaintenanceId, expectedRevision?: number) =>
      save(scope, id, 'maintenance.ended', expectedRevision, endedWindow),

    /** The occurrence that is on lasts longer. Throws conflict if none is. */
    extend: (scope: OrgScope, id: MaintenanceId, minutes: number, expectedRevision?: number) =>
      save(scope, id, 'maintenance.extended', expectedRevision, (window, nowMs) =>
        extendedWindow(window, minutes, nowMs),
      ),

    /** One coming occurrence does not take place. Throws conflict, and not_found if there is none. */
    cancel: (scope: OrgScope, id: MaintenanceId, startsAtMs: number, expectedRevision?: number) =>
      save(scope, id, 'maintenance.cancelled', expectedRevision, (window, nowMs) =>
        cancelledWindow(window, startsAtMs, nowMs),
      ),
  }
}

/** A new window; it covers nothing before now, because that time may be counted already. */
export function newWindow(
  { orgId }: Pick<OrgScope, 'orgId'>,
  fields: WindowFields,
  nowMs: number,
): MaintenanceWindow {
  const id = newId('maintenance', nowMs)
  const times = { coversFromMs: nowMs, createdAtMs: nowMs, updatedAtMs: nowMs }
  return { id, orgId, ...fields, ...times, revision: 1 }
}

function coversSame(before: MaintenanceWindow, after: MaintenanceWindow): boolean {
  const of = ({ times, monitorIds, tags }: MaintenanceWindow) =>
    JSON.stringify([times, monitorIds, tags])
  return of(before) === of(after)
}

/** The fields that people know, for the audit log. */
function statedOf(window: MaintenanceWindow): object {
  const { name, description, monitorIds, tags, isPublic, times } = window
  const { startsAtMs: startsAt, endsAtMs: endsAt, ...recurring } = timeFieldsOf(window)
  const changes = times.kind === 'once' ? null : { extras: times.extras, cuts: times.cuts }
  return {
    name,
    description,
    monitorIds,
    tags,
    isPublic,
    startsAt,
    endsAt,
    ...recurring,
    occurrences: changes,
  }
}
