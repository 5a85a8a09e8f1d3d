// The probe and its daemon: session, plan, results, and everything that can come between them.
import t, { type Test } from 'tap'
import { newId } from '../../src/base/ids.ts'
import type { Log, LogFields } from '../../src/base/log/log.ts'
import type { Assignment, ProbePlan } from '../../src/domain/locations/protocol.ts'
import { startUplink } from '../../src/uplink/uplink.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeAssignment, ok, probeDaemon, problem } from '../support/probe-daemon.ts'

const hello = { protocol: 1, version: '1.2.3', kinds: ['endpoint', 'tcp'] }

interface WorldOptions {
  readonly urls?: readonly string[]
  /** What the probe authenticates with. */
  readonly auth?: string
  readonly aheadMs?: number
  /** Takes the place of answers from the start. */
  readonly instead?: Parameters<ReturnType<typeof probeDaemon>['break']>[0]
}

function makeWorld(
  t: Test,
  { urls = ['https://up.example'], auth = 'secret', aheadMs = 0, instead }: WorldOptions = {},
) {
  const clock = new FakeClock()
  const daemon = probeDaemon(clock, { auth: 'secret', aheadMs })
  if (instead) daemon.break(instead)
  const said: { readonly level: string; readonly message: string; readonly fields?: LogFields }[] =
    []
  const say = (level: string) => (message: string, fields?: LogFields) =>
    void said.push({ level, message, ...(fields ? { fields } : {}) })
  const log: Log = {
    ...{ debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    child: () => log,
  }
  const plans: Omit<ProbePlan, 'revision' | 'nowMs'>[] = []
  const seen = { times: 0, lateMs: 0, refusals: 0, asked: [] as string[], checks: 0 }
  const wire = daemon.wire(auth)
  const uplink = startUplink({
    clock,
    log,
    random: () => 0.5,
    wire: {
      ...wire,
      async send(asked) {
        seen.asked.push(new URL(asked.url).origin)
        const answer = await wire.send(asked)
        if (seen.lateMs > 0) await new Promise((resolve) => clock.setTimeout(resolve, seen.lateMs))
        return answer
      },
    },
    urls,
    hello,
    onPlan: (plan) => void plans.push(plan),
    onTime: () => {
      seen.times += 1
    },
    onRefused: () => {
      seen.refusals += 1
    },
    load: () => ({ checks: seen.checks, lateMs: 3, monitors: 1 }),
  })
  t.teardown(async () => {
    const stopped = uplink.stop()
    await clock.advance(6_000)
    await stopped
  })
  let next = 0
  return {
    ...{ clock, daemon, uplink, plans, seen, said },
    errors: () => said.filter(({ level }) => level === 'error').map(({ message }) => message),
    hold({ isUrgent = false, isAlike = false } = {}) {
      next += 1
      seen.checks += 1
      const fields = { monitorId: monitor.monitorId, revision: 1, try: 0, durationMs: 5 }
      const result = { ...fields, dueAtMs: next, result: 'good' as const }
      uplink.hold({ result, startedMonoMs: clock.monoMs(), isAlike, isUrgent })
    },
    /** The due times of what the daemon counted, in the order in which it came. */
    counted: () => daemon.heard.results.map(({ dueAtMs }) => dueAtMs),
  }
}

const monitor = makeAssignment()
const unreachable = () => new Error('nothing listens there')

t.test('a probe says hello, gets its plan, and then only what changes, at once', async (t) => {
  const { clock, daemon, plans } = makeWorld(t)
  daemon.assign(monitor)
  await clock.advance(300)
  t.same(daemon.heard.hellos, [hello])
  t.match(plans, [{ isWhole: true, put: [monitor], remove: [] }])
  const other = makeAssignment({ monitorId: newId('monitor', clock.nowMs()) })
  daemon.assign(other)
  await clock.advance(300)
  t.match(plans[1], { isWhole: false, put: [other], remove: [] })
  daemon.remove(monitor.monitorId)
  await clock.advance(300)
  t.match(plans[2], { isWhole: false, put: [], remove: [monitor.monitorId] })
  const questions = daemon.heard.questions.length
  await clock.advance(100_000)
  t.equal(daemon.heard.questions.length, questions + 4, 'a quiet daemon is asked every 25 s')
  t.equal(plans.length, 3)
})

t.test('what is to be checked now is told once', async (t) => {
  const { clock, daemon, plans } = makeWorld(t)
  daemon.assign(monitor)
  await clock.advance(300)
  daemon.ask(monitor.monitorId)
  await clock.advance(300)
  t.match(plans[1], { ask: [{ monitorId: monitor.monitorId }] })
  daemon.assign(monitor)
  await clock.advance(300)
  t.match(plans[2], { put: [monitor], ask: [] }, 'the daemon may repeat it')
})

t.test('time is that of the daemon', async (t) => {
  const { clock, daemon, uplink, seen } = makeWorld(t, { aheadMs: -86_400_000 })
  await clock.advance(10)
  t.equal(uplink.nowMs(), clock.nowMs() - 86_400_000)
  t.equal(seen.times, 1)
  clock.jump(-3_600_000)
  await clock.advance(60_000)
  t.equal(uplink.nowMs(), clock.nowMs() - 86_400_000, 'whatever the clock of this machine says')
  t.equal(daemon.heard.hellos.length, 1)
})

t.test('one answer that was held up does not make it late', async (t) => {
  const { clock, daemon, uplink, seen } = makeWorld(t)
  const change = async () => {
    daemon.assign(makeAssignment({ monitorId: newId('monitor', clock.nowMs()) }))
    await clock.advance(2_000)
    return clock.nowMs() - uplink.nowMs()
  }
  t.equal(await change(), 0)
  seen.lateMs = 600
  t.equal(await change(), 0)
  t.equal(await change(), 600, 'the daemon may be of another mind than before')
  seen.lateMs = 0
  t.equal(await change(), 0)
})

t.test('routine results go each second or by the hundred, others at once', async (t) => {
  const { clock, daemon, hold, counted } = makeWorld(t)
  await clock.advance(10)
  hold()
  hold()
  await clock.advance(900)
  t.same(counted(), [])
  await clock.advance(110)
  t.same(counted(), [1, 2])
  await clock.advance(300)
  for (let count = 0; count < 100; count += 1) hold()
  await clock.advance(1)
  t.equal(counted().length, 102)
  await clock.advance(300)
  hold()
  hold({ isUrgent: true })
  await clock.advance(1)
  t.same(counted().slice(-2), [103, 104], 'with what came before it')
  t.match(daemon.heard.loads.at(-1), { checks: 104, dropped: 0, lateMs: 3, monitors: 1 })
})

t.test(
  'while the daemon is away, checks go on, and it gets their results later, once',
  async (t) => {
    const { clock, daemon, hold, counted, seen, errors, said } = makeWorld(t)
    daemon.assign(monitor)
    await clock.advance(10)
    daemon.break(unreachable)
    daemon.restart()
    for (let count = 0; count < 20; count += 1) {
      hold({ isUrgent: count % 5 === 0 })
      await clock.advance(60_000)
    }
    t.equal(seen.refusals, 0)
    t.same(errors(), ['https://up.example cannot be reached: nothing listens there'], 'told once')
    daemon.repair()
    await clock.advance(40_000)
    t.same(
      counted(),
      Array.from({ length: 20 }, (_, at) => at + 1),
    )
    t.match(said.at(-2), { level: 'info', message: 'https://up.example answers again' })
    const ages = daemon.heard.results.map(({ ageMs }) => ageMs)
    t.ok((ages[0] ?? 0) >= 1_200_000 && (ages[19] ?? 0) >= 60_000, 'as old as they are')
  },
)

t.test('tries follow after 1 s, twice as long each time, and 30 s at most', async (t) => {
  const { clock, daemon } = makeWorld(t, { instead: unreachable })
  const atMs: number[] = []
  for (let elapsedMs = 0; elapsedMs < 130_000; elapsedMs += 1_000) {
    const before = daemon.heard.questions.length
    await clock.advance(1_000)
    if (daemon.heard.questions.length > before) atMs.push(elapsedMs / 1_000)
  }
  t.same(atMs, [0, 2, 6, 14, 30, 60, 90, 120])
})

t.test('when one address fails, the next one is tried', async (t) => {
  const urls = ['https://one.example', 'https://two.example/stillup']
  let isFirst = true
  const instead = () => {
    if (!isFirst) return undefined
    isFirst = false
    return unreachable()
  }
  const { clock, seen, plans } = makeWorld(t, { urls, instead })
  await clock.advance(2_000)
  t.same(seen.asked.slice(0, 2), ['https://one.example', 'https://two.example'])
  t.equal(plans.length, 1)
})

t.test('a revoked token ends all checks, is told once, and tried again each minute', async (t) => {
  const { clock, daemon, seen, errors, hold, counted, plans } = makeWorld(t)
  daemon.assign(monitor)
  await clock.advance(10)
  daemon.break(() => problem(401, 'unauthenticated', 'The token is not valid.'))
  hold({ isUrgent: true })
  await clock.advance(2_000)
  t.equal(seen.refusals, 1)
  const questions = daemon.heard.questions.length
  await clock.advance(300_000)
  t.equal(daemon.heard.questions.length, questions + 5)
  t.equal(errors().length, 1)
  t.match(errors()[0], /^https:\/\/up\.example refuses the token \(401, The token is not valid\.\)/)
  daemon.repair()
  await clock.advance(61_000)
  t.match(plans.at(-1), { isWhole: true, put: [monitor] })
  t.same(counted(), [], 'what it found before is not told with another token')
})

t.test('a token that nobody knows is refused from the start', async (t) => {
  const { clock, seen, errors } = makeWorld(t, { auth: 'wrong' })
  await clock.advance(10)
  t.equal(seen.refusals, 1)
  t.equal(errors().length, 1)
})

t.test('a proxy that refuses is not taken for the daemon', async (t) => {
  const instead = () => ({ status: 403, text: '<html>Forbidden</html>' })
  const { clock, daemon, errors, seen } = makeWorld(t, { instead })
  await clock.advance(10)
  t.same(errors(), ['something in front of https://up.example refuses the probe (403)'])
  t.equal(seen.refusals, 0)
  daemon.repair()
  await clock.advance(2_000)
  t.equal(daemon.heard.hellos.length, 1)
})

t.test('a daemon that started anew knows no session: the probe begins another one', async (t) => {
  const { clock, daemon, plans, hold, counted } = makeWorld(t)
  daemon.assign(monitor)
  await clock.advance(5_000)
  hold()
  daemon.restart()
  await clock.advance(10)
  t.equal(daemon.heard.hellos.length, 2)
  t.match(plans[1], { isWhole: true, put: [monitor] })
  t.same(counted(), [1], 'and nothing is lost')
  await clock.advance(5_000)
  daemon.restart()
  hold({ isUrgent: true })
  await clock.advance(300)
  t.same(counted(), [1, 2], 'also when results are what meets it first')
})

t.test('it says which side to upgrade', async (t) => {
  for (const [answer, words] of [
    [problem(426, 'protocol', 'x'), /too old for the daemon.*: upgrade this probe/],
    [problem(400, 'protocol', 'x'), /too old for this probe: upgrade the daemon/],
    [problem(404, 'not_found', 'x'), /knows no probes/],
    [{ status: 200, text: '<html>' }, /no JSON: is a stillup daemon there/],
    [ok({ hello: 'world' }), /not understood: is a stillup daemon/],
    [{ status: 302, text: '' }, /redirects \(302\)/],
    [{ status: 502, text: '<html>' }, /answers with 502/],
  ] as const) {
    const { clock, errors } = makeWorld(t, { instead: () => answer })
    await clock.advance(70_000)
    t.equal(errors().length, 1, String(words))
    t.match(errors()[0], words)
  }
})

t.test(
  'when the machine slept, what is held is dropped, and the time asked for anew',
  async (t) => {
    const { clock, daemon, uplink, hold, counted } = makeWorld(t)
    await clock.advance(10)
    hold()
    clock.jump(8 * 3_600_000)
    await clock.advance(2_000)
    hold()
    await clock.advance(2_000)
    t.same(counted(), [2])
    t.equal(daemon.heard.hellos.length, 2)
    t.equal(uplink.nowMs(), clock.nowMs())
    t.match(daemon.heard.loads.at(-1), { checks: 1 }, 'counted since the session began')
  },
)

t.test('a stop sends what is held, and waits for no daemon longer than 5 s', async (t) => {
  const { clock, hold, counted, uplink } = makeWorld(t)
  await clock.advance(10)
  for (let count = 0; count < 60; count += 1) hold()
  await uplink.stop()
  t.equal(counted().length, 60)

  const other = makeWorld(t)
  await other.clock.advance(10)
  other.hold()
  other.daemon.break(unreachable)
  let isStopped = false
  void other.uplink.stop().then(() => {
    isStopped = true
  })
  await other.clock.advance(5_001)
  t.ok(isStopped)
})

t.test('a daemon of a later version is understood, as far as it can be', async (t) => {
  const { clock, daemon, plans, errors } = makeWorld(t)
  const strange = [
    { ...monitor, monitorId: newId('monitor', 1), checkType: 7 },
    { ...monitor, monitorId: newId('monitor', 2), timeoutMs: 10_000_000 },
    { ...monitor, monitorId: newId('monitor', 3), ipFamily: 'ipv8' },
    { ...monitor, monitorId: newId('monitor', 4), checkType: 'quantum' },
  ] as unknown as Assignment[]
  daemon.assign(...strange, { ...monitor, isQuantum: true } as Assignment)
  await clock.advance(10)
  t.match(plans, [{ put: [{ monitorId: monitor.monitorId }] }])
  t.equal(plans[0]?.put.length, 1)
  t.match(errors(), [/4 monitors are not understood and not checked here: upgrade this probe/])
})

t.test('a monitor that was changed to what is not understood is checked no more', async (t) => {
  const { clock, daemon, plans, errors } = makeWorld(t)
  const other = makeAssignment({ monitorId: newId('monitor', 1) })
  daemon.assign(monitor, other)
  await clock.advance(5_000)
  const method = 'QUERY' as Assignment['method']
  daemon.assign({ ...monitor, revision: 2, method })
  await clock.advance(10)
  t.match(plans[1], { isWhole: false, put: [], remove: [monitor.monitorId] })
  t.match(errors(), [/one monitor is not understood/])
})

t.test('results that the daemon rejects are dropped, and do not hold up others', async (t) => {
  const { clock, daemon, hold, counted } = makeWorld(t)
  await clock.advance(10)
  daemon.break((path) => (path === 'results' ? problem(422, 'validation_failed', 'x') : undefined))
  hold({ isUrgent: true })
  await clock.advance(10)
  daemon.repair()
  hold({ isUrgent: true })
  await clock.advance(2_000)
  t.same(counted(), [2])
  t.match(daemon.heard.loads.at(-1), { dropped: 1 })
})

t.test('an overloaded daemon gets the pause that it asks for', async (t) => {
  const { clock, daemon, hold } = makeWorld(t)
  await clock.advance(10)
  const busy = { ...problem(429, 'rate_limited', 'Slow down.'), retryAfterMs: 20_000 }
  daemon.break((path) => (path === 'results' ? busy : undefined))
  hold({ isUrgent: true })
  await clock.advance(19_000)
  const count = () => daemon.heard.questions.filter((one) => one === 'POST results').length
  t.equal(count(), 1)
  await clock.advance(2_000)
  t.equal(count(), 2)
})

t.test('a daemon that does not answer is not waited for without an end', async (t) => {
  const urls = ['https://one.example', 'https://two.example']
  const { clock, daemon, uplink, seen, errors } = makeWorld(t, { urls })
  await clock.advance(10)
  t.ok(uplink.isConnected())
  daemon.break(() => new Promise(() => {}))
  await clock.advance(120_000)
  t.notOk(uplink.isConnected())
  t.equal(errors()[0], 'https://one.example does not answer')
  t.equal(seen.asked.at(-1), 'https://one.example')
  t.ok(seen.asked.includes('https://two.example'))
})

t.test(
  'a proxy that answers each question for the plan at once is not asked without a pause',
  async (t) => {
    const { clock, daemon } = makeWorld(t)
    await clock.advance(10)
    daemon.break((path) => (path === 'plan' ? { status: 204, text: '' } : undefined))
    daemon.assign(monitor)
    await clock.advance(10_000)
    t.ok(daemon.heard.questions.length < 15, `${daemon.heard.questions.length} questions`)
  },
)

t.test('however much fails, the daemon gets no more requests than it takes', async (t) => {
  const { clock, daemon, hold, counted } = makeWorld(t)
  await clock.advance(10)
  for (let count = 0; count < 600; count += 1) {
    hold({ isUrgent: true })
    daemon.assign(monitor)
    await clock.advance(100)
  }
  await clock.advance(1_000)
  t.equal(counted().length, 600)
  const { questions } = daemon.heard
  t.ok(questions.length < 550, `${questions.length} requests in a minute`)
})

t.test('two probes with one token do not chase each other without a pause', async (t) => {
  const { clock, daemon } = makeWorld(t)
  daemon.break((path) => (path === 'plan' ? problem(409, 'conflict', 'x') : undefined))
  await clock.advance(10_000)
  t.ok(daemon.heard.hellos.length <= 11, `${daemon.heard.hellos.length} sessions`)
})
