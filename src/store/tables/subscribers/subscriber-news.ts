// News for subscribers: subjects with news, notices on their way, messages to URLs, and what was
// announced to the subscribers of each page.
import type {
  IncidentId,
  MaintenanceId,
  NoticeId,
  OrgId,
  PageId,
  SubscriberId,
} from '../../../base/ids.ts'
import type { Incident } from '../../../domain/incidents/incident.ts'
import type { MaintenanceWindow } from '../../../domain/maintenance/window.ts'
import type { AnnouncedIncident, AnnouncedWindow } from '../../../domain/subscribers/news.ts'
import type { Notice, SubscriberMessage } from '../../../domain/subscribers/notice.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** A page that was deleted: its subscribers are deleted after it. */
export type NewsSubject = IncidentId | MaintenanceId | PageId

interface DueNews {
  /** When it is looked at. */
  readonly dueAtMs: number
}

type Announced =
  | { readonly incident: AnnouncedIncident; readonly window?: undefined }
  | { readonly window: AnnouncedWindow; readonly incident?: undefined }

export type SubscriberNews = ReturnType<typeof openSubscriberNews>

export function openSubscriberNews(
  env: Env,
  { newsAdded }: Signals,
  hasActive: (orgId: OrgId) => boolean,
) {
  const news = openTable<DueNews>(env, { name: 'subscriberNews' })
  const notices = openTable<Notice>(env, { name: 'notices' })
  const messages = openTable<SubscriberMessage>(env, { name: 'subscriberMessages' })
  const announced = openTable<Announced>(env, { name: 'announcedNews' })

  /** Subjects in memory: in a storm thousands wait, and each change asks for the first. */
  const known = new Map<OrgId, Map<NewsSubject, number>>()

  /** Null: it is not looked at any more. */
  function set(tx: Tx, orgId: OrgId, subject: NewsSubject, dueAtMs: number | null): void {
    if (dueAtMs === null) news.remove(tx, [orgId, subject])
    else news.put(tx, [orgId, subject], { dueAtMs })
    tx.afterCommit(() => {
      if (dueAtMs === null) known.get(orgId)?.delete(subject)
      else known.get(orgId)?.set(subject, dueAtMs)
    })
  }

  function subjects(orgId: OrgId): ReadonlyMap<NewsSubject, number> {
    const before = known.get(orgId)
    if (before) return before
    const all = news.entries({ prefix: [orgId], limit: Number.MAX_SAFE_INTEGER })
    const read = new Map(all.map(({ key, record }) => [key[1] as NewsSubject, record.dueAtMs]))
    known.set(orgId, read)
    return read
  }

  /** An earlier look stays: what it finds decides whether another follows. */
  function note(tx: Tx, orgId: OrgId, subject: NewsSubject, dueAtMs: number): void {
    const before = news.readable([orgId, subject])
    if (!before || before.dueAtMs > dueAtMs) set(tx, orgId, subject, dueAtMs)
    newsAdded.raise(tx, orgId)
  }

  return {
    /** An incident was written: there may be news for subscribers. */
    noteIncident(tx: Tx, { orgId, id, isPublic, timeline }: Incident): void {
      if (isPublic && hasActive(orgId)) note(tx, orgId, id, timeline.at(-1)?.atMs ?? 0)
    },

    /** The same for a maintenance window, also one that was deleted. */
    noteWindow(tx: Tx, { orgId, id, updatedAtMs }: MaintenanceWindow): void {
      if (hasActive(orgId)) note(tx, orgId, id, updatedAtMs)
    },

    note,

    /** The subjects of an organization, with the time at which each is looked at. */
    subjects,

    /** It was looked at; null: there is no next time. */
    lookAgain: set,

    /** Every organization with news or notices. */
    orgIds(): OrgId[] {
      const found = new Set<OrgId>()
      for (const table of [news, notices]) {
        let [key] = table.keys({ prefix: [], limit: 1 })
        while (key) {
          const orgId = key[0] as OrgId
          found.add(orgId)
          key = table.keys({ prefix: [], after: [orgId, '\uffff'], limit: 1 })[0]
        }
      }
      return [...found]
    },

    announced: (orgId: OrgId, pageId: PageId, subject: NewsSubject): Announced | undefined =>
      announced.readable([orgId, pageId, subject]),

    putAnnounced(
      tx: Tx,
      orgId: OrgId,
      pageId: PageId,
      subject: NewsSubject,
      record: Announced,
    ): void {
      announced.put(tx, [orgId, pageId, subject], record)
    },

    /** Deletes what is over since before `beforeMs`, among `limit` after `after`; returns the last. */
    trimAnnounced(
      tx: Tx,
      beforeMs: number,
      limit: number,
      after: readonly string[] | undefined,
    ): { readonly removed: number; readonly last: readonly string[] | undefined } {
      const found = announced.entries({ prefix: [], limit, after: after && [...after] })
      const over = found.filter(({ record: { incident, window } }) =>
        incident
          ? !incident.isOpen && incident.atMs < beforeMs
          : window.schedule === null && window.endsAtMs < beforeMs,
      )
      for (const { key } of over) announced.remove(tx, key)
      const last = found.length < limit ? undefined : found.at(-1)?.key.map(String)
      return { removed: over.length, last }
    },

    notice: (orgId: OrgId, id: NoticeId) => notices.readable([orgId, id]),

    /** On their way, oldest first. */
    notices: (orgId: OrgId, limit: number): Notice[] => notices.range({ prefix: [orgId], limit }),

    putNotice(tx: Tx, notice: Notice): void {
      notices.put(tx, [notice.orgId, notice.id], notice)
      newsAdded.raise(tx, notice.orgId)
    },

    removeNotice(tx: Tx, { orgId, id }: Notice): void {
      notices.remove(tx, [orgId, id])
    },

    message: (orgId: OrgId, subscriberId: SubscriberId, id: NoticeId) =>
      messages.readable([orgId, subscriberId, id]),

    /** The messages that wait for one subscriber, oldest first. */
    messages: (orgId: OrgId, subscriberId: SubscriberId, limit: number): SubscriberMessage[] =>
      messages.range({ prefix: [orgId, subscriberId], limit }),

    /** One message of each subscriber that has some. */
    owed(): SubscriberMessage[] {
      const found: SubscriberMessage[] = []
      let [first] = messages.entries({ prefix: [], limit: 1 })
      while (first) {
        found.push(first.record)
        const { orgId, subscriberId } = first.record
        first = messages.entries({
          prefix: [],
          after: [orgId, subscriberId, '\uffff'],
          limit: 1,
        })[0]
      }
      return found
    },

    putMessage(tx: Tx, message: SubscriberMessage): void {
      messages.put(tx, [message.orgId, message.subscriberId, message.id], message)
    },

    removeMessage(tx: Tx, { orgId, subscriberId, id }: SubscriberMessage): void {
      messages.remove(tx, [orgId, subscriberId, id])
    },

    /** Deletes the messages of a subscriber that was removed. */
    forgetSubscriber(tx: Tx, orgId: OrgId, subscriberId: SubscriberId): void {
      messages.removeAll(tx, [orgId, subscriberId], Number.MAX_SAFE_INTEGER)
    },

    /** Deletes what a deleted page left, at most `limit` records of each kind; returns the most. */
    forgetPage(tx: Tx, orgId: OrgId, pageId: PageId, limit: number): number {
      const ofPage = notices
        .range({ prefix: [orgId], limit: Number.MAX_SAFE_INTEGER })
        .filter((notice) => notice.pageId === pageId)
        .slice(0, limit)
      for (const { id } of ofPage) notices.remove(tx, [orgId, id])
      return Math.max(ofPage.length, announced.removeAll(tx, [orgId, pageId], limit))
    },

    /** Deletes all news of an organization that waits to be sent. */
    drop(tx: Tx, orgId: OrgId): void {
      tx.afterCommit(() => known.delete(orgId))
      for (const table of [news, notices, messages]) {
        table.removeAll(tx, [orgId], Number.MAX_SAFE_INTEGER)
      }
    },

    /** Deletes the records of a whole organization, at most `limit` of each kind; returns the most. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      tx.afterCommit(() => known.delete(orgId))
      const tables = [news, notices, messages, announced]
      return Math.max(...tables.map((table) => table.removeAll(tx, [orgId], limit)))
    },
  }
}
