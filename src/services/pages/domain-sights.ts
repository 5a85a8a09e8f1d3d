// Looks at a custom domain: whether its proof is in the DNS, and whether its name leads here.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import {
  type CustomDomain,
  type DomainSight,
  type PlaceSight,
  proofSight,
} from '../../domain/pages/custom-domain.ts'
import { proofName, zonesOf } from '../../domain/pages/custom-hostname.ts'
import type { Resolver } from '../../net/dns/resolver.ts'
import type { TextRecords } from '../../net/dns/text-records.ts'
import type { WebClient } from '../../net/http-client/guarded-client.ts'
import type { DomainProofs } from '../../seal/domain-proof.ts'

/** The path below which every installation answers for the host names that it serves. */
export const proofPath = '/.well-known/stillup-domain'

const questionBytes = 16
const redirects = new Set([301, 302, 307, 308])

export interface DomainSightsDeps {
  readonly resolver: Pick<Resolver, 'resolve'>
  readonly texts: TextRecords
  readonly request: WebClient
  readonly proofs: DomainProofs
  /** Whether our own network, or our name servers, fail at the moment. */
  readonly isNetworkLost: () => Promise<boolean>
  /** Whether one name server is enough if no other answers. */
  readonly isOneServerEnough: () => boolean
  /** The hosts that lead here: the host to which the domain should lead, and the host of the service. */
  readonly targetsOf: (domain: CustomDomain) => readonly string[]
}

const domainProbeMsMax = 10_000

export function createDomainSights(deps: DomainSightsDeps) {
  const { resolver, texts, request, proofs } = deps

  async function proofOf({ hostname, orgId, token }: CustomDomain) {
    const question = { name: proofName(hostname), zones: zonesOf(hostname), orgId }
    return proofSight(await texts.ask(question), token, deps.isOneServerEnough())
  }

  /** Where the domain leads, by addresses, or, where a proxy or a CDN is in front, by what answers there. */
  async function placeOf(domain: CustomDomain): Promise<PlaceSight> {
    const { hostname, orgId } = domain
    const targets = [...new Set(deps.targetsOf(domain))]
    const [theirs, ...ours] = await Promise.all([
      resolver.resolve(hostname, 'any', orgId),
      ...targets.map((target) => addressesOf(target)),
    ])
    if (theirs.failure) {
      return theirs.failure.result === 'unknown' || theirs.failure.doubt !== undefined
        ? 'unanswered'
        : 'nowhere'
    }
    const own = new Set(ours.flat())
    if (theirs.addresses.some((address) => own.has(address))) return 'here'
    return (await answersHere(domain)) ? 'here' : 'elsewhere'
  }

  async function addressesOf(target: string): Promise<readonly string[]> {
    if (isIP(target) !== 0) return [target]
    return (await resolver.resolve(target, 'any')).addresses ?? []
  }

  async function answersHere({ hostname, orgId }: CustomDomain): Promise<boolean> {
    const question = randomBytes(questionBytes).toString('hex')
    const path = `${proofPath}/${question}`
    const get = (origin: string) =>
      request({
        url: `${origin}${path}`,
        method: 'GET',
        headers: { 'user-agent': 'stillup' },
        body: '',
        timeoutMs: domainProbeMsMax,
        orgId,
      })
    const secure = `https://${hostname}`
    let answer = await get(`http://${hostname}`)
    if (answer.kind === 'answered' && redirects.has(answer.status)) {
      // Almost every proxy redirects to https, with the path as it is.
      if (answer.headers.location !== `${secure}${path}`) return false
      answer = await get(secure)
    }
    return (
      answer.kind === 'answered' &&
      answer.status === 200 &&
      answer.body.trim() === proofs.answer(hostname, question)
    )
  }

  /** Never rejects. */
  return async function look(domain: CustomDomain): Promise<DomainSight> {
    const [proof, place] = await Promise.all([proofOf(domain), placeOf(domain)])
    if (proof === 'seen' && place === 'here') return { proof, place }
    // What is missing may be missing only here.
    if (!(await deps.isNetworkLost())) return { proof, place }
    return {
      proof: proof === 'seen' ? proof : 'unanswered',
      place: place === 'here' ? place : 'unanswered',
    }
  }
}
