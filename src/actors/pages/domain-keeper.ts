// Checks custom domains when they are due, and commits what becomes of them.
import type { Clock } from '../../base/clock.ts'
import type { DomainId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import {
  afterCheck,
  type CustomDomain,
  type DomainSight,
  isServed,
  takenByOther,
} from '../../domain/pages/custom-domain.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface DomainKeeperDeps {
  readonly store: Pick<Store, 'customDomains' | 'write'>
  readonly clock: Clock
  readonly log: Log
  /** Looks into the DNS and at the host. */
  readonly look: (domain: CustomDomain) => Promise<DomainSight>
  /** Notes a changed state in the audit log of the organization. */
  readonly note: (
    tx: Tx,
    domain: CustomDomain,
    action: 'domain.verified' | 'domain.activated' | 'domain.failed',
  ) => void
}

export type DomainKeeper = ReturnType<typeof createDomainKeeper>

const domainChecksMax = 8
const domainSlice = 200

export function createDomainKeeper({ store, clock, log, look, note }: DomainKeeperDeps) {
  const { customDomains } = store
  const running = new Map<DomainId, Promise<CustomDomain | undefined>>()

  async function checkOnce(domain: CustomDomain): Promise<CustomDomain | undefined> {
    const sight = await look(domain).catch((error: unknown): DomainSight => {
      log.error('a custom domain could not be checked', { hostname: domain.hostname, error })
      return { proof: 'unanswered', place: 'unanswered' }
    })
    return store.write((tx) => commit(tx, domain.orgId, domain.id, sight))
  }

  /** Reads again, because the domain may have been changed or deleted meanwhile. */
  function commit(tx: Tx, orgId: OrgId, id: DomainId, sight: DomainSight) {
    const before = customDomains.get(orgId, id)
    if (!before) return undefined
    const nowMs = clock.nowMs()
    const holder = customDomains.holder(before.hostname)
    const isTaken = holder !== undefined && holder.orgId !== orgId
    const after = afterCheck(before, sight, { nowMs, isTaken })
    customDomains.put(tx, after)
    noteChange(tx, before, after)
    if (isServed(after) && !isServed(before)) refuseOthers(tx, after, nowMs)
    return after
  }

  /** The first who proves a host name has it: no other claim of it can succeed any more. */
  function refuseOthers(tx: Tx, proven: CustomDomain, nowMs: number): void {
    for (const other of customDomains.claimants(proven.hostname)) {
      if (other.orgId === proven.orgId || other.state === 'failed') continue
      const refused = takenByOther(other, nowMs)
      customDomains.put(tx, refused)
      note(tx, refused, 'domain.failed')
    }
  }

  function noteChange(tx: Tx, before: CustomDomain, after: CustomDomain): void {
    if (before.state === after.state) return
    if (after.state === 'failed') note(tx, after, 'domain.failed')
    if (after.state === 'active') note(tx, after, 'domain.activated')
    if (after.state === 'verified') note(tx, after, 'domain.verified')
  }

  /** Checks it now, or joins a check in progress; undefined if it was deleted. */
  function check(domain: CustomDomain): Promise<CustomDomain | undefined> {
    const inProgress = running.get(domain.id)
    if (inProgress !== undefined) return inProgress
    const checking = checkOnce(domain).finally(() => running.delete(domain.id))
    running.set(domain.id, checking)
    return checking
  }

  /** Takes domains from the queue until it is empty. */
  async function work(queue: CustomDomain[], signal: AbortSignal): Promise<number> {
    let count = 0
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      await check(next)
      count += 1
    }
    return count
  }

  return {
    check,

    /** Checks all that are due; resolves with how many there were. */
    async round(signal: AbortSignal): Promise<number> {
      const queue = customDomains.due(clock.nowMs(), domainSlice)
      const workers = Array.from({ length: domainChecksMax }, () => work(queue, signal))
      const counts = await Promise.all(workers)
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}
