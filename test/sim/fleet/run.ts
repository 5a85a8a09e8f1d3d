// npm run sim -- --seed N [--monitors M] [--days D] [--intervals 300,3600] [--trace]: a simulated time of a fleet, from one seed.
import { parseArgs } from 'node:util'
import { type SimReport, simulate } from './simulation.ts'

export async function runFleet(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      monitors: { type: 'string', default: '50' },
      days: { type: 'string', default: '7' },
      intervals: { type: 'string' },
      trace: { type: 'boolean', default: false },
    },
  })
  const [monitors, days] = [Number(values.monitors), Number(values.days)]
  const paced = values.intervals ? ` --intervals ${values.intervals}` : ''
  let failures = 0
  for (let at = 0; at < Number(values.seeds); at++) {
    const seed = Number(values.seed) + at
    const startedMs = performance.now()
    const onDay = (day: number, soFar: SimReport) => {
      if (day % 30 === 0) console.error(`day ${day}: ${line(soFar)}, ${took(startedMs)}`)
    }
    const report = await simulate({
      seed,
      monitors,
      days,
      onDay,
      ...(values.intervals ? { intervals: values.intervals.split(',').map(Number) } : {}),
      ...(values.trace ? { trace: (text: string) => console.error(text) } : {}),
    })
    console.log(`seed ${seed}: ${line(report)}, ${took(startedMs)}\n  hash ${report.hash}`)
    for (const problem of report.problems) console.log(`  ${problem}`)
    if (report.problems.length === 0) continue
    failures += 1
    console.log(
      `  again: npm run sim -- --seed ${seed} --monitors ${monitors} --days ${days}${paced}`,
    )
  }
  return failures > 0 ? 1 : 0
}

function line({ steps, readings, incidents, messages, lives, edits }: SimReport): string {
  const what = { steps, readings, incidents, messages, lives, edits }
  return Object.entries(what)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

function took(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`
}
