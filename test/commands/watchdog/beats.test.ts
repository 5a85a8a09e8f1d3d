// Only silence counts in which the watchdog's own thread ran.
import t from 'tap'
import { beatMs, createBeatJudge } from '../../../src/commands/watchdog/beats.ts'

t.test('silence grows from look to look, and a beat ends it', async (t) => {
  const judge = createBeatJudge(1_000)
  t.equal(judge(1, 5_000), 0)
  t.equal(judge(1, 6_000), 1_000)
  t.equal(judge(1, 7_100), 2_100)
  t.equal(judge(2, 8_100), 0)
  t.equal(judge(2, 9_100), 1_000)
})

t.test('a process that was stopped for an hour was not silent', async (t) => {
  const judge = createBeatJudge(1_000)
  judge(1, 0)
  judge(1, 1_000)
  t.equal(judge(1, 3_601_000), 3_000, 'the hour counts as one late look')
  t.equal(judge(2, 3_601_500), 0)
})

t.test('there are several beats within the longest silence, and not more than are needed', (t) => {
  t.equal(beatMs(15_000), 1_000)
  t.equal(beatMs(3_600_000), 1_000)
  t.equal(beatMs(1_500), 100)
  t.end()
})
