// Stories of monitors that three locations check, while probes, the network and the daemon fail, against an
// oracle that knows only from where the target could be reached.

import t from 'tap'
import { required } from '../../src/base/assert.ts'
import { type DownWhen, neededOf } from '../../src/domain/locations/choice.ts'
import { placedId } from '../../src/domain/locations/place.ts'
import { shownMonitorState } from '../../src/domain/monitors/monitor-state.ts'
import { amount, testSeed } from '../support/depth.ts'
import { seededRandom } from '../support/seeded-random.ts'
import {
  openStoryWorld,
  type ProbeFault,
  places,
  type StoryProbe,
} from './locations/story-world.ts'

const minuteMs = 60_000
const faults: readonly ProbeFault[] = ['cut', 'slow', 'twice', 'lost answers', 'dead', 'hung']
/** Faults after which a place may be silent for a while. */
const silencing: readonly ProbeFault[] = ['cut', 'dead', 'hung']
const rules: readonly DownWhen[] = ['majority', 'any', 'all', '2']

/** What happens in one story. */
interface Story {
  readonly downWhen: DownWhen
  readonly threshold: number
  /** The numbers of the places from which the target fails. */
  readonly unreachable: readonly number[]
  readonly outageMs: number
  /** What is wrong with each probe, and when it begins, beside the outage. */
  readonly faults: readonly ProbeFault[]
  readonly faultAtMs: number
  readonly faultMs: number
  /** When the daemon is killed; null: never. */
  readonly restartAtMs: number | null
}

function storyOf(random: () => number): Story {
  const pick = <One>(some: readonly One[]) => some[Math.floor(random() * some.length)] as One
  const plain = { downWhen: pick(rules), threshold: pick([1, 2, 3]), restartAtMs: null }
  if (random() < 0.2) {
    // Some see it down, and the others fall silent once they have seen it up; or the other way round.
    const one = pick([0, 1, 2])
    const isOneSilent = random() < 0.5
    return {
      ...plain,
      unreachable: [one],
      outageMs: 14 * minuteMs,
      faults: [0, 1, 2].map((at) => ((at === one) === isOneSilent ? pick(silencing) : 'none')),
      faultAtMs: 4 * minuteMs,
      faultMs: 12 * minuteMs,
    }
  }
  const unreachable = [0, 1, 2].filter(() => random() < 0.6)
  const isFaulty = random() < 0.7
  return {
    ...plain,
    unreachable: random() < 0.25 ? [] : random() < 0.4 ? [0, 1, 2] : unreachable,
    outageMs: pick([20_000, 6 * minuteMs, 12 * minuteMs]),
    faults: [0, 1, 2].map(() => (isFaulty && random() < 0.5 ? pick(faults) : 'none')),
    faultAtMs: Math.round((random() - 0.5) * 8 * minuteMs),
    faultMs: Math.round((1 + random() * 12) * minuteMs),
    restartAtMs: random() < 0.3 ? Math.round((random() - 0.3) * 10 * minuteMs) : null,
  }
}

t.test('no false alarm, none missed, and each result counts once', async (t) => {
  const first = testSeed()
  const stories = amount(12, 200)
  let outages = 0
  for (let at = 0; at < stories; at += 1) {
    const seed = first + at
    // Each closes its store before the next one begins.
    await t.test(`again: STILLUP_TEST_SEED=${seed}`, async (t) => {
      const { problems, incidents } = await tell(t, seed)
      t.same(problems, [])
      outages += incidents
    })
  }
  t.ok(outages > stories / 12, `${outages} outages in ${stories} stories`)
})

async function tell(t: Tap, seed: number) {
  const random = seededRandom(seed)
  const story = storyOf(random)
  const settings = {
    ...{ intervalSeconds: 60, retryIntervalSeconds: 10, timeoutMs: 10_000 },
    ...{ failureThreshold: story.threshold, recoveryThreshold: 1 },
    downWhen: story.downWhen,
  }
  const open = openStoryWorld(t, settings, random)
  const { clock, world, unreachable } = open
  const monitor = await open.begin()
  const probes: StoryProbe[] = places.map((place, at) => open.startProbe(place, at + 1))
  const beganMs = clock.monoMs() + 6 * minuteMs
  const acts: [atMs: number, act: () => void][] = [
    [
      0,
      () => {
        for (const at of story.unreachable) unreachable.add(required(places[at]))
      },
    ],
    [story.outageMs, () => unreachable.clear()],
    ...probes.flatMap((probe, at): [number, () => void][] => {
      const fault = story.faults[at] ?? 'none'
      if (fault === 'none') return []
      return [
        [
          story.faultAtMs,
          () => {
            if (fault === 'dead') probe.stop()
            probe.fault = fault
          },
        ],
        [
          story.faultAtMs + story.faultMs,
          () => {
            if (fault === 'dead') probes.push(open.startProbe(probe.place, probes.length + 1))
            else probe.fault = 'none'
          },
        ],
      ]
    }),
    ...(story.restartAtMs === null
      ? []
      : [[story.restartAtMs, () => open.restart(monitor)] as [number, () => void]]),
  ]
  acts.sort(([a], [b]) => a - b)
  const openAt: (readonly [monoMs: number, isDown: boolean])[] = []
  const note = () =>
    openAt.push([clock.monoMs() - beganMs, world.monitorState(monitor).health.state === 'down'])
  const runTo = async (monoMs: number) => {
    while (clock.monoMs() < monoMs) {
      await world.run(Math.min(10_000, monoMs - clock.monoMs()))
      note()
    }
  }
  for (const [atMs, act] of acts) {
    await runTo(beganMs + atMs)
    act()
  }
  const lastMs = Math.max(story.outageMs, story.faultAtMs + story.faultMs, story.restartAtMs ?? 0)
  await runTo(beganMs + lastMs + 12 * minuteMs)

  const problems: string[] = []
  const down = story.unreachable.length
  const silenced = story.faults.filter((fault) => silencing.includes(fault)).length
  const heard = places.length - silenced
  const incidents = world.incidents()
  const opened = world.events().filter((event) => event === 'incident.opened').length
  // So many confirm it for sure, and then agree.
  const longMs = story.threshold * 10_000 + 2 * minuteMs + 4 * minuteMs
  const downHeard = story.unreachable.filter(
    (at) => !silencing.includes(story.faults[at] ?? 'none'),
  )
  const mustOpen =
    story.outageMs >= longMs &&
    (downHeard.length >= neededOf(story.downWhen, places.length) || (down === 3 && heard > 0))
  // Who fell silent later had seen it up while it was down elsewhere, which speaks against an outage.
  const isSeenByAll = story.faultAtMs > 2 * minuteMs
  const voting = isSeenByAll ? places.length : Math.max(1, heard)
  const mayOpen =
    down >= neededOf(story.downWhen, voting) || down >= neededOf(story.downWhen, places.length)
  if (mustOpen && incidents.length === 0) problems.push('an outage was missed')
  if (incidents.length > 0 && (down === 0 || !mayOpen)) problems.push('a false alarm')
  if (opened > 1) problems.push(`${opened} alarms for one outage`)
  if (incidents.some(({ state }) => state !== 'resolved')) problems.push('an incident never ended')
  const shown = shownMonitorState(world.monitorState(monitor))
  if (shown !== 'up') problems.push(`in the end it is ${shown}`)
  // For as long as enough see it down, or did when they were heard last.
  if (down === 3 || (down > 0 && story.downWhen === 'any')) {
    const firstDown = openAt.find(([, isDown]) => isDown)?.[0] ?? Number.POSITIVE_INFINITY
    const isEarlyEnd = openAt.some(
      ([atMs, isDown]) => !isDown && atMs > firstDown && atMs <= story.outageMs,
    )
    if (isEarlyEnd) problems.push('a recovery before the end of the outage')
  }
  const isLossless = story.faults.every((fault) => fault !== 'dead' && fault !== 'hung')
  for (const place of places) {
    const made = probes
      .filter((one) => one.place === place)
      .reduce((sum, { checks }) => sum + checks, 0)
    const id = placedId(monitor.id, place)
    const counted = open.store.placed.monitorStates.get(monitor.orgId, id)?.tally.checks ?? 0
    if (counted > made) problems.push(`${counted} results of ${made} checks`)
    // The last ones may be on their way.
    if (isLossless && made - counted > 2) problems.push(`${made - counted} results were lost`)
  }
  for (const probe of probes) probe.stop()
  open.close()
  if (problems.length > 0) problems.push(JSON.stringify(story))
  return { problems, incidents: incidents.length }
}

type Tap = Parameters<typeof openStoryWorld>[0]
