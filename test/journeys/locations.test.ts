// A monitor that is checked from elsewhere: what the probes of its locations say makes its state.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { required } from '../../src/base/assert.ts'
import type { ProbePlan } from '../../src/domain/locations/protocol.ts'
import { probeSecrets } from '../../src/seal/probe-token.ts'
import { registerWithKey } from '../support/cast.ts'
import { type DaemonOptions, startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const hello = { protocol: 1, version: '1.0.0', kinds: ['endpoint'] }
const self = { checks: 1, dropped: 0, lateMs: 0, monitors: 1 }
const good = { result: 'good', durationMs: 42, status: 200 }
const error = { kind: 'status', message: 'expected status 200, found 503' }
const bad = { result: 'failed', durationMs: 42, status: 503, error }

/** A daemon with locations, a probe at each, and a monitor that all of them check. */
async function open(
  t: Test,
  names: readonly string[],
  options: DaemonOptions = {},
  fields: object = {},
) {
  const daemon = await startDaemon(t, options)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const { org, key, cookie } = await registerWithKey(daemon)
  await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'webhook', config: { url: receiver.url } },
  })
  async function makeProbe(name: string) {
    const location = await daemon.need('POST', `${org}/locations`, { cookie, json: { name } })
    const path = `${org}/locations/${location.id}/probes`
    const { token } = await daemon.need('POST', path, { cookie, json: { name } })
    daemon.secrets.add(token)
    const bearer = probeSecrets(token).auth
    const ask = (path: string, json?: object) =>
      daemon.ask(json ? 'POST' : 'GET', `/api/v1/probe/${path}`, { bearer, ...(json && { json }) })
    const { session } = (await ask('session', hello)).json
    return { id: location.id as string, ask, session, bearer }
  }
  type TestProbe = Awaited<ReturnType<typeof makeProbe>>
  const probes: TestProbe[] = []
  for (const name of names) probes.push(await makeProbe(name))
  const { id } = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: {
      name: 'Website',
      url: 'https://site.example.com/',
      headers: { Authorization: 'Bearer of-the-target' },
      failureThreshold: 1,
      recoveryThreshold: 1,
      locations: probes.map((probe) => probe.id),
      ...fields,
    },
  })
  /** A probe, with its plan once the monitor is in it. */
  async function planned(at: number) {
    const probe = required(probes[at], 'a probe')
    const plan = await until(async () => {
      const answer = await probe.ask(`plan?session=${probe.session}&since=0`)
      return answer.json.put.length > 0 && answer
    })
    return { probe, plan }
  }
  let tries = 0
  /** Sends what a probe has seen, by its plan. */
  async function answer(probe: TestProbe, plan: Pick<ProbePlan, 'put' | 'nowMs'>, seen: object) {
    const [assignment] = plan.put
    tries += 1
    const slot = { dueAtMs: plan.nowMs, try: tries, ageMs: 5 }
    const results = [{ ...required(assignment, 'a monitor'), ...slot, ...seen }]
    const sent = await probe.ask('results', { session: probe.session, results, self })
    t.match(sent, { status: 200, json: { taken: 1, refused: [] } })
    return assignment
  }
  return {
    ...{ daemon, org, cookie, probes },
    receiver,
    planned,
    look: () => daemon.need('GET', `${org}/monitors/${id}`, { key }),
    places: () => daemon.need('GET', `${org}/monitors/${id}/locations`, { key }),
    /** The outcomes that the probe at a location saw, newest first. */
    async history(at: number) {
      const path = `${org}/monitors/${id}/checks?location=${probes[at]?.id}`
      const rows: { outcome: string }[] = await daemon.need('GET', path, { key })
      return rows.map(({ outcome }) => outcome)
    },
    locations: () => daemon.need('GET', `${org}/locations`, { key }),
    async why() {
      const [{ id }] = await daemon.need('GET', `${org}/incidents`, { key })
      return daemon.need('GET', `${org}/incidents/${id}/explain`, { key })
    },
    addPage: (json: object) => daemon.need('POST', `${org}/status-pages`, { key, json }),
    run: () => daemon.ask('POST', `/api/v1${org}/monitors/${id}`, { key }),
    answer,
    /** What one of the probes has seen just now. */
    async say(at: number, seen: object) {
      const { probe, plan } = await planned(at)
      return answer(probe, plan.json, seen)
    },
  }
}

t.test('a monitor is down when most of its locations see it down, and up again', async (t) => {
  const names = ['Frankfurt', 'Oslo', 'Singapore'] as const
  const { say, look, places, history, receiver, locations } = await open(t, names)
  const assignment = await say(0, good)
  t.match(assignment, { url: 'https://site.example.com/', checkType: 'endpoint' })
  t.notMatch(JSON.stringify(assignment), 'of-the-target', 'secrets are sealed')
  await say(1, good)
  await say(2, good)
  t.match(await look(), { state: 'up' })
  await say(0, bad)
  t.match(await look(), { state: 'up' }, 'one of three is no outage')
  await say(1, bad)
  t.match(await look(), { state: 'down' })
  const [opened] = await receiver.received(1)
  t.match(bodyOf(opened), { type: 'incident.opened' })
  t.match(await places(), {
    vote: { downWhen: 'majority', needed: 2, voting: 3 },
    places: names.map((name, at) => ({
      ...{ name, state: at < 2 ? 'down' : 'up', responseTimeMs: 42 },
      error: at < 2 ? error : null,
    })),
  })
  t.same([await history(0), await history(2)], [['down', 'up'], ['up']])
  await say(1, good)
  t.match(await look(), { state: 'up' })
  t.match(
    (await locations()).map(({ state }: { state: string }) => state),
    ['live', 'live', 'live'],
  )
})

t.test('a probe of any version checks a monitor that is upside down', async (t) => {
  const fields = { isUpsideDown: true, failureThreshold: 3, recoveryThreshold: 2 }
  const { say, look } = await open(t, ['Oslo'], {}, fields)
  // The probe sees failures and recoveries the other way round, and chooses its pace by them.
  const assignment = await say(0, bad)
  t.match(assignment, { failureThreshold: 2, recoveryThreshold: 3, degradedThresholdMs: null })
  t.match(await look(), { state: 'up', lastError: null })
  for (let at = 0; at < 3; at++) await say(0, good)
  const message = 'the target works, and is expected to fail'
  t.match(await look(), { state: 'down', lastError: { kind: 'assertion', message } })
  for (let at = 0; at < 2; at++) await say(0, bad)
  t.match(await look(), { state: 'up' })
  await say(0, { result: 'unknown', durationMs: 1 })
  t.match(await look(), { state: 'unknown' }, 'what could not be checked is not good')
})

t.test('a status page says at once from where a service fails, if it is to', async (t) => {
  const names = ['Frankfurt', 'Oslo'] as const
  const { daemon, say, addPage } = await open(t, names, {}, { isPublic: true, downWhen: 'all' })
  await addPage({ name: 'Acme', slug: 'acme', showLocations: true })
  await addPage({ name: 'Quiet', slug: 'quiet' })
  const textOf = async (path: string) => (await daemon.ask('GET', `/status/${path}`)).text
  for (const at of [0, 1]) await say(at, good)
  t.notMatch(await textOf('acme'), 'Fails')
  t.match(await textOf('acme'), '<b>42 ms</b> <bdi>Oslo</bdi>')
  await say(1, bad)
  // A page is made at most every 20 ms.
  await until(async () => /<small>Fails from Oslo\.<\/small>/.test(await textOf('acme')))
  t.match(await textOf('acme'), 'All systems operational')
  t.match(await textOf('acme/api/v2/components.json'), '"description":"Fails from Oslo."')
  await say(0, bad)
  for (const path of ['quiet', 'quiet/feed.json', 'quiet/api/v2/summary.json']) {
    t.notMatch(await textOf(path), /Oslo|Frankfurt|Fails/, path)
  }
})

t.test('all that confirmed an outage counts in its explanation', async (t) => {
  const { say, look, why } = await open(t, ['Frankfurt', 'Oslo'], {}, { failureThreshold: 2 })
  for (const at of [0, 1]) await say(at, good)
  for (const at of [0, 0, 1, 1]) await say(at, bad)
  t.match(await look(), { state: 'down' })
  const [{ checks }] = (await why()).decisions
  t.same(
    checks.map(({ outcome, counted }: { outcome: string; counted: boolean }) => [outcome, counted]),
    [
      ...[
        ['up', false],
        ['up', false],
      ],
      ...Array(4).fill(['down', true]),
    ],
  )
})

t.test('who checks now hears what a probe sees now', async (t) => {
  const { run, planned, answer } = await open(t, ['Oslo'])
  const { probe, plan } = await planned(0)
  const held = probe.ask(`plan?session=${probe.session}&since=${plan.json.revision}`)
  const ran = run()
  const { put, ask } = (await held).json
  t.same(put, [])
  t.match(ask, [{ monitorId: plan.json.put[0].monitorId }])
  await answer(probe, plan.json, bad)
  t.match(await ran, { status: 200, json: { data: { outcome: 'down' } } })
})

t.test('a stop of the daemon waits for no probe that waits for its plan', async (t) => {
  const { daemon, planned } = await open(t, ['Oslo'])
  const { probe, plan } = await planned(0)
  const held = probe.ask(`plan?session=${probe.session}&since=${plan.json.revision}`)
  await until(async () => /_plans_held 1$/m.test((await daemon.ask('GET', '/metrics')).text))
  const startedMs = performance.now()
  const [answer] = await Promise.all([held, daemon.stop()])
  t.equal(answer.status, 503)
  t.ok(performance.now() - startedMs < 10_000)
})

t.test('people hear once of a silent location, also where the daemon starts anew', async (t) => {
  const clock = Object.assign(new FakeClock(), { stop() {} })
  const { daemon, org, cookie, probes } = await open(t, ['Oslo'], { clock })
  const { dir } = daemon
  const subjects = () =>
    readdirSync(join(dir, 'outbox'))
      .map((name) => /^Subject: (.*)$/m.exec(readFileSync(join(dir, 'outbox', name), 'utf8'))?.[1])
      .filter((subject) => subject?.startsWith('Oslo'))
  const bell = async (from: typeof daemon) =>
    (await from.need('GET', `${org}/activity`, { cookie })).items
  await clock.advance(180_000)
  await until(() => subjects().length > 0)
  t.same(subjects(), ['Oslo is silent'])
  const told = { kind: 'location.silent', title: 'Oslo' }
  t.match(await bell(daemon), [told])
  await daemon.stop()

  const later = Object.assign(new FakeClock(clock.nowMs() + 60_000), { stop() {} })
  const again = await startDaemon(t, { dir, clock: later })
  await later.advance(600_000)
  t.match(await bell(again), [told])
  t.same(subjects(), ['Oslo is silent'], 'they know')
  const { bearer } = required(probes[0])
  const { status } = await again.ask('POST', '/api/v1/probe/session', { bearer, json: hello })
  t.equal(status, 200)
  await later.advance(5_000)
  await until(() => subjects().length > 1)
  t.same(subjects().toSorted(), ['Oslo is heard again', 'Oslo is silent'])
  t.same(await bell(again), [])
})
