// Custom domains: host names that an organization proves to be its own, for its status pages.
import { isIP } from 'node:net'
import type { DomainKeeper } from '../../actors/pages/domain-keeper.ts'
import { Fault, type FieldProblem, notFound, rateLimited, refuseInvalid } from '../../base/fault.ts'
import { asId, newId, type OrgId, type PageId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import {
  type CustomDomain,
  type DomainProblem,
  newDomain,
  waitingAgain,
} from '../../domain/pages/custom-domain.ts'
import { hostnameFrom, isApex, proofName } from '../../domain/pages/custom-hostname.ts'
import type { Resolver } from '../../net/dns/resolver.ts'
import type { DomainProofs } from '../../seal/domain-proof.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'
import type { AddressChanges } from './address-changes.ts'
import type { PageUrls } from './page-urls.ts'

export interface NewCustomDomain {
  readonly hostname: string
  readonly statusPageId: string
}

/** A record that the owner of the domain should set. */
export interface WantedRecord {
  readonly type: 'TXT' | 'CNAME' | 'A' | 'AAAA'
  readonly name: string
  readonly value: string
}

export interface DomainRecord extends CustomDomain {
  readonly records: readonly WantedRecord[]
  /** A sentence about its problem; null without one. */
  readonly reason: string | null
}

export interface CustomDomainsDeps {
  readonly urls: PageUrls
  readonly proofs: DomainProofs
  readonly keeper: Pick<DomainKeeper, 'check'>
  readonly resolver: Pick<Resolver, 'resolve'>
  readonly verifyLimiter: Limiter
  readonly addresses: AddressChanges
  readonly mustBeApproved: (orgId: OrgId) => void
}

/** Every method throws not_found, and precondition_failed if the domain is not as expected. */
export function createCustomDomains(core: Core, deps: CustomDomainsDeps) {
  const { store, clock, audit } = core
  const { urls } = deps
  const { customDomains } = store
  const records = createRecords(core, 'domains', customDomains)

  function pageIdIn(orgId: OrgId, text: string): PageId | undefined {
    const id = asId('page', text)
    return id && store.pages.get(orgId, id) ? id : undefined
  }

  function problems(
    { orgId }: OrgScope,
    { hostname, statusPageId }: Partial<NewCustomDomain>,
  ): FieldProblem[] {
    const problem = hostname === undefined ? null : hostnameFrom(hostname, urls.ownHosts).problem
    const found = problem ? [{ pointer: '/hostname', ...problem }] : []
    if (statusPageId === undefined || pageIdIn(orgId, statusPageId)) return found
    const message = 'must be a status page of this organization'
    return [...found, { pointer: '/statusPageId', keyword: 'reference', message }]
  }

  /** What leads a host name to the page. */
  async function addressRecords(
    name: string,
    orgId: OrgId,
    pageId: PageId | undefined,
  ): Promise<readonly WantedRecord[]> {
    const target = urls.targetOf(pageId && store.pages.get(orgId, pageId))
    // Without a public address of the service there is nothing to lead to.
    if (target === 'localhost') return []
    if (isIP(target) === 0 && !isApex(name)) return [{ type: 'CNAME', name, value: target }]
    const addresses =
      isIP(target) === 0 ? ((await deps.resolver.resolve(target, 'any')).addresses ?? []) : [target]
    return addresses.map((value) => ({ type: isIP(value) === 6 ? 'AAAA' : 'A', name, value }))
  }

  function withRecords(domain: CustomDomain, addresses: readonly WantedRecord[]): DomainRecord {
    const { hostname, token: value, problem } = domain
    const proof = { type: 'TXT', name: proofName(hostname), value } as const
    return { ...domain, records: [proof, ...addresses], reason: problem && reasons[problem] }
  }

  async function shown(domain: CustomDomain): Promise<DomainRecord> {
    const { hostname, orgId, pageId } = domain
    return withRecords(domain, await addressRecords(hostname, orgId, pageId))
  }

  /** The domain that the organization has already: moved to the page, and begun again if it failed. */
  function claimAgain(
    tx: Tx,
    scope: OrgScope,
    before: CustomDomain,
    pageId: PageId,
    nowMs: number,
  ): CustomDomain {
    const isFailed = before.state === 'failed'
    if (before.pageId === pageId && !isFailed) return before
    const domain = {
      ...before,
      pageId,
      ...(isFailed ? waitingAgain(nowMs) : {}),
      updatedAtMs: nowMs,
      revision: before.revision + 1,
    }
    customDomains.put(tx, domain)
    const action = before.pageId === pageId ? 'domain.created' : 'domain.moved'
    audit.note(tx, scope, { action, objectId: domain.id })
    return domain
  }

  return {
    /** What is wrong with fields whose shape is right. */
    problems,

    /**
     * Claims a host name for a page. One that the organization has already moves to the page, and is
     * waited for again if it has failed. Throws validation_failed, hostname_taken, kyc_required,
     * rate_limited, and conflict beyond the quota.
     */
    async create(scope: OrgScope, input: NewCustomDomain): Promise<DomainRecord> {
      const { orgId } = scope
      const nowMs = clock.nowMs()
      const id = newId('domain', nowMs)
      // Before the transaction, which returns the whole: its answer may be stored for a second try.
      const { hostname = '' } = hostnameFrom(input.hostname, urls.ownHosts)
      const addresses = await addressRecords(hostname, orgId, pageIdIn(orgId, input.statusPageId))
      return store.write((tx) => {
        deps.mustBeApproved(orgId)
        refuseInvalid(problems(scope, input))
        const pageId = pageIdIn(orgId, input.statusPageId)
        if (!pageId) throw notFound('status page')
        const holder = customDomains.holder(hostname)
        if (holder && holder.orgId !== orgId) {
          throw new Fault('hostname_taken', `The host name ${hostname} is taken.`)
        }
        const own = customDomains.findOwn(orgId, hostname)
        if (own) return withRecords(claimAgain(tx, scope, own, pageId, nowMs), addresses)
        const claimed = records.add(tx, scope, () => {
          deps.addresses.take(orgId, 'hostname', nowMs)
          const token = deps.proofs.token(orgId, hostname)
          return newDomain({ id, orgId, pageId, hostname, token, nowMs })
        })
        return withRecords(claimed, addresses)
      })
    },

    async list(scope: OrgScope, page: PageRequest): Promise<PageOf<DomainRecord>> {
      const found = records.list(scope, page)
      return { ...found, items: await Promise.all(found.items.map(shown)) }
    },

    get: (scope: OrgScope, domainId: string) => shown(records.found(scope, domainId)),

    /** Checks it now. Throws rate_limited. */
    async verify(scope: OrgScope, domainId: string): Promise<DomainRecord> {
      const domain = records.found(scope, domainId)
      const nowMs = clock.nowMs()
      const { isAllowed, retryMs } = deps.verifyLimiter.take(scope.orgId, nowMs)
      if (!isAllowed) {
        throw rateLimited(
          retryMs,
          (seconds) => `Too many checks of custom domains: try again in ${seconds} s.`,
        )
      }
      const checked = await deps.keeper.check(domain)
      if (!checked) throw notFound('custom domain')
      return shown(checked)
    },

    remove: (scope: OrgScope, domainId: string, expectedRevision?: number) =>
      store.write((tx) => records.remove(tx, scope, domainId, expectedRevision)),
  }
}

const reasons: Readonly<Record<DomainProblem, string>> = {
  proof_missing: 'The TXT record is not there.',
  proof_other: 'The TXT record has another value.',
  proof_spreading: 'Not every name server that was asked shows the TXT record yet.',
  names_unanswered: 'The name servers do not answer at the moment.',
  no_address: 'The host name has no address: set the second record.',
  leads_elsewhere: 'The host name leads elsewhere: set the second record.',
  taken: 'The host name is in use elsewhere on this service.',
}
