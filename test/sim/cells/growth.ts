// A service that grows from one cell to many: newcomers are placed, full cells give organizations away, cells are added.
import { seededRandom } from '../../support/seeded-random.ts'
import { checkPlaces, createLedger, type Ledger } from './books.ts'
import { type Cells, createCells, fillOf, type PlacementRule } from './cells.ts'
import { cellLimits, moveOf } from './figures.ts'
import { createPopulation, type Population, usualShape } from './population.ts'

/** A cell is added when all together are as full as this on average. */
const usualAddAt = 0.85
/** A cell that passes this gives organizations away, until it is down to the other. */
const hotAt = 0.95
const coolAt = 0.9
/** How many organizations a day the directory moves away from one cell. */
const movesADayMax = 2_000
const triedADayMax = 4_000
/** Organizations that take less are not worth a move. */
const movedReadingsMin = 0.05

export const growthFaults = ['kept at both', 'limits ignored'] as const
export type GrowthFault = (typeof growthFaults)[number]

export interface GrowthOptions {
  readonly seed: number
  readonly rule: PlacementRule
  /** The monitors at the end, and after how many days. */
  readonly monitors: number
  readonly days: number
  /** No more cells than these are added. */
  readonly cellsMax: number
  readonly addAt?: number
  readonly shape?: number
  /** What is broken on purpose. */
  readonly fault?: GrowthFault
}

export interface GrowthReport {
  readonly rule: PlacementRule
  readonly monitors: number
  readonly readingsPerS: number
  readonly bytes: number
  readonly organizations: number
  readonly everCame: number
  readonly left: number
  readonly largestMonitors: number
  readonly cells: number
  /** How full the cells are at the end: on average, the fullest, the emptiest. */
  readonly fillMean: number
  readonly fillMax: number
  readonly fillMin: number
  /** The fullest that any cell was on any evening, and on how many evenings one was over its limits. */
  readonly fillPeak: number
  readonly daysOver: number
  readonly moves: number
  readonly movedMonitors: number
  readonly movedBytes: number
  readonly moveMsMax: number
  readonly frozenMsMedian: number
  readonly frozenMsP99: number
  readonly frozenMsMax: number
  /** Checks that were not made while an organization was moved, of all that were due. */
  readonly checksMissed: number
  readonly checksDue: number
  /** How it was when there were so many cells for the first time. */
  readonly stages: readonly Stage[]
  readonly problems: readonly string[]
}

interface Stage {
  readonly cells: number
  readonly day: number
  readonly monitors: number
  readonly moves: number
}

export interface Grown {
  readonly report: GrowthReport
  readonly cells: Cells
  readonly population: Population
  readonly ledger: Ledger
}

/** Lets the service grow; what became of it. */
export function grow(options: GrowthOptions): Grown {
  const { rule, days, fault } = options
  const random = seededRandom(options.seed)
  const shape = options.shape ?? usualShape
  const population = createPopulation(random, Math.ceil(options.monitors / 2) + 10_000, shape)
  const cells = createCells(population, seededRandom(options.seed + 1))
  const ledger = createLedger()
  const frozen: number[] = []
  let [everCame, left, fillPeak, daysOver] = [0, 0, 0, 0]
  let [movedMonitors, movedBytes, moveMsMax, checksMissed, checksDue] = [0, 0, 0, 0, 0]
  const stages: Stage[] = []
  cells.add()

  const total = () => {
    const sum = { readingsPerS: 0, monitors: 0, bytes: 0 }
    for (const cell of cells.cells) {
      sum.readingsPerS += cell.readingsPerS
      sum.monitors += cell.monitors
      sum.bytes += cell.bytes
    }
    return sum
  }
  const meanFill = () => {
    const { readingsPerS, monitors, bytes } = total()
    const many = cells.cells.length
    return fillOf({
      readingsPerS: readingsPerS / many,
      monitors: monitors / many,
      bytes: bytes / many,
    })
  }

  function place(day: number): void {
    const org = population.come(day)
    const cell = fault === 'limits ignored' ? 0 : cells.choose(rule, cells.loadOf(org))
    cells.join(org, cell)
    ledger.placed(org, cell)
    everCame += 1
  }

  function move(org: number, to: number): void {
    const from = cells.cellOf[org] ?? -1
    const { monitors, readingsPerS, bytes } = cells.loadOf(org)
    const { allMs, frozenMs } = moveOf(monitors, readingsPerS, bytes)
    if (fault !== 'kept at both') cells.leave(org)
    cells.join(org, to)
    ledger.moved(org, from, to)
    frozen.push(frozenMs)
    movedMonitors += monitors
    movedBytes += bytes
    moveMsMax = Math.max(moveMsMax, allMs)
    checksMissed += (readingsPerS * frozenMs) / 1_000
  }

  /** The largest organizations that a full cell can give, each to the cell that bears it most easily. */
  function relieve(from: number, coolTo: number): void {
    const cell = cells.cells[from]
    if (!cell) return
    const givable = cell.members
      .filter((org) => population.readingsPerS(org) >= movedReadingsMin)
      .map((org) => {
        const load = cells.loadOf(org)
        return { org, load, fill: fillOf(load) }
      })
      .sort((one, other) => other.fill - one.fill)
    let [tried, moves] = [0, 0]
    for (const { org, load, fill } of givable) {
      if (fillOf(cell) <= coolTo || moves >= movesADayMax || tried >= triedADayMax) return
      if (fill > fillOf(cell) - coolTo + 0.01) continue
      tried += 1
      const to = cells.easiest(others(from), load)
      if (cells.fillWith(to, load) > fillOf(cell) || !cells.helps(from, to, load)) continue
      move(org, to)
      moves += 1
    }
  }

  const others = (from: number) => cells.open().filter((cell) => cell !== from)

  for (let day = 0; day < days; day += 1) {
    const wanted = options.monitors * ((day + 1) / days) ** 1.5
    for (const org of population.leavers()) {
      cells.leave(org)
      ledger.gone(org)
      left += 1
    }
    for (const { org, to } of population.changes(day))
      if (cells.cellOf[org] !== -1) cells.resize(org, to)
    let monitors = total().monitors
    while (monitors < wanted) {
      place(day)
      monitors += population.monitors[everCame - 1] ?? 0
    }
    if (day % 7 === 0 || day === days - 1) cells.weigh(day)
    if (fault !== 'limits ignored') {
      while (cells.cells.length < options.cellsMax && meanFill() > (options.addAt ?? usualAddAt)) {
        cells.add()
      }
      // Where all are nearly full, evening them out is all that can be done.
      const mean = meanFill()
      const [hot, cool] = [Math.max(hotAt, mean + 0.01), Math.max(coolAt, mean + 0.004)]
      for (const [cell, load] of cells.cells.entries()) if (fillOf(load) > hot) relieve(cell, cool)
    }
    const fullest = Math.max(...cells.cells.map(fillOf))
    fillPeak = Math.max(fillPeak, fullest)
    if (fullest > 1) daysOver += 1
    checksDue += total().readingsPerS * 86_400
    const many = cells.cells.length
    if (many > (stages.at(-1)?.cells ?? 0)) {
      stages.push({ cells: many, day, monitors: total().monitors, moves: frozen.length })
    }
  }

  const fills = cells.cells.map(fillOf)
  frozen.sort((one, other) => one - other)
  const { readingsPerS, monitors, bytes } = total()
  const largest = population.present.reduce(
    (most, org) => Math.max(most, population.monitors[org] ?? 0),
    0,
  )
  const report: GrowthReport = {
    rule,
    monitors,
    readingsPerS,
    bytes,
    organizations: population.present.length,
    everCame,
    left,
    largestMonitors: largest,
    cells: cells.cells.length,
    fillMean: meanFill(),
    fillMax: Math.max(...fills),
    fillMin: Math.min(...fills),
    fillPeak,
    daysOver,
    moves: frozen.length,
    movedMonitors,
    movedBytes,
    moveMsMax,
    frozenMsMedian: shareOf(frozen, 0.5),
    frozenMsP99: shareOf(frozen, 0.99),
    frozenMsMax: frozen.at(-1) ?? 0,
    checksMissed,
    checksDue,
    stages,
    problems: checkPlaces(ledger, population, cells.cells, {
      limits: cellLimits,
      // Where there may be no more cells, how much they are over is a figure, and no mistake.
      mayPass: cells.cells.length < options.cellsMax ? 1 : Math.max(1, meanFill() + 0.25),
    }),
  }
  return { report, cells, population, ledger }
}

const shareOf = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
