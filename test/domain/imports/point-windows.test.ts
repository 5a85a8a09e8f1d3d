// When windows are on that begin at a point in time, and recur.
import t from 'tap'
import { pointWindow } from '../../../src/domain/imports/point-windows.ts'

const window = {
  startMs: Date.parse('2026-03-31T22:15Z'),
  endMs: Date.parse('2026-04-01T00:15Z'),
  untilMs: 0,
  readAtMs: Date.parse('2026-01-01T00:00Z'),
  every: '',
  count: 1,
}
const none = () => {}

t.test('a window is on once, or by the day, the week and the month', async (t) => {
  t.same(pointWindow(window, none), {
    startsAt: '2026-03-31T22:15:00.000Z',
    endsAt: '2026-04-01T00:15:00.000Z',
  })
  const cronOf = (every: string) => pointWindow({ ...window, every }, none)
  t.match(cronOf('day'), { cron: '15 22 * * *', durationMinutes: 120, timezone: 'UTC' })
  t.match(cronOf('week'), { cron: '15 22 * * 2' })
  t.match(cronOf('month'), { cron: '15 22 31 * *' })
})

t.test('what cannot be said is told in words', async (t) => {
  const why = (change: object) => pointWindow({ ...window, ...change }, none)
  t.equal(why({ endMs: 0 }), 'its time is not told')
  t.equal(why({ readAtMs: window.endMs }), 'it is over')
  t.equal(why({ every: 'day', untilMs: 1 }), 'it is over')
  t.match(why({ every: 'week', count: 2 }), /every 2 of week/)
  t.match(why({ every: 'moon' }), /by moon/)
  const said: string[] = []
  pointWindow({ ...window, every: 'day', untilMs: Date.parse('2027-01-01') }, (text) =>
    said.push(text),
  )
  t.same(said, ['that it ends on 2027-01-01'])
})
