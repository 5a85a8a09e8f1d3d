// What is asked of UptimeRobot: version 3 of its API, with a key that may only read.
//
// The lists and their pages: https://uptimerobot.com/api/v3/
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
import { historyMs } from './uptimerobot-v3.ts'

export const uptimerobotApi: ForeignApi = {
  authorized: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  asks,
}

const incidentsMax = 20_000

function* asks(nowMs: number): ForeignAsks {
  const unread: string[] = []
  const of = (what: string, most: number = limits.importMonitorsMax) => ({ what, most, unread })
  const monitors = yield* pages('/v3/monitors?limit=200', { ...of('monitors'), isNeeded: true })
  // With the personal contacts of all people of the account.
  const integrations = yield* pages('/v3/integrations?includeOrgMembers=true', of('contacts'))
  const maintenanceWindows = yield* pages('/v3/maintenance-windows?', of('maintenance windows'))
  const psps = yield* pages('/v3/psps?', of('status pages'))
  const monitorGroups = yield* pages('/v3/monitor-groups?', of('groups'))
  const since = new Date(nowMs - historyMs).toISOString()
  const incidents = yield* pages(
    `/v3/incidents?started_after=${since}`,
    of('incidents', incidentsMax),
  )
  const readAt = new Date(nowMs).toISOString()
  const lists = { monitors, integrations, maintenanceWindows, psps, monitorGroups, incidents }
  return { ...lists, unread, readAt }
}

interface RobotPages {
  readonly what: string
  readonly most: number
  readonly unread: string[]
  readonly isNeeded?: true
}

function* pages(
  first: string,
  { what, most, unread, isNeeded }: RobotPages,
): Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]> {
  const items: unknown[] = []
  let path = first
  for (;;) {
    const [answer] = yield [isNeeded ? { path } : optionalAsk(path, what)]
    const { data, nextLink } = fieldsOf(answer)
    const found = listOf(data)
    items.push(...found)
    const cursor = URL.parse(textOf(nextLink))?.searchParams.get('cursor') ?? ''
    if (found.length === 0 || !/^\d{1,30}$/.test(cursor)) return items
    if (items.length > most) {
      unread.push(beyondBound(what, items.length))
      return items
    }
    path = `${first}${first.endsWith('?') ? '' : '&'}cursor=${cursor}`
  }
}
