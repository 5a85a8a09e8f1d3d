// What is asked of Statuspage: version 1 of its Manage API, page after page of each list.
//
// The lists and their pages: https://developer.statuspage.io/ ; a key is answered once a second on average.
import {
  beyondBound,
  type ForeignApi,
  type ForeignAsk,
  type ForeignAsks,
  fieldsOf,
  listOf,
  optionalAsk,
  textOf,
} from '../foreign.ts'

export const statuspageApi: ForeignApi = {
  authorized: (key) => ({ headers: { authorization: `OAuth ${key}` } }),
  asks,
}

/** The most that an answer has. */
const perPage = 100
/** Status pages of one account, and pages of each list of theirs. */
const statusPagesMax = 50
const listPagesMax = 100
/** Incidents are told newest first. */
const incidentPagesMax = 10

type Answers = Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]>

function* asks(nowMs: number): ForeignAsks {
  const [pages] = yield [{ path: '/v1/pages' }]
  const statusPages: unknown[] = []
  const unread: string[] = []
  for (const page of listOf(pages).slice(0, statusPagesMax)) {
    const id = textOf(fieldsOf(page).id)
    if (!/^[a-z0-9]{1,40}$/i.test(id)) continue
    const root = `/v1/pages/${id}`
    // Only those who confirmed: the state `active`. Numbers of telephones are left there.
    const emails = `${root}/subscribers?type=email&state=active&limit=${perPage}`
    const of = (what: string, pagesMax = listPagesMax, first = 1) => ({
      ...{ what, pagesMax, first, unread },
    })
    const components = yield* list(`${root}/components?per_page=${perPage}`, of('components'))
    const groups = yield* list(`${root}/component-groups?per_page=${perPage}`, of('groups'))
    const incidents = yield* list(
      `${root}/incidents?limit=${perPage}`,
      of('incidents', incidentPagesMax),
    )
    const subscribers = yield* list(emails, of('subscribers', listPagesMax, 0))
    const [counts, metrics, templates, accessGroups] = yield [
      optionalAsk(`${root}/subscribers/histogram_by_state`, 'how many subscribers there are'),
      optionalAsk(`${root}/metrics?per_page=${perPage}`, 'metrics'),
      optionalAsk(`${root}/incident_templates?per_page=${perPage}`, 'templates of incidents'),
      optionalAsk(`${root}/page_access_groups?per_page=1`, 'groups of readers'),
    ]
    const lists = { components, groups, incidents, subscribers, metrics, templates, accessGroups }
    statusPages.push({ page, ...lists, counts })
  }
  return { statusPages, unread, readAt: new Date(nowMs).toISOString() }
}

interface ListOfPage {
  readonly what: string
  readonly first: number
  readonly pagesMax: number
  readonly unread: string[]
}

function* list(path: string, { what, first, pagesMax, unread }: ListOfPage): Answers {
  const items: unknown[] = []
  for (let page = first; page < first + pagesMax; page += 1) {
    const [answer] = yield [optionalAsk(`${path}&page=${page}`, what)]
    const some = listOf(answer)
    items.push(...some)
    if (some.length < perPage) return items
  }
  unread.push(beyondBound(what, items.length))
  return items
}
