// What is asked of Statuspage: version 1 of its Manage API, page after page of each list.
//
// The lists and their pages: https://developer.statuspage.io/ ; a key is answered once a second on average.
import {
  type ForeignApi,
  type ForeignAsk,
  type ForeignAsks,
  fieldsOf,
  listOf,
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
  for (const page of listOf(pages).slice(0, statusPagesMax)) {
    const id = textOf(fieldsOf(page).id)
    if (!/^[a-z0-9]{1,40}$/i.test(id)) continue
    const root = `/v1/pages/${id}`
    // Only those who confirmed: the state `active`. Numbers of telephones are left there.
    const emails = `${root}/subscribers?type=email&state=active&limit=${perPage}`
    const components = yield* list(`${root}/components?per_page=${perPage}`, 1, listPagesMax)
    const groups = yield* list(`${root}/component-groups?per_page=${perPage}`, 1, listPagesMax)
    const incidents = yield* list(`${root}/incidents?limit=${perPage}`, 1, incidentPagesMax)
    const subscribers = yield* list(emails, 0, listPagesMax)
    const [counts, metrics, templates, accessGroups] = yield [
      optional(`${root}/subscribers/histogram_by_state`),
      optional(`${root}/metrics?per_page=${perPage}`),
      optional(`${root}/incident_templates?per_page=${perPage}`),
      optional(`${root}/page_access_groups?per_page=1`),
    ]
    const lists = { components, groups, incidents, subscribers, metrics, templates, accessGroups }
    statusPages.push({ page, ...lists, counts })
  }
  return { statusPages, readAt: new Date(nowMs).toISOString() }
}

function* list(path: string, first: number, pagesMax: number): Answers {
  const items: unknown[] = []
  for (let page = first; page < first + pagesMax; page += 1) {
    const [answer] = yield [optional(`${path}&page=${page}`)]
    const some = listOf(answer)
    items.push(...some)
    if (some.length < perPage) break
  }
  return items
}

const optional = (path: string): ForeignAsk => ({ path, isOptional: true })
