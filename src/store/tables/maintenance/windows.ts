// Maintenance windows by [org, window], and what they covered before they were changed.
import type { MaintenanceId, OrgId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Covering } from '../../../domain/maintenance/coverage.ts'
import {
  coveringOf,
  type FormerWindow,
  formerOf,
  type MaintenanceWindow,
} from '../../../domain/maintenance/window.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface OrgWindows {
  readonly coverings: readonly Covering[]
  readonly announced: readonly MaintenanceWindow[]
}

const none: OrgWindows = { coverings: [], announced: [] }

export function openWindows(env: Env, { maintenanceChanged, pagesChanged }: Signals) {
  const windows = openTable<MaintenanceWindow>(env, { name: 'maintenance' })
  const formers = openTable<FormerWindow>(env, { name: 'formerMaintenance' })
  /** Of the organizations that have windows: each check of a monitor asks. */
  let remembered: Map<OrgId, OrgWindows> | undefined

  function known(): Map<OrgId, OrgWindows> {
    if (remembered) return remembered
    remembered = new Map()
    const range = { prefix: [], limit: Number.MAX_SAFE_INTEGER }
    const orgIds = [...windows.keys(range), ...formers.keys(range)].map(([orgId]) => orgId as OrgId)
    for (const orgId of new Set(orgIds)) reload(orgId)
    return remembered
  }

  function reload(orgId: OrgId): void {
    const range = { prefix: [orgId], limit: Number.MAX_SAFE_INTEGER }
    const found = windows.range(range)
    const coverings = [...found.map(coveringOf), ...formers.range(range)]
    const announced = found.filter(({ isPublic }) => isPublic)
    if (coverings.length > 0) remembered?.set(orgId, { coverings, announced })
    else remembered?.delete(orgId)
  }

  const of = (orgId: OrgId): OrgWindows => (remembered ?? known()).get(orgId) ?? none

  /** After the commit, and before whoever listens. */
  function changed(tx: Tx, orgId: OrgId): void {
    tx.afterCommit(() => reload(orgId))
    maintenanceChanged.raise(tx, orgId)
    pagesChanged.raise(tx, orgId)
  }

  function keepFormer(tx: Tx, before: MaintenanceWindow | undefined, nowMs: number): void {
    const former = before && formerOf(before, nowMs)
    if (former) formers.put(tx, [former.orgId, former.id, former.coversToMs], former)
  }

  return {
    get: (orgId: OrgId, id: MaintenanceId) => windows.get([orgId, id]),

    isDamaged: (orgId: OrgId, id: MaintenanceId) => windows.isDamaged([orgId, id]),

    /** Newest first; `after` is the last id of the previous page. */
    list: (orgId: OrgId, limit: number, after?: MaintenanceId) =>
      windows.range({ prefix: [orgId], reverse: true, limit, after }),

    count: (orgId: OrgId) => windows.count([orgId], limits.quotaMax),

    /** What windows cover, or covered; from memory. A damaged window covers nothing. */
    coverings: (orgId: OrgId): readonly Covering[] => of(orgId).coverings,

    /** Those that pages announce; from memory. */
    announced: (orgId: OrgId): readonly MaintenanceWindow[] => of(orgId).announced,

    /** The organizations that have windows, or had. */
    orgIds: (): OrgId[] => [...known().keys()],

    put(tx: Tx, window: MaintenanceWindow): void {
      windows.put(tx, [window.orgId, window.id], window)
      changed(tx, window.orgId)
    },

    /** `before` was read in this transaction. What it covered until now stays covered. */
    replace(tx: Tx, before: MaintenanceWindow, after: MaintenanceWindow, nowMs: number): void {
      if (after.coversFromMs !== before.coversFromMs) keepFormer(tx, before, nowMs)
      windows.put(tx, [after.orgId, after.id], after)
      changed(tx, after.orgId)
    },

    remove(tx: Tx, before: MaintenanceWindow, nowMs: number): void {
      keepFormer(tx, before, nowMs)
      windows.remove(tx, [before.orgId, before.id])
      changed(tx, before.orgId)
    },

    /** Deletes a damaged one: what it covered is unknown. */
    discard(tx: Tx, orgId: OrgId, id: MaintenanceId): void {
      windows.remove(tx, [orgId, id])
      changed(tx, orgId)
    },

    formers: (orgId: OrgId, limit: number): FormerWindow[] =>
      formers.range({ prefix: [orgId], limit }),

    /** No result can bring time that it covered to account any more. */
    removeFormer(tx: Tx, { orgId, id, coversToMs }: FormerWindow): void {
      formers.remove(tx, [orgId, id, coversToMs])
      tx.afterCommit(() => reload(orgId))
    },

    /** Deletes those of a whole organization, at most `limit` at once, also damaged ones. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const removed = windows.removeAll(tx, [orgId], limit)
      const formerlyRemoved = formers.removeAll(tx, [orgId], limit)
      tx.afterCommit(() => reload(orgId))
      return Math.max(removed, formerlyRemoved)
    },
  }
}
