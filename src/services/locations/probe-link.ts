// The daemon's side of the protocol of remote probes (domain/locations/protocol.ts): sessions, the plan of each,
// and what they send.
import { randomBytes } from 'node:crypto'
import type { Placements } from '../../actors/locations/placements.ts'
import type { Presence } from '../../actors/locations/presence.ts'
import type { Commit } from '../../actors/monitor/commit.ts'
import { Fault, rateLimited } from '../../base/fault.ts'
import type { LocationId, MonitorId, OrgId, ProbeId } from '../../base/ids.ts'
import type { Metrics } from '../../base/metrics.ts'
import { asExpected } from '../../domain/checks/upside-down.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type ProbeSecret, type RemoteProbe, sharedOwner } from '../../domain/locations/location.ts'
import { placedId } from '../../domain/locations/place.ts'
import {
  type Assignment,
  type ProbeAsk,
  type ProbeHello,
  type ProbePlan,
  type ProbeResults,
  type ProbeResultsAnswer,
  type ProbeWelcome,
  planHoldMs,
  resultAgeMsMax,
} from '../../domain/locations/protocol.ts'
import { readLoad, readResult, type TimedResult } from '../../domain/locations/sent-result.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type Box, SealBroken } from '../../seal/box.ts'
import { probeBox } from '../../seal/probe-token.ts'
import { isLinkTokenShaped } from '../../seal/tokens.ts'
import type { Core } from '../core.ts'
import { secretsOf } from '../secrets/secrets.ts'
import { assignmentOf } from './assignments.ts'

export interface ProbeLinkDeps {
  readonly placements: Pick<Placements, 'at' | 'asked'>
  readonly presence: Presence
  readonly findByAuth: (
    auth: string,
    nowMs: number,
  ) => Pick<LinkedProbe, 'probe' | 'secret'> | undefined
  readonly commit: Pick<Commit, 'placed'>
  /** Whether the organization is deleted or switched off. */
  readonly isOff: (orgId: OrgId) => boolean
  readonly metrics: Metrics
}

/** A probe, and the secret that it authenticated with. */
export interface LinkedProbe {
  readonly auth: string
  readonly probe: RemoteProbe
  readonly secret: ProbeSecret
  readonly address: string
}

/** What a probe sent, as parsed JSON. */
export interface SentResults extends Pick<ProbeResults, 'session'> {
  readonly results: readonly unknown[]
  readonly self: unknown
}

interface LinkSession {
  readonly id: string
  readonly probe: RemoteProbe
  /** What it authenticates with. */
  readonly auth: string
  readonly box: Box
  readonly kinds: ReadonlySet<string>
  /** The number of the plan that was sent last. */
  revision: number
  /** The epoch of the share that this plan had whole; -1 if some of it is still to be sent. */
  epoch: number
  /** The revisions of the monitors that the probe has. */
  readonly sent: Map<MonitorId, number>
  readonly asked: Set<number>
  waiter: PlanWaiter | undefined
}

interface PlanWaiter {
  answer(plan: ProbePlan | null): void
  refuse(fault: Fault): void
}

/** Sessions of one probe: a new process says hello before the one before it has ended. */
const sessionsOfProbe = 2
/** No monitor has it. */
const unsentRevision = 0
/** Monitors in one answer, fewer if it takes long to seal what they send: the rest follows in the next. */
export const planPutMax = 2_000
const asksMax = 1_000
const dueAheadMsMax = 60_000
/** What a probe may send at once: all that it held during an outage, and as much again. */
export const resultsBurst = 20_000
/** What it may send in the long run, in multiples of what its plan makes. */
const resultsShare = 3
const sightingStepMs = 60_000
const minuteMs = 60_000

export function createProbeLink(
  { store, clock, box }: Pick<Core, 'store' | 'clock' | 'box'>,
  { placements, presence, findByAuth, commit, isOff, metrics }: ProbeLinkDeps,
) {
  const sessions = new Map<string, LinkSession>()
  const byProbe = new Map<ProbeId, LinkSession[]>()
  const byLocation = new Map<LocationId, Set<LinkSession>>()
  const allowances = new Map<ProbeId, Allowance>()
  const sightedMs = new Map<ProbeId, number>()
  let isStopping = false
  let heldPlans = 0

  const outcomes = metrics.counter({
    name: 'location_results_total',
    help: 'Results of remote probes: taken, dropped because the monitor has changed since, or refused.',
    labels: ['outcome'],
  })
  metrics.gauge(
    { name: 'location_probes', help: 'Remote probes by state.', labels: ['state'] },
    (gauge) => {
      const { live, silent } = presence.counts()
      gauge.set({ state: 'live' }, live)
      gauge.set({ state: 'silent' }, silent)
    },
  )
  metrics.gauge(
    { name: 'location_plans_held', help: 'Remote probes that wait for a change of their plan.' },
    (gauge) => gauge.set(heldPlans),
  )

  presence.listen((locationId) => {
    for (const session of byLocation.get(locationId) ?? []) wake(session)
  })
  store.signals.probeLost.listen((probeId) => {
    for (const session of byProbe.get(probeId) ?? []) {
      if (!findByAuth(session.auth, clock.nowMs())) end(session, unknownToken())
    }
    const place = presence.placeOf(probeId)
    const isGone = place && !store.probes.idsAt(place.orgId, place.id).includes(probeId)
    if (!isGone) return
    presence.forget(probeId)
    for (const one of [byProbe, allowances, sightedMs]) one.delete(probeId)
  })

  store.signals.secretChanged.listen(({ orgId, name }) => {
    const ids = store.monitors.sending(orgId, name, limits.monitorsQuotaMax)
    for (const session of ids.length > 0 ? sessions.values() : []) {
      const stale = ids.filter((id) => session.sent.has(id))
      if (stale.length === 0) continue
      // They are sent again in full, as after a change of theirs.
      for (const id of stale) session.sent.set(id, unsentRevision)
      session.epoch = -1
      wake(session)
    }
  })

  function wake(session: LinkSession): void {
    const { waiter } = session
    const plan = waiter && planOf(session, session.revision)
    if (plan) waiter.answer(plan)
  }

  function end(session: LinkSession, fault: Fault): void {
    const { id, probe } = session
    sessions.delete(id)
    byProbe.set(
      probe.id,
      (byProbe.get(probe.id) ?? []).filter((one) => one !== session),
    )
    byLocation.get(probe.locationId)?.delete(session)
    session.waiter?.refuse(fault)
  }

  function sessionOf({ auth }: LinkedProbe, id: string): LinkSession {
    const session = sessions.get(id)
    if (session?.auth !== auth) throw unknownSession()
    return session
  }

  /** Null if the probe knows everything. */
  function planOf(session: LinkSession, since: number): ProbePlan | null {
    const { probe, sent, asked } = session
    const share = presence.shareOf(probe)
    const isWhole = session.revision === 0 || since !== session.revision
    if (isWhole) {
      sent.clear()
      asked.clear()
    }
    const isCurrent = !isWhole && session.epoch === share.epoch
    const changes = isCurrent ? noChanges : changesOf(session, share)
    const ask = asksOf(session)
    if (!isWhole && changes.put.length + changes.remove.length + ask.length === 0) return null
    session.revision += 1
    const { revision } = session
    return { revision, nowMs: clock.nowMs(), isWhole, ...changes, ask }
  }

  function changesOf(session: LinkSession, { epoch, monitors }: ReturnType<Presence['shareOf']>) {
    const { sent, kinds, probe } = session
    const put: Assignment[] = []
    session.epoch = epoch
    const sinceMs = clock.monoMs()
    for (const monitor of monitors.values()) {
      if (sent.get(monitor.id) === monitor.revision || !kinds.has(monitor.checkType)) continue
      if (put.length === planPutMax || clock.monoMs() - sinceMs >= limits.turnMs) {
        session.epoch = -1
        break
      }
      sent.set(monitor.id, monitor.revision)
      const made = assignmentOf(monitor, {
        box,
        secretsOf: (orgId, names) => secretsOf({ store, box }, orgId, names),
        probeBox: session.box,
        locationId: probe.locationId,
        isShared: probe.orgId === sharedOwner,
        isNew: !hasResult(monitor, probe.locationId),
      })
      if (made) put.push(made)
    }
    const remove = [...sent.keys()].filter((id) => !monitors.has(id))
    for (const id of remove) sent.delete(id)
    return { put, remove }
  }

  function hasResult({ orgId, id }: Monitor, place: LocationId): boolean {
    return Boolean(store.placed.monitorStates.recall(orgId, placedId(id, place))?.lastAtMs)
  }

  function asksOf({ probe, sent, asked }: LinkSession): ProbeAsk[] {
    const nowMs = clock.nowMs()
    const open = placements.asked(probe.locationId).filter(({ untilMs }) => nowMs < untilMs)
    if (open.length === 0) {
      asked.clear()
      return noAsks
    }
    const news = open
      .filter(({ askId, monitorId }) => sent.has(monitorId) && !asked.has(askId))
      .slice(0, asksMax)
    for (const { askId } of news) asked.add(askId)
    return news.map(({ askId, monitorId }) => ({ askId, monitorId }))
  }

  /** Resolves with null after planHoldMs, and when the probe has gone. */
  function held(session: LinkSession, signal: AbortSignal): Promise<ProbePlan | null> {
    session.waiter?.answer(null)
    return new Promise((resolve, reject) => {
      heldPlans += 1
      const settle = (run: () => void) => {
        if (session.waiter !== waiter) return
        session.waiter = undefined
        heldPlans -= 1
        clock.clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        run()
      }
      const waiter: PlanWaiter = {
        answer: (plan) => settle(() => resolve(plan)),
        refuse: (fault) => settle(() => reject(fault)),
      }
      const leave = () => waiter.answer(null)
      const timer = clock.setTimeout(leave, planHoldMs)
      signal.addEventListener('abort', leave)
      session.waiter = waiter
    })
  }

  function sight({ probe, address }: LinkedProbe): void {
    const nowMs = clock.nowMs()
    const version = presence.of(probe.id)?.version
    if (version === undefined || nowMs - (sightedMs.get(probe.id) ?? 0) < sightingStepMs) return
    sightedMs.set(probe.id, nowMs)
    // A failed write has already ended the process, by the store's rule.
    store
      .writeSoon((tx) => store.probes.noteSighting(tx, probe, { atMs: nowMs, version, address }))
      .catch(() => {})
  }

  /** Throws rate_limited if the probe sends more than its plan can make. */
  function take(probe: RemoteProbe, results: number): void {
    const nowMs = clock.monoMs()
    const share = presence.shareOf(probe)
    const before = allowances.get(probe.id) ?? { ...freshAllowance, atMs: nowMs }
    const { epoch } = share
    const perMinute = epoch === before.epoch ? before.perMinute : paceOf(share.monitors.values())
    const more = ((nowMs - before.atMs) / minuteMs) * resultsShare * before.perMinute
    const left = Math.min(resultsBurst, before.left + more)
    const isAllowed = results <= left
    const next = { left: isAllowed ? left - results : left, atMs: nowMs, epoch, perMinute }
    allowances.set(probe.id, next)
    if (!isAllowed) {
      throw rateLimited(
        minuteMs,
        (s) => `Too many results: what is sent is more than the plan makes; try again in ${s} s`,
      )
    }
  }

  type Refused = ProbeResultsAnswer['refused'][number]['code']

  /** Its commit, or why there is none. `null`: it says nothing about the monitor as it is now. */
  function taken(probe: RemoteProbe, sent: unknown, nowMs: number): Placing | Refused | null {
    const result = readResult(sent, nowMs)
    if (!result) return 'invalid'
    const monitor = placements.at(probe.locationId).get(result.monitorId)
    if (!monitor || !isOwn(probe, monitor)) return 'unknown_monitor'
    const { dueAtMs, reading } = result
    if (nowMs - reading.atMs > resultAgeMsMax) return 'too_old'
    if (nowMs - dueAtMs > resultAgeMsMax + monitor.intervalSeconds * 1_000) return 'too_old'
    if (dueAtMs - nowMs > dueAheadMsMax) return 'invalid'
    return result.revision < monitor.revision ? null : { monitor, result }
  }

  return {
    /** Throws unauthenticated, and forbidden while its organization is switched off. */
    authenticate(auth: string, address: string, nowMs: number): LinkedProbe {
      const found = isLinkTokenShaped(auth) ? findByAuth(auth, nowMs) : undefined
      if (!found) throw unknownToken()
      const { orgId } = found.probe
      if (orgId !== sharedOwner && isOff(orgId)) {
        throw new Fault('forbidden', 'This organization was switched off by the operator.')
      }
      return { ...found, auth, address }
    },

    hello(
      known: LinkedProbe,
      { version, kinds }: Pick<ProbeHello, 'version' | 'kinds'>,
    ): ProbeWelcome {
      const { probe, secret, auth } = known
      const session: LinkSession = {
        id: randomBytes(18).toString('base64url'),
        probe,
        auth,
        box: probeBox(opened(box, secret)),
        kinds: new Set(kinds),
        revision: 0,
        epoch: -1,
        sent: new Map(),
        asked: new Set(),
        waiter: undefined,
      }
      const others = byProbe.get(probe.id) ?? []
      for (const one of others.slice(0, Math.max(0, others.length + 1 - sessionsOfProbe))) {
        end(one, unknownSession())
      }
      sessions.set(session.id, session)
      byProbe.set(probe.id, [...(byProbe.get(probe.id) ?? []), session])
      const here = byLocation.get(probe.locationId) ?? new Set()
      byLocation.set(probe.locationId, here.add(session))
      presence.arrive(probe, { version, kinds })
      sight(known)
      const { id, locationId: location } = probe
      return { session: session.id, probe: id, location, nowMs: clock.nowMs() }
    },

    /**
     * Answers at once if the plan is another one than `since`, else once it is; null after planHoldMs. Throws
     * conflict for a session that is not known, and while it is held, unauthenticated once the token was revoked.
     */
    plan(
      known: LinkedProbe,
      sessionId: string,
      since: number,
      signal: AbortSignal,
    ): ProbePlan | null | Promise<ProbePlan | null> {
      const session = sessionOf(known, sessionId)
      presence.heard(known.probe)
      sight(known)
      const plan = planOf(session, since)
      if (plan) return plan
      if (isStopping) throw shuttingDown()
      return signal.aborted ? null : held(session, signal)
    },

    /** Resolves once all of them are on disk. Throws conflict, rate_limited. */
    async results(known: LinkedProbe, sent: SentResults): Promise<ProbeResultsAnswer> {
      const session = sessionOf(known, sent.session)
      const { probe } = known
      presence.heard(probe)
      take(probe, sent.results.length)
      const nowMs = clock.nowMs()
      const refused: ProbeResultsAnswer['refused'][number][] = []
      const placings: Placing[] = []
      for (const [index, one] of sent.results.entries()) {
        const placing = taken(probe, one, nowMs)
        if (typeof placing === 'string') refused.push({ index, code: placing })
        else if (placing) placings.push(placing)
      }
      const place = probe.locationId
      const isReturning = presence.isReturning(place)
      // Those of one monitor in their order: a later one makes an earlier one void.
      const byMonitor = Map.groupBy(placings, ({ monitor }) => monitor)
      const committed = await Promise.all(
        [...byMonitor].map(async ([monitor, some]) => {
          const results = some.map(({ result: { reading, dueAtMs, try: tries } }) => {
            return { reading: asExpected(monitor, reading), slot: { dueAtMs, try: tries } }
          })
          const done = await commit.placed(monitor, place, results, isReturning)
          return done === null ? 0 : some.length
        }),
      )
      presence.delivered(probe, readLoad(sent.self), sent.results.length > 0)
      const done = committed.reduce((sum, size) => sum + size, 0)
      const all = sent.results.length - refused.length
      outcomes.of('taken').inc(done)
      outcomes.of('dropped').inc(all - done)
      outcomes.of('refused').inc(refused.length)
      const isChanged = session.epoch !== presence.shareOf(probe).epoch
      return { taken: all, refused, planRevision: session.revision + (isChanged ? 1 : 0) }
    },

    /** Ends all questions for a plan: the daemon stops. */
    stop(): void {
      isStopping = true
      for (const { waiter } of sessions.values()) waiter?.refuse(shuttingDown())
    },
  }
}

interface Placing {
  readonly monitor: Monitor
  readonly result: TimedResult
}

/** How many results a probe may still send. */
interface Allowance {
  readonly left: number
  readonly atMs: number
  /** What its plan makes, and which share that is. */
  readonly perMinute: number
  readonly epoch: number
}

const freshAllowance = { left: resultsBurst, perMinute: 0, epoch: -1 }

/** How many results a minute the checks of these monitors make. */
function paceOf(monitors: Iterable<Monitor>): number {
  let perMinute = 0
  for (const { intervalSeconds } of monitors) perMinute += minuteMs / 1_000 / intervalSeconds
  return perMinute
}

/** Whether it is of the probe's organization, or the probe is for all. */
function isOwn(probe: RemoteProbe, { orgId }: Monitor): boolean {
  return probe.orgId === sharedOwner || probe.orgId === orgId
}

const noAsks: ProbeAsk[] = []
const noChanges: Pick<ProbePlan, 'put' | 'remove'> = { put: [], remove: [] }

/** Throws unavailable if the master key that encrypted it is gone. */
function opened(box: Box, { sealBox }: ProbeSecret): string {
  try {
    return box.open(sealBox)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new Fault('unavailable', 'The token of this probe cannot be decrypted: replace it.')
  }
}

const unknownToken = () => new Fault('unauthenticated', 'The token of this probe is not valid.')
const unknownSession = () => new Fault('conflict', 'This session is not known: say hello again.')
const shuttingDown = () => new Fault('shutting_down', 'The service is shutting down')
