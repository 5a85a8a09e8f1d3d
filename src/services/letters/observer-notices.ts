// Notifies administrators about interruptions of the daemon's own network, by letter and by the
// channels that they chose.
import type { Episode } from '../../actors/observer.ts'
import type { Clock } from '../../base/clock.ts'
import { defaultLocale } from '../../domain/language.ts'
import { observerLetter, observerNews } from '../../mail/letters/observer.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../mailer.ts'
import { writeToAdmins } from './admin-letters.ts'
import type { SystemNotices } from './system-notices.ts'

export interface ObserverNoticesDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'memberships' | 'orgs' | 'users' | 'write'>
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

const observerNoticeMs = 15 * 60_000

export function createObserverNotices({
  clock,
  store,
  mailer,
  systemNotices,
  baseUrl,
}: ObserverNoticesDeps) {
  let lastNoticeMs = Number.NEGATIVE_INFINITY
  let untold = 0

  return {
    /** Resolves once queued. An end is reported at most once per observerNoticeMs. */
    async tell({ fromMs, toMs, capabilities, heldMonitors }: Episode): Promise<void> {
      const isOver = toMs !== null
      if (isOver && clock.monoMs() - lastNoticeMs < observerNoticeMs) {
        untold += 1
        return
      }
      const interruption = { baseUrl, fromMs, toMs, lost: capabilities, heldMonitors, untold }
      const { subject: title, paragraphs } = observerNews(interruption, defaultLocale.language)
      const text = paragraphs.join(' ')
      await store.write((tx) => {
        writeToAdmins(tx, { store, mailer }, (language) => observerLetter(interruption, language))
        systemNotices.tell(tx, { kind: 'network', title, text, isOver })
      })
      if (isOver) {
        lastNoticeMs = clock.monoMs()
        untold = 0
      }
    },
  }
}
