// What the daemon remembers of itself, for the charts of the administrator.
import type { SystemHistory } from '../../actors/tasks/system-history.ts'
import type { Clock } from '../../base/clock.ts'
import {
  type DiskForecast,
  diskForecast,
  foldedPoints,
  type SystemPoint,
  systemHourMs,
  systemMinuteMs,
} from '../../domain/system/system-history.ts'

export interface SystemChartsDeps {
  readonly clock: Clock
  readonly history: Pick<SystemHistory, 'minutes' | 'hours'>
}

/** The times that can be shown: how long, in points of which length. */
const ranges = {
  hour: { lengthMs: systemHourMs, pointMs: systemMinuteMs },
  day: { lengthMs: 24 * systemHourMs, pointMs: 5 * systemMinuteMs },
  week: { lengthMs: 7 * 24 * systemHourMs, pointMs: systemHourMs },
  quarter: { lengthMs: 90 * 24 * systemHourMs, pointMs: 6 * systemHourMs },
} as const
export type SystemRange = keyof typeof ranges
export const systemRanges = ['hour', 'day', 'week', 'quarter'] as const satisfies SystemRange[]
/** No range has more. */
export const systemPointsMax = 400

export interface SystemChartsView {
  readonly fromMs: number
  readonly toMs: number
  readonly pointMs: number
  readonly points: readonly SystemPoint[]
  readonly disk: DiskForecast
}

/** The worst of the last hour, and the errors of a day. */
export interface RecentTrouble {
  readonly latenessP99Ms: number | null
  readonly loopDelayP99Ms: number | null
  readonly errors: number
}

export type SystemCharts = ReturnType<typeof createSystemCharts>

export function createSystemCharts({ clock, history }: SystemChartsDeps) {
  const forecast = () => diskForecast(history.hours(), clock.nowMs())
  return {
    /** When the disk will be full. */
    forecast,
    recentTrouble(): RecentTrouble {
      const nowMs = clock.nowMs()
      const day = history.minutes().filter(({ fromMs }) => fromMs >= nowMs - 24 * systemHourMs)
      const hour = day.filter(({ fromMs }) => fromMs >= nowMs - systemHourMs)
      const [worst] = foldedPoints(hour, Number.MAX_SAFE_INTEGER)
      return {
        latenessP99Ms: worst?.latenessP99Ms ?? null,
        loopDelayP99Ms: worst?.loopDelayP99Ms ?? null,
        errors: day.reduce((sum, { errors }) => sum + (errors ?? 0), 0),
      }
    },
    /** Times in which the daemon did not run have no points. */
    of(range: SystemRange): SystemChartsView {
      const { lengthMs, pointMs } = ranges[range]
      const toMs = clock.nowMs()
      const fromMs = Math.floor((toMs - lengthMs) / pointMs + 1) * pointMs
      const source = pointMs < systemHourMs ? history.minutes() : history.hours()
      const within = source.filter((point) => point.fromMs >= fromMs)
      return { fromMs, toMs, pointMs, points: foldedPoints(within, pointMs), disk: forecast() }
    },
  }
}
