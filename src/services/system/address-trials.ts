// Tries whether an address leads to this installation: what its name resolves to, and who answers there.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { NameResolution, Resolver } from '../../net/dns/resolver.ts'
import type { WebAnswer, WebClient } from '../../net/http-client/guarded-client.ts'
import type { DomainProofs } from '../../seal/domain-proof.ts'
import { proofPath } from '../pages/domain-sights.ts'

export interface AddressTrialsDeps {
  readonly resolver: Pick<Resolver, 'resolve'>
  readonly request: WebClient
  readonly proofs: Pick<DomainProofs, 'answer'>
}

export interface AddressTrial {
  readonly host: string
  readonly addresses: readonly string[]
  readonly leadsHere: boolean
  /** Why it does not; null if it does. */
  readonly reason: string | null
}

export type AddressTrials = ReturnType<typeof createAddressTrials>

const trialRequestMsMax = 8_000
const questionBytes = 16
const redirects = new Set([301, 302, 307, 308])

export function createAddressTrials({ resolver, request, proofs }: AddressTrialsDeps) {
  /** The hosts of trials that go on; a host may be in several. */
  const tried: string[] = []

  async function addressesOf(host: string): Promise<NameResolution> {
    const name = host.replace(/^\[(.*)\]$/, '$1')
    return isIP(name) === 0 ? resolver.resolve(name, 'any') : { addresses: [name] }
  }

  async function ask(origin: string, path: string, signal: AbortSignal): Promise<WebAnswer> {
    const get = (url: string) =>
      request({
        url,
        method: 'GET',
        headers: { 'user-agent': 'stillup' },
        body: '',
        timeoutMs: trialRequestMsMax,
        signal,
      })
    const answer = await get(`${origin}${path}`)
    // Almost every proxy redirects to https, with the path as it is.
    const secure = `https://${new URL(origin).hostname}${path}`
    const isLed = answer.kind === 'answered' && redirects.has(answer.status)
    return isLed && answer.headers.location === secure ? get(secure) : answer
  }

  async function reasonAt(origin: string, signal: AbortSignal): Promise<string | null> {
    const { hostname, protocol, port } = new URL(origin)
    const question = randomBytes(questionBytes).toString('hex')
    const path = `${proofPath}/${question}`
    const expected = proofs.answer(hostname, question)
    const isOurs = (answer: WebAnswer) =>
      answer.kind === 'answered' && answer.status === 200 && answer.body.trim() === expected
    const answer = await ask(origin, path, signal)
    if (isOurs(answer)) return null
    // The certificate of a new host may come only once its name leads here.
    const isNew = protocol === 'https:' && port === ''
    if (isNew && isOurs(await ask(`http://${hostname}`, path, signal))) return null
    if (answer.kind !== 'answered') return answer.reason
    return `Another server answered there, with the status ${answer.status}.`
  }

  return {
    /** Whether a trial of this host goes on, so that this installation answers for it. */
    isTried: (host: string): boolean => tried.includes(host),

    /** Never rejects. */
    async try(origin: string, signal: AbortSignal): Promise<AddressTrial> {
      const { hostname: host } = new URL(origin)
      const { addresses, failure } = await addressesOf(host)
      if (failure) return { host, addresses: [], leadsHere: false, reason: failure.message }
      tried.push(host)
      try {
        const reason = await reasonAt(origin, signal)
        return { host, addresses, leadsHere: reason === null, reason }
      } finally {
        tried.splice(tried.indexOf(host), 1)
      }
    },
  }
}
