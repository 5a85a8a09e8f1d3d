// Tells the administrators of an organization once a week how its shadow runs stand, as long as monitors are silent.
import type { Clock } from '../../base/clock.ts'
import type { ImportId, OrgId } from '../../base/ids.ts'
import { laterTurn } from '../../base/yielding.ts'
import { reaches } from '../../domain/access.ts'
import type { ImportShadow } from '../../domain/imports/import-record.ts'
import { localeOf } from '../../domain/language.ts'
import { longSilentDays } from '../../domain/monitors/shadow.ts'
import { shadowLetter } from '../../mail/letters/shadow-run.ts'
import { activePeople, isOrgOff } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../mailer.ts'
import type { ShadowComparison, ShadowImport } from '../orgs/imports/shadow-comparison.ts'

export interface ShadowLettersDeps {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly store: Store
  readonly mailer: Mailer
  readonly comparison: Pick<ShadowComparison, 'compare'>
  readonly baseUrl: string
}

const weekMs = 7 * 86_400_000
const longSilentMs = longSilentDays * 86_400_000

/** Whether another week of the run is over since the last letter, or since it began. */
function isLetterDue({ sinceMs, letterAtMs = sinceMs }: ImportShadow, nowMs: number) {
  return Math.floor((nowMs - sinceMs) / weekMs) > Math.floor((letterAtMs - sinceMs) / weekMs)
}

export type ShadowLetters = ReturnType<typeof createShadowLetters>

export function createShadowLetters(deps: ShadowLettersDeps) {
  const { clock, store, mailer, comparison, baseUrl } = deps

  function dueRun(orgId: OrgId, importId: ImportId): ShadowImport | undefined {
    const record = isOrgOff(store, orgId) ? undefined : store.imports.readable(orgId, importId)
    const { shadow } = record ?? {}
    return record && shadow && isLetterDue(shadow, clock.nowMs())
      ? { ...record, shadow }
      : undefined
  }

  /** The letters, and that they were written, in one transaction: after a restart nobody gets them again. */
  async function tell(due: ShadowImport): Promise<boolean> {
    const { orgId, id } = due
    const { counts, isHeard } = await comparison.compare({ orgId }, due)
    return store.write((tx) => {
      // It may have gone live meanwhile.
      const run = dueRun(orgId, id)
      const monitors = store.monitors.silentOf(orgId, id)
      const org = store.orgs.readable(orgId)
      if (!run || monitors === 0) return false
      const letter = shadowLetter({
        baseUrl,
        importId: id,
        organization: org?.name ?? orgId,
        language: localeOf(org).language,
        ...{ monitors, counts, isHeard, sinceMs: run.shadow.sinceMs },
      })
      for (const { email } of activePeople(store, orgId, (role) => reaches(role, 'admin'))) {
        mailer.enqueue(tx, email, letter)
      }
      store.imports.put(tx, { ...run, shadow: { ...run.shadow, letterAtMs: clock.nowMs() } })
      return true
    })
  }

  return {
    /** How many monitors nobody has heard of for longSilentDays. Yields to other work. */
    async longSilent(): Promise<number> {
      const beforeMs = clock.nowMs() - longSilentMs
      let count = 0
      for (const { orgId, importId, silent } of store.monitors.shadowRuns()) {
        const shadow = silent > 0 ? store.imports.readable(orgId, importId)?.shadow : undefined
        if (shadow && shadow.sinceMs < beforeMs && !isOrgOff(store, orgId)) count += silent
        await laterTurn()
      }
      return count
    },

    /** Looks at every run; resolves with the number of runs of which administrators were told. */
    async round(signal: AbortSignal): Promise<number> {
      let told = 0
      for (const { orgId, importId, silent } of store.monitors.shadowRuns()) {
        if (signal.aborted) return told
        const due = silent > 0 ? dueRun(orgId, importId) : undefined
        if (due && (await tell(due))) told += 1
        await laterTurn()
      }
      return told
    },
  }
}
