// A certificate authority with the limits of Let's Encrypt (https://letsencrypt.org/docs/rate-limits), in the
// place of the client that speaks to one. Its certificates are signed by nobody.
import { randomBytes } from 'node:crypto'
import { getDomain } from 'tldts'
import { type AcmeClient, AcmeError } from '../../src/acme/client.ts'
import type { Clock } from '../../src/base/clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface AuthorityFaults {
  readonly isDown?: (nowMs: number) => boolean
  /** Whether the challenge of a host fails. */
  readonly fails?: (host: string) => boolean
  /** Unlike Let's Encrypt it has limits for renewals too. */
  readonly countsRenewals?: boolean
}

export function createFakeAuthority(
  clock: Pick<Clock, 'nowMs'>,
  { isDown = () => false, fails = () => false, countsRenewals = false }: AuthorityFaults = {},
) {
  const accountOrders = tokenBuckets(300, 3 * hourMs)
  const ofDomain = tokenBuckets(50, 7 * dayMs)
  const ofSameNames = tokenBuckets(5, 7 * dayMs)
  const failedAuthorizations = tokenBuckets(5, hourMs)
  const issuedHosts = new Set<string>()
  const counts = { orders: 0, issued: 0, refused: 0 }

  function mustBeUp(): void {
    if (isDown(clock.nowMs())) throw new AcmeError('No answer.', 'unavailable')
  }

  function mustHaveRoom(buckets: ReturnType<typeof tokenBuckets>, key: string): void {
    const waitMs = buckets.waitMs(key, clock.nowMs())
    if (waitMs === 0) return
    counts.refused += 1
    throw new AcmeError('Too many.', 'rateLimited', waitMs)
  }

  const domainOf = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host

  const acme: AcmeClient = {
    async register() {
      mustBeUp()
      return 'https://ca.example/account/1'
    },
    async order(_account, host) {
      mustBeUp()
      mustHaveRoom(failedAuthorizations, host)
      mustHaveRoom(ofSameNames, host)
      if (countsRenewals || !issuedHosts.has(host)) {
        mustHaveRoom(accountOrders, 'account')
        mustHaveRoom(ofDomain, domainOf(host))
        accountOrders.take('account', clock.nowMs())
      }
      counts.orders += 1
      return `https://ca.example/order/${counts.orders}`
    },
    async finish(_account, { host, keyPem }) {
      mustBeUp()
      const nowMs = clock.nowMs()
      if (fails(host)) {
        failedAuthorizations.take(host, nowMs)
        throw new AcmeError('Connection refused.', 'orderGone')
      }
      if (countsRenewals || !issuedHosts.has(host)) ofDomain.take(domainOf(host), nowMs)
      ofSameNames.take(host, nowMs)
      issuedHosts.add(host)
      counts.issued += 1
      return certificatePem(host, keyPem, { fromMs: nowMs, untilMs: nowMs + 90 * dayMs })
    },
  }
  return {
    acme,
    counts,
    /** Issued before the test: the next certificate is a renewal. */
    noteIssued: (host: string): void => void issuedHosts.add(host),
  }
}

/** A bucket for each key: whole after `windowMs`, and one more after each part of it. */
function tokenBuckets(size: number, windowMs: number) {
  const stepMs = windowMs / size
  const fullAtMs = new Map<string, number>()
  return {
    waitMs: (key: string, nowMs: number) =>
      Math.max(0, Math.ceil((fullAtMs.get(key) ?? 0) - nowMs - (size - 1) * stepMs)),
    take: (key: string, nowMs: number): void =>
      void fullAtMs.set(key, Math.max(fullAtMs.get(key) ?? 0, nowMs) + stepMs),
  }
}

interface Life {
  readonly fromMs: number
  readonly untilMs: number
}

/** A certificate (RFC 5280) for one host, with a signature of zeros. */
function certificatePem(host: string, keyPem: string, { fromMs, untilMs }: Life): string {
  const publicKey = publicKeyOf(keyPem)
  const ecdsaWithSha256 = der(0x30, hex('06082a8648ce3d040302'))
  const name = der(
    0x30,
    der(0x31, der(0x30, hex('0603550403'), der(0x0c, Buffer.from('Authority')))),
  )
  const names = der(0x30, der(0x82, Buffer.from(host)))
  const extensions = der(0xa3, der(0x30, der(0x30, hex('0603551d11'), der(0x04, names))))
  const body = der(
    0x30,
    hex('a003020102'),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    der(0x30, time(fromMs), time(untilMs)),
    der(0x30),
    publicKey,
    extensions,
  )
  const certificate = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.alloc(9)))
  const text = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
}

const hex = (text: string) => Buffer.from(text, 'hex')

/** What precedes the point of a public key on P-256 (RFC 5480). */
const p256 = hex('3059301306072a8648ce3d020106082a8648ce3d030107034200')
const pointBytes = 65

/** A private key ends with its public one (RFC 5915); Node would compute it anew, which takes longer. */
function publicKeyOf(keyPem: string): Buffer {
  const bytes = Buffer.from(keyPem.replace(/-----[^-]+-----/g, ''), 'base64')
  return Buffer.concat([p256, bytes.subarray(-pointBytes)])
}

/** As GeneralizedTime, to the second. */
function time(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/\D/g, '').slice(0, 14)
  return der(0x18, Buffer.from(`${digits}Z`))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}
