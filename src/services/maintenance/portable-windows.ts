// Exports and imports maintenance windows, without the changes of single occurrences.
import { refuseInvalid } from '../../base/fault.ts'
import type { MaintenanceId } from '../../base/ids.ts'
import { toIsoOrNull } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type MaintenanceWindow, windowState } from '../../domain/maintenance/window.ts'
import type { Core } from '../core.ts'
import { type Portable, type WithId, withFields } from '../portable.ts'
import { createWindowFields, timeFieldsOf } from './window-fields.ts'
import { createWindowRecords, type NewWindow, newWindow } from './windows.ts'

type WindowItem = NewWindow & WithId

/** They mean something together. */
const timeFields = ['startsAt', 'endsAt', 'cron', 'durationMinutes', 'timezone']

export function portableWindows(core: Core): Portable<WindowItem, MaintenanceWindow> {
  const { store, clock } = core
  const records = createWindowRecords(core)
  const windowFields = createWindowFields(store)

  /**
   * The window as it is exported, which names no deleted monitors. Null: it is over, or would be for
   * every monitor.
   */
  function exported(window: MaintenanceWindow): WindowItem | null {
    if (windowState(window, clock.nowMs()) === 'ended') return null
    const { id, name, description, tags, isPublic } = window
    const monitorIds = window.monitorIds.filter((monitorId) =>
      store.monitors.readable(window.orgId, monitorId),
    )
    if (window.monitorIds.length > 0 && monitorIds.length + tags.length === 0) return null
    const { startsAtMs, endsAtMs, ...recurring } = timeFieldsOf(window)
    const startsAt = toIsoOrNull(startsAtMs)
    const endsAt = toIsoOrNull(endsAtMs)
    return { id, name, description, monitorIds, tags, isPublic, startsAt, endsAt, ...recurring }
  }

  return {
    async export(orgId) {
      const windows = store.windows.list(orgId, limits.quotaMax).toReversed()
      return windows.flatMap((window) => {
        const item = exported(window)
        return item ? [{ item, secrets: [] }] : []
      })
    },
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
