// Growth, loss and moves together, from one seed: what `npm run sim -- cells` shows.
import { placementRules } from './cells.ts'
import { type GrowthFault, type GrowthReport, grow } from './growth.ts'
import { bytesInTheLongRun, type LossReport, loseCell } from './loss.ts'
import { type StoryReport, tellStory } from './moving/story.ts'
import type { PlantedFault } from './moving/world.ts'

export interface CellsOptions {
  readonly seed: number
  readonly monitors: number
  readonly days: number
  readonly cellsMax: number
  readonly shape?: number
  /** How many stories of moves with faults are told, and how long each is. */
  readonly stories: number
  readonly minutes: number
  readonly growthFault?: GrowthFault
  readonly movingFault?: PlantedFault
}

export interface CellsReport {
  /** One for each rule, with no more cells than asked for. */
  readonly growths: readonly GrowthReport[]
  /** As many cells as it takes to leave room, with the rule that moves least. */
  readonly roomy: GrowthReport
  readonly bytesInTheLongRun: number
  readonly loss: LossReport
  readonly roomyLoss: LossReport
  /** Moves while nothing fails, and while machines, directory and network do. */
  readonly calm: Moves
  readonly faulty: Moves
  readonly problems: readonly string[]
}

export interface Moves extends Omit<StoryReport, 'frozenMs' | 'problems'> {
  readonly frozenMsMedian: number
  readonly frozenMsMax: number
  /** The longest that a sender could store nothing in stories in which no cell was lost. */
  readonly longestKeptMs: number
}

export function simulateCells(options: CellsOptions): CellsReport {
  const problems: string[] = []
  const note = (where: string, found: readonly string[]) => {
    problems.push(...found.map((problem) => `${where}: ${problem}`))
  }
  const { seed, stories, minutes, growthFault, movingFault } = options
  const growthOptions = {
    ...options,
    ...(growthFault === undefined ? {} : { fault: growthFault }),
  }
  // Each is let go before the next: they have millions of numbers.
  const growths: GrowthReport[] = []
  let loss: LossReport | undefined
  for (const rule of placementRules) {
    const grown = grow({ ...growthOptions, rule })
    growths.push(grown.report)
    note(rule, grown.report.problems)
    loss ??= loseCell(grown)
  }
  const leastMoves = growths.toSorted((one, other) => one.moves - other.moves)[0]?.rule
  const grown = grow({ ...growthOptions, cellsMax: 1_000, rule: leastMoves ?? 'first fit' })
  note('with room', grown.report.problems)
  const roomyLoss = loseCell(grown)
  if (!loss) throw new Error('there are rules')
  note('loss', [...loss.problems, ...roomyLoss.problems])

  const tell = (isCalm: boolean, many: number): Moves => {
    const told: StoryReport[] = []
    for (let at = 0; at < many; at += 1) {
      const fault = movingFault === undefined ? {} : { fault: movingFault }
      const story = tellStory({ seed: seed + at, minutes, isCalm, ...fault })
      note(`story ${seed + at}`, story.problems)
      told.push(story)
    }
    return together(told)
  }
  const calm = tell(true, Math.ceil(stories / 10))
  const faulty = tell(false, stories)
  return {
    growths,
    roomy: grown.report,
    bytesInTheLongRun: bytesInTheLongRun(grown),
    loss,
    roomyLoss,
    calm,
    faulty,
    problems,
  }
}

function together(stories: readonly StoryReport[]): Moves {
  const sum = (count: (story: StoryReport) => number) =>
    stories.reduce((all, story) => all + count(story), 0)
  const most = (count: (story: StoryReport) => number) => Math.max(0, ...stories.map(count))
  const frozen = stories.flatMap(({ frozenMs }) => frozenMs).toSorted((one, other) => one - other)
  return {
    moves: sum(({ moves }) => moves),
    moved: sum(({ moved }) => moved),
    aborted: sum(({ aborted }) => aborted),
    failures: sum(({ failures }) => failures),
    lostCells: sum(({ lostCells }) => lostCells),
    acks: sum(({ acks }) => acks),
    lostWrites: sum(({ lostWrites }) => lostWrites),
    refused: sum(({ refused }) => refused),
    longestMs: most(({ longestMs }) => longestMs),
    longestCalmMs: most(({ longestCalmMs }) => longestCalmMs),
    longestKeptMs: most(({ longestMs, lostCells }) => (lostCells === 0 ? longestMs : 0)),
    frozenMsMedian: frozen[Math.floor(frozen.length / 2)] ?? 0,
    frozenMsMax: frozen.at(-1) ?? 0,
  }
}
