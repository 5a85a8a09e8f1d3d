// A fleet in a world full of faults, against oracles that know only what truly happened.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { amount, testSeed } from '../support/depth.ts'
import { simulate } from './fleet/simulation.ts'

interface KnownSeed {
  readonly seed: number
  readonly monitors: number
  readonly days: number
  /** What went wrong with it once. */
  readonly why: string
}

const seed = testSeed()
const small = { monitors: amount(4, 30), days: amount(1, 5) }

function knownSeeds(): readonly KnownSeed[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fleet/seeds.json'), 'utf8'))
}

t.test('alerts and uptime are true through faults of every kind', async (t) => {
  for (let at = 0; at < amount(1, 20); at++) {
    const report = await simulate({ ...small, seed: seed + at })
    const again = `npm run sim -- --seed ${seed + at} --monitors ${small.monitors} --days ${small.days}`
    t.same(report.problems, [], `again: ${again}`)
    t.ok(report.readings > 100 && report.messages > 0 && report.lives > 1, 'much happened')
  }
})

t.test('the same seed gives the same history, another one gives another', async (t) => {
  const options = { monitors: 2, days: amount(0.125, 1) }
  const one = await simulate({ ...options, seed })
  const same = await simulate({ ...options, seed })
  const other = await simulate({ ...options, seed: seed + 1 })
  t.equal(same.hash, one.hash)
  t.equal(same.steps, one.steps)
  t.not(other.hash, one.hash)
})

t.test('what went wrong once goes right', async (t) => {
  // The quick ones; all of them in a deep run.
  const most = amount(10, 10_000)
  for (const { why, ...options } of knownSeeds()) {
    if (options.monitors * options.days > most) continue
    t.same((await simulate(options)).problems, [], why)
  }
})
