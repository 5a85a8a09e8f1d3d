// Custom domains by [org, domain], with look-ups by host name and by the time of the next check.
import { createHash } from 'node:crypto'
import type { DomainId, OrgId, PageId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { type CustomDomain, isServed } from '../../../domain/pages/custom-domain.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import { openRecords } from '../../engine/records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface DomainPlace {
  readonly orgId: OrgId
  readonly domainId: DomainId
}

/** User text never becomes a key, only its hash does. */
function hashOf(hostname: string): string {
  return createHash('sha256').update(hostname).digest('base64url')
}

const everything = { prefix: [], limit: Number.MAX_SAFE_INTEGER }

export function openCustomDomains(env: Env, { pagesChanged, pageHostsChanged }: Signals) {
  const { table: domains, ...records } = openRecords<CustomDomain>(env, { name: 'customDomains' })
  /** The domain that is served at a host. */
  const served = openTable<DomainPlace>(env, { name: 'customDomainHosts' })
  /** The domains that claim a host, one for each organization: [hash, org]. */
  const claims = openTable<DomainPlace>(env, { name: 'customDomainClaims' })
  const due = openTable<1>(env, { name: 'customDomainsDue' })

  const at = ({ orgId, domainId }: DomainPlace) => domains.readable([orgId, domainId])

  function removeDue(tx: Tx, domain: CustomDomain | undefined): void {
    const dueAtMs = domain?.nextCheckAtMs ?? null
    if (domain && dueAtMs !== null) due.remove(tx, [dueAtMs, domain.orgId, domain.id])
  }

  function tell(tx: Tx, orgId: OrgId): void {
    pagesChanged.raise(tx, orgId)
    pageHostsChanged.raise(tx)
  }

  function remove(tx: Tx, domain: CustomDomain): void {
    const { orgId, id } = domain
    const host = hashOf(domain.hostname)
    removeDue(tx, domain)
    claims.remove(tx, [host, orgId])
    if (isServed(domain)) served.remove(tx, [host])
    domains.remove(tx, [orgId, id])
    tell(tx, orgId)
  }

  /** Deletes a damaged one, and what leads to it. */
  function discard(tx: Tx, orgId: OrgId, domainId: DomainId): void {
    for (const table of [served, claims]) {
      for (const { key, record } of table.entries(everything)) {
        if (record.domainId === domainId) table.remove(tx, key)
      }
    }
    for (const key of due.keys(everything)) if (key[2] === domainId) due.remove(tx, key)
    domains.remove(tx, [orgId, domainId])
    tell(tx, orgId)
  }

  const ofOrg = (orgId: OrgId) => domains.range({ prefix: [orgId], limit: limits.quotaMax })

  return {
    ...records,

    /** The domains of an organization that are served. */
    servedOf: (orgId: OrgId): CustomDomain[] => ofOrg(orgId).filter(isServed),

    /** The domains of all organizations that are served. */
    allServed: (): CustomDomain[] => served.range(everything).flatMap((place) => at(place) ?? []),

    /** The domain that is served at a host. */
    holder(hostname: string): CustomDomain | undefined {
      const place = served.readable([hashOf(hostname)])
      return place && at(place)
    },

    /** The domain of an organization for a host. */
    findOwn(orgId: OrgId, hostname: string): CustomDomain | undefined {
      const place = claims.readable([hashOf(hostname), orgId])
      return place && at(place)
    },

    /** The domains of all organizations for a host. */
    claimants: (hostname: string): CustomDomain[] =>
      claims
        .range({ prefix: [hashOf(hostname)], limit: limits.quotaMax })
        .flatMap((place) => at(place) ?? []),

    /** The domains to check, the longest overdue first. */
    due: (nowMs: number, limit: number): CustomDomain[] =>
      namedRecords(due, { prefix: [], until: nowMs, limit }, (key) =>
        domains.readable(key.slice(1)),
      ),

    /**
     * Writes the record and updates the look-ups. The caller has checked in the same transaction
     * that no other organization holds the host, if this is served.
     */
    put(tx: Tx, domain: CustomDomain): void {
      const { orgId, id } = domain
      const before = domains.readable([orgId, id])
      const host = hashOf(domain.hostname)
      const place = { orgId, domainId: id }
      removeDue(tx, before)
      if (domain.nextCheckAtMs !== null) due.put(tx, [domain.nextCheckAtMs, orgId, id], 1)
      claims.put(tx, [host, orgId], place)
      if (isServed(domain)) served.put(tx, [host], place)
      else if (before && isServed(before)) served.remove(tx, [host])
      domains.put(tx, [orgId, id], domain)
      if (before?.state !== domain.state || before.pageId !== domain.pageId) tell(tx, orgId)
    },

    remove,
    discard,

    /** Deletes the domains of a deleted page; returns them. */
    removeOfPage(tx: Tx, orgId: OrgId, pageId: PageId): CustomDomain[] {
      const found = ofOrg(orgId).filter((domain) => domain.pageId === pageId)
      for (const domain of found) remove(tx, domain)
      return found
    },

    /** Deletes the domains of a whole organization, also damaged ones. */
    forget(tx: Tx, orgId: OrgId): void {
      for (const key of domains.keys({ prefix: [orgId], limit: limits.quotaMax })) {
        const domain = domains.readable(key)
        if (domain) remove(tx, domain)
        else discard(tx, orgId, key[1] as DomainId)
      }
    },
  }
}
