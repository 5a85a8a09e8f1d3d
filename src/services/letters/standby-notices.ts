// Tells administrators, by letter and by the channels that they chose, that no standby has had everything for
// a while, and once that one has it again.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { standbyNotice } from '../../domain/alerts/system-notice.ts'
import { defaultLocale } from '../../domain/language.ts'
import { type ClusterView, hasStandbyInStep } from '../../domain/standby/members.ts'
import { noticeLetter } from '../../mail/letters/system-notice.ts'
import type { Store } from '../../store/store.ts'
import type { Language } from '../../texts/languages.ts'
import type { Mailer } from '../mailer.ts'
import { writeToAdmins } from './admin-letters.ts'
import type { SystemNotices } from './system-notices.ts'

export interface StandbyNoticesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'memberships' | 'meta' | 'orgs' | 'users' | 'write'>
  readonly clusterView: () => ClusterView | null
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

/** How long no standby may be in step before that is told. */
const aloneMsMax = 10 * 60_000
const standbyLookMs = 60_000

/** A notice of an earlier run is not sent again. */
export function startStandbyNotices(deps: StandbyNoticesDeps) {
  const { clock, log, store, clusterView, mailer, systemNotices, baseUrl } = deps
  const startedAtMs = clock.nowMs()
  let aloneSinceMs: number | undefined
  let timer: unknown

  /** What is to be noted now; undefined if that is known, or not certain yet. */
  function news(view: ClusterView): 'followed' | 'alone' | undefined {
    const known = store.meta.notices().toldStandby
    if (hasStandbyInStep(view)) {
      aloneSinceMs = undefined
      return known === 'followed' ? undefined : 'followed'
    }
    aloneSinceMs ??= Math.max(startedAtMs, ...view.members.map((one) => one.behindSinceMs ?? 0))
    // Where none has ever followed, somebody is still setting it up.
    if (known !== 'followed') return undefined
    return clock.nowMs() - aloneSinceMs < aloneMsMax ? undefined : 'alone'
  }

  async function look(): Promise<void> {
    const view = clusterView()
    const toldStandby = view && news(view)
    if (!toldStandby) return
    const sinceMs = aloneSinceMs ?? null
    const noticeIn = (language: Language) => standbyNotice(baseUrl, sinceMs, language)
    await store.write((tx) => {
      const before = store.meta.notices()
      store.meta.putNotices(tx, { ...before, toldStandby })
      // The first that follows is no news.
      if (before.toldStandby === undefined) return
      systemNotices.tell(tx, noticeIn(defaultLocale.language))
      writeToAdmins(tx, { store, mailer }, (language) => noticeLetter(noticeIn(language), language))
    })
  }

  function arm(): void {
    timer = clock.setTimeout(() => {
      look().catch((error: unknown) => log.error('the standby could not be told of', { error }))
      arm()
    }, standbyLookMs)
  }

  if (clusterView()) arm()
  return {
    stop: () => clock.clearTimeout(timer),
  }
}
