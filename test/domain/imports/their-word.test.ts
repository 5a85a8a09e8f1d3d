// What the other product says of a monitor in its shadow run: by its alerts, and by its history.
import t from 'tap'
import {
  type TheirWord,
  theirOutagesMax,
  withAlert,
  withHistory,
} from '../../../src/domain/imports/their-word.ts'
import { monitorA, orgA } from '../../support/make-incident.ts'

const nothing: TheirWord = { orgId: orgA, monitorId: monitorA, outages: [], historyToMs: null }
const run = { fromMs: 1_000, toMs: 100_000 }

t.test(
  'an alert begins an outage and the next one ends it; the same twice is said once',
  async (t) => {
    const down = withAlert(nothing, { isDown: true, text: ' timeout ', atMs: 5_000 })
    t.same(down.outages, [{ fromMs: 5_000, toMs: null, text: 'timeout', by: 'alert' }])
    t.equal(withAlert(down, { isDown: true, text: 'again', atMs: 6_000 }), down)
    const up = withAlert(down, { isDown: false, text: '', atMs: 9_000 })
    t.same(up.outages, [{ fromMs: 5_000, toMs: 9_000, text: 'timeout', by: 'alert' }])
    t.equal(withAlert(up, { isDown: false, text: '', atMs: 10_000 }), up)
  },
)

t.test(
  'a history adds what overlaps with the run, and ends what an earlier one left open',
  async (t) => {
    const before = { fromMs: 10, toMs: 20, text: 'before' }
    const open = { fromMs: 50_000, toMs: null, text: 'still' }
    const first = withHistory(nothing, [before, open], run)
    t.match(first, {
      historyToMs: 100_000,
      outages: [{ fromMs: 50_000, toMs: null, by: 'history' }],
    })
    t.equal(first.outages.length, 1)
    const ended = withHistory(first, [{ ...open, toMs: 60_000 }], { ...run, toMs: 200_000 })
    t.match(ended, { historyToMs: 200_000, outages: [{ fromMs: 50_000, toMs: 60_000 }] })
    t.equal(ended.outages.length, 1)
    const told = withAlert(ended, { isDown: true, text: '', atMs: 50_000 })
    t.equal(withHistory(told, [open], run).outages.length, 2, 'what it told itself stays')
  },
)

t.test('only the newest outages are kept', async (t) => {
  const many = Array.from({ length: theirOutagesMax + 10 }, (_, at) => ({
    ...{ fromMs: 2_000 + at * 10, toMs: 2_005 + at * 10, text: '' },
  }))
  const { outages } = withHistory(nothing, many, run)
  t.equal(outages.length, theirOutagesMax)
  t.equal(outages[0]?.fromMs, 2_100)
})
