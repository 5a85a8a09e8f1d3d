// The service's own history over the API.
import t from 'tap'
import { register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const token = 'the-token-of-the-operator'
const minuteMs = 60_000

t.test('the history has a point a minute, for administrators alone', async (t) => {
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const daemon = await startDaemon(t, { clock, env: { SYSTEM_TOKEN: token } })
  const history = (query: string) =>
    daemon.need('GET', `/system/history${query}`, { bearer: token })
  t.match(await history(''), {
    pointSeconds: 300,
    points: [],
    disk: { state: 'short', fullAt: null },
  })
  for (let minute = 0; minute < 12; minute += 1) await clock.advance(minuteMs)
  const hour = await history('?range=hour')
  t.match([hour.pointSeconds, hour.points.length], [60, 12])
  t.match(hour.points[0], {
    from: /:00\.000Z$/,
    checksPerSecond: 0,
    latenessP50Ms: null,
    errors: 0,
  })
  t.ok(hour.points[0].memoryBytes > 1024 ** 2)
  t.equal((await history('?range=day')).points.length, 3)

  const wrong = await daemon.ask('GET', '/api/v1/system/history?range=month', { bearer: token })
  t.match([wrong.status, wrong.json.errors[0].pointer], [400, /range/])
  await register(daemon, 'ada', daemon.setupToken)
  const { cookie } = await register(daemon, 'bob')
  t.equal((await daemon.ask('GET', '/api/v1/system/history', { cookie })).status, 403)
})
