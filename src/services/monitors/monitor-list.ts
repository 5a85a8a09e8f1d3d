// Lists the monitors of an organization that match a filter, newest first.
import type { MonitorId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Store } from '../../store/store.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import { type MonitorView, monitorStateOf, stateOf, type ViewDeps, viewOf } from './monitor-view.ts'

export interface MonitorFilter extends PageRequest {
  readonly isActive?: boolean | undefined
  readonly checkType?: Monitor['checkType'] | undefined
  readonly state?: MonitorView['state'] | undefined
  readonly tag?: string | undefined
  readonly q?: string | undefined
}

/** One page; it reads only a bounded number of records. */
export function listMonitors(
  deps: ViewDeps & { readonly store: Store },
  scope: OrgScope,
  filter: MonitorFilter,
): PageOf<MonitorView> {
  const { store } = deps
  const items: MonitorView[] = []
  let after = filter.after as MonitorId | undefined
  // First pages are read again and again; further ones page through all monitors.
  const isRecalled = filter.after === undefined
  for (let scanned = 0; scanned < limits.listScanMax; ) {
    const slice = store.monitors.list(scope.orgId, filter.limit + 1, after)
    for (const monitor of slice) {
      if (items.length === filter.limit) {
        return { items, nextAfter: items.at(-1)?.monitor.id ?? monitor.id }
      }
      after = monitor.id
      if (!fits(monitor, filter)) continue
      const monitorState = monitorStateOf(store, monitor, isRecalled)
      if (filter.state && stateOf(monitor, monitorState) !== filter.state) continue
      items.push(viewOf(deps, scope, monitor, monitorState, isRecalled))
    }
    scanned += slice.length
    if (slice.length <= filter.limit) return { items }
  }
  return after ? { items, nextAfter: after } : { items }
}

function fits(monitor: Monitor, filter: MonitorFilter): boolean {
  if (filter.isActive !== undefined && monitor.isActive !== filter.isActive) return false
  if (filter.checkType && monitor.checkType !== filter.checkType) return false
  if (filter.tag && !monitor.tags.includes(filter.tag)) return false
  const q = filter.q?.toLowerCase()
  return (
    !q || monitor.name.toLowerCase().includes(q) || Boolean(monitor.url?.toLowerCase().includes(q))
  )
}
