// What is asked of OneUptime: lists of its API, with a key of a project that may read them.
//
// The requests: Common/Server/API/BaseAPI.ts, getList; what is selected: Common/Models/DatabaseModels.
import { limits } from '../../limits/limits.ts'
import {
  beyondBound,
  type ForeignApi,
  type ForeignAsk,
  type ForeignAsks,
  fieldsOf,
  listOf,
} from '../foreign.ts'
import { pageLists } from './pages.ts'

export const oneuptimeApi: ForeignApi = {
  authorized: (key) => ({ headers: { apikey: key } }),
  asks,
}

const ofMonitor = {
  ...{ name: true, description: true, monitorType: true, monitorSteps: true, projectId: true },
  ...{ monitoringInterval: true, disableActiveMonitoring: true, minimumProbeAgreement: true },
  ...{ customFields: true, labels: { name: true }, dependsOnMonitors: { _id: true } },
} as const
const ofStatus = { name: true, isOperationalState: true, isOfflineState: true } as const
const ofTimeline = { monitorId: true, monitorStatusId: true, startsAt: true, endsAt: true } as const

/** Steps of monitors are long, and an answer has a bound. */
const monitorsOfPage = 200
const changesOfPage = 5_000
const changesMax = 20_000

function* asks(nowMs: number): ForeignAsks {
  const unread: string[] = []
  const monitors = yield* pages('monitor', ofMonitor, {
    ofPage: monitorsOfPage,
    most: limits.importMonitorsMax,
  })
  const states = yield* pages('monitor-status', ofStatus, { ofPage: monitorsOfPage, most: 1_000 })
  const timeline = yield* pages('monitor-status-timeline', ofTimeline, {
    ofPage: changesOfPage,
    most: changesMax,
    sort: { startsAt: 'DESC' },
    what: 'changes of states',
    unread,
  })
  const lists: Record<string, readonly unknown[]> = {}
  for (const [list, { what, select }] of Object.entries(pageLists)) {
    const frame = { ofPage: monitorsOfPage, most: limits.importMonitorsMax, what, unread }
    lists[list] = yield* pages(list, select, frame)
  }
  return {
    data: [...monitors, ...states],
    timeline,
    lists,
    unread,
    readAt: new Date(nowMs).toISOString(),
  }
}

interface ListFrame {
  readonly ofPage: number
  readonly most: number
  readonly sort?: object
  /** What an optional list has. */
  readonly what?: string
  readonly unread?: string[]
}

function* pages(
  list: string,
  select: object,
  { ofPage, most, sort = {}, what, unread }: ListFrame,
): Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]> {
  const items: unknown[] = []
  while (items.length < most) {
    const path = `/api/${list}/get-list?skip=${items.length}&limit=${ofPage}`
    const json = { query: {}, sort, select }
    const [answer] = yield [
      { path, json, ...(what === undefined ? {} : { isOptional: true as const, what }) },
    ]
    const found = listOf(fieldsOf(answer).data)
    items.push(...found)
    if (found.length < ofPage) return items
  }
  unread?.push(beyondBound(what ?? list, items.length))
  return items
}
