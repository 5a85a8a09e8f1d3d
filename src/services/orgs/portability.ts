// Portability: exports an organization's configuration as one document, and imports such a
// document.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import type { Clock } from '../../base/clock.ts'
import type { OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import { type ConfigDeps, createConfigs } from '../alerts/channel-config.ts'
import type { Audit } from '../audit/audit.ts'
import type { OrgScope } from '../context.ts'
import { createDrafts, type DraftsDeps, newMonitorState } from '../monitors/monitor-drafts.ts'
import { at } from '../monitors/part-problems.ts'
import { createPagePlaces } from '../pages/page-places.ts'
import type { QuotaBook } from '../quotas.ts'
import { exportedDocument, type PortableDocument } from './portable-document.ts'
import { type Prepared, prepare } from './portable-import.ts'

export interface Imported {
  readonly channels: number
  readonly monitors: number
  readonly statusPages: number
  /** The new id for each id in the document. */
  readonly ids: Readonly<Record<string, string>>
}

export interface Portability {
  /** Everything except secrets, which the document lists. Yields to other work. */
  export(scope: OrgScope): Promise<PortableDocument>
  /**
   * Creates everything in the document, in addition to existing objects, or nothing. Throws Fault,
   * with pointers into the document: validation_failed, target_not_allowed, slug_taken,
   * subdomain_taken, and conflict beyond a quota.
   */
  import(scope: OrgScope, document: PortableDocument): Promise<Imported>
}

export interface PortabilityDeps extends DraftsDeps, ConfigDeps {
  readonly store: Store
  readonly clock: Clock
  readonly audit: Audit
  readonly quotas: QuotaBook
  readonly fleet: Pick<Fleet, 'start'>
  /** Throws if an owner must verify their identity first. */
  readonly mustBeApproved: (orgId: OrgId) => void
}

export function createPortability(deps: PortabilityDeps): Portability {
  const { store, clock, audit, fleet } = deps
  const tools = { clock, drafts: createDrafts(deps), configs: createConfigs(deps) }
  const put = createPut(deps)

  return {
    async export(scope) {
      const monitors = await monitorsOf(store, scope.orgId)
      const document = exportedDocument({
        organization: { name: store.orgs.get(scope.orgId)?.name ?? '' },
        exportedAtMs: clock.nowMs(),
        channels: store.channels.list(scope.orgId, limits.quotaMax).toReversed(),
        monitors: monitors.map((monitor) => ({
          monitor,
          body: tools.drafts.inputOf(monitor).body,
        })),
        pages: store.pages.list(scope.orgId, limits.quotaMax).toReversed(),
      })
      await store.write((tx) =>
        audit.note(tx, scope, { action: 'organization.exported', objectId: null }),
      )
      return document
    },

    async import(scope, document) {
      // A document that exceeds the quota in any case is not examined further.
      const { monitors } = deps.quotas.of(scope.orgId)
      if (document.monitors.length > monitors) put.mustHaveRoom(scope.orgId, countsOf(document))
      const prepared = await prepare(tools, scope.orgId, document)
      await store.write((tx) => put.all(tx, scope, prepared))
      for (const [index, monitor] of prepared.monitors.entries()) {
        // Their first checks are spread over their intervals, as after a start.
        fleet.start(monitor, 'start', newMonitorState(monitor))
        if (index % limits.scanSlice === limits.scanSlice - 1) await nextTurn()
      }
      return {
        channels: prepared.channels.length,
        monitors: prepared.monitors.length,
        statusPages: prepared.pages.length,
        ids: Object.fromEntries(prepared.ids),
      }
    },
  }
}

/** Oldest first. */
async function monitorsOf(store: Store, orgId: OrgId): Promise<Monitor[]> {
  const monitors: Monitor[] = []
  let last: Monitor | undefined
  do {
    const slice = store.monitors.list(orgId, limits.scanSlice, last?.id)
    monitors.push(...slice)
    last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
    if (last) await nextTurn()
  } while (last)
  return monitors.reverse()
}

/** The number of objects of each kind in a document. */
type Lists = Readonly<Record<'channels' | 'monitors' | 'statusPages', readonly unknown[]>>
type Counts = Readonly<Record<'channels' | 'monitors' | 'pages', number>>

function countsOf({ channels, monitors, statusPages }: Lists): Counts {
  return { channels: channels.length, monitors: monitors.length, pages: statusPages.length }
}

/** Writes the prepared records in one transaction. */
function createPut(deps: PortabilityDeps) {
  const { store, clock, audit, quotas } = deps
  const places = createPagePlaces(store)

  function mustHaveRoom(orgId: OrgId, more: Counts): void {
    deps.mustBeApproved(orgId)
    const havePages = store.pages.count(orgId, limits.quotaMax)
    quotas.mustHaveRoom(orgId, 'channels', store.channels.count(orgId), more.channels)
    quotas.mustHaveRoom(orgId, 'monitors', store.monitors.count(orgId), more.monitors)
    quotas.mustHaveRoom(orgId, 'pages', havePages, more.pages)
  }

  function putPage(tx: Tx, { page, slug }: Prepared['pages'][number], pointer: string): void {
    const nowMs = clock.nowMs()
    const { publicMonitorIds, subdomain } = page
    if (subdomain !== null) {
      at(pointer, () => places.checkSubdomain(page, subdomain, nowMs), '/subdomain')
    }
    const changes = { slug: slug || null, publicMonitorIds }
    at(pointer, () => places.save(tx, page, changes, nowMs), '/slug')
  }

  function all(tx: Tx, scope: OrgScope, prepared: Prepared): void {
    const { orgId } = scope
    const counts = countsOf({ ...prepared, statusPages: prepared.pages })
    mustHaveRoom(orgId, counts)
    for (const channel of prepared.channels) store.channels.put(tx, channel)
    store.monitors.putNew(tx, orgId, prepared.monitors)
    for (const monitor of prepared.monitors) {
      store.monitorStates.put(tx, orgId, monitor.id, newMonitorState(monitor))
    }
    for (const [index, page] of prepared.pages.entries()) {
      putPage(tx, page, `/statusPages/${index}`)
    }
    const detail = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
    const action = 'organization.imported'
    audit.note(tx, scope, { action, objectId: null, detail: detail.join(', ') })
  }

  return { all, mustHaveRoom }
}
