// Uptime over any window is what a person with a list of all results and a stopwatch comes to.
import t from 'tap'
import { dayMs, hourMs } from '../../src/domain/health/span.ts'
import { namedWindow, type TimeWindow, wholeHours } from '../../src/domain/health/time-window.ts'
import type { UptimeTimes } from '../../src/domain/health/uptime.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { createUptimeReader } from '../../src/store/monitor-uptime.ts'
import { amount, testSeed } from '../support/depth.ts'
import { type MonitorServices, startMonitorServices } from '../support/monitor-services.ts'
import { failed, good, makeReading, slow, unknown } from '../support/monitor-world.ts'
import { seededRandom } from '../support/seeded-random.ts'

const intervalSeconds = 600
const hasty = {
  failureThreshold: 1,
  recoveryThreshold: 1,
  degradedThreshold: 1,
  intervalSeconds,
  timeoutMs: 10_000,
  graceSeconds: 0,
}
/** Results further apart than this do not speak for the time between them. */
const explainedMs = 2 * intervalSeconds * 1_000 + 10_000

type Event =
  | { readonly kind: 'up' | 'degraded' | 'down' | 'unknown'; readonly atMs: number }
  | { readonly kind: 'paused' | 'resumed'; readonly atMs: number }

interface Story {
  readonly startMs: number
  readonly events: readonly Event[]
  readonly gaps: readonly TimeWindow[]
}

const seen = { up: good, degraded: slow, down: failed, unknown }

/** Some days of a monitor: results, outages, pauses, times without the daemon. */
async function live(
  world: MonitorServices,
  monitor: Monitor,
  random: () => number,
  steps: number,
): Promise<Story> {
  const { clock, store } = world
  const startMs = clock.nowMs()
  const events: Event[] = []
  const gaps: TimeWindow[] = []
  let held: 'up' | 'degraded' | 'down' | null = null
  const pass = (seconds: number) => clock.advance(Math.ceil(seconds) * 1_000)
  const kindAfter = () => {
    const dice = random()
    if (dice < 0.06) return 'unknown'
    if (dice < 0.7 && held) return held
    if (dice < 0.85) return 'up'
    return held === 'up' || held === 'degraded' ? (dice < 0.93 ? 'degraded' : 'down') : 'down'
  }
  for (let step = 0; step < steps; step += 1) {
    const dice = random()
    if (dice < 0.02) {
      await pass(1 + random() * 900)
      await world.done(world.monitors.pause(world.alice, monitor.id))
      events.push({ kind: 'paused', atMs: clock.nowMs() })
      await pass(1 + random() * (random() < 0.2 ? 3_000_000 : 40_000))
      await world.done(world.monitors.resume(world.alice, monitor.id))
      world.fleet.stop(monitor.id)
      events.push({ kind: 'resumed', atMs: clock.nowMs() })
      held = null
    } else if (dice < 0.04) {
      await pass(1 + random() * 300)
      const fromMs = clock.nowMs()
      await pass(60 + random() * 600)
      gaps.push({ fromMs, toMs: clock.nowMs() })
      store.meta.addGap({ fromMs, toMs: clock.nowMs() })
    }
    await pass(random() < 0.03 ? 1_300 + random() * 200_000 : 60 + random() * 900)
    const kind: 'up' | 'degraded' | 'down' | 'unknown' = kindAfter()
    if (kind !== 'unknown') held = kind
    const atMs = clock.nowMs()
    await world.done(world.commit.reading(monitor, makeReading(atMs, seen[kind])))
    events.push({ kind, atMs })
  }
  await pass(random() * 900)
  return { startMs, events, gaps }
}

const names = ['up', 'degraded', 'down', 'paused', 'unknown'] as const
type Name = (typeof names)[number]

/** The state in each second since the start of the story: the oracle, which knows no tally. */
function secondBySecond({ startMs, events, gaps }: Story, nowMs: number): Name[] {
  const seconds = new Array<Name>(Math.ceil((nowMs - startMs) / 1_000)).fill('unknown')
  const paint = (name: Name, fromMs: number, toMs: number) =>
    seconds.fill(name, (fromMs - startMs) / 1_000, (toMs - startMs) / 1_000)
  let held: Name = 'unknown'
  for (const [at, { kind, atMs }] of events.entries()) {
    const next = events[at + 1]
    const untilMs = next?.atMs ?? nowMs
    if (kind === 'paused') paint('paused', atMs, untilMs)
    else if (kind === 'resumed') held = 'unknown'
    else {
      if (kind !== 'unknown') held = kind
      const isLast = next === undefined
      const isPaused = next?.kind === 'paused'
      const isFar = !isLast && !isPaused && untilMs - atMs > explainedMs
      const isBlind = next?.kind === 'unknown' || (isLast && kind === 'unknown')
      paint(isFar || isBlind ? 'unknown' : held, atMs, untilMs)
    }
  }
  for (const { fromMs, toMs } of gaps) paint('unknown', fromMs, toMs)
  return seconds
}

function countOf(seconds: readonly Name[], startMs: number, { fromMs, toMs }: TimeWindow) {
  const counts: Record<Name, number> = { up: 0, degraded: 0, down: 0, paused: 0, unknown: 0 }
  for (let ms = fromMs; ms < toMs; ms += 1_000) {
    const at = (ms - startMs) / 1_000
    counts[at < 0 ? 'unknown' : (seconds[at] ?? 'unknown')] += 1
  }
  return counts
}

function secondsOf(times: UptimeTimes): Record<Name, number> {
  return {
    up: times.upMs / 1_000,
    degraded: times.degradedMs / 1_000,
    down: times.downMs / 1_000,
    paused: times.pausedMs / 1_000,
    unknown: times.unknownMs / 1_000,
  }
}

t.test('the seconds in each state are those of a stopwatch, in any window', async (t) => {
  const seed = testSeed()
  for (let story = 0; story < amount(2, 60); story += 1) {
    const random = seededRandom(seed + story)
    const world = startMonitorServices(t)
    // Near the end of a month, so that windows begin and end in two.
    await world.clock.advance(28 * dayMs + Math.floor(random() * 3 * 86_400) * 1_000)
    const monitor = await world.add(hasty)
    const told = await live(world, monitor, random, 250)
    const nowMs = world.clock.nowMs()
    const oracle = secondBySecond(told, nowMs)
    const { of } = createUptimeReader(world)
    const hours = Math.ceil((nowMs - told.startMs) / hourMs) + 48
    const windows: TimeWindow[] = [
      namedWindow('24h', nowMs),
      namedWindow('7d', nowMs),
      { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 1, 1) },
      { fromMs: Date.UTC(2026, 1, 1), toMs: nowMs },
    ]
    for (let number = 0; number < 40; number += 1) {
      const fromMs = told.startMs + Math.floor(random() * hours - 24) * hourMs
      const toMs = fromMs + Math.floor(random() * hours * random()) * hourMs
      windows.push(wholeHours({ fromMs, toMs }, nowMs))
    }
    for (const asked of windows) {
      const window = { fromMs: asked.fromMs, toMs: Math.max(asked.fromMs, asked.toMs) }
      const stored = store(world, monitor)
      const times = of(stored, world.monitorState(stored), window)
      const expected = countOf(oracle, told.startMs, window)
      const about = `seed ${seed + story}, ${iso(window.fromMs)} to ${iso(window.toMs)}`
      if (!t.same(secondsOf(times), expected, about)) return
      const counted = expected.up + expected.degraded + expected.down
      t.equal(times.countedMs, counted * 1_000)
      t.equal(times.ratio, counted === 0 ? null : (expected.up + expected.degraded) / counted)
    }
  }
})

function store(world: MonitorServices, { orgId, id }: Monitor): Monitor {
  const stored = world.store.monitors.get(orgId, id)
  if (!stored) throw new Error('the monitor is gone')
  return stored
}

const iso = (ms: number) => new Date(ms).toISOString()

t.test('a window without a result has neither uptime nor downtime', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const nowMs = world.clock.nowMs()
  const { of } = createUptimeReader(world)
  const times = of(monitor, world.monitorState(monitor), { fromMs: nowMs - dayMs, toMs: nowMs })
  t.match(times, { countedMs: 0, coverage: 0, ratio: null, unknownMs: dayMs, excludedMs: 0 })
})
