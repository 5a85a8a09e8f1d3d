// What is asked of Checkly: its public API, with a key and the account that it is for.
//
// The lists and their pages: https://www.checklyhq.com/docs/api-reference/
import { limits } from '../../limits/limits.ts'
import {
  beyondBound,
  type ForeignApi,
  type ForeignAsk,
  type ForeignAsks,
  type ForeignFields,
  fieldsOf,
  listOf,
  optionalAsk,
  textOf,
} from '../foreign.ts'
import { historyMs } from './past.ts'

export const checklyApi: ForeignApi = { authorized, asks }

/** The key is `<account>:<key>`; without an account, that of the key. */
function authorized(key: string) {
  const [, account, secret] = /^([0-9a-f-]{36}):(.+)$/i.exec(key) ?? []
  return {
    headers: {
      authorization: `Bearer ${secret ?? key}`,
      ...(account === undefined ? {} : { 'x-checkly-account': account }),
    },
  }
}

const pageItems = 100

function* asks(nowMs: number): ForeignAsks {
  const unread: string[] = []
  const checks = yield* pages('checks', { unread, isNeeded: true })
  const lists = ['check-groups', 'alert-channels', 'private-locations', 'maintenance-windows']
  const found: unknown[][] = []
  for (const list of [...lists, 'variables']) found.push([...(yield* pages(list, { unread }))])
  const [groups, alertChannels, privateLocations, maintenanceWindows, variables] = found
  // The list may leave out what a check looks at.
  const bare = checks
    .map(fieldsOf)
    .filter(isBare)
    .map(({ id }) => textOf(id))
  const ids = bare.filter((id) => /^[0-9a-f-]{36}$/i.test(id))
  const details = yield ids.map((id) => optionalAsk(`/v1/checks/${id}`, 'settings of checks'))
  const detailed = new Map(ids.map((id, index) => [id, fieldsOf(details[index])]))
  const whole = checks.map(fieldsOf).map((one) => ({ ...one, ...detailed.get(textOf(one.id)) }))
  const results = yield* failures(whole, nowMs, unread)
  return {
    checks: whole,
    results,
    groups,
    alertChannels,
    privateLocations,
    maintenanceWindows,
    variables,
    unread,
    readAt: new Date(nowMs).toISOString(),
  }
}

/** Pages of results of one check. */
const resultPagesMax = 5

/** The results that failed, by the ids of checks; absent: they could not be read. */
function* failures(
  checks: readonly ForeignFields[],
  nowMs: number,
  unread: string[],
): Generator<
  readonly ForeignAsk[],
  Readonly<Record<string, readonly unknown[]>>,
  readonly unknown[]
> {
  // A heartbeat has no results.
  const watched = checks.filter(({ heartbeat, activated }) => !heartbeat && activated !== false)
  const ids = watched.map(({ id }) => textOf(id)).filter((id) => /^[0-9a-f-]{36}$/i.test(id))
  const from = Math.floor((nowMs - historyMs) / 1_000)
  const to = Math.floor(nowMs / 1_000)
  const query = `limit=${pageItems}&resultType=FINAL&hasFailures=true&from=${from}&to=${to}`
  const fields = 'fields=id,startedAt,hasFailures,isCancelled'
  const results = new Map<string, unknown[]>()
  let asked = ids.map((id) => ({ id, path: `/v2/check-results/${id}?${query}&${fields}` }))
  for (let page = 0; asked.length > 0; page += 1) {
    if (page >= resultPagesMax) {
      unread.push(beyondBound('failed results of a check', page * pageItems))
      break
    }
    const answers = yield asked.map(({ path }) => optionalAsk(path, 'results of checks'))
    asked = asked.flatMap(({ id, path }, index) => {
      const { entries, nextId } = fieldsOf(answers[index])
      if (!Array.isArray(entries)) return []
      results.set(id, [...(results.get(id) ?? []), ...entries])
      const next = textOf(nextId)
      if (next === '' || entries.length === 0) return []
      const first = path.replace(/&nextId=.*$/, '')
      return { id, path: `${first}&nextId=${encodeURIComponent(next)}` }
    })
  }
  return Object.fromEntries(results)
}

function isBare({ request, heartbeat, script }: Readonly<Record<string, unknown>>): boolean {
  return !request && !heartbeat && !script
}

function* pages(
  list: string,
  { unread, isNeeded }: { readonly unread: string[]; readonly isNeeded?: true },
): Generator<readonly ForeignAsk[], readonly unknown[], readonly unknown[]> {
  const items: unknown[] = []
  for (let page = 1; ; page += 1) {
    const path = `/v1/${list}?limit=${pageItems}&page=${page}`
    const what = list.replaceAll('-', ' ')
    const [answer] = yield [isNeeded ? { path } : optionalAsk(path, what)]
    const found = listOf(answer)
    items.push(...found)
    if (found.length < pageItems) return items
    if (items.length > limits.importMonitorsMax) {
      unread.push(beyondBound(what, items.length))
      return items
    }
  }
}
