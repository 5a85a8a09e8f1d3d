// What a chart shades: the incidents and the maintenance of its time.
import type { Data, Item } from '../../../api/client.ts'

export type ResponseTimes = Data<'monitors.responseTimes'>
export type MonitorIncident = Item<'monitors.incidents'>

export interface Shade {
  readonly kind: 'down' | 'degraded' | 'maintenance'
  readonly fromMs: number
  readonly toMs: number
}

/** Cut to the time of the chart; maintenance first, so that an incident is drawn above it. */
export function shadesOf(
  { from, to, maintenance }: Pick<ResponseTimes, 'from' | 'to' | 'maintenance'>,
  incidents: readonly Pick<MonitorIncident, 'severity' | 'startedAt' | 'resolvedAt'>[],
): Shade[] {
  const beginMs = Date.parse(from)
  const endMs = Date.parse(to)
  const all = [
    ...maintenance.map((one) => ({
      kind: 'maintenance' as const,
      fromMs: Date.parse(one.from),
      toMs: Date.parse(one.to),
    })),
    ...incidents.map(({ severity, startedAt, resolvedAt }) => ({
      kind: severity === 'down' ? ('down' as const) : ('degraded' as const),
      fromMs: Date.parse(startedAt),
      toMs: resolvedAt === null ? endMs : Date.parse(resolvedAt),
    })),
  ]
  return all
    .filter(({ fromMs, toMs }) => toMs > beginMs && fromMs < endMs)
    .map(({ kind, fromMs, toMs }) => {
      return { kind, fromMs: Math.max(beginMs, fromMs), toMs: Math.min(endMs, toMs) }
    })
}
