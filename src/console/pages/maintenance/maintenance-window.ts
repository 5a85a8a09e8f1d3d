// A window of planned work, as the API lists it, and its state by the clock.
import type { Item } from '../../api/client.ts'

export type MaintenanceWindow = Item<'maintenance-windows.list'>

type Timed = Pick<MaintenanceWindow, 'state' | 'cron' | 'occurrences'>

const ms = ({ startsAt, endsAt }: Timed['occurrences'][number]) => [
  Date.parse(startsAt),
  Date.parse(endsAt),
]

/** The state at this moment, whatever it was when the list was read. */
export function stateAt({ state, cron, occurrences }: Timed, nowMs: number): Timed['state'] {
  if (state === 'ended') return state
  const left = occurrences.map(ms).filter(([, endMs = 0]) => endMs > nowMs)
  if (left.some(([startMs = 0]) => startMs <= nowMs)) return 'active'
  // The list has only the next ones of a window that recurs.
  return left.length > 0 || cron !== null ? 'scheduled' : 'ended'
}

/** The occurrence that is on, or the next one. */
export const nextOf = ({ occurrences }: Timed, nowMs: number) =>
  occurrences.find((one) => Date.parse(one.endsAt) > nowMs)

/** When something next begins or ends; undefined if nothing does. */
export function nextTurnMs(windows: readonly Timed[], nowMs: number): number | undefined {
  const turns = windows.flatMap(({ occurrences }) => occurrences.flatMap(ms))
  const coming = turns.filter((atMs) => atMs > nowMs)
  return coming.length === 0 ? undefined : Math.min(...coming)
}
