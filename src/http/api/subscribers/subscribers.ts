// The API of the subscribers of a status page: schemas and routes.
import { csvLine } from '../../../base/formats/csv.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { consentSourceCharsMax } from '../../../domain/subscribers/consented.ts'
import { subscriberKinds, subscriberStates } from '../../../domain/subscribers/subscriber.ts'
import { subscribersOfPageMax } from '../../../services/subscribers/subscriber-writer.ts'
import type {
  ExportedSubscriber,
  ListedSubscriber,
} from '../../../services/subscribers/subscribers.ts'
import { languages } from '../../../texts/languages.ts'
import { timeIn } from '../../input/times.ts'
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
  consent: s.nullable(
    s.object({
      source: s.described(s.anyText, 'Where it confirmed.'),
      confirmedAt: s.described(s.isoTime, 'When it confirmed there.'),
      importedAt: s.described(s.isoTime, 'When an import brought it here.'),
    }),
    'How it agreed elsewhere: an import brought it, and it was not asked here. null: it was asked.',
  ),
  createdAt: s.isoTime,
})

const admin = { role: 'admin' } as const

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

/** What became of subscribers that came along. */
export const subscribersImported = {
  added: s.described(s.anyNumber, 'Who came along, confirmed.'),
  known: s.described(s.anyNumber, 'Who is on the list already.'),
  ended: s.described(
    s.anyNumber,
    'Who stayed away: the subscription ended here after it was confirmed elsewhere.',
  ),
  leftOut: s.described(
    s.anyNumber,
    'Who was left out: not confirmed there, or with a field that breaks a rule.',
  ),
}

const AskedOut = s.object({
  asked: s.described(
    s.anyNumber,
    'How many were asked: those that are not subscribed yet, and were not asked too often lately.',
  ),
})

/** What a status page of an import document may carry; each is read by itself. */
export const carriedSubscribers = s.optional(
  s.listOf(
    s.object({
      kind: s.preset(kind, 'email'),
      address: s.text({
        charsMin: 1,
        charsMax: limits.urlCharsMax,
        description:
          'The e-mail address; the URL of a webhook, or of an incoming webhook of Slack.',
      }),
      sectionNames: s.optional(sectionNames),
      language: s.optional(s.oneOf(languages), 'Absent: that of the page.'),
      consent: s.described(
        s.object({
          source: s.text({
            charsMin: 1,
            charsMax: consentSourceCharsMax,
            description: 'Where it confirmed, as somebody who wonders is told.',
          }),
          confirmedAt: s.described(timeIn, 'When it confirmed there.'),
        }),
        'How it agreed, without which it is refused.',
      ),
    }),
    subscribersOfPageMax,
  ),
  'Subscribers who confirmed elsewhere. They are not asked again; only in what is imported.',
)

const tableCharsMax = 2 * 1024 * 1024

const TableIn = s.object({
  csv: s.text({
    charsMin: 1,
    charsMax: tableCharsMax,
    description:
      'A table with the names of its columns in the first row: `email` (or `address`), `confirmedAt`, `source`, ' +
      'and, if they are there, `page` (the id, slug or name of a status page), `kind`, `sections` (separated by ' +
      'semicolons), `language` and `state`: rows of another state than `active` are left out. The columns of ' +
      '`GET …/subscribers/export` are among them.',
  }),
  consent: s.optional(
    s.text({
      charsMin: 1,
      charsMax: consentSourceCharsMax,
      description:
        'Where those confirmed whose row has no `source`, such as `the form of our shop`.',
    }),
  ),
  statusPageId: s.optional(s.idOf('page'), 'The page of rows that name none.'),
})

const ImportedTableOut = s.object(subscribersImported)

const importing = {
  who: admin,
  rate: 'bulk',
  body: TableIn,
  bodyBytesMax: 2 * tableCharsMax,
  deadlineMs: limits.importMsMax,
  out: ImportedTableOut,
  example: {
    csv: 'email,confirmedAt,source,page\ngrace@example.com,2025-03-01T09:30:00Z,status.example.com,acme\n',
  },
} as const

function toWire(subscriber: ListedSubscriber) {
  const { id, pageId, state, isSilent, language, askedAtMs, confirmedAtMs, consent, createdAtMs } =
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
    consent: consent && {
      source: consent.source,
      confirmedAt: s.toIso(consent.confirmedAtMs),
      importedAt: s.toIso(consent.importedAtMs),
    },
    createdAt: s.toIso(createdAtMs),
  }
}

function csvOf(subscribers: readonly ExportedSubscriber[]): string {
  const lines = subscribers.map((one) =>
    csvLine([
      ...[one.id, one.kind, one.address, one.state, one.language, one.sectionNames.join('; ')],
      one.confirmedAtMs === null ? null : s.toIso(one.confirmedAtMs),
      s.toIso(one.createdAtMs),
      one.consent?.source ?? null,
    ]),
  )
  const columns = ['id', 'kind', 'address', 'state', 'language', 'sections']
  return csvLine([...columns, 'confirmedAt', 'createdAt', 'source']) + lines.join('')
}

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

export const subscriberImports = resource('/orgs/:orgId/subscribers', {
  about: 'Subscribers who confirmed elsewhere.',
  import: post('/import', {
    ...importing,
    summary: 'Bring subscribers who confirmed elsewhere, from a table in CSV',
    description:
      'They are not asked again: whoever sends this answers for the consent of each, which is kept and told in ' +
      'every letter. All come, or none if a row is refused. Who is subscribed already stays as it is; who left the ' +
      'page here after the time in `confirmedAt` stays away. The operator may forbid it ' +
      '(`pages.importSubscribers`). The audit log notes how many came, and from where.',
    message: 'Subscribers imported',
  }).handledBy(({ scope, body }, { subscriberImports }) =>
    subscriberImports.importTable(scope, body),
  ),
  tryImport: post('/import/trial', {
    ...importing,
    summary: 'Say what an import of subscribers would do, or what is wrong, without doing it',
  }).handledBy(({ scope, body }, { subscriberImports }) => subscriberImports.tryTable(scope, body)),
})
