// Many cells, which do not exist yet: what docs/scale.md says of them holds in a simulation, whose oracles find faults.
import t from 'tap'
import { amount, isDeep, testSeed } from '../support/depth.ts'
import { placementRules } from './cells/cells.ts'
import { bytesOf, moveOf } from './cells/figures.ts'
import { grow, growthFaults } from './cells/growth.ts'
import { loseCell } from './cells/loss.ts'
import { tellStory } from './cells/moving/story.ts'
import { plantedFaults } from './cells/moving/world.ts'
import { simulateCells } from './cells/simulation.ts'

const seed = testSeed(1)
const small = { monitors: 600_000, days: 40, cellsMax: 100 }

t.test('every organization is in one cell, and no cell is over its limits', async (t) => {
  for (const rule of placementRules) {
    for (let at = 0; at < amount(1, 5); at += 1) {
      const { report } = grow({ ...small, seed: seed + at, rule })
      t.same(report.problems, [], `${rule}, seed ${seed + at}`)
      t.ok(report.cells > 2 && report.moves > 0 && report.left > 0, 'much happened')
      t.ok(report.daysOver <= 1 && report.fillMax < 1, 'cells are added, and relieved, in time')
    }
  }
})

t.test('a lost cell finds room in the others if they have some', async (t) => {
  const grown = grow({ ...small, seed, rule: 'first fit', addAt: 0.6 })
  const before = grown.report.organizations
  const loss = loseCell(grown)
  t.same(loss.problems, [])
  t.equal(loss.withoutRoom, 0)
  t.ok(loss.organizations > 0 && loss.organizations < before)
  t.equal(grown.population.present.length, before, 'none is forgotten')
})

t.test('a move loses nothing that was acknowledged, whatever fails meanwhile', async (t) => {
  const again = (at: number) => `again: npm run sim -- cells --seed ${at} --stories 1`
  let [moved, failures, lostCells] = [0, 0, 0]
  for (let at = seed; at < seed + amount(2, 300); at += 1) {
    const story = tellStory({ seed: at, minutes: 15 })
    t.same(story.problems, [], again(at))
    moved += story.moved
    failures += story.failures
    lostCells += story.lostCells
  }
  t.ok(moved > 100 && failures > 20 && lostCells > 0, 'much happened')
})

t.test(
  'while nothing fails, a sender waits no longer than a move is reckoned to take',
  async (t) => {
    const { problems, aborted, moved, longestMs } = tellStory({ seed, minutes: 15, isCalm: true })
    t.same(problems, [])
    t.equal(aborted, 0)
    t.ok(moved > 50)
    const monitors = 5_000
    const { frozenMs } = moveOf(monitors, monitors / 60, bytesOf(monitors, monitors / 60, 365))
    // One repetition after a 503; the freeze may begin right after the first attempt.
    t.ok(longestMs < frozenMs + 2 * 2_000, `${longestMs} ms`)
  },
)

t.test('the oracles find what is broken on purpose', async (t) => {
  for (const fault of growthFaults) {
    const { report } = grow({ ...small, days: 15, seed, rule: 'first fit', fault })
    t.not(report.problems.length, 0, fault)
  }
  for (const fault of plantedFaults) {
    // Some show only where a cell is lost, right after a move.
    let found = false
    for (let at = 1; at <= 60 && !found; at += 1) {
      found = tellStory({ seed: at, minutes: 15, fault }).problems.length > 0
    }
    t.ok(found, fault)
  }
})

t.test('the same seed gives the same history', async (t) => {
  const growth = (of: number) => grow({ ...small, monitors: 50_000, seed: of, rule: 'two random' })
  t.same(growth(seed).report, growth(seed).report)
  t.notSame(growth(seed + 1).report, growth(seed).report)
  const story = (of: number) => tellStory({ seed: of, minutes: 3 })
  t.same(story(seed), story(seed))
  t.notSame(story(seed + 1), story(seed))
})

t.test('ten million monitors', { skip: !isDeep && 'only in a deep run' }, async (t) => {
  const report = simulateCells({
    seed,
    monitors: 10_000_000,
    days: 365,
    cellsMax: 34,
    stories: 30,
    minutes: 15,
  })
  t.same(report.problems, [])
  t.equal(report.roomyLoss.withoutRoom, 0, 'with room, the others take what a lost cell had')
})
