// Cells and what they bear: which organization is in which, how full each is, and the rules of where to put one.
import { required } from '../../../src/base/assert.ts'
import { cellLimits } from './figures.ts'
import type { Population } from './population.ts'

export const placementRules = ['first fit', 'least loaded', 'two random'] as const
export type PlacementRule = (typeof placementRules)[number]

/** First fit fills a cell up to this. */
const fitsUpTo = 0.85

/** What an organization takes, or a cell bears. */
export interface Load {
  readingsPerS: number
  monitors: number
  bytes: number
}

export interface CellLoad extends Load {
  readonly members: number[]
  isLost: boolean
}

/** How much of the limit that is nearest is used. */
export function fillOf({ readingsPerS, monitors, bytes }: Load): number {
  return Math.max(
    readingsPerS / cellLimits.readingsPerS,
    monitors / cellLimits.monitors,
    bytes / cellLimits.bytes,
  )
}

/** How hard a load is to bear: what is nearest to its limit counts by far the most, and the rest a little. */
function strainOf(readingsPerS: number, monitors: number, bytes: number): number {
  return (
    eighth(readingsPerS / cellLimits.readingsPerS) +
    eighth(monitors / cellLimits.monitors) +
    eighth(bytes / cellLimits.bytes)
  )
}

function eighth(share: number): number {
  const square = share * share
  return square * square * square * square
}

export type Cells = ReturnType<typeof createCells>

export function createCells(population: Population, random: () => number) {
  const cells: CellLoad[] = []
  const cellOf = new Int16Array(population.monitors.length).fill(-1)
  const placeOf = new Int32Array(population.monitors.length)
  /** The bytes that an organization counted for when they were last counted. */
  const bytesOf = new Float64Array(population.monitors.length)

  const loadOf = (org: number): Load => ({
    readingsPerS: population.readingsPerS(org),
    monitors: population.monitors[org] ?? 0,
    bytes: bytesOf[org] ?? 0,
  })

  function count(cell: CellLoad, org: number, sign: 1 | -1): void {
    cell.readingsPerS += sign * population.readingsPerS(org)
    cell.monitors += sign * (population.monitors[org] ?? 0)
    cell.bytes += sign * (bytesOf[org] ?? 0)
  }

  const at = (cell: number) => required(cells[cell], 'the cell')
  /** The cells that are not lost. */
  let open: readonly number[] = []
  const findOpen = () => {
    open = cells.map((_, cell) => cell).filter((cell) => !at(cell).isLost)
  }

  function leave(org: number): void {
    const cell = at(cellOf[org] ?? -1)
    count(cell, org, -1)
    const place = placeOf[org] ?? 0
    const last = required(cell.members.pop())
    if (last !== org) {
      cell.members[place] = last
      placeOf[last] = place
    }
    cellOf[org] = -1
  }

  function join(org: number, cell: number): void {
    cellOf[org] = cell
    placeOf[org] = at(cell).members.length
    at(cell).members.push(org)
    count(at(cell), org, 1)
  }

  /** How full a cell would be with this beside what it has. */
  const fillWith = (cell: number, load: Load) => {
    const { readingsPerS, monitors, bytes } = at(cell)
    return fillOf({
      readingsPerS: readingsPerS + load.readingsPerS,
      monitors: monitors + load.monitors,
      bytes: bytes + load.bytes,
    })
  }

  /** How much harder it is for the cell with this, or, with -1, how much easier without it. */
  function addedStrain(cell: number, load: Load, sign: 1 | -1 = 1): number {
    const { readingsPerS, monitors, bytes } = at(cell)
    const changed = strainOf(
      readingsPerS + sign * load.readingsPerS,
      monitors + sign * load.monitors,
      bytes + sign * load.bytes,
    )
    return sign * (changed - strainOf(readingsPerS, monitors, bytes))
  }

  /** The cell of these for which it is easiest to take this. */
  function easiest(among: readonly number[], load: Load): number {
    let best = required(among[0], 'an open cell')
    let least = addedStrain(best, load)
    for (const cell of among) {
      const added = addedStrain(cell, load)
      if (added < least) [best, least] = [cell, added]
    }
    return best
  }

  return {
    cells,
    cellOf,
    loadOf,
    open: () => open,
    fillWith,
    /** Whether both cells together are better off if this goes from one to the other. */
    helps: (from: number, to: number, load: Load) =>
      addedStrain(from, load, -1) > addedStrain(to, load),
    easiest,
    add: () => {
      cells.push({ readingsPerS: 0, monitors: 0, bytes: 0, members: [], isLost: false })
      findOpen()
    },
    lose: (cell: number) => {
      at(cell).isLost = true
      findOpen()
    },
    /** Where an organization goes by this rule. */
    choose: (rule: PlacementRule, load: Load): number => {
      const pick = () => required(open[Math.floor(random() * open.length)])
      switch (rule) {
        case 'first fit':
          return open.find((cell) => fillWith(cell, load) <= fitsUpTo) ?? easiest(open, load)
        case 'least loaded':
          return easiest(open, load)
        case 'two random':
          return easiest([pick(), pick()], load)
      }
    },
    join,
    leave,
    /** The organization has so many monitors from now on. */
    resize: (org: number, monitors: number) => {
      const cell = at(cellOf[org] ?? -1)
      count(cell, org, -1)
      population.monitors[org] = monitors
      count(cell, org, 1)
    },
    /** Counts the bytes of all as of this day: they grow by themselves. */
    weigh: (day: number) => {
      for (const cell of cells) cell.bytes = 0
      for (const org of population.present) {
        bytesOf[org] = population.bytes(org, day)
        at(cellOf[org] ?? -1).bytes += bytesOf[org] ?? 0
      }
    },
  }
}
