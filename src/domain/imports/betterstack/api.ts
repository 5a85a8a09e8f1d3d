// What is asked of Better Stack: its Uptime API, page after page.
//
// The lists and their pages: https://betterstack.com/docs/uptime/api/getting-started-with-uptime-api/
import { limits } from '../../limits/limits.ts'
import {
  type ForeignApi,
  type ForeignAsk,
  type ForeignAsks,
  fieldsOf,
  listOf,
  textOf,
} from '../foreign.ts'

export const betterstackApi: ForeignApi = {
  authorized: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  asks,
}

const lists = [
  'monitors',
  'heartbeats',
  'monitor-groups',
  'heartbeat-groups',
  'status-pages',
] as const

function* asks(): ForeignAsks {
  const data: unknown[] = []
  for (const list of lists) {
    const isOptional = list !== 'monitors'
    data.push(...(yield* pages(`/api/v2/${list}?per_page=50`, isOptional)))
  }
  const shown = data.map(fieldsOf).filter(({ type }) => type === 'status_page')
  for (const { id } of shown) {
    const page = textOf(id)
    if (!/^\d{1,20}$/.test(page)) continue
    for (const list of ['sections', 'resources', 'subscribers']) {
      const items = yield* pages(`/api/v2/status-pages/${page}/${list}?per_page=50`, true)
      data.push(...items.map((item) => ({ ...fieldsOf(item), statusPageId: page })))
    }
  }
  return { data }
}

function* pages(
  first: string,
  isOptional: boolean,
): Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]> {
  const items: unknown[] = []
  let path = first
  while (path !== '' && items.length <= limits.importMonitorsMax) {
    const [answer] = yield [{ path, ...(isOptional ? { isOptional: true as const } : {}) }]
    const { data, pagination } = fieldsOf(answer)
    const found = listOf(data)
    items.push(...found)
    // A page without items leads nowhere.
    path = found.length === 0 ? '' : textOf(fieldsOf(pagination).next)
  }
  return items
}
