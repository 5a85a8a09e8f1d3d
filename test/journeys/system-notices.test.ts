// News of the service itself, at the channels that its administrator chose.
import t from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { register, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'

t.test('an administrator chooses channels, which hear that the daemon did not run', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const first = await startDaemon(t)
  const ada = await register(first, 'ada', first.setupToken)
  const bob = await registerWithKey(first, 'bob')
  const add = (org: string, cookie: string) =>
    first.need('POST', `${org}/alert-channels`, {
      cookie,
      json: { name: 'Desk', type: 'webhook', config: { url: receiver.url }, isActive: true },
    })
  const { cookie } = ada
  const { id } = await add(ada.org, cookie)
  const foreign = await add(bob.org, bob.cookie)
  const choose = (channelIds: string[]) =>
    first.ask('PUT', '/api/v1/system/notices', { cookie, json: { channelIds } })
  const refused = await choose([id, foreign.id])
  t.equal(refused.status, 422)
  t.match(refused.json.errors, [{ pointer: '/channelIds/1', message: new RegExp(foreign.id) }])
  t.match((await choose([id])).json.data, { channelIds: [id] })
  const byBob = await first.ask('GET', '/api/v1/system/notices', { cookie: bob.cookie })
  t.equal(byBob.status, 403)
  await first.stop()

  const laterMs = 3_600_000
  const clock = startClock({
    wallMs: () => Date.now() + laterMs,
    monoMs: () => performance.now(),
    cpuMs: () => performance.now(),
    sleep: (run, ms) => setTimeout(run, ms),
    wakeNever: (sleeper) => clearTimeout(sleeper as NodeJS.Timeout),
  })
  const second = await startDaemon(t, { dir: first.dir, clock })
  const [told] = await receiver.received(1)
  t.match(bodyOf(told), {
    type: 'system.notice',
    data: {
      notice: { kind: 'gap', isOver: true, text: /did not run from .* to .*Nothing was checked/ },
    },
  })
  await second.need('DELETE', `${ada.org}/alert-channels/${id}`, { cookie })
  t.match(await second.need('GET', '/system/notices', { cookie }), { channelIds: [] })
  await second.stop()
  t.equal(receiver.requests.length, 1)
})
