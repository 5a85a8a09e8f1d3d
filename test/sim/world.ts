// A week of a fleet from one seed: failing targets, silent senders, a daemon that restarts.
import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { loadFleet } from '../../src/actors/monitor/load.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { createPush } from '../../src/services/monitors/push.ts'
import { monitorNo } from '../support/make-page.ts'
import { addPush, noKeys } from '../support/make-push.ts'
import {
  failed,
  good,
  type MonitorWorld,
  settled,
  startMonitorWorld,
} from '../support/monitor-world.ts'
import { seededRandom } from '../support/seeded-random.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

/** What happened to one monitor, as the world saw it: the oracle's only knowledge. */
export interface Story {
  readonly monitor: Monitor
  readonly outages: readonly Outage[]
  /** Checks of an endpoint, or the reports that a sender got through. */
  readonly seen: { readonly atMs: number; readonly isGood: boolean }[]
}

export interface SimOptions {
  readonly seed: number
  readonly checked: number
  readonly pushed: number
  readonly days: number
}

/** Nobody fails again within two hours, so nothing flaps; the last half day all is well. */
function outagesOf(unit: () => number, fromMs: number, toMs: number): Outage[] {
  const outages: Outage[] = []
  let atMs = fromMs + (1 + 20 * unit()) * hourMs
  while (atMs < toMs) {
    // Most are short, some long: a length between half a minute and some hours.
    const lengthMs = Math.round(minuteMs * 0.5 * 2 ** (10 * unit()))
    const endMs = Math.min(atMs + lengthMs, toMs)
    outages.push({ fromMs: Math.round(atMs), toMs: endMs })
    atMs = endMs + (3 + 40 * unit()) * hourMs
  }
  return outages
}

/** Runs it to the end. Gaps are the times in which the daemon did not run. */
export async function simulate(t: Test, { seed, checked, pushed, days }: SimOptions) {
  const world: MonitorWorld = startMonitorWorld(t, { inMemory: true })
  const { store, clock, commit } = world
  const unit = seededRandom(seed)
  await world.addChannel()
  const startMs = clock.nowMs()
  const quietMs = startMs + (days - 0.5) * 24 * hourMs
  const stories = new Map<string, Story>()
  const isDown = (id: string) =>
    stories.get(id)?.outages.some(({ fromMs, toMs }) => {
      return fromMs <= clock.nowMs() && clock.nowMs() < toMs
    })
  const tell = (monitor: Monitor) =>
    stories.set(monitor.id, { monitor, outages: outagesOf(unit, startMs, quietMs), seen: [] })
  let isRunning = true
  const newPush = () => createPush(world, { commit, fleet: world.fleet, identity: noKeys })
  let push = newPush()

  world.answer = ({ id }) => {
    const isGood = !isDown(id)
    stories.get(id)?.seen.push({ atMs: clock.nowMs(), isGood })
    return isGood ? good : failed
  }
  for (let number = 1; number <= checked; number++) {
    const intervalSeconds = 60 * (20 + 10 * Math.floor(5 * unit()))
    const thresholds = { failureThreshold: 1 + Math.floor(3 * unit()), recoveryThreshold: 2 }
    const monitor = await world.add({ id: monitorNo(number), intervalSeconds, ...thresholds })
    tell(monitor)
    world.fleet.start(monitor, 'created', world.monitorState(monitor))
  }
  for (let number = checked + 1; number <= checked + pushed; number++) {
    const pace = { intervalSeconds: 1_800, graceSeconds: 300 }
    const { monitor, token } = await addPush(world, { id: monitorNo(number), ...pace })
    tell(monitor)
    const report = () => {
      clock.setTimeout(report, 1_800_000)
      if (!isRunning || isDown(monitor.id)) return
      stories.get(monitor.id)?.seen.push({ atMs: clock.nowMs(), isGood: true })
      push.report(token, { status: 'ok' }).catch((error) => t.fail(String(error)))
    }
    clock.setTimeout(report, Math.round(1_800_000 * unit()))
  }

  const gaps: Outage[] = []
  for (let day = 1; day < days; day++) {
    const pauseMs = Math.round(20 * hourMs + 3 * hourMs * unit())
    await world.run(pauseMs)
    const gapMs = Math.round((1 + 40 * unit()) * minuteMs)
    await world.fleet.drain()
    isRunning = false
    const fromMs = clock.nowMs()
    await world.run(gapMs)
    gaps.push({ fromMs, toMs: clock.nowMs() })
    isRunning = true
    world.fleet = world.newFleet()
    push = newPush()
    const { log, fleet } = world
    const loading = loadFleet({
      store,
      clock,
      log,
      fleet,
      gapMs,
      isStopping: () => false,
      onLoaded: () => {},
    })
    await settled(store, loading)
  }
  await world.run(startMs + days * 24 * hourMs - clock.nowMs())
  await world.fleet.drain()
  return { world, gaps, stories: [...stories.values()], hash: hashOf(world, stories) }
}

/** The hash of everything that came of it, but for the ids, which no seed decides. */
function hashOf(world: MonitorWorld, stories: ReadonlyMap<string, Story>): string {
  const incidents = world.incidents().map((incident) => ({
    ...incident,
    id: 0,
    timeline: incident.timeline.map(({ kind, atMs }) => [kind, atMs]),
  }))
  const monitorStates = [...stories.values()].map(({ monitor, seen }) => {
    const { tally, lastAtMs, recentRows } = world.monitorState(monitor)
    return [monitor.id, tally, lastAtMs, Buffer.from(recentRows).toString('hex'), seen]
  })
  const all = JSON.stringify([incidents, monitorStates, world.events()])
  return createHash('sha256').update(all).digest('hex')
}
