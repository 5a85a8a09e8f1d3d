// Which certificate is ordered next, and what the other hosts wait for. Renewals and new hosts have a
// lane each, with a pace of its own, so that no number of new hosts delays a renewal.

import type { OrgId } from '../../base/ids.ts'
import { hourMs } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import { certificateBudgetMs, type FirstOrder, type HostCertificate } from './host-certificate.ts'

/** A host that needs a certificate. */
export interface WantedHost {
  readonly host: string
  /** null: the service itself. */
  readonly orgId: OrgId | null
  /** Whether organizations share the registered domain: it is below that of the status pages. */
  readonly isShared: boolean
  /** Since when it has been wanted: the host that waits longest is served first. */
  readonly sinceMs: number
}

/** What a plan knows of a host. */
export interface PlannedHost
  extends Pick<HostCertificate, 'host' | 'failures' | 'nextAttemptAtMs' | 'lastOrderAtMs'> {
  /** The registered domain of the host, by which authorities count. */
  readonly domain: string
  /** undefined: it is no longer served. */
  readonly wanted: WantedHost | undefined
  /** Whether a certificate was issued before, so that the next one is a renewal. */
  readonly hadCertificate: boolean
  readonly expiresAtMs: number | null
  /** Whether an order is in progress, which needs no new one. */
  readonly hasOrder: boolean
  readonly firstOrders: readonly FirstOrder[]
  readonly domainPausedUntilMs: number
}

export interface PlanOptions {
  readonly nowMs: number
  /** What the authority issues for new hosts of one registered domain in `certificateBudgetMs`. */
  readonly newOfDomainMax: number
  /** The authority is not asked before. */
  readonly unavailableUntilMs: number
}

/**
 * `unavailable`: the authority cannot be asked. `paused`: it refused new hosts of the registered domain.
 * `domain`, `shared`, `organization`: a budget is spent. `turn`: others come first.
 */
export interface CertificateWait {
  readonly kind: 'unavailable' | 'paused' | 'domain' | 'shared' | 'organization' | 'turn'
  /** null: nobody knows. */
  readonly untilMs: number | null
}

export interface CertificatePlan {
  /** The host whose certificate is renewed next. */
  readonly renewal: string | undefined
  /** The new host that comes next. */
  readonly fresh: string | undefined
  /** What the other hosts that are due wait for. */
  readonly waits: ReadonlyMap<string, CertificateWait>
}

interface DueHost extends PlannedHost {
  readonly wanted: WantedHost
}

/**
 * New orders within an hour: of renewals, and of hosts that have no certificate yet. Together they
 * are fewer than Let's Encrypt takes from an account: 300 in 3 hours
 * (https://letsencrypt.org/docs/rate-limits).
 */
const certificateOrdersPerHour = 60
const certificateOrdersNewPerHour = 30

export function certificatePlan(
  hosts: readonly PlannedHost[],
  { nowMs, newOfDomainMax, unavailableUntilMs }: PlanOptions,
): CertificatePlan {
  const spent = spentBudgets(hosts, nowMs)
  const freeAtMs = createFreeTimes()
  const waits = new Map<string, CertificateWait>()

  function waitOf({ wanted: { orgId, isShared }, domain }: DueHost): CertificateWait | undefined {
    const pausedUntilMs = spent.pauses.get(domain) ?? 0
    if (pausedUntilMs > nowMs) return { kind: 'paused', untilMs: pausedUntilMs }
    const ofDomain = freeAtMs(spent.domains.get(domain), newOfDomainMax)
    if (ofDomain > nowMs) return { kind: 'domain', untilMs: ofDomain }
    const shared = freeAtMs(spent.sharedOfOrgs.get(orgId), limits.certificatesNewSharedOfOrg)
    if (isShared && shared > nowMs) return { kind: 'shared', untilMs: shared }
    const ofOrg = freeAtMs(spent.ordersOfOrgs.get(orgId), limits.certificateOrdersNewOfOrg)
    return ofOrg > nowMs ? { kind: 'organization', untilMs: ofOrg } : undefined
  }

  /** The first one that may go on: with its order in progress, or within the pace with a new one. */
  function firstOf(
    lane: readonly DueHost[],
    recent: readonly number[],
    perHour: number,
  ): string | undefined {
    const isFree = recent.filter((atMs) => atMs > nowMs - hourMs).length < perHour
    const next = lane.find(({ host, hasOrder }) => !waits.has(host) && (isFree || hasOrder))
    for (const { host } of lane) {
      if (host !== next?.host && !waits.has(host)) waits.set(host, { kind: 'turn', untilMs: null })
    }
    return next?.host
  }

  const due = hosts.filter(
    (one): one is DueHost => one.wanted !== undefined && one.nextAttemptAtMs <= nowMs,
  )
  if (unavailableUntilMs > nowMs) {
    const wait = { kind: 'unavailable', untilMs: unavailableUntilMs } as const
    for (const { host } of due) waits.set(host, wait)
    return { renewal: undefined, fresh: undefined, waits }
  }
  const fresh = due.filter((one) => !isRenewal(one)).toSorted(inTurns(spent.ordersOfOrgs))
  for (const one of fresh) {
    const wait = one.hasOrder ? undefined : waitOf(one)
    if (wait) waits.set(one.host, wait)
  }
  const renewals = due.filter(isRenewal).toSorted(byDaysLeft)
  return {
    renewal: firstOf(renewals, spent.renewals, certificateOrdersPerHour),
    fresh: firstOf(fresh, spent.fresh, certificateOrdersNewPerHour),
    waits,
  }
}

/** The service's own host never waits for the hosts of others. */
function isRenewal({ hadCertificate, wanted }: DueHost): boolean {
  return hadCertificate || wanted.orgId === null
}

/** A certificate whose renewal failed so often in a row is renewed after all others. */
const certificateFailuresLast = 3

/**
 * First the service itself, then the certificate with the least time left. One whose renewal keeps failing
 * comes last, unless it fails because the authority refuses too many orders.
 */
function byDaysLeft(a: DueHost, b: DueHost): number {
  const isOwn = ({ wanted }: DueHost) => Number(wanted.orgId === null)
  const keepsFailing = ({ failures, domainPausedUntilMs }: DueHost) =>
    Number(failures >= certificateFailuresLast && domainPausedUntilMs === 0)
  return (
    isOwn(b) - isOwn(a) ||
    keepsFailing(a) - keepsFailing(b) ||
    (a.expiresAtMs ?? 0) - (b.expiresAtMs ?? 0) ||
    a.nextAttemptAtMs - b.nextAttemptAtMs
  )
}

/** First the orders in progress, then the organization that had the fewest orders lately. */
function inTurns(ordersOfOrgs: IssueTimes<OrgId | null>) {
  const ordersOf = ({ wanted }: DueHost) => ordersOfOrgs.get(wanted.orgId)?.length ?? 0
  return (a: DueHost, b: DueHost): number =>
    Number(b.hasOrder) - Number(a.hasOrder) ||
    ordersOf(a) - ordersOf(b) ||
    a.failures - b.failures ||
    a.wanted.sinceMs - b.wanted.sinceMs ||
    (a.host < b.host ? -1 : 1)
}

type IssueTimes<Key> = ReadonlyMap<Key, readonly number[]>

/** When orders were begun, and when certificates for new hosts were issued, within the budgets' time. */
function spentBudgets(hosts: readonly PlannedHost[], nowMs: number) {
  const ordersOfOrgs = new Map<OrgId | null, number[]>()
  const sharedOfOrgs = new Map<OrgId | null, number[]>()
  const domains = new Map<string, number[]>()
  const pauses = new Map<string, number>()
  const fresh: number[] = []
  const renewals: number[] = []
  for (const host of hosts) {
    const { domain, firstOrders, lastOrderAtMs } = host
    const pausedUntilMs = pauseOf(host, nowMs)
    if (pausedUntilMs > (pauses.get(domain) ?? 0)) pauses.set(domain, pausedUntilMs)
    const newest = firstOrders.at(-1)
    if (lastOrderAtMs !== null && lastOrderAtMs !== newest?.atMs) renewals.push(lastOrderAtMs)
    for (const { atMs, orgId } of firstOrders) {
      if (atMs <= nowMs - certificateBudgetMs) continue
      fresh.push(atMs)
      add(ordersOfOrgs, orgId, atMs)
    }
    // Authorities count what they issue: a host has one first certificate, by its newest first order.
    const counts = newest !== undefined && (host.hadCertificate || host.hasOrder)
    if (!counts || newest.atMs <= nowMs - certificateBudgetMs) continue
    add(domains, domain, newest.atMs)
    if (newest.isShared) add(sharedOfOrgs, newest.orgId, newest.atMs)
  }
  return { ordersOfOrgs, sharedOfOrgs, domains, pauses, fresh, renewals }
}

/**
 * The time until which a refusal pauses new hosts of the domain. A refused renewal does so until it has
 * succeeded.
 */
function pauseOf(host: PlannedHost, nowMs: number): number {
  const { hadCertificate, wanted, domainPausedUntilMs, nextAttemptAtMs } = host
  if (!hadCertificate || domainPausedUntilMs === 0) return domainPausedUntilMs
  if (!wanted) return 0
  return nextAttemptAtMs > nowMs ? nextAttemptAtMs : nowMs + limits.acmeOrderMs
}

function add<Key>(times: Map<Key, number[]>, key: Key, atMs: number): void {
  const before = times.get(key)
  if (before) before.push(atMs)
  else times.set(key, [atMs])
}

/** Tells when a budget has room for one more; 0: now. Many hosts ask for the same budget. */
function createFreeTimes() {
  const found = new Map<readonly number[], number>()
  return (times: readonly number[] | undefined, most: number): number => {
    if (times === undefined || times.length < most) return 0
    const before = found.get(times)
    if (before !== undefined) return before
    const blocking = times.toSorted((a, b) => a - b).at(-most) ?? 0
    found.set(times, blocking + certificateBudgetMs)
    return blocking + certificateBudgetMs
  }
}
