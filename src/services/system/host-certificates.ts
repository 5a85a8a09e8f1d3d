// The certificates of the service's own hosts: the one for a handshake, and where each stands.
import { LRUCache } from 'lru-cache'
import type { CertificateKeeper } from '../../actors/tasks/certificate-keeper.ts'
import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { timeText } from '../../base/time-text.ts'
import { limits } from '../../domain/limits/limits.ts'
import { registeredDomain } from '../../domain/public-suffixes.ts'
import type { CertificateWait } from '../../domain/system/certificate-plan.ts'
import {
  type CertificateState,
  certificateStateOf,
  isCertifiable,
} from '../../domain/system/host-certificate.ts'
import type { Box } from '../../seal/box.ts'
import type { Store } from '../../store/store.ts'
import type { PageOf, PageRequest } from '../context.ts'
import type { CertificateFiles, CertificatePair } from './certificate-files.ts'

/** A certificate as the operator sees it. */
export interface CertificateView {
  readonly host: string
  readonly source: 'acme' | 'file'
  readonly state: CertificateState
  readonly issuer: string | null
  readonly expiresAtMs: number | null
  readonly nextAttemptAtMs: number | null
  readonly failures: number
  readonly reason: string | null
  /** Why a host that is due waits; null if it does not. */
  readonly waitReason: string | null
}

export interface HostCertificatesDeps {
  readonly store: Pick<Store, 'hostCertificates'>
  readonly clock: Clock
  readonly box: Box
  /** null: the operator has none of its own. */
  readonly files: CertificateFiles | null
  /** null: ACME is off. */
  readonly keeper: CertificateKeeper | null
  readonly wantedHosts: () => readonly string[]
}

export type HostCertificates = ReturnType<typeof createHostCertificates>

export function createHostCertificates(deps: HostCertificatesDeps) {
  const { store, clock, box, files, keeper } = deps
  const opened = new LRUCache<string, CertificatePair>({ max: limits.tlsContextsMax })
  keeper?.onChanged((host) => void opened.delete(host))

  function openedPair(host: string): CertificatePair | undefined {
    const before = opened.get(host)
    if (before) return before
    const issued = store.hostCertificates.get(host)?.issued
    if (!issued) return undefined
    const key = box.openOrUndefined(issued.keyBox)
    // The key is lost: the keeper obtains another certificate.
    if (key === undefined) return undefined
    const pair = { cert: issued.chainPem, key }
    opened.set(host, pair)
    return pair
  }

  const fileFor = (host: string) => {
    const file = files?.current()
    return file?.covers(host) ? file : undefined
  }

  function viewOf(host: string, wait: CertificateWait | undefined): CertificateView {
    const nowMs = clock.nowMs()
    const file = fileFor(host)
    if (file) {
      const { issuer, expiresAtMs } = file
      const hasExpired = expiresAtMs <= nowMs
      return {
        ...nothingYet,
        host,
        source: 'file',
        state: hasExpired ? 'failed' : 'issued',
        issuer,
        expiresAtMs,
        reason: hasExpired ? 'The certificate in http.tlsCertFile has expired.' : null,
      }
    }
    if (!isCertifiable(host) || !keeper) {
      const reason = keeper
        ? 'No authority issues certificates for such a host: set http.tlsCertFile.'
        : 'http.tlsCertFile does not name this host, and acme.isEnabled is false.'
      return { ...nothingYet, host, state: 'failed', reason }
    }
    const record = store.hostCertificates.get(host)
    const waiting = wait && {
      waitReason: waitReason(wait, registeredDomain(host)),
      ...(wait.untilMs === null ? {} : { nextAttemptAtMs: wait.untilMs }),
    }
    if (!record) return { ...nothingYet, host, ...waiting }
    const { issued, nextAttemptAtMs, failures, reason } = record
    return {
      ...nothingYet,
      host,
      source: 'acme',
      state: certificateStateOf(record, nowMs),
      issuer: issued?.issuer ?? null,
      expiresAtMs: issued?.expiresAtMs ?? null,
      nextAttemptAtMs,
      failures,
      reason,
      ...waiting,
    }
  }

  return {
    /** The certificate for a host, in lower case; the same object until it is replaced. */
    pairOf: (host: string): CertificatePair | undefined =>
      fileFor(host)?.pair ?? (keeper?.timesOf(host) ? openedPair(host) : undefined),
    /** The certificate for callers that name no known host. */
    defaultPair: (): CertificatePair | undefined => files?.current().pair,
    onDefaultChanged: (listener: () => void): void => files?.onChanged(listener),
    /** Whether there is a certificate for a host that has not expired. */
    isCovered(host: string): boolean {
      const expiresAtMs = fileFor(host)?.expiresAtMs ?? keeper?.timesOf(host)?.expiresAtMs
      return typeof expiresAtMs === 'number' && expiresAtMs > clock.nowMs()
    },
    /** What an authority asks for, by the token of its question. */
    challengeAnswer: (token: string): string | undefined => keeper?.challengeAnswer(token),
    /** The certificates by host. */
    list({ limit, after = '' }: PageRequest): PageOf<CertificateView> {
      const rest = deps
        .wantedHosts()
        .toSorted()
        .filter((host) => host > after)
      const waits = keeper?.waits()
      const items = rest.slice(0, limit).map((host) => viewOf(host, waits?.get(host)))
      const last = items.at(-1)
      return rest.length > limit && last ? { items, nextAfter: last.host } : { items }
    },
  }
}

const nothingYet = {
  source: 'acme',
  state: 'pending',
  issuer: null,
  expiresAtMs: null,
  nextAttemptAtMs: null,
  failures: 0,
  reason: null,
  waitReason: null,
} as const

function waitReason({ kind, untilMs }: CertificateWait, domain: string): string {
  const until = untilMs === null ? '' : ` until ${timeText(untilMs)}`
  switch (kind) {
    case 'unavailable':
      return `The authority does not answer: it is not asked again${until}.`
    case 'paused':
      return `The authority refused new hosts of ${domain}, which are paused${until}.`
    case 'domain':
      return `The budget of ${domain}, ${limits.certificatesNewOfDomain} new hosts in 7 days, is spent${until}.`
    case 'shared':
      return `The budget of the organization, ${limits.certificatesNewSharedOfOrg} new hosts below http.statusDomain in 7 days, is spent${until}.`
    case 'organization':
      return `The budget of the organization, ${limits.certificateOrdersNewOfOrg} orders for new hosts in 7 days, is spent${until}.`
    case 'turn':
      return 'It waits for its turn: other hosts come first.'
    default:
      return unreachable(kind)
  }
}
