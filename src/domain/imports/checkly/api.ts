// What is asked of Checkly: its public API, with a key and the account that it is for.
//
// The lists and their pages: https://www.checklyhq.com/docs/api-reference/
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
  return {
    checks: checks.map(fieldsOf).map((one) => ({ ...one, ...detailed.get(textOf(one.id)) })),
    groups,
    alertChannels,
    privateLocations,
    maintenanceWindows,
    variables,
    unread,
    readAt: new Date(nowMs).toISOString(),
  }
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
