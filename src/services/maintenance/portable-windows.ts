// Exports and imports maintenance windows, without the changes of single occurrences.
import { refuseInvalid } from '../../base/fault.ts'
import type { MaintenanceId, OrgId } from '../../base/ids.ts'
import { toIsoOrNull } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type MaintenanceWindow, windowState } from '../../domain/maintenance/window.ts'
import type { Core } from '../core.ts'
import { type OmittedWindow, type Portable, type WithId, withFields } from '../portable.ts'
import { createWindowFields, timeFieldsOf } from './window-fields.ts'
import { createWindowRecords, type NewWindow, newWindow } from './windows.ts'

type WindowItem = NewWindow & WithId

/** They mean something together. */
const timeFields = ['startsAt', 'endsAt', 'cron', 'durationMinutes', 'timezone']

export function portableWindows(core: Core): Portable<WindowItem, MaintenanceWindow> {
  const { store, clock } = core
  const records = createWindowRecords(core)
  const windowFields = createWindowFields(store)

  /** A window that lost all of its monitors would be for every one. */
  function whyOmitted(window: MaintenanceWindow): OmittedWindow['reason'] | undefined {
    if (windowState(window, clock.nowMs()) === 'ended') return 'ended'
    const isForSome = window.monitorIds.length > 0 && window.tags.length === 0
    return isForSome && monitorsOf(window).length === 0 ? 'no_monitors' : undefined
  }

  const monitorsOf = ({ orgId, monitorIds }: MaintenanceWindow) =>
    monitorIds.filter((monitorId) => store.monitors.readable(orgId, monitorId))

  /** The window as it is exported, which names no deleted monitors. */
  function exported(window: MaintenanceWindow): WindowItem {
    const { id, name, description, tags, isPublic } = window
    const monitorIds = monitorsOf(window)
    const { startsAtMs, endsAtMs, ...recurring } = timeFieldsOf(window)
    const startsAt = toIsoOrNull(startsAtMs)
    const endsAt = toIsoOrNull(endsAtMs)
    return { id, name, description, monitorIds, tags, isPublic, startsAt, endsAt, ...recurring }
  }

  const windowsOf = (orgId: OrgId) => store.windows.list(orgId, limits.quotaMax).toReversed()

  return {
    async export(orgId) {
      return windowsOf(orgId)
        .filter((window) => whyOmitted(window) === undefined)
        .map((window) => ({ item: exported(window), secrets: [] }))
    },
    omitted: (orgId) =>
      windowsOf(orgId).flatMap((window) => {
        const reason = whyOmitted(window)
        return reason ? [{ name: window.name, reason }] : []
      }),
    prepare({ id, monitorIds, ...rest }, orgId, references) {
      const nowMs = clock.nowMs()
      const options = { nowMs, mayBeOver: true }
      const { fields, problems } = windowFields.merged(orgId, rest, options)
      refuseInvalid(problems)
      const named = references.referred('monitor', monitorIds ?? [], '/monitorIds')
      return references.note(id, newWindow({ orgId }, { ...fields, monitorIds: named }, nowMs))
    },
    put(tx, _orgId, windows) {
      for (const window of windows) store.windows.put(tx, window)
    },
    again: {
      find: (orgId, id) => store.windows.readable(orgId, id as MaintenanceId),
      merged(stored, ready, fields) {
        const isMoved = timeFields.some((name) => fields.has(name))
        const merged = withFields(stored, ready, fields)
        return isMoved ? { ...merged, times: ready.times } : merged
      },
      replace(tx, scope, stored, merged) {
        records.replace(tx, scope, stored, merged)
        return undefined
      },
    },
  }
}
