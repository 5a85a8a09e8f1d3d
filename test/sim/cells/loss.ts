// What is lost with a cell, and where its organizations go.
import { required } from '../../../src/base/assert.ts'
import { checkPlaces } from './books.ts'
import { fillOf } from './cells.ts'
import { bytesOf, cellLimits, kept, speeds, takeover } from './figures.ts'
import type { Grown } from './growth.ts'

/** Backups are made once a day. */
const backupMs = 86_400_000

export interface LossReport {
  readonly cell: number
  readonly organizations: number
  readonly shareOfOrganizations: number
  readonly monitors: number
  readonly bytes: number
  /** One machine of the cell is lost: its standby leads after this, by the plan and by today's time of starting. */
  readonly takeoverMs: number
  readonly takeoverMsToday: number
  readonly checksMissed: number
  readonly checksMissedToday: number
  /** Both machines and the log are lost: results since the last backup, on average and at most. */
  readonly readingsLostMean: number
  readonly readingsLostMax: number
  /** Until half, and all, of its organizations run elsewhere, once it was decided. */
  readonly halfBackMs: number
  readonly allBackMs: number
  readonly fillMeanBefore: number
  readonly fillMaxAfter: number
  /** Organizations for which there was room in no other cell. */
  readonly withoutRoom: number
  readonly problems: readonly string[]
}

/** Loses the cell with most organizations, and spreads what it had over the others. */
export function loseCell({ cells, population, ledger }: Grown): LossReport {
  const many = cells.cells.length
  const fillMeanBefore = cells.cells.reduce((sum, cell) => sum + fillOf(cell), 0) / many
  const lost = cells.cells.reduce(
    (most, { members }, cell) =>
      members.length > (cells.cells[most]?.members.length ?? 0) ? cell : most,
    0,
  )
  const load = required(cells.cells[lost])
  const { readingsPerS, monitors, bytes } = load
  const organizations = load.members.length
  const all = population.present.length
  const takeoverMs = takeover.leaseMs + takeover.startMs
  const takeoverMsToday = takeover.leaseMs + monitors * speeds.startMsPerMonitor
  cells.lose(lost)
  const fillMaxBefore = Math.max(...cells.cells.map(fillOf))

  const received = new Map<number, number>()
  let withoutRoom = 0
  const bySize = [...load.members].map((org) => ({ org, load: cells.loadOf(org) }))
  bySize.sort((one, other) => fillOf(other.load) - fillOf(one.load))
  const others = cells.open()
  for (const { org, load } of bySize) {
    const to = others.length > 0 ? cells.easiest(others, load) : -1
    if (to < 0 || cells.fillWith(to, load) > 1) {
      withoutRoom += 1
      continue
    }
    cells.leave(org)
    cells.join(org, to)
    ledger.moved(org, lost, to)
    received.set(to, (received.get(to) ?? 0) + load.monitors)
  }
  // Whoever restores reads the whole backup once, and gives each organization to its new cell on the way.
  const fillMaxAfter = Math.max(0, ...others.map((cell) => fillOf(required(cells.cells[cell]))))
  const readMs = bytes / speeds.restoreBytesPerMs
  const startMs = Math.max(0, ...received.values()) * speeds.startMsPerMonitor
  return {
    cell: lost,
    organizations,
    shareOfOrganizations: organizations / all,
    monitors,
    bytes,
    takeoverMs,
    takeoverMsToday,
    checksMissed: (readingsPerS * takeoverMs) / 1_000,
    checksMissedToday: (readingsPerS * takeoverMsToday) / 1_000,
    readingsLostMean: (readingsPerS * backupMs) / 2_000,
    readingsLostMax: (readingsPerS * backupMs) / 1_000,
    halfBackMs: readMs / 2 + startMs / 2,
    allBackMs: readMs + startMs,
    fillMeanBefore,
    fillMaxAfter,
    withoutRoom,
    problems: checkPlaces(ledger, population, cells.cells, {
      limits: cellLimits,
      mayPass: Math.max(1, fillMaxBefore) + 1e-9,
    }),
  }
}

/** What a service of this size takes on disk once it has run for as long as hours are kept. */
export function bytesInTheLongRun({ report }: Grown): number {
  return bytesOf(report.monitors, report.readingsPerS, kept.hourDays)
}
