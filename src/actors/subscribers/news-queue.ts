// Tells the subscribers of status pages: looks at what changed, makes notices of it, and writes each
// notice to all who subscribed, slice by slice. One queue for each organization.
import type { Clock } from '../../base/clock.ts'
import {
  asId,
  type IncidentId,
  type MaintenanceId,
  newId,
  type OrgId,
  type PageId,
} from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type StatusPage, titleOf } from '../../domain/pages/page.ts'
import {
  type AnnouncedWindow,
  incidentNews,
  maintenanceNews,
  type NewsKind,
  untoldUpdates,
} from '../../domain/subscribers/news.ts'
import { isStale, type Notice } from '../../domain/subscribers/notice.ts'
import { concerns, heardSinceMs, type Subscriber } from '../../domain/subscribers/subscriber.ts'
import type { Letter } from '../../mail/letter.ts'
import type { PublicIncident } from '../../pages/view/public-page.ts'
import type { Tx } from '../../store/engine/write.ts'
import { audienceOf, tellsNews } from '../../store/page-audience.ts'
import type { Store } from '../../store/store.ts'
import type { NewsSubject } from '../../store/tables/subscribers/subscriber-news.ts'
import type { LetterTraits } from '../letters/letter-queue.ts'
import type { Choice, RecordOutcome } from '../queue/machine.ts'
import { runQueue } from '../queue/queue.ts'
import { type NoticeContent, noticeContent } from './notice-content.ts'
import type { NoticePage } from './notice-text.ts'
import { incidentOnPage, sectionsOf, windowOnPage } from './page-facts.ts'
import { noticeLetter, type SubscriptionUrls } from './subscriber-letters.ts'

export interface NewsQueueDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Whether the organization is deleted or switched off: nothing is sent for it. */
  readonly isOff: (orgId: OrgId) => boolean
  /** The address of the page, without a slash at its end. */
  readonly urlOf: (page: StatusPage) => string
  readonly urlsOf: (subscriber: Subscriber) => SubscriptionUrls
  /** The e-mail address. Throws if the key is gone. */
  readonly addressOf: (subscriber: Subscriber) => string
  readonly enqueueLetter: (tx: Tx, to: string, letter: Letter, traits: LetterTraits) => void
  /** Queues a message for the URL of a subscriber. */
  readonly enqueueMessage: (tx: Tx, notice: Notice, subscriber: Subscriber) => void
  /** Whether so many letters and messages wait that more should wait. */
  readonly isBusy: () => boolean
}

/** News that several subjects may share one notice for. */
interface SubjectNews {
  readonly page: StatusPage
  readonly news: NewsKind
  readonly sectionNames: readonly string[] | null
  readonly incident: PublicIncident
  /** Nobody wrote anything about it. */
  readonly isAutomatic: boolean
}

/** Subscribers that one transaction writes to. */
export const noticeSliceSubscribers = 100
const noticePauseMs = 500
/** Incidents and windows of an organization that are looked at together. */
const newsPerLookMax = 50
/** News that is due within this time is looked at together. */
const newsTogetherMs = 20_000

export function startNewsQueue(deps: NewsQueueDeps) {
  const { store, clock, log, isOff } = deps
  const { subscriberNews, subscribers } = store

  async function choose(orgId: OrgId): Promise<Choice> {
    if (isOff(orgId)) return { kind: 'done' }
    const nowMs = clock.nowMs()
    // Incidents that began together are announced together.
    const untilMs = nowMs + newsTogetherMs
    const due: NewsSubject[] = []
    const soon: NewsSubject[] = []
    let firstAtMs = Infinity
    for (const [subject, dueAtMs] of subscriberNews.subjects(orgId)) {
      firstAtMs = Math.min(firstAtMs, dueAtMs)
      const group = dueAtMs <= nowMs ? due : soon
      if (dueAtMs <= untilMs && group.length < newsPerLookMax) group.push(subject)
    }
    const together = [...due, ...soon].slice(0, newsPerLookMax)
    if (firstAtMs <= nowMs) {
      return job(() => store.write((tx) => look(tx, orgId, together)))
    }
    const [notice] = subscriberNews.notices(orgId, 1)
    if (!notice) {
      return firstAtMs === Infinity ? { kind: 'done' } : { kind: 'wait', untilMs: firstAtMs }
    }
    if (deps.isBusy()) {
      return { kind: 'wait', untilMs: Math.min(nowMs + noticePauseMs, firstAtMs) }
    }
    return job(() => store.write((tx) => writeSlice(tx, notice)))
  }

  function look(tx: Tx, orgId: OrgId, subjects: readonly NewsSubject[]): void {
    const found: SubjectNews[] = []
    for (const subject of subjects) {
      const pageId = asId('page', subject)
      const windowId = asId('maintenance', subject)
      const incidentId = asId('incident', subject)
      const againAtMs = pageId
        ? forgetPage(tx, orgId, pageId)
        : windowId
          ? lookAtWindow(tx, orgId, windowId)
          : incidentId
            ? lookAtIncident(tx, orgId, incidentId, found)
            : null
      subscriberNews.lookAgain(tx, orgId, subject, againAtMs)
    }
    for (const group of grouped(found)) {
      const [{ page, news, sectionNames }] = group
      const [first, ...others] = group.map(({ incident }) => incident)
      if (!first) continue
      const content: NoticeContent = { kind: 'incidents', incidents: [first, ...others] }
      putNotice(tx, page, { news, subjectId: first.id, content, sectionNames })
    }
  }

  /** The pages that have somebody to tell. */
  function pagesOf(orgId: OrgId): StatusPage[] {
    return subscribers.pagesWithActive(orgId).flatMap((pageId) => {
      const page = store.pages.readable(orgId, pageId)
      return tellsNews(page) ? page : []
    })
  }

  /** Returns when to look again. */
  function lookAtIncident(
    tx: Tx,
    orgId: OrgId,
    incidentId: IncidentId,
    found: SubjectNews[],
  ): number | null {
    const incident = store.incidents.readable(orgId, incidentId)
    if (!incident) return null
    // News that settles soon is announced together with news that has settled.
    const nowMs = clock.nowMs() + newsTogetherMs
    let againAtMs: number | null = null
    for (const page of pagesOf(orgId)) {
      const shown = incidentOnPage(store, page, incident)
      if (!shown) continue
      const announced = subscriberNews.announced(orgId, page.id, incidentId)?.incident
      const decision = incidentNews(incident, shown.isOpen, announced, nowMs)
      if (decision.kind === 'later') againAtMs = decision.atMs
      if (decision.kind !== 'tell') continue
      subscriberNews.putAnnounced(tx, orgId, page.id, incidentId, { incident: decision.announced })
      const untold = new Set(untoldUpdates(incident, announced).map(({ atMs }) => atMs))
      const updates = shown.updates.filter(
        ({ atMs, message }) => untold.has(atMs) && message !== '',
      )
      found.push({
        page,
        news: decision.news,
        sectionNames: sectionsOf(page, shown.monitorIds),
        incident: { ...shown, updates, postmortem: null },
        isAutomatic: !shown.isDeclared && updates.length === 0,
      })
    }
    return againAtMs
  }

  /** Returns when to look again: when it begins, when it ends. */
  function lookAtWindow(tx: Tx, orgId: OrgId, windowId: MaintenanceId): number | null {
    const window = store.windows.readable(orgId, windowId)
    let againAtMs: number | null = null
    const later = (atMs: number) => {
      againAtMs = Math.min(againAtMs ?? atMs, atMs)
    }
    const nowMs = clock.nowMs()
    for (const page of pagesOf(orgId)) {
      const shown = window ? windowOnPage(store, page, window) : null
      const before = subscriberNews.announced(orgId, page.id, windowId)?.window
      const decision = maintenanceNews(shown ? window : undefined, before, nowMs)
      if (decision.kind === 'later') later(decision.atMs)
      if (decision.kind !== 'tell') continue
      const { announced, news } = decision
      subscriberNews.putAnnounced(tx, orgId, page.id, windowId, { window: announced })
      const next = maintenanceNews(shown ? window : undefined, announced, nowMs)
      if (next.kind === 'later') later(next.atMs)
      const monitorIds = shown?.monitorIds ?? []
      putNotice(tx, page, {
        news,
        subjectId: windowId,
        sectionNames: sectionsOf(page, monitorIds),
        content: windowContent(windowId, announced, {
          description: window?.description ?? '',
          monitorNames: shown?.monitorNames ?? [],
        }),
      })
    }
    return againAtMs
  }

  function putNotice(
    tx: Tx,
    page: StatusPage,
    about: Pick<Notice, 'news' | 'subjectId' | 'sectionNames'> & {
      readonly content: NoticeContent
    },
  ): void {
    const { content, ...rest } = about
    const nowMs = clock.nowMs()
    subscriberNews.putNotice(tx, {
      ...rest,
      id: newId('notice', nowMs),
      orgId: page.orgId,
      pageId: page.id,
      contentJson: JSON.stringify(content),
      createdAtMs: nowMs,
      cursor: null,
    })
  }

  /** Removes a slice of what a deleted page left; there may be more. */
  function forgetPage(tx: Tx, orgId: OrgId, pageId: PageId): number | null {
    const slice = limits.deleteSliceRecords
    const removed = subscribers.forgetPage(tx, orgId, pageId, slice)
    const alsoRemoved = subscriberNews.forgetPage(tx, orgId, pageId, slice)
    return Math.max(removed, alsoRemoved) < slice ? null : clock.nowMs()
  }

  /**
   * Writes the messages and the place in the list in one transaction: no subscriber is left out, and none
   * gets a message twice.
   */
  function writeSlice(tx: Tx, { orgId, id }: Notice): void {
    const notice = subscriberNews.notice(orgId, id)
    if (!notice) return
    const { pageId, cursor, createdAtMs } = notice
    const page = store.pages.readable(orgId, pageId)
    if (!tellsNews(page) || isStale(notice, clock.nowMs())) {
      subscriberNews.removeNotice(tx, notice)
      return
    }
    const slice: number = noticeSliceSubscribers
    const ids = subscribers.activeIds(orgId, pageId, slice, cursor ?? undefined)
    const letters = letterWriter(page, notice)
    const mayHear = audienceOf(store, page)
    for (const subscriberId of ids) {
      const subscriber = subscribers.readable(orgId, pageId, subscriberId)
      if (!subscriber || !mayHear(subscriber)) continue
      if (!concerns(subscriber, notice.sectionNames, page.sections)) continue
      // A subscriber who confirmed after it happened has seen it on the page.
      if (heardSinceMs(subscriber) > createdAtMs) continue
      if (subscriber.kind === 'email') letters(tx, subscriber)
      else deps.enqueueMessage(tx, notice, subscriber)
    }
    const last = ids.at(-1)
    if (ids.length < slice || !last) subscriberNews.removeNotice(tx, notice)
    else subscriberNews.putNotice(tx, { ...notice, cursor: last })
  }

  function letterWriter(page: StatusPage, { news, contentJson }: Notice) {
    const content = noticeContent(contentJson)
    const named = noticePage(page)
    return (tx: Tx, subscriber: Subscriber): void => {
      const to = addressSafely(subscriber)
      if (to === undefined) return
      const urls = deps.urlsOf(subscriber)
      const { language, consent } = subscriber
      const written = { news, content, page: named, language, urls, consent }
      const { letter, matterId } = noticeLetter(written)
      const { orgId, pageId, id: subscriberId } = subscriber
      deps.enqueueLetter(tx, to, letter, {
        matterId,
        unsubscribeUrl: urls.unsubscribe,
        isBulk: true,
        subscription: { orgId, pageId, subscriberId },
      })
    }
  }

  function addressSafely(subscriber: Subscriber): string | undefined {
    try {
      return deps.addressOf(subscriber)
    } catch (error) {
      log.error('address of a subscriber cannot be opened', { subscriberId: subscriber.id, error })
      return undefined
    }
  }

  function noticePage(page: StatusPage): NoticePage & { readonly id: PageId } {
    const timezone = page.timezone ?? localeOf(store.orgs.readable(page.orgId)).timezone
    return { id: page.id, title: titleOf(page), url: deps.urlOf(page), timezone }
  }

  const queue = runQueue<OrgId>(
    {
      name: 'subscriber news',
      keyOf: (orgId) => orgId,
      recipients: () => subscriberNews.orgIds().filter((orgId) => !isOff(orgId)),
      choose,
      drainMs: limits.deliveryDrainMs,
    },
    deps,
  )
  store.signals.newsAdded.listen((orgId) => {
    if (!isOff(orgId)) queue.wake(orgId)
  })

  return {
    start: queue.start,
    stop: queue.stop,
    wake: queue.wake,
    halt: (orgId: OrgId) => queue.halt((one) => one === orgId),
    noticePage,
  }
}

/** The work is a write; there is nothing to send before it. */
function job(write: RecordOutcome): Choice {
  return { kind: 'send', job: { send: async () => write } }
}

/** News that the daemon found together is announced together; news that a person wrote stands alone. */
function grouped(
  found: readonly SubjectNews[],
): readonly (readonly [SubjectNews, ...SubjectNews[]])[] {
  const groups = new Map<string, [SubjectNews, ...SubjectNews[]]>()
  for (const [place, one] of found.entries()) {
    const { page, news, sectionNames, isAutomatic } = one
    const key = JSON.stringify([page.id, news, sectionNames, isAutomatic ? null : place])
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()]
}

function windowContent(
  windowId: MaintenanceId,
  { name, startsAtMs, endsAtMs, schedule }: AnnouncedWindow,
  about: { readonly description: string; readonly monitorNames: readonly string[] },
): NoticeContent {
  const isRecurring = schedule !== null
  return { kind: 'maintenance', windowId, name, startsAtMs, endsAtMs, isRecurring, ...about }
}
