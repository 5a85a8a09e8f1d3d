// What is asked of UptimeRobot: version 3 of its API, with a key that may only read.
//
// The lists and their pages: https://uptimerobot.com/api/v3/
import { limits } from '../../limits/limits.ts'
import {
  type ForeignApi,
  type ForeignAsk,
  type ForeignAsks,
  fieldsOf,
  listOf,
  textOf,
} from '../foreign.ts'
import { historyMs } from './uptimerobot-v3.ts'

export const uptimerobotApi: ForeignApi = {
  authorized: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  asks,
}

const incidentsMax = 20_000

function* asks(nowMs: number): ForeignAsks {
  const monitors = yield* pages('/v3/monitors?limit=200', limits.importMonitorsMax, false)
  // With the personal contacts of all people of the account.
  const integrations = yield* pages('/v3/integrations?includeOrgMembers=true')
  const maintenanceWindows = yield* pages('/v3/maintenance-windows?')
  const psps = yield* pages('/v3/psps?')
  const monitorGroups = yield* pages('/v3/monitor-groups?')
  const since = new Date(nowMs - historyMs).toISOString()
  const incidents = yield* pages(`/v3/incidents?started_after=${since}`, incidentsMax)
  const readAt = new Date(nowMs).toISOString()
  return { monitors, integrations, maintenanceWindows, psps, monitorGroups, incidents, readAt }
}

function* pages(
  first: string,
  itemsMax: number = limits.importMonitorsMax,
  isOptional = true,
): Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]> {
  const items: unknown[] = []
  let path = first
  for (;;) {
    const [answer] = yield [{ path, ...(isOptional ? { isOptional: true as const } : {}) }]
    const { data, nextLink } = fieldsOf(answer)
    const found = listOf(data)
    items.push(...found)
    const cursor = URL.parse(textOf(nextLink))?.searchParams.get('cursor') ?? ''
    if (found.length === 0 || !/^\d{1,30}$/.test(cursor) || items.length > itemsMax) return items
    path = `${first}${first.endsWith('?') ? '' : '&'}cursor=${cursor}`
  }
}
