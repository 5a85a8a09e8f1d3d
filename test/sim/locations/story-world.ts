// A daemon and the probes of three locations in simulated time, with a network between them that fails. Both
// sides are the real ones: the fold and the link of the daemon, the uplink and the rounds of the probe.
import type { Test } from 'tap'
import { startPresence } from '../../../src/actors/locations/presence.ts'
import { Fault } from '../../../src/base/fault.ts'
import { createGate } from '../../../src/base/gate.ts'
import type { LocationId, ProbeId } from '../../../src/base/ids.ts'
import { createMetrics } from '../../../src/base/metrics.ts'
import type { RemoteProbe } from '../../../src/domain/locations/location.ts'
import { probeProtocol } from '../../../src/domain/locations/protocol.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { DaemonWire, WireAnswer } from '../../../src/net/daemon-wire.ts'
import { probeBox, probeSecrets } from '../../../src/seal/probe-token.ts'
import { hashToken, mintToken } from '../../../src/seal/tokens.ts'
import { createProbeLink, type SentResults } from '../../../src/services/locations/probe-link.ts'
import { createRounds } from '../../../src/uplink/rounds.ts'
import { startUplink } from '../../../src/uplink/uplink.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { failedBy, good, makeReading, startMonitorWorld } from '../../support/monitor-world.ts'

/** What is wrong between a probe and the daemon, or with the probe. */
export type ProbeFault = 'none' | 'cut' | 'slow' | 'twice' | 'lost answers' | 'dead' | 'hung'

export const places = ['1', '2', '3'].map(
  (digit) => `loc_01k000000000000000000000${digit}0`,
) as LocationId[]

const refused = failedBy('connect', 'the connection was refused')
const slowMs = 8_000
const answerMs = 40
const dayMs = 86_400_000

export interface StoryProbe {
  readonly place: LocationId
  fault: ProbeFault
  /** The checks that it made. */
  checks: number
  stop(): void
}

type Link = ReturnType<typeof createProbeLink>

export function openStoryWorld(t: Test, settings: Partial<Monitor>, random: () => number) {
  const world = startMonitorWorld(t, { inMemory: true })
  const { clock, store } = world
  /** The places from which the target does not answer. */
  const unreachable = new Set<LocationId>()
  const tokens = new Map<string, { readonly probe: RemoteProbe; readonly secret: RemoteProbe }>()
  const masterBox = probeBox(probeSecrets('the master key of the daemon').sealKey)
  let link: Link
  let presence: ReturnType<typeof startPresence>

  function openLink(): void {
    presence = startPresence({
      clock,
      placements: world.fleet.placements,
      onSilent() {},
      onBack() {},
    })
    link = createProbeLink(
      { store, clock, box: masterBox },
      {
        placements: world.fleet.placements,
        presence,
        findByAuth: (auth) => tokens.get(hashToken(auth)),
        commit: world.commit,
        isOff: () => false,
        metrics: createMetrics(),
      },
    )
  }

  /** One exchange as the daemon's HTTP would answer it. */
  async function exchange(auth: string, url: URL, body: string, signal: AbortSignal) {
    try {
      const known = link.authenticate(auth, '192.0.2.1', clock.nowMs())
      const path = url.pathname.split('/').at(-1)
      if (path === 'session') return answered(link.hello(known, JSON.parse(body)))
      if (path === 'results') {
        return answered(await link.results(known, JSON.parse(body) as SentResults))
      }
      const session = url.searchParams.get('session') ?? ''
      const since = Number(url.searchParams.get('since'))
      const plan = await link.plan(known, session, since, signal)
      return plan ? answered(plan) : { status: 204, text: '' }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const status = { unauthenticated: 401, conflict: 409, rate_limited: 429 }[
        error.code as 'conflict'
      ]
      return { status: status ?? 503, text: JSON.stringify({ code: error.code }) }
    }
  }

  const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms))

  /** The way to the daemon and back, as the fault of the probe has it. */
  function wireOf(probe: StoryProbe, auth: string): DaemonWire {
    // It may change while something is on its way.
    const isCut = () => probe.fault === 'cut' || probe.fault === 'dead'
    async function send({ url, body = '', signal }: Parameters<DaemonWire['send']>[0]) {
      const ask = () => exchange(auth, new URL(url), body, signal)
      await wait(probe.fault === 'slow' ? Math.round(random() * slowMs) : 5)
      if (isCut()) return never()
      const isPost = body !== ''
      if (probe.fault === 'twice' && isPost) await ask()
      const answer = await ask()
      await wait(probe.fault === 'slow' ? Math.round(random() * slowMs) : 5)
      if (isCut()) return never()
      if (probe.fault === 'lost answers' && isPost && random() < 0.5) throw new Error('reset')
      return answer
    }
    const aborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    return { send: (asked) => Promise.race([send(asked), aborted(asked.signal)]), close() {} }
  }

  /** Starts a `stillup probe` at a place; its own clock is `skewMs` off. */
  function startProbe(place: LocationId, number: number): StoryProbe {
    const token = mintToken('stp')
    const { auth, sealKey } = probeSecrets(token)
    const record: RemoteProbe = {
      id: `prb_01k00000000000000000000${String(number).padStart(3, '0')}` as ProbeId,
      ...{ orgId: monitorOrg, locationId: place, name: `probe ${number}` },
      ...{ authHash: hashToken(auth), sealBox: masterBox.seal(sealKey), former: [] },
      ...{ createdAtMs: clock.nowMs(), updatedAtMs: clock.nowMs(), revision: 1 },
    }
    tokens.set(record.authHash, { probe: record, secret: record })
    const probe: StoryProbe = { place, fault: 'none', checks: 0, stop: () => {} }
    const skewMs = Math.round((random() - 0.5) * 4 * dayMs)
    // A process that is gone runs no timers. One that hangs goes on to ask, but does not check.
    const clockWhile = (isRunning: () => boolean) => ({
      ...clockParts(clock),
      nowMs: () => clock.nowMs() + skewMs,
      wallMs: () => clock.wallMs() + skewMs,
      setTimeout: (run: () => void, ms: number): number => {
        const fire = () => {
          if (isRunning()) run()
          // Once a process goes on, its timers fire.
          else if (probe.fault === 'hung') clock.setTimeout(fire, 1_000)
        }
        // The daemon's clock shows whole milliseconds.
        return clock.setTimeout(fire, Math.ceil(ms))
      },
    })
    let isGone = false
    const own = clockWhile(() => !isGone)
    const working = clockWhile(() => !isGone && probe.fault !== 'hung')
    const rounds = createRounds({
      clock: working,
      nowMs: () => uplink.nowMs(),
      gate: createGate({ total: 100, perKey: 100 }),
      hostOf: ({ url }) => url,
      async check() {
        probe.checks += 1
        const atMs = own.nowMs()
        await wait(answerMs)
        return makeReading(atMs, unreachable.has(place) ? refused : good)
      },
      hold: (made) => uplink.hold(made),
    })
    const uplink = startUplink({
      clock: own,
      log: world.log,
      random,
      wire: wireOf(probe, auth),
      urls: ['http://daemon'],
      hello: { protocol: probeProtocol, version: '1.0.0', kinds: ['endpoint'] },
      onPlan: rounds.apply,
      onTime: rounds.retime,
      onRefused: rounds.forget,
      load: rounds.load,
    })
    probe.stop = () => {
      isGone = true
      probe.fault = 'dead'
      rounds.forget()
    }
    return probe
  }

  let monitorOrg: Monitor['orgId']
  return {
    ...{ clock, store, world, unreachable, startProbe },
    async begin(): Promise<Monitor> {
      await world.addChannel()
      const monitor = await world.add({ checkType: 'endpoint', locations: places, ...settings })
      monitorOrg = monitor.orgId
      world.fleet.start(monitor, 'created')
      openLink()
      return monitor
    },
    /** The daemon is killed, and starts anew on its data. */
    restart(monitor: Monitor): void {
      presence.stop()
      link.stop()
      world.fleet.placements.close()
      world.fleet = world.newFleet()
      world.fleet.start(monitor, 'start', world.monitorState(monitor))
      openLink()
    },
    close(): void {
      presence.stop()
      link.stop()
      world.fleet.placements.close()
    },
  }
}

function clockParts({ monoMs, cpuMs, stalledMs, clearTimeout, onJump }: FakeClock) {
  return { monoMs, cpuMs, stalledMs, clearTimeout, onJump }
}

const answered = (document: object): WireAnswer => ({ status: 200, text: JSON.stringify(document) })
const never = () => new Promise<never>(() => {})
