// Obtains and renews the certificates of the hosts that the service serves. Everything that matters
// is in the table: an order that a stop interrupted goes on after the start, and no restart asks the
// authority more often.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type AcmeAccount, type AcmeClient, AcmeError, challengeAnswer } from '../../acme/client.ts'
import { mintKey } from '../../acme/jws.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { hostCertificateNotice, type SystemNotice } from '../../domain/alerts/system-notice.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  type CertificateOrder,
  type HostCertificate,
  type IssuedCertificate,
  isCertifiable,
  isNoticeDue,
  newHostCertificate,
  nextOrderAtMs,
  withFailure,
  withIssued,
} from '../../domain/system/host-certificate.ts'
import { issuerName } from '../../net/connection/certificate.ts'
import type { Box } from '../../seal/box.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface CertificateKeeperDeps {
  readonly store: Pick<Store, 'hostCertificates' | 'secrets' | 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly box: Box
  readonly acme: AcmeClient
  readonly directoryUrl: string
  readonly email: string | null
  /** The hosts that need a certificate of the authority, in lower case. */
  readonly wantedHosts: () => readonly string[]
  readonly tell: (tx: Tx, notice: SystemNotice) => void
}

/** What is remembered of a record, without its chain. */
export type CertificateTimes = Pick<
  HostCertificate,
  'host' | 'nextAttemptAtMs' | 'lastOrderAtMs' | 'unwantedSinceMs'
> & { readonly expiresAtMs: number | null }

/** The text of the secret. */
interface StoredAccount extends AcmeAccount {
  readonly directoryUrl: string
}

export type CertificateKeeper = ReturnType<typeof createCertificateKeeper>

export function createCertificateKeeper(deps: CertificateKeeperDeps) {
  const { store, clock, log, box, acme, directoryUrl, tell } = deps
  const known = new Map<string, CertificateTimes>()
  const listeners: ((host: string) => void)[] = []
  let accountKeyPem: string | undefined
  let pausedUntilMs = 0

  function remember(record: HostCertificate): void {
    const { host, nextAttemptAtMs, lastOrderAtMs, unwantedSinceMs, issued } = record
    const expiresAtMs = issued?.expiresAtMs ?? null
    known.set(host, { host, nextAttemptAtMs, lastOrderAtMs, unwantedSinceMs, expiresAtMs })
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

  /** Begins what is new, and forgets what has not been wanted for long. */
  async function follow(): Promise<void> {
    const nowMs = clock.nowMs()
    const hosts = deps.wantedHosts().filter(isCertifiable).slice(0, limits.certificateHostsMax)
    const wanted = new Set(hosts)
    for (const host of hosts) {
      const before = known.get(host)
      if (!before) await save(newHostCertificate(host, nowMs))
      else if (before.unwantedSinceMs !== null) await mark(host, null)
    }
    for (const { host, unwantedSinceMs } of [...known.values()]) {
      if (wanted.has(host)) continue
      if (unwantedSinceMs === null) await mark(host, nowMs)
      else if (nowMs - unwantedSinceMs > limits.certificateKeptMs) await forget(host)
    }
  }

  async function mark(host: string, unwantedSinceMs: number | null): Promise<void> {
    const record = store.hostCertificates.get(host)
    if (record) await save({ ...record, unwantedSinceMs })
    else await forget(host)
  }

  async function forget(host: string): Promise<void> {
    await store.write((tx) => store.hostCertificates.remove(tx, host))
    known.delete(host)
    for (const listener of listeners) listener(host)
  }

  /** The next one that is due: first those without a certificate, of these who waits longest. */
  function nextDue(): CertificateTimes | undefined {
    const nowMs = clock.nowMs()
    if (nowMs < pausedUntilMs) return undefined
    const wanted = [...known.values()].filter((one) => one.unwantedSinceMs === null)
    const [first] = wanted
      .filter(({ nextAttemptAtMs }) => nextAttemptAtMs <= nowMs)
      .toSorted(
        (a, b) =>
          (a.expiresAtMs ?? 0) - (b.expiresAtMs ?? 0) || a.nextAttemptAtMs - b.nextAttemptAtMs,
      )
    return first
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

  /** Its key is stored before it is registered, so that no restart registers another. */
  async function account(signal: AbortSignal): Promise<AcmeAccount> {
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
    const nowMs = clock.nowMs()
    // A daemon that dies before it knows the order waits as after a failure.
    const begun = { ...withFailure(record, dying, nowMs), failures: record.failures }
    await save({ ...begun, reason: record.reason, lastOrderAtMs: nowMs })
    const url = await acme.order(by, host, signal)
    const begins = { url, directoryUrl, keyBox: box.seal(mintKey()) }
    const next = { ...record, lastOrderAtMs: nowMs, order: begins, nextAttemptAtMs: nowMs }
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

  async function fail(host: string, error: unknown): Promise<void> {
    const record = store.hostCertificates.get(host)
    if (!record) return
    const problem = error instanceof AcmeError ? error : undefined
    const { code = '', retryAfterMs } = problem ?? {}
    const reason = errorText(error)
    if (code === 'rateLimited') {
      pausedUntilMs = clock.nowMs() + Math.min(retryAfterMs ?? 0, limits.acmePauseMsMax)
    }
    const stored = storedAccount()
    if (code === 'accountDoesNotExist' && stored) await keepAccount({ ...stored, url: null })
    // Without a problem from the authority, this is a bug or damaged data: a new order may avoid it.
    const endsOrder = !problem || code === 'orderGone' || code === 'accountDoesNotExist'
    await save(withFailure(record, { reason, endsOrder, retryAfterMs }, clock.nowMs()))
    log.warn('no certificate', { host, reason })
  }

  /** Whether it was issued. */
  async function attempt(host: string, stop: AbortSignal): Promise<boolean> {
    const record = store.hostCertificates.get(host)
    if (!record) {
      await forget(host)
      return false
    }
    const late = new AbortController()
    const deadline = clock.setTimeout(() => late.abort(), limits.acmeOrderMs)
    const signal = AbortSignal.any([stop, late.signal])
    try {
      await obtain(record, signal)
      return true
    } catch (error) {
      // The order is stored: it goes on after the start.
      if (!stop.aborted) await fail(host, error)
      return false
    } finally {
      clock.clearTimeout(deadline)
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

  /** A key that no master key opens is lost, and its certificate with it. */
  async function dropLost(): Promise<void> {
    for (const { host, expiresAtMs } of [...known.values()]) {
      if (expiresAtMs === null) continue
      const record = store.hostCertificates.get(host)
      if (!record?.issued || box.openOrUndefined(record.issued.keyBox) !== undefined) continue
      log.warn('the key of a certificate cannot be opened: it is obtained anew', { host })
      await save({ ...record, issued: null, nextAttemptAtMs: clock.nowMs() })
    }
  }

  load()
  accountKeyPem = storedAccount()?.keyPem
  return {
    /** Obtains everything that is due. Resolves with a few words. */
    async round(signal: AbortSignal): Promise<string> {
      const counts = { issued: 0, failed: 0 }
      await dropLost()
      await follow()
      let due = nextDue()
      while (due && !signal.aborted) {
        const waitMs = nextOrderAtMs([...known.values()], clock.nowMs()) - clock.nowMs()
        const hasOrder = store.hostCertificates.get(due.host)?.order != null
        if (waitMs > 0 && !hasOrder) break
        if (await attempt(due.host, signal)) counts.issued += 1
        else counts.failed += 1
        await follow()
        due = nextDue()
      }
      if (!signal.aborted) await warn()
      return `${known.size} hosts, ${counts.issued} issued, ${counts.failed} failed`
    },
    /** When the next one is due; undefined without any. */
    nextAtMs(): number | undefined {
      const times = [...known.values()].filter((one) => one.unwantedSinceMs === null)
      if (times.length === 0) return undefined
      const earliestMs = Math.min(...times.map(({ nextAttemptAtMs }) => nextAttemptAtMs))
      return Math.max(earliestMs, pausedUntilMs)
    },
    /** What the authority asks for, by the token; undefined before there is an account. */
    challengeAnswer(token: string): string | undefined {
      if (accountKeyPem === undefined || !tokenPattern.test(token)) return undefined
      return challengeAnswer(accountKeyPem, token)
    },
    /** Those that are wanted, by host. */
    timesOf: (host: string): CertificateTimes | undefined => {
      const times = known.get(host)
      return times?.unwantedSinceMs === null ? times : undefined
    },
    hosts: (): readonly string[] =>
      [...known.values()].filter((one) => one.unwantedSinceMs === null).map(({ host }) => host),
    /** Calls the listener with the host of each record that changed. */
    onChanged: (listener: (host: string) => void): void => void listeners.push(listener),
  }
}

const tokenPattern = /^[\w-]{16,200}$/

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
