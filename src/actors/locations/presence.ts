// Presence: which probes of a location are heard, which of its monitors each checks, and when the location falls
// silent. All of it is in memory: after a start of the daemon, silence counts from then. What people were told of is
// stored by who tells them.
import type { Clock, Jump } from '../../base/clock.ts'
import type { LocationId, MonitorId, OrgId, ProbeId } from '../../base/ids.ts'
import type { RemoteProbe } from '../../domain/locations/location.ts'
import { type ProbeHello, type ProbeLoad, probeSilentMs } from '../../domain/locations/protocol.ts'
import { type ShareHolder, sharesOf } from '../../domain/locations/shares.ts'
import { returningMs } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { ToldSilence } from '../../store/tables/locations/probes.ts'
import type { Placements } from './placements.ts'

export interface PresenceDeps {
  readonly clock: Clock & { onJump?(listener: (jump: Jump) => void): void }
  readonly placements: Pick<Placements, 'at' | 'listen'>
  /** No probe of a location that checks something was heard for so long that people should know. */
  readonly onSilent: (silence: Silence) => void
  /** One is heard again, after `onSilent`. */
  readonly onBack: (silence: Silence) => void
}

export interface Silence {
  readonly orgId: OrgId
  readonly locationId: LocationId
  /** The last word of any of its probes. */
  readonly fromMs: number
}

/** Where a probe stands, and whose it is. */
export type StandingProbe = Pick<RemoteProbe, 'id' | 'orgId' | 'locationId'>

/** A share, and its number, which is another one once the share may have changed. */
export interface NumberedShare {
  readonly epoch: number
  readonly monitors: Share
}

/** How a probe is that has said something since the daemon started. */
export interface ProbePresence {
  readonly isLive: boolean
  readonly version: string
  readonly load: ProbeLoad | null
}

interface Station extends ShareHolder {
  kinds: ReadonlySet<string>
  version: string
  load: ProbeLoad | null
  /** By the monotonic clock, as the other times. */
  wordMs: number
  resultMs: number
  /** The shortest interval of its share, null if that is empty, and since when it is that. */
  shortestMs: number | null
  shortestSinceMs: number
  /** When it was last taken for hung; null: it has delivered since. */
  hungMs: number | null
  /** Its sessions in a row in which it delivered nothing. */
  barren: number
  isLive: boolean
}

type Share = ReadonlyMap<MonitorId, Monitor>

interface ProbeSite {
  readonly id: LocationId
  readonly orgId: OrgId
  readonly madeMs: number
  /** Probes that were heard at any time. */
  readonly known: Set<ProbeId>
  readonly stations: Map<ProbeId, Station>
  lastWordAtMs: number
  holders: readonly Station[]
  epoch: number
  shares: ReadonlyMap<ProbeId, Share>
  isChanged: boolean
  silentMs: number | null
  /** Since when it is heard without a pause; null while it is not. */
  backMs: number | null
  /** What people were told; null if nothing. */
  told: Silence | null
  /** When they were told last. */
  toldMs: number
}

const sweepMs = 1_000
/** Changes of monitors within this time are one change of the shares. */
const changesGatheredMs = 100
/** A probe that asks for its plan but delivers nothing for so many of its shortest intervals hangs. */
const hungIntervals = 3
const hungMsMin = 90_000
/** After that long, a probe that hung gets a share again. */
const hungRetryMs = 600_000
/** How long a location is silent before people are told. */
export const silenceToldMs = 120_000
/** One that comes and goes is told once in this time. */
const silenceAgainMs = 900_000

const noLoad: ProbeLoad = { checks: 0, dropped: 0, lateMs: 0, monitors: 0 }
const nothing: NumberedShare = { epoch: 0, monitors: new Map() }

export type Presence = ReturnType<typeof startPresence>

export function startPresence({ clock, placements, onSilent, onBack }: PresenceDeps) {
  const sites = new Map<LocationId, ProbeSite>()
  const stations = new Map<ProbeId, Station>()
  const listeners: ((locationId: LocationId) => void)[] = []
  let sweeping: unknown
  let gathering: unknown

  const monoMs = () => clock.monoMs()
  const isHeard = ({ wordMs }: Station) => monoMs() - wordMs < probeSilentMs
  const isHung = ({ hungMs }: Station) => hungMs !== null && monoMs() - hungMs < hungRetryMs

  function siteOf({ orgId, locationId }: StandingProbe): ProbeSite {
    const before = sites.get(locationId)
    if (before) return before
    const site: ProbeSite = {
      id: locationId,
      orgId,
      madeMs: monoMs(),
      known: new Set(),
      stations: new Map(),
      lastWordAtMs: clock.nowMs(),
      holders: [],
      epoch: 0,
      shares: new Map(),
      isChanged: false,
      silentMs: null,
      backMs: null,
      told: null,
      toldMs: Number.NEGATIVE_INFINITY,
    }
    sites.set(locationId, site)
    sweeping ??= clock.setTimeout(sweep, sweepMs)
    return site
  }

  /** Who has a share: the live ones; where there is none, those that at least ask. */
  function holdersOf(site: ProbeSite): readonly Station[] {
    const all = [...site.stations.values()]
    const live = all.filter(({ isLive }) => isLive)
    return live.length > 0 ? live : all.filter(isHeard)
  }

  function share(site: ProbeSite): void {
    site.isChanged = false
    site.epoch += 1
    site.shares = sharesOf(placements.at(site.id).values(), site.holders)
    // Who is not there keeps its pace: it may come back without having delivered.
    for (const station of site.holders) notePace(station, site.shares.get(station.id))
    for (const listener of listeners) listener(site.id)
  }

  function notePace(station: Station, its: Share | undefined): void {
    let shortestMs: number | null = null
    for (const { intervalSeconds } of its?.values() ?? []) {
      const intervalMs = intervalSeconds * 1_000
      if (shortestMs === null || intervalMs < shortestMs) shortestMs = intervalMs
    }
    if (shortestMs === station.shortestMs) return
    station.shortestMs = shortestMs
    station.shortestSinceMs = monoMs()
  }

  function judge(station: Station): void {
    const { shortestMs, shortestSinceMs, resultMs, hungMs } = station
    if (isHeard(station) && shortestMs !== null) {
      const retryMs = hungMs === null ? resultMs : hungMs + hungRetryMs
      const waitedMs = monoMs() - Math.max(shortestSinceMs, resultMs, retryMs)
      if (waitedMs >= Math.max(hungMsMin, hungIntervals * shortestMs)) station.hungMs = monoMs()
    }
    station.isLive = isHeard(station) && !isHung(station)
  }

  /** Looks who is live, and shares the monitors again if that has changed. */
  function look(site: ProbeSite): void {
    for (const station of site.stations.values()) judge(station)
    const holders = holdersOf(site)
    const isSame =
      holders.length === site.holders.length && holders.every((one, at) => one === site.holders[at])
    if (!isSame) {
      site.holders = holders
      share(site)
    }
    noteSilence(site)
  }

  function noteSilence(site: ProbeSite): void {
    const { id: locationId, orgId, lastWordAtMs: fromMs, silentMs } = site
    const nowMs = monoMs()
    const live = [...site.stations.values()].filter(({ isLive }) => isLive)
    if (live.length === 0) site.backMs = null
    if (live.length > 0) {
      site.silentMs = null
      site.backMs ??= nowMs
      // One that hung may hang still.
      if (!site.told || live.every(({ hungMs }) => hungMs !== null)) return
      onBack(site.told)
      site.told = null
    } else if (silentMs === null || placements.at(locationId).size === 0) {
      // It counts from when something is checked there: an organization may have been switched off.
      if (nowMs - site.madeMs >= probeSilentMs) site.silentMs = nowMs
    } else if (isToBeTold(site, silentMs)) {
      site.told = { orgId, locationId, fromMs }
      site.toldMs = nowMs
      onSilent(site.told)
    }
  }

  function isToBeTold({ told, toldMs }: ProbeSite, silentMs: number): boolean {
    const nowMs = monoMs()
    if (told) return false
    return nowMs - silentMs >= silenceToldMs && nowMs - toldMs >= silenceAgainMs
  }

  function sweep(): void {
    for (const site of sites.values()) look(site)
    sweeping = sites.size > 0 ? clock.setTimeout(sweep, sweepMs) : undefined
  }

  placements.listen((locationId, isAsk) => {
    const site = sites.get(locationId)
    if (!site) return
    // What somebody asked for is passed on at once.
    for (const listener of listeners) listener(locationId)
    if (isAsk) return
    site.isChanged = true
    gathering ??= clock.setTimeout(() => {
      gathering = undefined
      for (const one of sites.values()) if (one.isChanged) share(one)
    }, changesGatheredMs)
  })

  clock.onJump?.(() => {
    // Nobody could be heard while this process stood still.
    for (const station of stations.values()) {
      if (!station.isLive) continue
      station.wordMs = monoMs()
      station.shortestSinceMs = monoMs()
    }
  })

  return {
    /**
     * A probe that was heard before the daemon started: its location counts as silent until it is heard. `told`:
     * the silence that people were told of then.
     */
    expect(probe: StandingProbe, lastWordAtMs: number, told?: ToldSilence): void {
      const site = siteOf(probe)
      const isFirst = site.known.size === 0
      site.known.add(probe.id)
      site.lastWordAtMs = isFirst ? lastWordAtMs : Math.max(site.lastWordAtMs, lastWordAtMs)
      if (!told) return
      const { orgId, locationId } = probe
      site.told = { orgId, locationId, fromMs: told.fromMs }
      site.toldMs = monoMs() - Math.max(0, clock.nowMs() - told.toldAtMs)
    },

    /** A probe begins a session, and has its share when this returns. */
    arrive(probe: StandingProbe, { version, kinds }: Pick<ProbeHello, 'version' | 'kinds'>): void {
      const site = siteOf(probe)
      site.known.add(probe.id)
      const before = site.stations.get(probe.id)
      const nowMs = monoMs()
      const fresh = { resultMs: nowMs, shortestMs: null, shortestSinceMs: nowMs, hungMs: null }
      // One that starts again and again, and never delivers, hangs as well, however long it is away between.
      const was = before && (isHeard(before) || before.barren > 1) ? before : fresh
      const { resultMs, shortestMs, shortestSinceMs, hungMs } = was
      const station: Station = {
        id: probe.id,
        kinds: new Set(kinds),
        version,
        load: null,
        wordMs: nowMs,
        ...{ resultMs, shortestMs, shortestSinceMs, hungMs },
        barren: (before?.barren ?? 0) + 1,
        isLive: false,
      }
      site.stations.set(probe.id, station)
      stations.set(probe.id, station)
      site.lastWordAtMs = clock.nowMs()
      look(site)
    },

    /** It asked for its plan, or sent something. */
    heard(probe: StandingProbe): void {
      const station = stations.get(probe.id)
      const site = sites.get(probe.locationId)
      if (!station || !site) return
      station.wordMs = monoMs()
      site.lastWordAtMs = clock.nowMs()
      if (!station.isLive && !isHung(station)) look(site)
    },

    /** It sent how it is, and results, if there were any. */
    delivered(probe: StandingProbe, load: ProbeLoad, hasResults: boolean): void {
      const station = stations.get(probe.id)
      const site = sites.get(probe.locationId)
      if (!station || !site) return
      station.load = load
      if (!hasResults) return
      station.resultMs = monoMs()
      station.barren = 0
      if (station.hungMs === null) return
      station.hungMs = null
      look(site)
    },

    /** The location of a probe that was heard at any time, and whose it is. */
    placeOf: (probeId: ProbeId): Pick<ProbeSite, 'id' | 'orgId'> | undefined =>
      [...sites.values()].find(({ known }) => known.has(probeId)),

    /** It was deleted. */
    forget(probeId: ProbeId): void {
      stations.delete(probeId)
      for (const site of sites.values()) {
        if (!site.known.delete(probeId)) continue
        site.stations.delete(probeId)
        // Who was told of its silence hears of the end.
        if (site.known.size === 0 && !site.told) sites.delete(site.id)
        else look(site)
      }
    },

    /** It was silent until a moment ago: others that were, too, may be about to speak. */
    isReturning(locationId: LocationId): boolean {
      const backMs = sites.get(locationId)?.backMs ?? null
      return backMs !== null && monoMs() - backMs < returningMs
    },

    /** What a probe checks now. */
    shareOf({ id, locationId }: StandingProbe): NumberedShare {
      const site = sites.get(locationId)
      const monitors = site?.shares.get(id)
      return site ? { epoch: site.epoch, monitors: monitors ?? nothing.monitors } : nothing
    },

    /** Called when the share of any probe of a location may have changed, or a check is wanted there. */
    listen: (listener: (locationId: LocationId) => void) => listeners.push(listener),

    /** Undefined: it has not been heard since the daemon started. */
    of: (probeId: ProbeId): ProbePresence | undefined => stations.get(probeId),

    /** How a probe is that is live; null: it is silent. */
    loadOf(probeId: ProbeId): ProbeLoad | null {
      const station = stations.get(probeId)
      return station?.isLive ? (station.load ?? noLoad) : null
    },

    /** How many probes are live, and how many were heard and are not. */
    counts(): { readonly live: number; readonly silent: number } {
      let live = 0
      for (const { isLive } of stations.values()) if (isLive) live += 1
      let known = 0
      for (const site of sites.values()) known += site.known.size
      return { live, silent: known - live }
    },

    stop(): void {
      clock.clearTimeout(sweeping)
      clock.clearTimeout(gathering)
    },
  }
}
