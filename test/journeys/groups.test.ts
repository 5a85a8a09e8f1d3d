// Groups and manual monitors on the whole daemon: they follow at once, and a restart loses nothing.
import t from 'tap'
import { needOf, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { answer, startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

t.test('a group follows its members over a restart and a window', async (t) => {
  const dir = testFolder(t, {})
  const env = { AUTH_REGISTRATION: 'first-user' }
  const shop = await startTarget(answer({ status: 500 }))
  t.teardown(() => shop.close())
  let daemon = await startDaemon(t, { dir, env })
  const owner = await registerWithKey(daemon, 'alice', daemon.setupToken)
  let need = needOf(daemon, owner)
  const lift = await need('POST', '/monitors', { name: 'Lift', checkType: 'manual' })
  const port = await need('POST', '/monitors', {
    ...{ name: 'Port', url: shop.url, isUpsideDown: true, recoveryThreshold: 1 },
    intervalMinutes: 1_440,
  })
  const memberIds = [lift.id, port.id]
  const inner = await need('POST', '/monitors', { name: 'Inner', checkType: 'group', memberIds })
  const outer = await need('POST', '/monitors', {
    ...{ name: 'Outer', checkType: 'group', memberIds: [inner.id] },
  })
  const look = (id: string) => need('GET', `/monitors/${id}`)
  const stateOf = async (id: string) => (await look(id)).state
  const both = async (state: string) => {
    const ofBoth = await Promise.all([stateOf(inner.id), stateOf(outer.id)])
    return ofBoth.every((one) => one === state)
  }
  t.match(await need('POST', `/monitors/${port.id}`), { outcome: 'up' })
  const said = async (id: string) => (await need('GET', `/monitors/${id}/checks/latest`)).message
  t.equal(await said(port.id), 'as expected: expected status 200, found 500')
  await until(() => both('up'))
  const set = (json: object) => need('POST', `/monitors/${lift.id}/state`, json)
  t.match(await set({ state: 'down', message: 'It is stuck.' }), {
    state: 'down',
    lastError: { kind: 'reported', message: 'It is stuck.' },
    nextCheckAt: null,
  })
  await until(() => both('down'))
  t.equal(await said(lift.id), null, 'a failure says it in its error')
  const incidents = async () =>
    (await need('GET', '/incidents')).map(({ state, cause }: { state: string; cause: string }) => [
      state,
      cause,
    ])
  const three = await incidents()
  t.strictSame(three.toSorted(), [
    ['open', 'It is stuck.'],
    ['open', 'down: Inner (1 of 1 members)'],
    ['open', 'down: Lift (1 of 2 members)'],
  ])

  await daemon.stop()
  daemon = await startDaemon(t, { dir, env })
  need = needOf(daemon, owner)
  t.ok(await both('down'), 'what was said holds')
  t.same(await incidents(), three, 'and is not said again')

  const nowMs = Date.now()
  const window = await need('POST', '/maintenance-windows', {
    name: 'Repair',
    monitorIds: [lift.id],
    startsAt: new Date(nowMs - 1_000).toISOString(),
    endsAt: new Date(nowMs + 3_600_000).toISOString(),
  })
  await until(() => both('up'))
  await need('POST', `/maintenance-windows/${window.id}/end`)
  await until(() => both('down'))
  await need('DELETE', `/monitors/${lift.id}`)
  await until(() => both('up'))
  t.same((await look(inner.id)).memberIds, [port.id])
  shop.script = answer()
  for (let at = 0; at < 3; at++) await need('POST', `/monitors/${port.id}`)
  await until(() => both('down'))
  t.match(await look(port.id), {
    lastError: { kind: 'assertion', message: 'the target works, and is expected to fail' },
  })
})
