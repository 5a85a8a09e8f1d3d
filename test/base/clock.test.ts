// The clock: timers in order and without drift, and what happens when time itself does odd things.
import t, { type Test } from 'tap'
import { type ClockSources, type Jump, startClock } from '../../src/base/clock.ts'

const wallMs = Date.UTC(2026, 0, 1)

/** A machine whose time a test moves: a wall clock, an elapsed time, one sleeper. */
function startMachine(t: Test) {
  const machine = { wallMs, monoMs: 777.25, wakes: 0 }
  let sleeper: { run: () => void; atMs: number } | undefined
  const sources: ClockSources = {
    wallMs: () => Math.floor(machine.wallMs),
    monoMs: () => machine.monoMs,
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

t.test('a timer set by a timer, and one without a delay, run too', async (t) => {
  const { clock, move } = startMachine(t)
  let ran = 0
  clock.setTimeout(() => clock.setTimeout(() => ran++, 0), 10)
  clock.setTimeout(() => ran++, -5)
  move(20)
  t.equal(ran, 2)
})

t.test('a timer of more than 2^31 milliseconds waits all of its time', async (t) => {
  const { clock, move } = startMachine(t)
  let ran = 0
  const days25Ms = 25 * 86_400_000
  t.ok(days25Ms > 2 ** 31)
  clock.setTimeout(() => ran++, days25Ms)
  move(days25Ms - 5)
  t.equal(ran, 0)
  move(10)
  t.equal(ran, 1)
})

t.test('a day of timers does not drift, and tells the time of the wall', async (t) => {
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
  move(86_400_000 + 10)
  t.equal(ran, 1_440)
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
    move(20_000)
    t.ok(ranAtMs >= 10_000 && ranAtMs <= 10_001, `after ${ranAtMs} ms`)
    t.equal(jumps.length, 1)
    t.equal(jumps[0]?.kind, 'step')
    t.ok(Math.abs((jumps[0]?.deltaMs ?? 0) - stepMs) <= 2)
    t.ok(Math.abs(clock.nowMs() - machine.wallMs) <= 1)
  }
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

t.test('a stall is reported with its length before any late timer runs', async (t) => {
  const { clock, move, pass, jumps } = startMachine(t)
  const seen: string[] = []
  clock.onJump(({ kind }) => seen.push(kind))
  clock.setTimeout(() => seen.push('timer'), 300_000)
  move(30_000)
  pass(600_000)
  move(1)
  t.same(seen, ['stall', 'timer'])
  const [jump] = jumps
  t.ok(jump && jump.deltaMs > 598_900 && jump.deltaMs <= 600_000, `${jump?.deltaMs} ms`)
})

t.test('a process that was busy for a few seconds has not stalled', async (t) => {
  const { clock, move, pass, jumps } = startMachine(t)
  clock.setTimeout(() => {}, 60_000)
  move(1_000)
  pass(4_000)
  move(60_000)
  t.same(jumps, [])
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

t.test('the real clock runs real timers', async (t) => {
  const clock = startClock()
  const startMs = clock.monoMs()
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 5))
  t.ok(clock.monoMs() - startMs >= 5)
  t.ok(Math.abs(clock.nowMs() - Date.now()) < 1_000)
  clock.stop()
})
