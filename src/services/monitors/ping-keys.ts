// Ping keys of Healthchecks that an import brought: at `/ping/<key>/<slug>?create=1` they make monitors, as there.

import type { Fleet } from '../../actors/monitor/fleet.ts'
import { clip } from '../../base/clip.ts'
import { Fault, type FieldProblem, notFound, refuseInvalid } from '../../base/fault.ts'
import type { ImportId, OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type PingKey, pingKeyHint, pingKeysMax } from '../../domain/monitors/kept-address.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { completedInput } from '../../domain/monitors/monitor-input.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { keepersOf, sealKept } from './kept-addresses.ts'
import { type ChangesDeps, createChanges } from './monitor-changes.ts'
import { createDrafts, type DraftsDeps, newMonitorState } from './monitor-drafts.ts'

export interface PingKeysDeps extends DraftsDeps, ChangesDeps {
  readonly fleet: Fleet
  readonly mustBeApproved: (orgId: OrgId) => void
  /** Whether the operator lets reports make monitors. */
  readonly mayCreate: () => boolean
}

/** Who keeps a ping key. */
export interface PingKeyHolder {
  readonly orgId: OrgId
  readonly keyHash: string
}

/** Who brings a ping key. */
interface KeyBringer {
  readonly orgId: OrgId
  readonly importId: ImportId
}

/** What Healthchecks gives a check that its first ping makes: a period of a day, and an hour of grace. */
const periodSeconds = 86_400
const graceSeconds = 3_600

export function createPingKeys(core: Core, deps: PingKeysDeps) {
  const { store, clock, box, audit, quotas } = core
  const { fleet } = deps
  const drafts = createDrafts(core, deps)
  const changes = createChanges(core, deps)

  function madeFor(orgId: OrgId, slug: string, address: string): Monitor {
    const input = completedInput({
      name: clip(slug, limits.nameCharsMax),
      checkType: 'push',
      intervalSeconds: periodSeconds,
      graceSeconds,
      maxRunSeconds: graceSeconds,
    })
    return { ...drafts.monitorOf(orgId, input), keptAddresses: [sealKept(box, address)] }
  }

  /**
   * The silence of what a key makes: that of the import that brought it, as long as people hear nothing of that. Nothing
   * otherwise.
   */
  function silenceOf({ orgId, keyHash }: PingKeyHolder): Pick<Monitor, 'shadow'> {
    const { importId } = store.pingKeys.get(orgId, keyHash) ?? {}
    const run = importId && store.imports.readable(orgId, importId)?.shadow
    if (!importId || !run || run.liveAtMs !== undefined) return {}
    return { shadow: { importId, sinceMs: clock.nowMs(), liveAtMs: null } }
  }

  /** Throws kyc_required, conflict (quota). */
  function put(tx: Tx, monitor: Monitor): void {
    const { orgId, id } = monitor
    deps.mustBeApproved(orgId)
    quotas.mustHaveRoom(orgId, 'monitors', store.monitors.count(orgId))
    const monitorState = newMonitorState(monitor)
    store.monitors.put(tx, monitor)
    store.monitorStates.put(tx, orgId, id, monitorState)
    const detail = 'by the first report to its address'
    audit.noteOwn(tx, orgId, { action: 'monitor.created', objectId: id, detail })
    tx.afterCommit(() => {
      fleet.start(monitor, 'created', monitorState)
      changes.created(monitor)
    })
  }

  return {
    /** Whether there is any, of any organization. */
    areAny: () => store.pingKeys.areAny(),

    /** By their hashes, with the first characters of each. */
    list: ({ orgId }: OrgScope): readonly PingKey[] => store.pingKeys.list(orgId, pingKeysMax),

    /** Its addresses stay; it makes no more monitors. Throws not_found. */
    async remove(scope: OrgScope, hash: string): Promise<void> {
      const { orgId } = scope
      await store.write((tx) => {
        if (store.pingKeys.ownerOf(hash) !== orgId) throw notFound('ping key')
        store.pingKeys.remove(tx, orgId, hash)
        const fields = ['keptPingKeys']
        audit.note(tx, scope, { action: 'organization.changed', objectId: null, fields })
      })
    },

    /**
     * Keeps those of the document of an import, and returns the hashes of those that are new. Throws validation_failed for
     * each that another organization keeps, or that is one too many.
     */
    keep(tx: Tx, { orgId, importId }: KeyBringer, keys: readonly string[] = []): readonly string[] {
      const added: string[] = []
      const problems: FieldProblem[] = []
      const known = new Set(store.pingKeys.list(orgId, pingKeysMax).map(({ hash }) => hash))
      for (const [index, key] of keys.entries()) {
        const hash = hashToken(key)
        if (known.has(hash)) continue
        const pointer = `/keptPingKeys/${index}`
        if (store.pingKeys.ownerOf(hash) !== undefined) {
          const message = 'is the ping key of another organization'
          problems.push({ pointer, keyword: 'uniqueItems', message })
          continue
        }
        if (known.size >= pingKeysMax) {
          const message = `must not be more than ${pingKeysMax} with those that the organization has`
          problems.push({ pointer, keyword: 'maxItems', message })
          continue
        }
        known.add(hash)
        added.push(hash)
        const own = { hash, hint: pingKeyHint(key), createdAtMs: clock.nowMs(), importId }
        store.pingKeys.put(tx, orgId, own)
      }
      refuseInvalid(problems)
      return added
    },

    /** Who is to have monitors made by it; undefined: nobody. */
    holderOf(key: string): PingKeyHolder | undefined {
      if (!deps.mayCreate()) return undefined
      const keyHash = hashToken(key)
      const orgId = store.pingKeys.ownerOf(keyHash)
      return orgId === undefined || isOrgOff(store, orgId) ? undefined : { orgId, keyHash }
    },

    /**
     * Makes the monitor of an address, unless there is one meanwhile. False if the organization may have no
     * more of them.
     */
    async provide(
      { orgId, keyHash }: PingKeyHolder,
      slug: string,
      address: string,
    ): Promise<boolean> {
      const monitor = madeFor(orgId, slug, address)
      try {
        await store.write((tx) => {
          if (store.pingKeys.ownerOf(keyHash) !== orgId) throw notFound('ping key')
          if (keepersOf(store, hashToken(address)).length > 0) return
          put(tx, { ...monitor, ...silenceOf({ orgId, keyHash }) })
        })
        return true
      } catch (error) {
        const isFull = ['conflict', 'kyc_required', 'not_found']
        if (error instanceof Fault && isFull.includes(error.code)) return false
        throw error
      }
    },
  }
}
