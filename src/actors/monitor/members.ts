// What the members of a group say of it, as the store knows them.
import type { Reading } from '../../domain/checks/reading.ts'
import { verdictOn } from '../../domain/checks/verdict.ts'
import { shownState } from '../../domain/health/health.ts'
import { type CountedMember, groupReading } from '../../domain/monitors/group.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import { isSilent } from '../../domain/monitors/shadow.ts'
import type { Store } from '../../store/store.ts'
import { isUnderMaintenance } from '../alerts/blockers.ts'

/**
 * The record of the group is read again: a member that was deleted has left it since. One that nobody hears of
 * does not count where people hear of the group.
 */
export function membersReading(store: Store, group: Monitor, nowMs: number): Reading {
  const { orgId } = group
  const stored = store.monitors.readable(orgId, group.id) ?? group
  const { memberIds, groupState } = stored
  const isHeard = !isSilent(stored)
  const members = memberIds.flatMap((id): CountedMember[] => {
    const monitor = store.monitors.readable(orgId, id)
    const monitorState = monitor?.isActive ? store.monitorStates.get(orgId, id) : undefined
    if (!monitor || !monitorState || isUnderMaintenance(store, monitor, nowMs)) return []
    if (isHeard && isSilent(monitor)) return []
    const state = shownMonitorState(monitorState)
    return state === 'pending' || state === 'unknown' ? [] : [{ name: monitor.name, state }]
  })
  return groupReading(groupState, members, nowMs)
}

/** Whether it says something else than what was said last. */
export function isNewsOf(monitor: Monitor, before: MonitorState, reading: Reading): boolean {
  const verdict = verdictOn(monitor, reading)
  const shown = shownState(before.health)
  if (verdict === 'unknown') return before.lastVerdict !== 'unknown' && shown !== 'pending'
  if (verdict !== before.lastVerdict || verdict !== shown) return true
  return reading.error?.message !== before.lastError?.message
}
