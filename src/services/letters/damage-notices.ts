// Notifies administrators about damaged records, at most once a day, by letter and by the channels
// that they chose.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { defaultLocale } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { damageLetter, damageNews } from '../../mail/letters/damage.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../mailer.ts'
import { writeToAdmins } from './admin-letters.ts'
import type { SystemNotices } from './system-notices.ts'

export interface DamageNoticesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<
    Store,
    'damage' | 'memberships' | 'meta' | 'orgs' | 'quarantine' | 'users' | 'writeSoon'
  >
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell' | 'hasReceivers'>
  readonly baseUrl: string
}

/** How long damaged records are gathered for one letter. */
const damageGatheredMs = 60_000

export function startDamageNotices(deps: DamageNoticesDeps) {
  const { clock, log, store, mailer, systemNotices, baseUrl } = deps
  let timer: unknown

  /** A record is kept aside once, so a restart that finds it again does not tell it again. */
  function countUntold(): Map<string, number> {
    const toldAtMs = store.meta.damageToldAtMs() ?? 0
    const counts = new Map<string, number>()
    for (const { table, foundAtMs } of store.quarantine.list(limits.damagedRecordsMax)) {
      if (foundAtMs >= toldAtMs) counts.set(table, (counts.get(table) ?? 0) + 1)
    }
    return counts
  }

  async function tell(): Promise<void> {
    const nowMs = clock.nowMs()
    // In the same queue as the records that are kept aside, so after the records that were found before.
    await store.writeSoon((tx) => {
      const tables = countUntold()
      const hasReaders = store.users.admins().length > 0 || systemNotices.hasReceivers()
      if (tables.size === 0 || !hasReaders) return
      const report = { baseUrl, tables }
      const { subject: title, paragraphs } = damageNews(report, defaultLocale.language)
      const text = paragraphs.join(' ')
      systemNotices.tell(tx, { kind: 'damage', title, text, isOver: false })
      writeToAdmins(tx, { store, mailer }, (language) => damageLetter(report, language))
      store.meta.putDamageTold(tx, nowMs)
    })
  }

  function arm(): void {
    if (timer !== undefined) return
    const toldAtMs = store.meta.damageToldAtMs() ?? Number.NEGATIVE_INFINITY
    const waitMs = Math.max(damageGatheredMs, toldAtMs + limits.dailyMs - clock.nowMs())
    timer = clock.setTimeout(() => {
      timer = undefined
      tell().catch((error) =>
        log.error('the administrators could not be told of damaged records', { error }),
      )
    }, waitMs)
  }

  // What an earlier run found, but did not live to tell.
  if (countUntold().size > 0) arm()
  store.damage.listen(arm)

  return { stop: () => clock.clearTimeout(timer) }
}
