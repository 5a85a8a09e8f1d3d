// Who hears what, when, and why not: over the API, with simulated time, in the night in which clocks
// are set forward.
import t, { type Test } from 'tap'
import { mintKey, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

class StoppableClock extends FakeClock {
  readonly stop = (): void => {}
}

async function begin(t: Test) {
  // 21:00 in Berlin.
  const clock = new StoppableClock(Date.parse('2026-03-28T20:00:00Z'))
  const daemon = await startDaemon(t, { clock })
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const owner = await registerWithKey(daemon)
  const { org, key } = owner
  const memberKey = await mintKey(daemon, owner, 'member')
  const call = (method: string, path: string, json?: object) =>
    daemon.need(method, `${org}${path}`, json ? { key, json } : { key })
  const channel = (name: string, more: object = {}, path = name) =>
    call('POST', '/alert-channels', {
      name,
      type: 'webhook',
      config: { url: `${receiver.url}/${path}` },
      ...more,
    })
  const job = (name: string, more: object = {}) =>
    call('POST', '/monitors', { name, checkType: 'push', intervalMinutes: 1_440, ...more })
  const report = (pushToken: string, status: 'ok' | 'error') =>
    daemon.need('POST', `/push/${pushToken}`, { json: { status } })
  /** What a channel was sent, tests aside. */
  /** What came, each message once: it is sent again where time leapt over its answer. */
  const heard = (path: string) => {
    const requests = receiver.requests.filter((request) => request.path.endsWith(`/${path}`))
    const byId = new Map(requests.map((request) => [request.headers['webhook-id'], request]))
    return [...byId.values()]
      .map((request) => String(bodyOf(request).type))
      .filter((type) => type !== 'channel.test')
  }
  /** Waits while time goes on slowly. */
  const soon = <T>(look: () => T | false | Promise<T | false>) =>
    until(async () => {
      const found = await look()
      if (found === false) await clock.advance(1_000)
      return found
    })
  /** Time goes on in steps, as requests that are under way need real time. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 10 * minuteMs) {
      await clock.advance(Math.min(left, 10 * minuteMs))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  t.teardown(async () => {
    let isStopped = false
    const stopped = daemon.stop().finally(() => {
      isStopped = true
    })
    // Stopping takes simulated time too.
    await until(async () => {
      await clock.advance(1_000)
      return isStopped
    })
    await stopped
  })
  return {
    clock,
    daemon,
    org,
    key,
    memberKey,
    receiver,
    call,
    channel,
    job,
    report,
    heard,
    pass,
    soon,
  }
}

t.test('a night: what is held is listed, summed up, and reminders are left out', async (t) => {
  const world = await begin(t)
  const { call, channel, job, report, heard, pass, soon } = world
  const quietHours = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' }
  const night = await channel('night', { quietHours, isDefault: true })
  await channel('pager', { quietHours: { ...quietHours, allowDown: true }, isDefault: true })
  t.same(night.quietHours, quietHours)
  const [backup, mail, sync] = await Promise.all(
    ['Backup', 'Mail', 'Sync'].map((name) => job(name, { reminderMinutes: 60 })),
  )
  await pass(2 * hourMs)
  for (const { pushToken } of [backup, mail, sync]) await report(pushToken, 'error')
  await soon(() => heard('pager').length === 3)
  const [held] = await call('GET', `/alert-channels/${night.id}/deliveries?state=pending`)
  // 07:00 in Berlin, where clocks were set forward at 02:00.
  t.match(held, { heldUntil: '2026-03-29T05:00:00.000Z', attempts: 0, event: 'incident.opened' })
  t.equal(held.nextAttemptAt, held.heldUntil)
  await pass(hourMs)
  await soon(() => heard('pager').filter((type) => type === 'incident.reminder').length === 3)
  await report(sync.pushToken, 'ok')
  await soon(() => heard('pager').includes('incident.resolved'))
  await pass(6 * hourMs - 10 * minuteMs)
  t.same(heard('night'), [], 'the night is an hour shorter')
  await pass(20 * minuteMs)
  await soon(() => heard('night').length === 2)
  await soon(
    async () =>
      (await call('GET', `/alert-channels/${night.id}/deliveries?state=pending`)).length === 0,
  )
  t.same(heard('night').toSorted(), ['incident.digest', 'incident.resolved'])
  const digest = world.receiver.requests
    .filter(({ path }) => path.endsWith('/night'))
    .map(bodyOf)
    .find(({ type }) => type === 'incident.digest') as unknown as {
    data: { incidentsTotal: number; event: string }
  }
  t.match(digest.data, { incidentsTotal: 2, event: 'incident.opened' })
})

t.test('without quiet hours, what was held goes out at once', async (t) => {
  const { call, channel, job, report, heard, pass, soon } = await begin(t)
  const quietHours = { timezone: 'Europe/Berlin', from: '20:00', to: '07:00' }
  const night = await channel('night', { quietHours, isDefault: true })
  const { pushToken } = await job('Backup')
  await report(pushToken, 'error')
  await pass(30 * minuteMs)
  t.same(heard('night'), [])
  t.match(await call('PATCH', `/alert-channels/${night.id}`, { quietHours: null }), {
    quietHours: null,
  })
  await soon(() => heard('night').length === 1)
})

t.test('quiet hours and tags that cannot be are refused at their fields', async (t) => {
  const { daemon, org, key } = await begin(t)
  const json = { name: 'n', type: 'webhook', config: { url: 'https://hook.test/' } }
  const refused = async (more: object) => {
    const { json: answer } = await daemon.ask('POST', `/api/v1${org}/alert-channels`, {
      key,
      json: { ...json, ...more },
    })
    return [answer.code, answer.errors?.[0]?.pointer]
  }
  const night = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' }
  const cases: [object, string][] = [
    [{ quietHours: { ...night, timezone: 'Europe/Nowhere' } }, '/quietHours/timezone'],
    [{ quietHours: { ...night, from: '25:00' } }, '/quietHours/from'],
    [{ quietHours: { ...night, to: '22:00' } }, '/quietHours/to'],
    [{ quietHours: { ...night, days: ['someday'] } }, '/quietHours/days/0'],
    [{ quietHours: { ...night, days: [] } }, '/quietHours/days'],
    [{ tags: Array(21).fill('x') }, '/tags'],
  ]
  for (const [more, pointer] of cases) {
    t.same(await refused(more), ['validation_failed', pointer], pointer)
  }
})

t.test(
  'the path says for each channel when it hears, or why not, and tests those on it',
  async (t) => {
    const { daemon, org, key, memberKey, channel, job, heard, receiver } = await begin(t)
    const quietHours = { timezone: 'Europe/Berlin', from: '20:00', to: '07:00' }
    await channel('now', { isDefault: true })
    await channel('later', { isDefault: true, delayMinutes: 10 })
    await channel('held', { isDefault: true, quietHours })
    await channel('tagged', { isDefault: true, tags: ['shop'] })
    await channel('others', { isDefault: true, tags: ['blog'] })
    await channel('apart', { isDefault: false })
    await channel('off', { isDefault: true, isActive: false })
    const { id } = await job('Backup', { tags: ['shop'] })
    const path = `${org}/monitors/${id}/alerts/test`
    const asked = await daemon.need('POST', path, { key: memberKey, json: { send: false } })
    t.match(asked.channels, [
      { name: 'now', gets: 'now', reason: null, test: null, alertAt: asked.at },
      { name: 'later', gets: 'later', reason: 'delay', alertAt: '2026-03-28T20:10:00.000Z' },
      { name: 'held', gets: 'later', reason: 'quiet_hours', alertAt: '2026-03-29T05:00:00.000Z' },
      { name: 'tagged', gets: 'now' },
      { name: 'others', gets: 'never', reason: 'tags' },
      { name: 'apart', gets: 'never', reason: 'not_default' },
      { name: 'off', gets: 'never', reason: 'switched_off' },
    ])
    t.equal(receiver.requests.length, 0)
    const noon = { send: false, at: '2026-03-29T12:00:00Z' }
    const atNoon = await daemon.need('POST', path, { key: memberKey, json: noon })
    t.match(atNoon.channels[2], { name: 'held', gets: 'now' })
    const refused = await daemon.ask('POST', `/api/v1${path}`, { key: memberKey, json: {} })
    t.match(refused.json, { status: 403, code: 'forbidden' })

    receiver.always({ status: 404, body: 'no such hook' })
    const { json } = await daemon.ask('POST', `/api/v1${path}`, { key, json: {} })
    t.equal(
      json.message,
      '0 of 7 channels would get this alert; 4 more should, but cannot be reached. ' +
        '0 of 4 tests were delivered.',
    )
    const tested = json.data.channels.filter(({ test }: { test: unknown }) => test !== null)
    t.same(
      tested.map(({ name }: { name: string }) => name),
      ['now', 'later', 'held', 'tagged'],
    )
    t.match(tested[0].test, {
      delivered: false,
      status: 404,
      message:
        'Test not delivered. The receiver answered 404. There is nothing at this address: check the ' +
        'config of the channel. It said: no such hook',
    })
    t.equal(receiver.requests.length, 4)
    t.same(heard('now'), [])
    const codes = []
    for (let round = 0; round < 6; round++) {
      codes.push((await daemon.ask('POST', `/api/v1${path}`, { key, json: {} })).json.code)
    }
    t.equal(codes.at(-1), 'rate_limited')
  },
)

t.test('an acknowledged incident is on the path of now, not on that of tomorrow', async (t) => {
  const { call, channel, job, report, heard, soon } = await begin(t)
  await channel('now', { isDefault: true })
  const { id, pushToken } = await job('Backup', { reminderMinutes: 60 })
  await report(pushToken, 'error')
  await soon(() => heard('now').length === 1)
  const [incident] = await call('GET', '/incidents')
  await call('POST', `/incidents/${incident.id}/acknowledge`, {})
  const ask = (json: object) =>
    call('POST', `/monitors/${id}/alerts/test`, { send: false, ...json })
  const now = await ask({ event: 'incident.reminder' })
  t.match(now.channels, [{ gets: 'never', reason: 'acknowledged' }])
  const tomorrow = await ask({ event: 'incident.reminder', at: '2026-03-30T12:00:00Z' })
  t.match(tomorrow.channels, [{ gets: 'now' }])
})
