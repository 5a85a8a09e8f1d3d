// What is asked of Better Stack: its Uptime API, page after page.
//
// The lists and their pages: https://betterstack.com/docs/uptime/api/getting-started-with-uptime-api/ ; integrations and
// severities also: https://registry.terraform.io/providers/BetterStackHQ/better-uptime/latest/docs
import { limits } from '../../limits/limits.ts'
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
import { historyMs } from './past.ts'

export const betterstackApi: ForeignApi = {
  authorized: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  asks,
}

/** Lists with the type of their items, and what is in them. */
const lists = [
  ['/api/v2/monitor-groups', 'monitor_group', 'groups of monitors'],
  ['/api/v2/heartbeat-groups', 'heartbeat_group', 'groups of heartbeats'],
  ['/api/v2/status-pages', 'status_page', 'status pages'],
  ['/api/v3/policies', 'policy', 'escalation policies'],
  ['/api/v2/urgencies', 'urgency', 'severities'],
  ['/api/v2/on-calls', 'on_call_calendar', 'on-call calendars'],
  ['/api/v2/outgoing-webhooks', 'outgoing_webhook', 'outgoing webhooks'],
  ['/api/v2/pager-duty-webhooks', 'pager_duty_webhook', 'integrations of PagerDuty'],
  ['/api/v2/splunk-on-calls', 'splunk_on_call', 'integrations of Splunk On-Call'],
  ['/api/v2/slack-integrations', 'slack_integration', 'integrations of Slack'],
] as const

const incidentsMax = 5_000

function* asks(nowMs: number): ForeignAsks {
  const unread: string[] = []
  const all = { most: limits.importMonitorsMax, unread }
  const monitors = { what: 'monitors', isNeeded: true as const, ...all }
  const data = [...(yield* pages('/api/v2/monitors?per_page=50', monitors))]
  const heartbeats = { what: 'heartbeats', ...all }
  data.push(...(yield* pages('/api/v2/heartbeats?per_page=50', heartbeats)))
  for (const [path, type, what] of lists) {
    data.push(...(yield* pages(`${path}?per_page=50`, { what, type, ...all })))
  }
  const ofType = (wanted: string) =>
    data
      .map(fieldsOf)
      .filter(({ type }) => type === wanted)
      .map(({ id }) => textOf(id))
      .filter((id) => /^\d{1,20}$/.test(id))
  for (const page of ofType('status_page')) {
    for (const list of ['sections', 'resources', 'subscribers']) {
      const path = `/api/v2/status-pages/${page}/${list}?per_page=50`
      const items = yield* pages(path, { what: `${list} of status pages`, ...all })
      data.push(...items.map((item) => ({ ...fieldsOf(item), statusPageId: page })))
    }
  }
  const calendars = ofType('on_call_calendar')
  // A calendar without a rotation has no answer here.
  const found = yield calendars.map((id) => ({
    path: `/api/v2/on-calls/${id}/rotation`,
    isOptional: true as const,
  }))
  const rotations = Object.fromEntries(calendars.map((id, index) => [id, found[index]]))
  const since = new Date(nowMs - historyMs).toISOString().slice(0, 10)
  const readAt = new Date(nowMs).toISOString()
  const incidents = { what: 'incidents', type: 'incident', most: incidentsMax, unread }
  const span = `from=${since}&to=${readAt.slice(0, 10)}`
  data.push(...(yield* pages(`/api/v3/incidents?per_page=50&${span}`, incidents)))
  return { data, rotations, unread, readAt }
}

interface StackList {
  readonly what: string
  readonly most: number
  readonly unread: string[]
  readonly isNeeded?: true
  /** What the converter knows its items by; absent: what they say. */
  readonly type?: string
}

function* pages(
  first: string,
  { what, most, unread, isNeeded, type }: StackList,
): Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]> {
  const items: unknown[] = []
  let path = first
  while (path !== '') {
    const [answer] = yield [isNeeded ? { path } : optionalAsk(path, what)]
    const { data, pagination, included } = fieldsOf(answer)
    const found = listOf(data)
    const people = listOf(included).map(fieldsOf)
    const typed = found.map((item) => (type === undefined ? item : { ...fieldsOf(item), type }))
    items.push(...typed, ...people.filter((one) => /^(on_call_)?user$/.test(textOf(one.type))))
    // A page without items leads nowhere.
    path = found.length === 0 ? '' : textOf(fieldsOf(pagination).next)
    if (path !== '' && items.length > most) {
      unread.push(beyondBound(what, items.length))
      return items
    }
  }
  return items
}
