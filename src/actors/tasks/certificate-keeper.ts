// Obtains and renews the certificates of the hosts that the service serves, in the order of the plan
// (domain/system/certificate-plan.ts). Everything that matters is in the table: an order that a stop
// interrupted goes on after the start, and no restart asks the authority more often.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type AcmeAccount, type AcmeClient, AcmeError, challengeAnswer } from '../../acme/client.ts'
import { mintKey } from '../../acme/jws.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { hostCertificateNotice, type SystemNotice } from '../../domain/alerts/system-notice.ts'
import { limits } from '../../domain/limits/limits.ts'
import { registeredDomain } from '../../domain/public-suffixes.ts'
import {
  type CertificateWait,
  certificatePlan,
  type PlannedHost,
  type WantedHost,
} from '../../domain/system/certificate-plan.ts'
import {
  type CertificateOrder,
  type HostCertificate,
  hadCertificate,
  type IssuedCertificate,
  isCertifiable,
  isNoticeDue,
  keptUntilMs,
  newHostCertificate,
  withFailure,
  withIssued,
  withOrder,
  withoutKey,
} from '../../domain/system/host-certificate.ts'
import { issuerName } from '../../net/connection/certificate.ts'
import type { Box } from '../../seal/box.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface CertificateKeeperDeps {
  readonly store: Pick<Store, 'hostCertificates' | 'secrets' | 'signals' | 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly box: Box
  readonly acme: AcmeClient
  readonly directoryUrl: string
  readonly email: string | null
  /**
   * How many certificates the authority issues for new hosts of one registered domain in
   * `certificateBudgetMs`.
   */
  readonly newOfDomainMax: number
  /** The hosts that need a certificate of the authority, in lower case. */
  readonly wantedHosts: () => readonly WantedHost[]
  readonly tell: (tx: Tx, notice: SystemNotice) => void
  /** What is ordered next. */
  readonly planOf?: typeof certificatePlan
}

/** The record of a host in memory, without the chain of its certificate. */
export interface CertificateTimes extends PlannedHost {
  readonly unwantedSinceMs: number | null
  /** The time until which a host that is not wanted is remembered; null for a host without a record. */
  readonly keptUntilMs: number | null
}

/** The text of the secret. */
interface StoredAccount extends AcmeAccount {
  readonly directoryUrl: string
}

export type CertificateKeeper = ReturnType<typeof createCertificateKeeper>

/** Hosts that get certificates of this service; hosts that have one come first. */
export const certificateHostsMax = 10_000
/** The pause before an authority is asked again that could not be reached, or was busy. */
export const acmeUnavailableMs = 10 * 60_000

export function createCertificateKeeper(deps: CertificateKeeperDeps) {
  const { store, clock, log, box, acme, directoryUrl, tell, planOf = certificatePlan } = deps
  const known = new Map<string, CertificateTimes>()
  const listeners: ((host: string) => void)[] = []
  let accountKeyPem: string | undefined
  let registering: Promise<AcmeAccount> | undefined
  let unavailableUntilMs = 0
  let looks = 0
  let isKeysChecked = false
  let isChanged = false

  function remember(record: HostCertificate): void {
    const { host } = record
    const { wanted } = known.get(host) ?? {}
    known.set(host, {
      ...timesOf(record, wanted),
      keptUntilMs: keptUntilMs(record, record.unwantedSinceMs ?? 0),
    })
    for (const listener of listeners) listener(host)
  }

  function load(): void {
    let last: HostCertificate | undefined
    do {
      const slice = store.hostCertificates.slice(limits.janitorSlice, last)
      for (const record of slice) remember(record)
      last = slice.length < limits.janitorSlice ? undefined : slice.at(-1)
    } while (last)
  }

  async function save(record: HostCertificate, andThen?: (tx: Tx) => void): Promise<void> {
    await store.write((tx) => {
      store.hostCertificates.put(tx, record)
      andThen?.(tx)
    })
    remember(record)
  }

  /** The hosts that get certificates. If there are too many, the hosts that have one stay. */
  function chosenHosts(): readonly WantedHost[] {
    const hosts = deps.wantedHosts().filter(({ host }) => known.has(host) || isCertifiable(host))
    if (hosts.length <= certificateHostsMax) return hosts
    const rank = ({ host, orgId }: WantedHost) =>
      Number(orgId === null) * 2 + Number(known.get(host)?.hadCertificate === true)
    return hosts.toSorted((a, b) => rank(b) - rank(a)).slice(0, certificateHostsMax)
  }

  /**
   * Notes new hosts, and forgets hosts that have not been wanted for long. A host is stored with its
   * first order.
   */
  async function follow(): Promise<void> {
    looks += 1
    isChanged = false
    const chosen = chosenHosts()
    const hosts = new Set(chosen.map(({ host }) => host))
    const nowMs = clock.nowMs()
    for (const wanted of chosen) {
      const { host } = wanted
      const before = known.get(host)
      if (!before) known.set(host, timesOf(newHostCertificate(host, nowMs), wanted))
      else if (!isSame(before.wanted, wanted)) known.set(host, { ...before, wanted })
      if (before && before.unwantedSinceMs !== null) await mark(host, null)
    }
    for (const one of [...known.values()]) {
      const { host, unwantedSinceMs } = one
      if (hosts.has(host)) continue
      if (one.wanted) known.set(host, { ...one, wanted: undefined })
      if (one.keptUntilMs === null) known.delete(host)
      else if (unwantedSinceMs === null) await mark(host, nowMs)
      else if (nowMs >= one.keptUntilMs) await forget(host)
    }
  }

  async function mark(host: string, unwantedSinceMs: number | null): Promise<void> {
    const marked = await store.write((tx) => {
      const record = store.hostCertificates.get(host)
      if (record) store.hostCertificates.put(tx, { ...record, unwantedSinceMs })
      return record && { ...record, unwantedSinceMs }
    })
    if (marked) remember(marked)
    else await forget(host)
  }

  async function forget(host: string): Promise<void> {
    await store.write((tx) => store.hostCertificates.remove(tx, host))
    const { wanted } = known.get(host) ?? {}
    known.delete(host)
    if (wanted) known.set(host, timesOf(newHostCertificate(host, clock.nowMs()), wanted))
    for (const listener of listeners) listener(host)
  }

  function plan() {
    const { newOfDomainMax } = deps
    return planOf([...known.values()], { nowMs: clock.nowMs(), newOfDomainMax, unavailableUntilMs })
  }

  function storedAccount(): StoredAccount | undefined {
    const secret = store.secrets.readable('acme-account')
    const opened = secret && box.openOrUndefined(secret.sealed)
    if (opened === undefined) return undefined
    // Our own JSON, so its shape is known.
    const account = JSON.parse(opened) as StoredAccount
    return account.directoryUrl === directoryUrl ? account : undefined
  }

  async function keepAccount(account: StoredAccount): Promise<void> {
    const text = JSON.stringify(account)
    const secret = { sealed: box.seal(text), hash: hashToken(text), createdAtMs: clock.nowMs() }
    await store.write((tx) => store.secrets.put(tx, 'acme-account', secret))
    accountKeyPem = account.keyPem
  }

  /** Lanes that ask at the same time share a registration. */
  function account(signal: AbortSignal): Promise<AcmeAccount> {
    registering ??= registered(signal).finally(() => {
      registering = undefined
    })
    return registering
  }

  /** Registers the account. Its key is stored before, so that no restart registers another one. */
  async function registered(signal: AbortSignal): Promise<AcmeAccount> {
    let stored = storedAccount()
    if (!stored) {
      stored = { directoryUrl, keyPem: mintKey(), url: null }
      await keepAccount(stored)
    }
    if (stored.url !== null) return stored
    const url = await acme.register(stored.keyPem, deps.email, signal)
    await keepAccount({ ...stored, url })
    return { ...stored, url }
  }

  /** The order to go on with: the stored one, or a new one, stored before anything else is done. */
  async function orderFor(
    record: HostCertificate,
    by: AcmeAccount,
    signal: AbortSignal,
  ): Promise<{ readonly record: HostCertificate; readonly order: CertificateOrder }> {
    const { order, host } = record
    const isUsable = order?.directoryUrl === directoryUrl && box.openOrUndefined(order.keyBox)
    if (order && isUsable) return { record, order }
    // A daemon that dies before it knows the order waits as after a failure.
    const { nextAttemptAtMs } = withFailure(record, dying, clock.nowMs())
    await save({ ...record, order: null, nextAttemptAtMs })
    const url = await acme.order(by, host, signal)
    const begins = { url, directoryUrl, keyBox: box.seal(mintKey()) }
    const { orgId = null, isShared = false } = known.get(host)?.wanted ?? {}
    const next = withOrder(record, begins, { atMs: clock.nowMs(), orgId, isShared })
    await save(next)
    return { record: next, order: begins }
  }

  async function obtain(record: HostCertificate, signal: AbortSignal): Promise<void> {
    const by = await account(signal)
    const { record: begun, order } = await orderFor(record, by, signal)
    const { url, keyBox } = order
    const { host } = record
    const keyPem = box.open(keyBox)
    const chainPem = await acme.finish(by, { url, host, keyPem }, signal)
    const issued = issuedFrom(chainPem, host, { keyPem, keyBox })
    const { toldExpiryMs } = begun
    await save(withIssued(begun, issued, clock.nowMs()), (tx) => {
      if (toldExpiryMs !== null) tell(tx, hostCertificateNotice(host, issued.expiresAtMs, null))
    })
    log.info('certificate issued', { host, issuer: issued.issuer })
  }

  async function fail(host: string, error: unknown, isLate: boolean): Promise<void> {
    const nowMs = clock.nowMs()
    const record = store.hostCertificates.get(host) ?? newHostCertificate(host, nowMs)
    const problem = error instanceof AcmeError ? error : undefined
    const { code = '', retryAfterMs } = problem ?? {}
    const reason = errorText(error)
    if (code === 'unavailable' && !isLate) {
      unavailableUntilMs = nowMs + Math.max(retryAfterMs ?? 0, acmeUnavailableMs)
    }
    const stored = storedAccount()
    if (code === 'accountDoesNotExist' && stored) await keepAccount({ ...stored, url: null })
    // Without a problem from the authority, this is a bug or damaged data: a new order may avoid it.
    const endsOrder = !problem || code === 'orderGone' || code === 'accountDoesNotExist'
    const isRateLimited = code === 'rateLimited'
    await save(withFailure(record, { reason, endsOrder, retryAfterMs, isRateLimited }, nowMs))
    log.warn('no certificate', { host, reason })
  }

  /** Whether it was issued. */
  async function attempt(host: string, stop: AbortSignal): Promise<boolean> {
    const record = store.hostCertificates.get(host) ?? newHostCertificate(host, clock.nowMs())
    const late = new AbortController()
    const deadline = clock.setTimeout(() => late.abort(), limits.acmeOrderMs)
    const signal = AbortSignal.any([stop, late.signal])
    try {
      await obtain(record, signal)
      return true
    } catch (error) {
      // The order is stored: it goes on after the start.
      if (!stop.aborted) await fail(host, error, late.signal.aborted)
      return false
    } finally {
      clock.clearTimeout(deadline)
    }
  }

  /** Obtains certificates of one lane, one after the other, as the plan says. */
  async function work(
    lane: 'renewal' | 'fresh',
    counts: { issued: number; failed: number },
    signal: AbortSignal,
  ): Promise<void> {
    for (let host = plan()[lane]; host !== undefined && !signal.aborted; host = plan()[lane]) {
      if (await attempt(host, signal)) counts.issued += 1
      else counts.failed += 1
      if (isChanged) await follow()
    }
  }

  /** Tells once of each certificate that is about to end. */
  async function warn(): Promise<void> {
    const nowMs = clock.nowMs()
    for (const { host, expiresAtMs, unwantedSinceMs } of [...known.values()]) {
      if (unwantedSinceMs !== null || expiresAtMs === null) continue
      if (expiresAtMs - nowMs > limits.certificateNoticeMs) continue
      const record = store.hostCertificates.get(host)
      if (!record?.issued || !isNoticeDue(record, nowMs)) continue
      const notice = hostCertificateNotice(host, expiresAtMs, record.reason ?? '')
      await save({ ...record, toldExpiryMs: expiresAtMs }, (tx) => tell(tx, notice))
    }
  }

  /** Once after the start: of keys that no present master key opens, the certificates are obtained anew. */
  async function dropLost(): Promise<void> {
    if (isKeysChecked) return
    isKeysChecked = true
    for (const { host, expiresAtMs } of [...known.values()]) {
      if (expiresAtMs === null) continue
      const record = store.hostCertificates.get(host)
      if (!record?.issued || box.openOrUndefined(record.issued.keyBox) !== undefined) continue
      log.warn('the key of a certificate cannot be opened: it is obtained anew', { host })
      await save(withoutKey(record, clock.nowMs()))
    }
  }

  load()
  store.signals.pageHostsChanged.listen(() => {
    isChanged = true
  })
  accountKeyPem = storedAccount()?.keyPem
  return {
    /** Obtains everything that is due. Resolves with a few words. */
    async round(signal: AbortSignal): Promise<string> {
      const counts = { issued: 0, failed: 0 }
      await dropLost()
      await follow()
      // Side by side, so that a host whose challenge takes long delays no renewal.
      await Promise.all([work('renewal', counts, signal), work('fresh', counts, signal)])
      if (!signal.aborted) await warn()
      return `${known.size} hosts, ${counts.issued} issued, ${counts.failed} failed`
    },
    /** What the authority asks for, by the token; undefined before there is an account. */
    challengeAnswer(token: string): string | undefined {
      if (accountKeyPem === undefined || !tokenPattern.test(token)) return undefined
      return challengeAnswer(accountKeyPem, token)
    },
    /** The times of the certificate of a host, if the host is wanted. */
    timesOf: (host: string): CertificateTimes | undefined => {
      const times = known.get(host)
      return times?.unwantedSinceMs === null ? times : undefined
    },
    /** What each host waits for that is due. */
    waits: (): ReadonlyMap<string, CertificateWait> => plan().waits,
    /** How often the hosts that need certificates were looked at. */
    looks: (): number => looks,
    /** Calls the listener with the host of each record that changed. */
    onChanged: (listener: (host: string) => void): void => void listeners.push(listener),
  }
}

const tokenPattern = /^[\w-]{16,200}$/

function timesOf(record: HostCertificate, wanted: WantedHost | undefined): CertificateTimes {
  const { host, failures, nextAttemptAtMs, lastOrderAtMs, unwantedSinceMs, issued, order } = record
  return {
    host,
    domain: registeredDomain(host),
    wanted,
    hadCertificate: hadCertificate(record),
    expiresAtMs: issued?.expiresAtMs ?? null,
    hasOrder: order !== null,
    failures,
    nextAttemptAtMs,
    lastOrderAtMs,
    firstOrders: record.firstOrders ?? [],
    domainPausedUntilMs: record.domainPausedUntilMs ?? 0,
    unwantedSinceMs,
    keptUntilMs: null,
  }
}

function isSame(one: WantedHost | undefined, other: WantedHost): boolean {
  return one?.orgId === other.orgId && one.sinceMs === other.sinceMs
}

const dying = { reason: '', endsOrder: true, retryAfterMs: undefined } as const

/** Throws if the chain is not one for this host and key. */
function issuedFrom(
  chainPem: string,
  host: string,
  { keyPem, keyBox }: { readonly keyPem: string; readonly keyBox: string },
): IssuedCertificate {
  const leaf = new X509Certificate(chainPem)
  const isOurs = leaf.checkPrivateKey(createPrivateKey(keyPem)) && leaf.checkHost(host)
  if (!isOurs)
    throw new AcmeError('The authority issued a certificate for something else.', 'orderGone')
  return {
    chainPem,
    keyBox,
    issuer: issuerName(leaf),
    fromMs: leaf.validFromDate.getTime(),
    expiresAtMs: leaf.validToDate.getTime(),
  }
}
