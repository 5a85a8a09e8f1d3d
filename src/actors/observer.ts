// The observer: checks the sentinels, and decides whether a failed check was our own failure.
import type { Clock } from '../base/clock.ts'
import type { MonitorId } from '../base/ids.ts'
import type { Log } from '../base/log/log.ts'
import type { Metrics } from '../base/metrics.ts'
import {
  afterSentinelCheck,
  areUnheard,
  type Capability,
  capabilities,
  type Doubt,
  initialCapabilities,
  isCutOff,
  isOurs,
  lostCapabilities,
  networkOf,
  type SentinelReport,
  type Sight,
  sightOf,
} from '../domain/checks/observer.ts'
import type { Reading } from '../domain/checks/reading.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'

/** A period in which a capability of ours was lost. */
export interface Episode {
  readonly fromMs: number
  /** Null while it lasts. */
  readonly toMs: number | null
  /** The length by the monotonic clock. */
  readonly lengthMs: number
  /** The capabilities lost at any time in it. */
  readonly capabilities: readonly Capability[]
  /** Whether push reports may not have reached us. */
  readonly wasCutOff: boolean
  /** The number of monitors whose failures did not count. */
  readonly heldMonitors: number
}

/** What the observer needs of a monitor. */
type ObservedMonitor = Pick<Monitor, 'id'>

export interface ObserverDeps<Observed extends ObservedMonitor = Monitor> {
  readonly clock: Clock
  readonly log: Log
  /** Checks the sentinels; never rejects. */
  readonly look: () => Promise<SentinelReport>
  /** Whether the target is confirmed to fail, so that another failure changes nothing. */
  readonly isDown: (monitor: Observed) => boolean
  /** Whether the monitor is checked repeatedly, and not only once as a trial. */
  readonly isRunning: (monitorId: MonitorId) => boolean
  /** Whether successful checks of this address prove that the internet is reachable. */
  readonly isPublic: (address: string) => boolean
  /** The episode is over: monitors whose failures did not count should be checked again. */
  readonly onBack: (episode: Episode, ignoredMonitors: readonly MonitorId[]) => void
  /** The episode has lasted so long that the sentinels are more likely wrong than right. */
  readonly onLong: (episode: Episode) => void
}

export interface Observer<Observed extends ObservedMonitor = Monitor> {
  /** `unknown` if our own network fails as well; may wait sentinelMs for the sentinels. */
  believe(reading: Reading, monitor: Observed): Reading | Promise<Reading>
  /** Checks the sentinels, and returns whether we may be unreachable. */
  isCutOff(): Promise<boolean>
  /** The currently lost capabilities. */
  lost(): readonly Capability[]
  /** The current episode; undefined if nothing is lost. */
  episode(): Episode | undefined
  stop(): void
}

/** Interval of sentinel checks: normally, and while our network is lost. */
const observerIdleMs = 60_000
const observerLostMs = 5_000
/** How long the result of a sentinel check is reused. */
const observerMemoMs = 1_000
/** How long after the start failed look-ups are ignored while none was answered. */
const namesUnheardMs = 3 * 60_000
/** Good checks in this many networks between two sentinel checks outweigh silent sentinels. */
const observerProofNetworks = 3
/** When silent sentinels are more likely wrong than right: the operator is notified. */
const observerLongMs = 3_600_000

/** Starts periodic sentinel checks. */
export function startObserver<Observed extends ObservedMonitor = Monitor>(
  deps: ObserverDeps<Observed>,
): Observer<Observed> {
  const { clock, log } = deps
  let believed = initialCapabilities
  let episode: Episode | undefined
  /** When the episode began. */
  let lostMs = 0
  let isLongReported = false
  const ignoredMonitors = new Set<MonitorId>()
  /**
   * Networks that were checked successfully since the newest sentinel check, while something is
   * lost.
   */
  const proof = { ipv4: new Set<string>(), ipv6: new Set<string>() }
  let looking: Promise<void> | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  const startedMs = clock.monoMs()
  /** True until a name server has answered for the first time. */
  let isUnheard = false
  let timer: unknown
  let isStopped = false

  /** Callers at the same time share one sentinel check. */
  function look(): Promise<void> {
    const isFresh = clock.monoMs() - lookedMs < observerMemoMs
    looking ??= isFresh ? undefined : checkOnce()
    return looking ?? Promise.resolve()
  }

  async function checkOnce(): Promise<void> {
    let sight: Sight
    try {
      const report = await lookAwake()
      sight = outweighed(sightOf(report))
      isUnheard = areUnheard(report)
    } finally {
      looking = undefined
    }
    if (isStopped) return
    // Null: there is no evidence.
    if (lookedMs === Number.NEGATIVE_INFINITY) log.info('sentinels checked', { ...sight })
    lookedMs = clock.monoMs()
    proof.ipv4.clear()
    proof.ipv6.clear()
    believed = afterSentinelCheck(believed, sight)
    follow(lostCapabilities(believed))
    again()
  }

  /** While our own process stands still, sentinels look silent: then they are checked again. */
  async function lookAwake(): Promise<SentinelReport> {
    for (let stalled = 0; ; stalled++) {
      const sinceMs = clock.monoMs()
      const report = await deps.look()
      if (clock.stalledMs(sinceMs) === 0 || stalled >= limits.stalledResultsMax) return report
    }
  }

  /**
   * The finding of the sentinels, corrected by checks: successful checks in many networks prove that ours
   * works.
   */
  function outweighed(sight: Sight): Sight {
    const isProven = (version: 'ipv4' | 'ipv6') =>
      sight[version] === false && proof[version].size >= observerProofNetworks
    return { ...sight, ipv4: isProven('ipv4') || sight.ipv4, ipv6: isProven('ipv6') || sight.ipv6 }
  }

  function follow(lost: readonly Capability[]): void {
    const nowMs = clock.nowMs()
    if (lost.length > 0 && !episode) lostMs = lookedMs
    const lengthMs = lookedMs - lostMs
    if (lost.length > 0) {
      const all = capabilities.filter(
        (one) => lost.includes(one) || episode?.capabilities.includes(one),
      )
      if (all.length !== episode?.capabilities.length) {
        log.error('the local network is failing: failures that this explains are ignored', { lost })
      }
      const fromMs = episode?.fromMs ?? nowMs
      const wasCutOff = episode?.wasCutOff === true || isCutOff(believed)
      episode = {
        fromMs,
        toMs: null,
        lengthMs,
        capabilities: all,
        wasCutOff,
        heldMonitors: ignoredMonitors.size,
      }
      if (lengthMs >= observerLongMs && !isLongReported) {
        isLongReported = true
        deps.onLong(episode)
      }
    } else if (episode) {
      // Monitors that were paused or deleted meanwhile are not checked again.
      const monitors = [...ignoredMonitors].filter(deps.isRunning)
      const ended = { ...episode, toMs: nowMs, lengthMs, heldMonitors: monitors.length }
      log.warn('the local network works again', {
        fromMs: ended.fromMs,
        monitors: monitors.length,
      })
      episode = undefined
      isLongReported = false
      ignoredMonitors.clear()
      deps.onBack(ended, monitors)
    }
  }

  function again(): void {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(() => void look(), episode ? observerLostMs : observerIdleMs)
  }

  async function judge(reading: Reading, doubt: Doubt, monitor: Observed): Promise<Reading> {
    // While nothing is lost, the sentinels are checked only for a failure that could start an
    // outage.
    if (!isOurs(believed, doubt) && !deps.isDown(monitor)) await look()
    if (!isOurs(believed, doubt)) {
      return doubt === 'dns' && isEarly() ? disbelieved(reading, unansweredText) : reading
    }
    if (deps.isRunning(monitor.id)) ignoredMonitors.add(monitor.id)
    return disbelieved(reading, whatFails[doubt])
  }

  /**
   * Whether we started only just now. Name servers that start together with us need some time, so
   * their failures do not count yet.
   */
  function isEarly(): boolean {
    return isUnheard && clock.monoMs() - startedMs < namesUnheardMs
  }

  function noteGood({ address }: Reading): void {
    if (!episode || address === undefined || !deps.isPublic(address)) return
    proof[address.includes(':') ? 'ipv6' : 'ipv4'].add(networkOf(address))
  }

  void look()

  return {
    believe(reading, monitor) {
      if (reading.doubt !== undefined) return judge(reading, reading.doubt, monitor)
      // Without a route, for example: the fault is certainly ours, and the check was not made.
      const isLocal = reading.result === 'unknown' && reading.error?.kind !== 'blocked'
      if (episode && isLocal && deps.isRunning(monitor.id)) ignoredMonitors.add(monitor.id)
      if (reading.result === 'good') noteGood(reading)
      return reading
    },
    async isCutOff() {
      await look()
      return isCutOff(believed)
    },
    lost: () => lostCapabilities(believed),
    episode: () => episode && { ...episode, heldMonitors: ignoredMonitors.size },
    stop() {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}

const whatFails: Readonly<Record<Doubt, string>> = {
  dns: 'no name server of this machine currently answers correctly',
  ipv4: 'the network of this machine currently does not work over IPv4',
  ipv6: 'the network of this machine currently does not work over IPv6',
  network: 'the network of this machine currently does not work',
}

const unansweredText = 'the name servers of this machine have not answered for any name so far'

/** Keeps time, duration and kind of error; the message names a cause on our side. */
function disbelieved(reading: Reading, words: string): Reading {
  const { atMs, durationMs, error } = reading
  const message = `the check could not be made: ${words}`
  const told = { kind: error?.kind ?? 'connect', message }
  return { atMs, durationMs, result: 'unknown', error: told }
}

/** The observer of a daemon without sentinels: every failure counts. */
export const trustingObserver: Observer<ObservedMonitor> = {
  believe: (reading) => reading,
  isCutOff: () => Promise.resolve(false),
  lost: () => [],
  episode: () => undefined,
  stop() {},
}

export function watchObserver(metrics: Metrics, observer: Pick<Observer, 'lost'>): void {
  metrics.gauge(
    {
      name: 'observer_lost',
      help: 'Whether the local network (ipv4, ipv6) or the name servers (dns) are failing: 1 while they are.',
      labels: ['sense'],
    },
    (gauge) => {
      const lost = observer.lost()
      for (const capability of capabilities) {
        gauge.set({ sense: capability }, lost.includes(capability) ? 1 : 0)
      }
    },
  )
}
