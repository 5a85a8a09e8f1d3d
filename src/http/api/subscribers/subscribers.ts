// The API of the subscribers of a status page: schemas and routes.
import { csvLine } from '../../../base/formats/csv.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { subscriberKinds, subscriberStates } from '../../../domain/subscribers/subscriber.ts'
import type {
  ExportedSubscriber,
  ListedSubscriber,
} from '../../../services/subscribers/subscribers.ts'
import { languages } from '../../../texts/languages.ts'
import { del, get, list, type PlainAnswer, post, resource, wirePage } from '../../routing/route.ts'

const kind = s.described(
  s.oneOf(subscriberKinds),
  'How it is told: a letter, a signed webhook, or a message in Slack.',
)
const state = s.described(
  s.oneOf(subscriberStates),
  'pending: it has not confirmed yet, and is forgotten after a day. failed: its URL is gone, and gets nothing until it confirms again.',
)
const sectionNames = s.described(
  s.listOf(s.text({ charsMax: limits.nameCharsMax }), limits.pageSectionsMax),
  'The sections of the page that it is told about. Empty: all of the page.',
)

const SubscriberOut = s.object({
  id: s.idOf('subscriber'),
  statusPageId: s.idOf('page'),
  kind,
  address: s.described(
    s.anyText,
    'Masked: the first letter and the domain of an e-mail address, the origin of a URL.',
  ),
  state,
  isSilent: s.described(
    s.flag,
    'It hears nothing while the page is for members, because it is not the verified address of a member.',
  ),
  sectionNames,
  language: s.described(s.oneOf(languages), 'The language of what it is sent.'),
  askedAt: s.described(s.isoTime, 'When it was last asked to confirm.'),
  confirmedAt: s.nullable(s.isoTime, 'null: it has not confirmed yet.'),
  createdAt: s.isoTime,
})

const SubscriberFilterIn = s.object({ state: s.optional(state), kind: s.optional(kind) })

/** Addresses that an administrator adds with one request. */
const subscribersAddedMax = 100

const SubscribersIn = s.object({
  emails: s.described(
    s.listOf(s.text({ charsMin: 1, charsMax: limits.emailCharsMax }), subscribersAddedMax),
    'E-mail addresses. Each gets a letter with a link, and is subscribed once it has confirmed.',
  ),
  sectionNames: s.optional(sectionNames),
})

const AskedOut = s.object({
  asked: s.described(
    s.anyNumber,
    'How many were asked: those that are not subscribed yet, and were not asked too often lately.',
  ),
})

function toWire(subscriber: ListedSubscriber) {
  const { id, pageId, state, isSilent, language, askedAtMs, confirmedAtMs, createdAtMs } =
    subscriber
  return {
    id,
    statusPageId: pageId,
    kind: subscriber.kind,
    address: subscriber.maskedAddress,
    state,
    isSilent,
    sectionNames: subscriber.sectionNames,
    language,
    askedAt: s.toIso(askedAtMs),
    confirmedAt: confirmedAtMs === null ? null : s.toIso(confirmedAtMs),
    createdAt: s.toIso(createdAtMs),
  }
}

function csvOf(subscribers: readonly ExportedSubscriber[]): string {
  const lines = subscribers.map((one) =>
    csvLine([
      ...[one.id, one.kind, one.address, one.state, one.language, one.sectionNames.join('; ')],
      one.confirmedAtMs === null ? null : s.toIso(one.confirmedAtMs),
      s.toIso(one.createdAtMs),
    ]),
  )
  const columns = ['id', 'kind', 'address', 'state', 'language', 'sections']
  return csvLine([...columns, 'confirmedAt', 'createdAt']) + lines.join('')
}

const admin = { role: 'admin' } as const

export const subscriberRoutes = resource('/orgs/:orgId/status-pages', {
  listSubscribers: list('/:statusPageId/subscribers', {
    who: admin,
    summary: 'Subscribers of a status page, newest first',
    query: SubscriberFilterIn,
    out: SubscriberOut,
  }).handledBy(({ scope, params, query, page }, { subscribers }) =>
    wirePage(subscribers.list(scope, params.statusPageId, { ...query, ...page }), toWire),
  ),
  addSubscribers: post('/:statusPageId/subscribers', {
    who: admin,
    summary: 'Ask e-mail addresses whether they want to subscribe',
    description:
      'Each address gets a letter with a link, and nothing else until it has confirmed. Needs a mail server.',
    example: { emails: ['grace@example.com'] },
    body: SubscribersIn,
    out: AskedOut,
    message: 'Asked to confirm',
  }).createdBy(
    ({ scope, params, body }, { subscribers }) => subscribers.add(scope, params.statusPageId, body),
    (asked) => asked,
  ),
  exportSubscribers: get('/:statusPageId/subscribers/export', {
    who: admin,
    summary: 'All subscribers with their addresses in full, as CSV',
    description: 'The audit log notes each export.',
    plain: { status: 200, contentType: 'text/csv' },
  }).handledBy(async ({ scope, params }, { subscribers }): Promise<PlainAnswer> => {
    const { statusPageId } = params
    const all = await subscribers.export(scope, statusPageId)
    return {
      plain: true,
      status: 200,
      contentType: 'text/csv; charset=utf-8',
      headers: [
        ['Content-Disposition', `attachment; filename="subscribers-${statusPageId}.csv"`],
        ['Cache-Control', 'no-store'],
      ],
      body: csvOf(all),
    }
  }),
  removeSubscriber: del('/:statusPageId/subscribers/:subscriberId', {
    who: admin,
    summary: 'Delete a subscriber and everything kept of it',
    message: 'Subscriber deleted',
  }).handledBy(({ scope, params }, { subscribers }) =>
    subscribers.remove(scope, params.statusPageId, params.subscriberId),
  ),
})
