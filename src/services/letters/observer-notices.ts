// Notifies administrators about interruptions of the daemon's own network, by letter and by the
// channels that they chose.
import type { Episode } from '../../actors/observer.ts'
import type { Clock } from '../../base/clock.ts'
import type { Capability } from '../../domain/checks/observer.ts'
import { observerLetter, observerNews } from '../../mail/letters/observer.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../mailer.ts'
import type { SystemNotices } from './system-notices.ts'

const capabilityNames: Readonly<Record<Capability, string>> = {
  ipv4: 'the network over IPv4',
  ipv6: 'the network over IPv6',
  dns: 'the name servers',
}

export interface ObserverNoticesDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'users' | 'write'>
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
      const lost = capabilities.map((capability) => capabilityNames[capability])
      const interruption = { baseUrl, fromMs, toMs, lost, heldMonitors, untold }
      const letter = observerLetter(interruption)
      const { subject: title, paragraphs } = observerNews(interruption)
      const text = paragraphs.join(' ')
      await store.write((tx) => {
        for (const { email } of store.users.admins()) mailer.enqueue(tx, email, letter)
        systemNotices.tell(tx, { kind: 'network', title, text, isOver })
      })
      if (isOver) {
        lastNoticeMs = clock.monoMs()
        untold = 0
      }
    },
  }
}
