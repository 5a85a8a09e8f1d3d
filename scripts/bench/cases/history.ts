// Case (k): what history takes on disk, and how long bars and uptime take to read.

import type { HistoryInput, HistoryReport } from '../load/history-process.ts'
import { atMost, type CaseResult, info } from '../world/figure.ts'
import { nextMessage, type Workplace } from '../world/workplace.ts'

export interface HistoryOptions {
  readonly monitors: number
}

const timeoutMs = 300_000

export async function measureHistory(
  work: Workplace,
  options: HistoryOptions,
): Promise<CaseResult> {
  const input: HistoryInput = { dataDir: work.directory('history'), ...options }
  const report = await nextMessage<HistoryReport>(
    work.fork('load/history-process.ts', input),
    timeoutMs,
  )
  return {
    title: `history: ${options.monitors} monitors, 3 days of results, 90 days of days`,
    figures: [
      atMost('bytes of a result on disk, all included', report.bytesPerResult, 'B', 16),
      atMost('bytes of an hour on disk, all included', report.bytesPerHour, 'B', 60),
      info('bytes of a day on disk, all included', report.bytesPerDay, 'B'),
      info('90-day bars of all monitors, read', report.barsFirstMs, 'ms'),
      info('90-day bars of all monitors, again', report.barsAgainMs, 'ms'),
      info('uptime over 90 days of one monitor', report.uptimeMs, 'ms'),
      info('uptime over 90 days, a page of the list', report.uptimesMs, 'ms'),
      info('uptime over 90 days of all monitors together', report.totalUptimeMs, 'ms'),
      info('response times of 30 days of one monitor', report.responseTimesMs, 'ms'),
      info('a status page of 500 monitors, rendered', report.pageMs, 'ms'),
    ],
    details: { options, report },
  }
}
