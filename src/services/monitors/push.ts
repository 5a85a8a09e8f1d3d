// Push reports: a sender reports a result, and the response follows once that is on disk.

import { LRUCache } from 'lru-cache'
import type { Commit } from '../../actors/monitor/commit.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import { Fault, notFound } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import { type Principal, reaches } from '../../domain/access.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import type { KeptRules } from '../../domain/monitors/kept-address.ts'
import { type Monitor, takesPushToken } from '../../domain/monitors/monitor.ts'
import type { SentReport } from '../../domain/monitors/run.ts'
import { overdueAtMs, wakesAtMs } from '../../domain/schedule/push-deadline.ts'
import { hashToken, isTokenShaped } from '../../seal/tokens.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import { keeperOf, keepersOf } from './kept-addresses.ts'

export interface PushDeps {
  readonly identity: Pick<Identity, 'authenticate'>
  readonly commit: Commit
  readonly fleet: Fleet
}

/** A sender without a push token, which names the monitor and has an API key instead. */
export interface KeySender {
  readonly monitorId: MonitorId
  readonly apiKey: string
  readonly address: string
}

/** A sender at an address of another product, as findKept returns it. */
export interface KeptSender {
  readonly keptHash: string
}

export interface KeptMonitor extends KeptSender {
  readonly monitorId: MonitorId
  readonly orgId: OrgId
  readonly rules: KeptRules
}

export interface ReportReceipt {
  /** When the next report, or the end of a run, becomes overdue. */
  readonly nextDueAtMs: number | null
}

const pushTokensRemembered = 100_000

export function createPush(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  { commit, fleet, identity }: PushDeps,
) {
  // Spares reading the store; the running monitor's own record shows whether the token is valid.
  const known = new LRUCache<string, { readonly orgId: OrgId; readonly monitorId: MonitorId }>(
    atMostEntries(pushTokensRemembered),
  )

  function monitorOf(token: string): Monitor {
    if (!isTokenShaped(token, 'spp')) throw unknown()
    const tokenHash = hashToken(token)
    const nowMs = clock.nowMs()
    const remembered = known.get(tokenHash)
    const running = remembered && fleet.monitor(remembered.monitorId)
    if (running && takesPushToken(running, tokenHash, nowMs)) return running
    const target = store.monitors.findByPushToken(tokenHash)
    const monitor = target && store.monitors.get(target.orgId, target.monitorId)
    if (!target || !monitor || !takesPushToken(monitor, tokenHash, nowMs)) throw unknown()
    mustTakeReports(monitor)
    known.set(tokenHash, target)
    return monitor
  }

  function mustTakeReports({ orgId, isActive }: Monitor): void {
    if (isOrgOff(store, orgId)) throw unknown()
    if (!isActive) throw new Fault('monitor_paused')
  }

  function monitorKept({ keptHash }: KeptSender): Monitor {
    const monitor = keeperOf(store, keptHash)
    if (!monitor) throw unknown()
    mustTakeReports(monitor)
    return monitor
  }

  /** Every refusal is the same one, whether the monitor, the key or the right is missing. */
  function monitorByKey({ monitorId, apiKey, address }: KeySender): Monitor {
    const principal = principalOf(apiKey, address)
    const isAllowed = principal?.kind === 'key' && reaches(principal.role, 'member')
    const monitor = isAllowed ? store.monitors.get(principal.orgId, monitorId) : undefined
    if (!monitor || !waitsForReports(monitor)) throw unknown()
    mustTakeReports(monitor)
    return monitor
  }

  function principalOf(apiKey: string, address: string): Principal | undefined {
    try {
      return identity.authenticate({ apiKey, address }, clock.nowMs())
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') return undefined
      throw error
    }
  }

  return {
    /** Whether there is any address of another product, of any organization. */
    areAddressesKept: () => store.monitors.areAddressesKept(),

    /** The monitor, paused or not, that keeps an address of another product. Of several, none has reports by it. */
    findKept(address: string): KeptMonitor | 'shared' | undefined {
      const keptHash = hashToken(address)
      const [monitor, ...others] = keepersOf(store, keptHash)
      if (!monitor || isOrgOff(store, monitor.orgId)) return undefined
      if (others.length > 0) return 'shared'
      const { id, orgId, keptRules: rules = {} } = monitor
      return { keptHash, monitorId: id, orgId, rules }
    },

    /** Throws not_found for an unknown token, key or address, monitor_paused. */
    async report(
      sender: string | KeySender | KeptSender,
      report: SentReport,
    ): Promise<ReportReceipt> {
      const find = () => {
        if (typeof sender === 'string') return monitorOf(sender)
        return 'keptHash' in sender ? monitorKept(sender) : monitorByKey(sender)
      }
      const monitor = find()
      const committed = await commit.report(monitor, report, clock.nowMs())
      // It was paused or deleted since the look-up; the store shows which.
      if (!committed) {
        if (typeof sender === 'string') known.delete(hashToken(sender))
        find()
        throw unknown()
      }
      const { monitorState } = committed
      // When its deadline has passed, the actor reads the stored one. It needs a signal only for news,
      // and for a deadline sooner than it knows.
      const knownMs = fleet.nextAtMs(monitor.id)
      const wakesMs = wakesAtMs(monitorState)
      const isSooner = wakesMs !== null && (knownMs === null || wakesMs < knownMs)
      if (committed.isNews || isSooner) fleet.reported(monitor.id, monitorState)
      return { nextDueAtMs: overdueAtMs(monitorState) }
    },
  }
}

const unknown = () => notFound('push address')
