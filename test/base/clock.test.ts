// The clock: timers in order and without drift, and what happens when time itself does odd things.
import { AsyncLocalStorage } from 'node:async_hooks'
import t, { type Test } from 'tap'
import { type ClockSources, type Jump, startClock, startWork } from '../../src/base/clock.ts'

const wallMs = Date.UTC(2026, 0, 1)

/** A machine whose time a test moves: a wall clock, an elapsed time, one sleeper. */
function startMachine(t: Test) {
  const machine = { wallMs, monoMs: 777.25, cpuMs: 50.5, wakes: 0 }
  let sleeper: { run: () => void; atMs: number } | undefined
  const sources: ClockSources = {
    wallMs: () => Math.floor(machine.wallMs),
    monoMs: () => machine.monoMs,
    cpuMs: () => machine.cpuMs,
    sleep(run, ms) {
      if (ms > 2 ** 31 - 1 || ms < 1) t.fail(`the system cannot sleep ${ms} ms`)
      sleeper = { run, atMs: machine.monoMs + ms }
      return sleeper
    },
    wakeNever(which) {
      if (sleeper === which) sleeper = undefined
    },
  }
  const clock = startClock(sources)
  const jumps: Jump[] = []
  clock.onJump((jump) => jumps.push(jump))

  /** Time goes on; a sleeper whose time has come wakes, on time or at the end of a stall. */
  function move(ms: number): void {
    const untilMs = machine.monoMs + ms
    while (sleeper && sleeper.atMs <= untilMs) {
      const { run, atMs } = sleeper
      sleeper = undefined
      pass(Math.max(0, atMs - machine.monoMs))
      machine.wakes++
      run()
    }
    pass(untilMs - machine.monoMs)
  }

  function pass(ms: number): void {
    machine.monoMs += ms
    machine.wallMs += ms
  }

  return { clock, machine, jumps, move, pass, sleeps: () => sleeper !== undefined }
}

t.test('a timer does not run in the context of the request that woke the clock', async (t) => {
  const { clock, move } = startMachine(t)
  const requests = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  clock.setTimeout(() => seen.push(requests.getStore()), 10)
  requests.run('a request', () => move(20))
  t.same(seen, [undefined])
})

t.test('timers run in the order of their times, each at its own', async (t) => {
  const { clock, move } = startMachine(t)
  const ran: [string, number][] = []
  const startMs = clock.monoMs()
  const add = (name: string, delayMs: number) =>
    clock.setTimeout(() => ran.push([name, Math.round(clock.monoMs() - startMs)]), delayMs)
  add('c', 3_000)
  add('a', 5)
  add('b', 70)
  add('b2', 70)
  clock.clearTimeout(add('never', 60))
  move(10_000)
  t.same(
    ran.map(([name]) => name),
    ['a', 'b', 'b2', 'c'],
  )
  for (const [index, delayMs] of [5, 70, 70, 3_000].entries()) {
    const atMs = ran[index]?.[1] ?? 0
    t.ok(atMs >= delayMs && atMs <= delayMs + 1, `due after ${delayMs}, ran after ${atMs}`)
  }
})

t.test('what became due in a slow turn runs in order, with turns for others', async (t) => {
  const { clock, machine, jumps, move } = startMachine(t)
  const ran: { readonly number: number; readonly wake: number }[] = []
  const all = Array.from({ length: 200 }, (_, number) => number)
  for (const number of all) {
    clock.setTimeout(() => ran.push({ number, wake: machine.wakes }), number + 1)
  }
  machine.monoMs += 400
  machine.wallMs += 400
  move(10)
  t.same(
    ran.map(({ number }) => number),
    all,
  )
  const turns = [...Map.groupBy(ran, ({ wake }) => wake).values()].map(({ length }) => length)
  t.ok(turns.length > 5 && Math.max(...turns) < 40, `${turns}`)
  t.same(jumps, [])
})

t.test('a timer set by a timer, and one without a delay, run too', async (t) => {
  const { clock, move } = startMachine(t)
  let ran = 0
  clock.setTimeout(() => clock.setTimeout(() => ran++, 0), 10)
  clock.setTimeout(() => ran++, -5)
  move(20)
  t.equal(ran, 2)
})

t.test('a timer of more than 2^31 milliseconds does not run at once', async (t) => {
  const { clock, move } = startMachine(t)
  let ran = 0
  clock.setTimeout(() => ran++, 2 ** 31 + 5)
  move(3_600_000)
  t.equal(ran, 0)
})

t.test('hours of timers do not drift, and tell the time of the wall', async (t) => {
  const { clock, machine, move, jumps } = startMachine(t)
  let dueAtMs = clock.nowMs() + 60_000
  let ran = 0
  const again = () => {
    ran++
    const lateMs = clock.nowMs() - dueAtMs
    if (lateMs < -2 || lateMs > 3) t.fail(`off by ${lateMs} ms`)
    dueAtMs += 60_000
    clock.setTimeout(again, dueAtMs - clock.nowMs())
  }
  clock.setTimeout(again, 60_000)
  move(3 * 3_600_000 + 10)
  t.equal(ran, 180)
  t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 1)
  t.same(jumps, [])
})

t.test('a step of the wall clock is reported once, and no timer notices', async (t) => {
  for (const stepMs of [3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
    const { clock, machine, move, jumps } = startMachine(t)
    let ranAtMs = 0
    const startMs = clock.monoMs()
    clock.setTimeout(() => {
      ranAtMs = clock.monoMs() - startMs
    }, 10_000)
    move(2_500)
    const beforeMs = clock.nowMs()
    machine.wallMs += stepMs
    t.ok(Math.abs(clock.nowMs() - beforeMs) <= 1, 'not before the listeners know')
    t.equal(clock.wallMs(), Math.floor(machine.wallMs), 'the wall clock is shown as it is')
    move(20_000)
    t.ok(ranAtMs >= 10_000 && ranAtMs <= 10_001, `after ${ranAtMs} ms`)
    t.equal(jumps.length, 1)
    t.equal(jumps[0]?.kind, stepMs > 0 ? 'step' : 'setBack')
    t.ok(Math.abs((jumps[0]?.deltaMs ?? 0) - Math.abs(stepMs)) <= 2)
    if (stepMs > 0) t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 1)
  }
})

t.test('the time never goes back, and a wall clock set back is caught up with', async (t) => {
  const { clock, machine, move } = startMachine(t)
  clock.setTimeout(() => {}, 10 * 3_600_000)
  move(10_000)
  const beforeMs = clock.nowMs()
  machine.wallMs -= 60_000
  let lastMs = beforeMs
  for (let second = 0; second < 60; second++) {
    move(1_000)
    if (clock.nowMs() < lastMs) t.fail(`went back by ${lastMs - clock.nowMs()} ms`)
    lastMs = clock.nowMs()
  }
  const passedMs = clock.nowMs() - beforeMs
  t.ok(passedMs > 57_000 && passedMs < 59_000, `a minute took ${passedMs} ms`)
  machine.wallMs += 30_000
  move(1_000)
  t.ok(clock.nowMs() - lastMs < 1_000, 'it need not be set forward while it is ahead')
  move(17 * 60_000)
  t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 2, 'both are the same again')
  machine.wallMs += 3_600_000
  move(1_000)
  t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 1)
})

t.test('the time begins after what is certainly past', async (t) => {
  const { clock, machine, move, jumps } = startMachine(t)
  clock.notBefore(wallMs - 5_000)
  t.equal(clock.nowMs(), wallMs)
  clock.notBefore(wallMs + 7_200_000)
  t.equal(clock.nowMs(), wallMs + 7_200_000)
  clock.setTimeout(() => {}, 60_000)
  move(32_000)
  t.ok(Math.abs(clock.nowMs() - (wallMs + 7_231_000)) <= 1, 'then it runs on, a little slower')
  machine.wallMs += 7_200_000
  move(1_000)
  t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 1, 'until the wall clock is right')
  t.match(jumps, [{ kind: 'step', deltaMs: Number }])
  t.ok((jumps[0]?.deltaMs ?? 0) < 1_200, 'a step only of what was missing')
})

t.test('a wall clock that drifts slightly is followed silently', async (t) => {
  const { clock, machine, move, jumps } = startMachine(t)
  clock.setTimeout(() => {}, 3_600_000)
  for (let second = 0; second < 3_600; second++) {
    machine.wallMs += 0.5
    move(1_000)
  }
  t.same(jumps, [])
  t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 2)
})

t.test('a stall is reported with its length, and timers stand still in it', async (t) => {
  for (const stallMs of [600, 1_600, 10_000, 600_000]) {
    const { clock, move, pass, jumps } = startMachine(t)
    const ran: number[] = []
    const startMs = clock.monoMs()
    for (const delayMs of [30_050, 30_500, 31_000, 300_000]) {
      clock.setTimeout(() => ran.push(Math.round(clock.monoMs() - startMs - delayMs)), delayMs)
    }
    move(30_000)
    pass(stallMs)
    move(300_001)
    t.equal(jumps.length, 1)
    const deltaMs = jumps[0]?.deltaMs ?? 0
    t.ok(deltaMs >= stallMs && deltaMs <= stallMs + 100, `${deltaMs} ms`)
    t.equal(ran.length, 4)
    for (const lateMs of ran) {
      t.ok(lateMs <= stallMs && lateMs >= stallMs - 100, `late by the stall: ${lateMs} ms`)
    }
  }
})

t.test('what is measured across a stall can be told, also before any timer ran', async (t) => {
  const { clock, move, pass } = startMachine(t)
  clock.setTimeout(() => {}, 3_600_000)
  move(1_000)
  const beforeMs = clock.monoMs()
  move(30)
  const inflightMs = clock.monoMs()
  t.equal(clock.stalledMs(beforeMs), 0)
  pass(700)
  const length = (ms: number) => t.ok(ms >= 700 && ms <= 800, `${ms} ms`)
  length(clock.stalledMs(beforeMs))
  length(clock.stalledMs(inflightMs))
  move(1)
  length(clock.stalledMs(inflightMs))
  move(200)
  t.equal(clock.stalledMs(clock.monoMs() - 10), 0, 'what began after it is not affected')
  pass(1_600)
  move(10)
  t.ok(clock.stalledMs(inflightMs) >= 2_300, 'several add up')
})

t.test('a stall in which the monotonic clock stood still shows in the wall clock', async (t) => {
  const { clock, machine, move } = startMachine(t)
  clock.setTimeout(() => {}, 3_600_000)
  move(1_000)
  const sinceMs = clock.monoMs()
  machine.wallMs += 30_000
  t.ok(clock.stalledMs(sinceMs) >= 29_990, 'also before any timer ran')
  move(200)
  t.ok(clock.stalledMs(sinceMs) >= 29_990)
})

t.test('a process that was busy for a moment, or had nothing to do, has not stalled', async (t) => {
  const { clock, move, pass, jumps } = startMachine(t)
  const sinceMs = clock.monoMs()
  pass(60_000)
  clock.setTimeout(() => {}, 1_000)
  t.equal(clock.stalledMs(sinceMs), 0)
  move(500)
  pass(390)
  move(60_000)
  pass(60_000)
  clock.setTimeout(() => {}, 1_000)
  move(1_000)
  t.same(jumps, [])
  t.equal(clock.stalledMs(sinceMs), 0)
})

t.test('a machine that slept shows as a step, and timers still wait their time', async (t) => {
  // The monotonic clock of Linux stands still while the machine is suspended.
  const { clock, machine, move, jumps } = startMachine(t)
  let ran = 0
  clock.setTimeout(() => ran++, 5_000)
  machine.wallMs += 8 * 3_600_000
  move(4_900)
  t.equal(ran, 0)
  t.same(
    jumps.map(({ kind }) => kind),
    ['step'],
  )
  move(200)
  t.equal(ran, 1)
})

t.test('nothing is armed while nothing waits, and nothing runs after a stop', async (t) => {
  const { clock, machine, move, sleeps } = startMachine(t)
  t.notOk(sleeps())
  let ran = 0
  const timer = clock.setTimeout(() => ran++, 100)
  t.ok(sleeps())
  clock.stop()
  t.notOk(sleeps())
  clock.clearTimeout(timer)
  move(1_000)
  t.equal(ran, 0)
  t.equal(machine.wakes, 0)
})

t.test('work is what this thread does, not what the machine or other threads do', async (t) => {
  const { clock, machine } = startMachine(t)
  const workedMs = startWork(clock)
  machine.monoMs += 400
  machine.cpuMs += 5
  t.equal(workedMs(), 5, 'other programs ran meanwhile')
  machine.cpuMs += 1_000
  t.equal(workedMs(), 400, 'other threads worked as well')
})

t.test('the real clock runs real timers', async (t) => {
  const clock = startClock()
  const startMs = clock.monoMs()
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 5))
  t.ok(clock.monoMs() - startMs >= 5)
  t.ok(Math.abs(clock.nowMs() - Date.now()) < 1_000)
  const cpuMs = clock.cpuMs()
  while (clock.cpuMs() === cpuMs);
  t.ok(clock.cpuMs() > cpuMs, 'who computes uses processor time')
  clock.stop()
})
