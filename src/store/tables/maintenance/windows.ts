// Maintenance windows by [org, window], and what they covered before they were changed.
import type { MaintenanceId, OrgId } from '../../../base/ids.ts'
import type { Covering } from '../../../domain/maintenance/coverage.ts'
import {
  coveringOf,
  type FormerWindow,
  formerOf,
  type MaintenanceWindow,
} from '../../../domain/maintenance/window.ts'
import type { Env } from '../../engine/env.ts'
import { openRecords } from '../../engine/records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'
import type { SubscriberNews } from '../subscribers/subscriber-news.ts'

/** The windows of one organization, in memory. */
interface OrgWindows {
  readonly windows: Map<MaintenanceId, MaintenanceWindow>
  /** Former versions by window and the end of what they covered. */
  readonly formers: Map<string, FormerWindow>
  /** Made of both when somebody asks; undefined after a change. */
  lists: OrgLists | undefined
}

interface OrgLists {
  readonly coverings: readonly Covering[]
  readonly announced: readonly MaintenanceWindow[]
}

const none: OrgLists = { coverings: [], announced: [] }

type FormerKey = Pick<FormerWindow, 'id' | 'coversToMs'>
const keyOf = ({ id, coversToMs }: FormerKey) => `${id} ${coversToMs}`

export function openWindows(
  env: Env,
  { maintenanceChanged, pagesChanged }: Signals,
  { noteWindow }: Pick<SubscriberNews, 'noteWindow'>,
) {
  const { table: windows, ...records } = openRecords<MaintenanceWindow>(env, {
    name: 'maintenance',
  })
  const formers = openTable<FormerWindow>(env, { name: 'formerMaintenance' })
  /**
   * The windows of the organizations that have any, in memory because each check of a monitor asks. A
   * change replaces only what it changes: there may be many windows, and what is computed of a schedule
   * goes with its object.
   */
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
    const org: OrgWindows = {
      windows: new Map(windows.range(range).map((one) => [one.id, one])),
      formers: new Map(formers.range(range).map((one) => [keyOf(one), one])),
      lists: undefined,
    }
    if (org.windows.size + org.formers.size > 0) remembered?.set(orgId, org)
    else remembered?.delete(orgId)
  }

  function of(orgId: OrgId): OrgLists {
    const org = (remembered ?? known()).get(orgId)
    if (!org) return none
    org.lists ??= listsOf(org)
    return org.lists
  }

  /** Once the transaction is on disk, and before the listeners. */
  function follow(tx: Tx, orgId: OrgId, change: (org: OrgWindows) => void): void {
    tx.afterCommit(() => {
      if (!remembered) return
      const org = remembered.get(orgId) ?? {
        windows: new Map(),
        formers: new Map(),
        lists: undefined,
      }
      change(org)
      org.lists = undefined
      if (org.windows.size + org.formers.size > 0) remembered.set(orgId, org)
      else remembered.delete(orgId)
    })
  }

  function changed(
    tx: Tx,
    orgId: OrgId,
    id: MaintenanceId,
    window: MaintenanceWindow | null,
  ): void {
    follow(tx, orgId, (org) => {
      if (window) org.windows.set(id, window)
      else org.windows.delete(id)
    })
    maintenanceChanged.raise(tx, orgId)
    pagesChanged.raise(tx, orgId)
  }

  function keepFormer(tx: Tx, before: MaintenanceWindow | undefined, nowMs: number): void {
    const former = before && formerOf(before, nowMs)
    if (!former) return
    formers.put(tx, [former.orgId, former.id, former.coversToMs], former)
    follow(tx, former.orgId, (org) => org.formers.set(keyOf(former), former))
  }

  return {
    ...records,

    /** What windows cover, or covered; from memory. A damaged window covers nothing. */
    coverings: (orgId: OrgId): readonly Covering[] => of(orgId).coverings,

    /** The windows that pages announce; from memory. */
    announced: (orgId: OrgId): readonly MaintenanceWindow[] => of(orgId).announced,

    /** The organizations that have windows, or had. */
    orgIds: (): OrgId[] => [...known().keys()],

    put(tx: Tx, window: MaintenanceWindow): void {
      windows.put(tx, [window.orgId, window.id], window)
      if (window.isPublic) noteWindow(tx, window)
      changed(tx, window.orgId, window.id, window)
    },

    /** `before` was read in this transaction. What it covered until now stays covered. */
    replace(tx: Tx, before: MaintenanceWindow, after: MaintenanceWindow, nowMs: number): void {
      if (after.coversFromMs !== before.coversFromMs) keepFormer(tx, before, nowMs)
      windows.put(tx, [after.orgId, after.id], after)
      if (before.isPublic || after.isPublic) noteWindow(tx, after)
      changed(tx, after.orgId, after.id, after)
    },

    remove(tx: Tx, before: MaintenanceWindow, nowMs: number): void {
      keepFormer(tx, before, nowMs)
      windows.remove(tx, [before.orgId, before.id])
      if (before.isPublic) noteWindow(tx, before)
      changed(tx, before.orgId, before.id, null)
    },

    /** Deletes a damaged one: what it covered is unknown. */
    discard(tx: Tx, orgId: OrgId, id: MaintenanceId): void {
      windows.remove(tx, [orgId, id])
      changed(tx, orgId, id, null)
    },

    /** The number of former versions; from memory. */
    countFormers: (orgId: OrgId): number => (remembered ?? known()).get(orgId)?.formers.size ?? 0,

    formers: (orgId: OrgId, limit: number): FormerWindow[] =>
      formers.range({ prefix: [orgId], limit }),

    /** No result can bring time that it covered to account any more. */
    removeFormer(tx: Tx, former: FormerWindow): void {
      const { orgId, id, coversToMs } = former
      formers.remove(tx, [orgId, id, coversToMs])
      follow(tx, orgId, (org) => org.formers.delete(keyOf(former)))
    },

    /** Deletes the windows of a whole organization, at most `limit` at once, also damaged ones. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const removed = windows.removeAll(tx, [orgId], limit)
      const formerlyRemoved = formers.removeAll(tx, [orgId], limit)
      tx.afterCommit(() => reload(orgId))
      return Math.max(removed, formerlyRemoved)
    },
  }
}

function listsOf({ windows, formers }: OrgWindows): OrgLists {
  const all = [...windows.values()]
  return {
    coverings: [...all.map(coveringOf), ...formers.values()],
    announced: all.filter(({ isPublic }) => isPublic),
  }
}
