// npm run sim -- cells [--monitors M] [--cells C] [--seed N] [--days D] [--stories S] [--fault NAME] [--json].
import { parseArgs } from 'node:util'
import { type GrowthFault, type GrowthReport, growthFaults } from './growth.ts'
import type { LossReport } from './loss.ts'
import { plantedFaults } from './moving/world.ts'
import { type CellsReport, type Moves, simulateCells } from './simulation.ts'

export function runCells(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      monitors: { type: 'string', default: '10000000' },
      cells: { type: 'string', default: '34' },
      days: { type: 'string', default: '365' },
      shape: { type: 'string' },
      stories: { type: 'string', default: '30' },
      minutes: { type: 'string', default: '15' },
      fault: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const faults = [...growthFaults, ...plantedFaults]
  const growthFault = growthFaults.find((fault) => fault === values.fault)
  const movingFault = plantedFaults.find((fault) => fault === values.fault)
  if (values.fault !== undefined && !growthFault && !movingFault) {
    console.error(`--fault is one of: ${faults.join(', ')}`)
    return 2
  }
  const startedMs = performance.now()
  const report = simulateCells({
    seed: Number(values.seed),
    monitors: Number(values.monitors),
    days: Number(values.days),
    cellsMax: Number(values.cells),
    stories: Number(values.stories),
    minutes: Number(values.minutes),
    ...(values.shape === undefined ? {} : { shape: Number(values.shape) }),
    ...(growthFault ? { growthFault: growthFault satisfies GrowthFault } : {}),
    ...(movingFault ? { movingFault } : {}),
  })
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else console.log(shown(report, ((performance.now() - startedMs) / 1_000).toFixed(1)))
  return report.problems.length > 0 ? 1 : 0
}

function shown(report: CellsReport, tookS: string): string {
  const { growths, roomy, loss, roomyLoss, calm, faulty, problems } = report
  const { monitors, organizations, readingsPerS, bytes, everCame, left, largestMonitors } = roomy
  return [
    `${count(monitors)} monitors of ${count(organizations)} organizations, the largest with ${count(largestMonitors)};`,
    `${count(everCame)} came, ${count(left)} left. ${count(readingsPerS)} readings/s,`,
    `${size(bytes)} on disk, ${size(report.bytesInTheLongRun)} once all of it is two years old.`,
    ...table('placement', [...growths, roomy], growthRows),
    '',
    'cells were added at so many monitors:',
    ...stagesOf(roomy),
    ...table('a cell is lost', [loss, roomyLoss], lossRows),
    ...table('moves', [calm, faulty], moveRows),
    '',
    `${problems.length} problems, in ${tookS} s`,
    ...problems.slice(0, 20).map((problem) => `  ${problem}`),
  ].join('\n')
}

type Row<Column> = readonly [name: string, text: (column: Column) => string]

const growthRows: readonly Row<GrowthReport>[] = [
  ['', ({ rule }) => rule],
  ['cells', ({ cells }) => count(cells)],
  ['used on average', ({ fillMean }) => percent(fillMean)],
  ['emptiest, fullest', ({ fillMin, fillMax }) => `${percent(fillMin)}, ${percent(fillMax)}`],
  ['fullest on any day', ({ fillPeak }) => percent(fillPeak)],
  ['days with one over its limits', ({ daysOver }) => count(daysOver)],
  ['organizations moved', ({ moves }) => count(moves)],
  ['monitors moved', ({ movedMonitors }) => count(movedMonitors)],
  ['bytes moved', ({ movedBytes }) => size(movedBytes)],
  ['longest move', ({ moveMsMax }) => time(moveMsMax)],
  ['frozen, median', ({ frozenMsMedian }) => time(frozenMsMedian)],
  ['frozen, p99', ({ frozenMsP99 }) => time(frozenMsP99)],
  ['frozen, longest', ({ frozenMsMax }) => time(frozenMsMax)],
  [
    'checks not made meanwhile',
    ({ checksMissed, checksDue }) => `1 of ${count(checksDue / Math.max(1, checksMissed))}`,
  ],
]

const lossRows: readonly Row<LossReport>[] = [
  ['', ({ fillMeanBefore }) => `cells at ${percent(fillMeanBefore)}`],
  [
    'organizations',
    (loss) => `${count(loss.organizations)} (${percent(loss.shareOfOrganizations)})`,
  ],
  ['monitors', ({ monitors }) => count(monitors)],
  ['one machine: standby leads after', ({ takeoverMs }) => time(takeoverMs)],
  ['checks not made meanwhile', ({ checksMissed }) => count(checksMissed)],
  ['with the start of today', ({ takeoverMsToday }) => time(takeoverMsToday)],
  ['both and the log: results lost, at most', ({ readingsLostMax }) => count(readingsLostMax)],
  ['read back from its backup', ({ bytes }) => size(bytes)],
  ['half of them run elsewhere after', ({ halfBackMs }) => time(halfBackMs)],
  ['all that have room', ({ allBackMs }) => time(allBackMs)],
  ['fullest cell then', ({ fillMaxAfter }) => percent(fillMaxAfter)],
  ['organizations without room', ({ withoutRoom }) => count(withoutRoom)],
]

const moveRows: readonly Row<Moves>[] = [
  ['', ({ failures }) => (failures === 0 ? 'nothing fails' : 'all may fail')],
  ['begun', ({ moves }) => count(moves)],
  ['given up, and at the source again', ({ aborted }) => count(aborted)],
  ['machines, directory, links failed', ({ failures }) => count(failures)],
  ['cells lost for good', ({ lostCells }) => count(lostCells)],
  ['frozen, median', ({ frozenMsMedian }) => time(frozenMsMedian)],
  ['frozen, longest', ({ frozenMsMax }) => time(frozenMsMax)],
  ['writes acknowledged', ({ acks }) => count(acks)],
  ['of these gone with lost cells', ({ lostWrites }) => count(lostWrites)],
  ['answers 503, or none', ({ refused }) => count(refused)],
  ['a sender waited at most', ({ longestMs }) => time(longestMs)],
  ['where no cell was lost', ({ longestKeptMs }) => time(longestKeptMs)],
  ['where nothing was broken', ({ longestCalmMs }) => time(longestCalmMs)],
]

function table<Column>(
  title: string,
  columns: readonly Column[],
  rows: readonly Row<Column>[],
): string[] {
  return rows.map(([name, text], at) => {
    const cells = columns.map((column) => text(column).padStart(18))
    const line = `${(at === 0 ? title : name).padEnd(40)}${cells.join('')}`
    return at === 0 ? `\n${line}` : line
  })
}

function stagesOf({ stages }: GrowthReport): string[] {
  const last = stages.at(-1)?.cells
  return stages
    .filter(({ cells }) => [1, 2, 4, 8, 16, 34, last].includes(cells))
    .map(({ cells, day, monitors, moves }) => {
      return `  ${`${cells} cells`.padEnd(10)}day ${String(day).padEnd(5)}${count(monitors).padStart(12)} monitors ${count(moves).padStart(8)} moves so far`
    })
}

const count = (number: number) => Math.round(number).toLocaleString('en')
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const size = (bytes: number) =>
  bytes >= 1e12 ? `${(bytes / 1e12).toFixed(1)} TB` : `${(bytes / 1e9).toFixed(1)} GB`

function time(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`
}
