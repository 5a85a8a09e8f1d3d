// The observer: looks at the sentinels, and decides whether a failed check was our own failure.
import type { Clock } from '../base/clock.ts'
import type { MonitorId } from '../base/ids.ts'
import type { Log } from '../base/log/log.ts'
import {
  afterLook,
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

/** A time in which something of ours was lost. */
export interface Episode {
  readonly fromMs: number
  /** Null while it lasts. */
  readonly toMs: number | null
  /** By the clock that nobody sets. */
  readonly lengthMs: number
  /** What was lost at one time or another. */
  readonly capabilities: readonly Capability[]
  /** Whether others may have been unable to reach us. */
  readonly wasCutOff: boolean
  /** How many monitors had a failure that was not believed. */
  readonly heldMonitors: number
}

export interface ObserverDeps {
  readonly clock: Clock
  readonly log: Log
  /** Looks at the sentinels; never rejects. */
  readonly look: () => Promise<SentinelReport>
  /** Whether it is down for sure, so that another failure says nothing new. */
  readonly isDown: (monitor: Monitor) => boolean
  /** Whether it is checked again and again, and not only once to try it. */
  readonly isRunning: (monitorId: MonitorId) => boolean
  /** Whether good checks of this address say that the way to the internet works. */
  readonly isPublic: (address: string) => boolean
  /** Nothing is lost any more: those whose failures were not believed are to be looked at. */
  readonly onBack: (episode: Episode, held: readonly MonitorId[]) => void
  /** It has lasted so long that the sentinels are likelier wrong than right. */
  readonly onLong: (episode: Episode) => void
}

export interface Observer {
  /**
   * The reading as it is to be committed: `unknown` where our own network or name servers fail as
   * well. It may look first, for at most limits.sentinelMs.
   */
  believe(reading: Reading, monitor: Monitor): Reading | Promise<Reading>
  /** Looks, and tells whether others may be unable to reach us. */
  isCutOff(): Promise<boolean>
  /** What is lost now. */
  lost(): readonly Capability[]
  /** The time in which something is lost; undefined where nothing is. */
  episode(): Episode | undefined
  stop(): void
}

/** Starts looking at leisure. */
export function startObserver(deps: ObserverDeps): Observer {
  const { clock, log } = deps
  let believed = initialCapabilities
  let episode: Episode | undefined
  /** When the episode began. */
  let lostMs = 0
  let isLongTold = false
  const held = new Set<MonitorId>()
  /** Of good checks since the newest look, while something is lost. */
  const proof = { ipv4: new Set<string>(), ipv6: new Set<string>() }
  let looking: Promise<void> | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  const startedMs = clock.monoMs()
  /** No name server has answered anything yet. */
  let isUnheard = false
  let timer: unknown
  let isStopped = false

  /** One look for all who ask in the same moment. */
  function look(): Promise<void> {
    const isFresh = clock.monoMs() - lookedMs < limits.observerMemoMs
    looking ??= isFresh ? undefined : lookOnce()
    return looking ?? Promise.resolve()
  }

  async function lookOnce(): Promise<void> {
    let sight: Sight
    try {
      const report = await deps.look()
      sight = outweighed(sightOf(report))
      isUnheard = areUnheard(report)
    } finally {
      looking = undefined
    }
    if (isStopped) return
    // Null: nothing can tell.
    if (lookedMs === Number.NEGATIVE_INFINITY) log.info('sentinels checked', { ...sight })
    lookedMs = clock.monoMs()
    proof.ipv4.clear()
    proof.ipv6.clear()
    believed = afterLook(believed, sight)
    follow(lostCapabilities(believed))
    again()
  }

  /** Whoever reaches many networks has a network, whatever the sentinels say. */
  function outweighed(sight: Sight): Sight {
    const isProven = (version: 'ipv4' | 'ipv6') =>
      sight[version] === false && proof[version].size >= limits.observerProofNetworks
    const proven = {
      ...(isProven('ipv4') && { ipv4: true }),
      ...(isProven('ipv6') && { ipv6: true }),
    }
    return { ...sight, ...proven }
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
        heldMonitors: held.size,
      }
      if (lengthMs >= limits.observerLongMs && !isLongTold) {
        isLongTold = true
        deps.onLong(episode)
      }
    } else if (episode) {
      const ended = { ...episode, toMs: nowMs, lengthMs, heldMonitors: held.size }
      log.warn('the local network works again', { fromMs: ended.fromMs, monitors: held.size })
      const monitors = [...held]
      episode = undefined
      isLongTold = false
      held.clear()
      deps.onBack(ended, monitors)
    }
  }

  function again(): void {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(
      () => void look(),
      episode ? limits.observerLostMs : limits.observerIdleMs,
    )
  }

  async function judge(reading: Reading, doubt: Doubt, monitor: Monitor): Promise<Reading> {
    // While nothing is lost, only a failure that may come to be an outage is worth a look.
    if (!isOurs(believed, doubt) && !deps.isDown(monitor)) await look()
    if (!isOurs(believed, doubt)) {
      return doubt === 'dns' && isEarly() ? disbelieved(reading, unheardWords) : reading
    }
    if (deps.isRunning(monitor.id)) held.add(monitor.id)
    return disbelieved(reading, whatFails[doubt])
  }

  /** Name servers that start when we do get some time; then what they say or not is believed. */
  function isEarly(): boolean {
    return isUnheard && clock.monoMs() - startedMs < limits.namesUnheardMs
  }

  function noteGood({ address }: Reading): void {
    if (!episode || address === undefined || !deps.isPublic(address)) return
    proof[address.includes(':') ? 'ipv6' : 'ipv4'].add(networkOf(address))
  }

  void look()

  return {
    believe(reading, monitor) {
      if (reading.doubt !== undefined) return judge(reading, reading.doubt, monitor)
      if (reading.result === 'good') noteGood(reading)
      return reading
    },
    async isCutOff() {
      await look()
      return isCutOff(believed)
    },
    lost: () => lostCapabilities(believed),
    episode: () => episode && { ...episode, heldMonitors: held.size },
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

const unheardWords = 'the name servers of this machine have not answered for any name so far'

/** The same reading without a word on the target. */
function disbelieved(reading: Reading, words: string): Reading {
  const { atMs, durationMs, error } = reading
  const message = `the check could not be made: ${words}`
  return {
    atMs,
    durationMs,
    result: 'unknown',
    error: { kind: error?.kind ?? 'connect', message },
  }
}
