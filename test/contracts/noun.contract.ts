// What every noun promises that an organization owns and makes by a request: over the API, as its users
// meet it. Routes, bodies and names follow from the declarations; a new noun is tried without a line here.
import type { Test } from 'tap'
import { required } from '../../src/base/assert.ts'
import { type NounName, nouns, quotaNouns } from '../../src/base/nouns.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { type Owner, register } from '../support/cast.ts'
import type { Daemon } from '../support/daemon.ts'
import { routeTable } from '../support/route-table.ts'

/** The quota of each organization of the contract. */
const quota = 3

export const contractEnv: Readonly<Record<string, string>> = Object.fromEntries(
  quotaNouns.map((noun) => [`QUOTAS_${noun.toUpperCase()}`, String(quota)]),
)

/** A noun with its routes. */
export interface RoutedNoun {
  readonly noun: NounName
  readonly create: Route
  readonly get: Route | undefined
  readonly change: Route | undefined
  readonly end: Route
}

/** The nouns with a quota, ids of their own, and routes that make and end one. */
export const routedNouns: readonly RoutedNoun[] = quotaNouns.flatMap((noun) => {
  const { kind } = nouns[noun]
  const capital = kind.charAt(0).toUpperCase() + kind.slice(1)
  // A passkey is no key.
  const param = new RegExp(`^(.*)/:(?:${kind}|\\w+${capital})Id$`)
  const own = apiRoutes.filter(({ path }) => param.test(path))
  const end = own.find(({ method }) => method === 'DELETE')
  const collection = end && param.exec(end.path)?.[1]
  const create = apiRoutes.find(
    ({ path, name }) => path === collection && /\.create(?:[A-Z]\w*)?$/.test(name),
  )
  if (!end || !create) return []
  const get = own.find(({ method }) => method === 'GET')
  return [{ noun, create, get, change: own.find(({ method }) => method === 'PATCH'), end }]
})

/** What a noun is asked for besides. */
export interface NounOptions {
  /** A body that is more than the least. */
  readonly body?: (number: number, pageId: string) => object
  /** The route that makes what it is a part of. */
  readonly parent?: string
  /** A filter of the list that no record fits. */
  readonly filter?: string
  /** Its end compares no revision: what is to stop at once is not kept by a change of its name. */
  readonly endsUnasked?: true
}

interface Entry {
  readonly action: string
  readonly objectId: string
  readonly fields: readonly string[]
}

const stale = { 'if-match': '"99-stale"' }

/** An organization with as many records as it may have, the newest first. */
export interface KeptRecords {
  readonly owner: Owner
  readonly list: string
  readonly ids: readonly string[]
}

export async function nounContract(
  t: Test,
  { daemon, foreign }: { readonly daemon: Daemon; readonly foreign: Owner },
  { noun, create, get, change, end }: RoutedNoun,
  { body, filter, parent, endsUnasked }: NounOptions = {},
): Promise<KeptRecords> {
  const { kind, title } = nouns[noun]
  const owner = await register(daemon, noun)
  const { cookie } = owner
  const parentId = parent === undefined ? '' : await makeParent(daemon, owner, parent)
  const listIn = ({ org }: Owner) =>
    create.path.replace('/api/v1/orgs/:orgId', org).replace(/:\w+Id/, parentId)
  const list = listIn(owner)
  const pageId = noun === 'domains' ? await makePage(daemon, owner) : ''
  let made = 0
  const add = () => {
    made += 1
    const json = body?.(made, pageId) ?? bodyOf(create, made)
    return daemon.ask('POST', `/api/v1${list}`, { cookie, json })
  }
  const ask = (method: string, id: string, options = {}) =>
    daemon.ask(method, `/api/v1${list}/${id}`, { cookie, ...options })

  const ids: string[] = []
  for (let count = 1; count <= quota; count += 1) {
    const { status, json } = await add()
    t.equal(status, 200, `record ${count} is within the quota`)
    ids.unshift(json.data.id)
  }
  const detail = `This organization may have at most ${quota} ${title}.`
  t.match((await add()).json, { status: 409, detail })
  const [newest = '', second = '', oldest = ''] = ids

  const first = await daemon.ask('GET', `/api/v1${list}?limit=2`, { cookie })
  t.match(first.json.data, [{ id: newest }, { id: second }], 'a list begins with the newest')
  const cursor = encodeURIComponent(first.json.meta.nextCursor)
  const rest = await daemon.need('GET', `${list}?limit=2&cursor=${cursor}`, { cookie })
  t.same(
    rest.map(({ id }: { id: string }) => id),
    [oldest],
    'and goes on after its cursor',
  )
  if (filter !== undefined) t.same(await daemon.need('GET', `${list}?${filter}`, { cookie }), [])

  const theirs = `/api/v1${listIn(foreign)}/${newest}`
  for (const route of [get, change, end]) {
    if (!route) continue
    const json = route === change ? { json: bodyOf(change, made) } : {}
    const { status } = await daemon.ask(route.method, theirs, { cookie: foreign.cookie, ...json })
    t.equal(status, 404, `${route.name} by another organization`)
  }

  if (get) t.match((await ask('GET', newest)).json.data, { id: newest })
  if (change) await changesAtRevision(t, bodyOf(change, made), (more) => ask('PATCH', newest, more))
  if (!endsUnasked) {
    const refused = await ask('DELETE', newest, { headers: stale })
    t.equal(refused.status, 412, 'another revision is not ended')
  }
  t.equal((await ask('DELETE', newest)).status, 200)
  t.equal((await ask('DELETE', newest)).status, 404, 'it is gone')

  const log: Entry[] = await daemon.need('GET', `${owner.org}/audit-log?limit=100`, { cookie })
  const noted = log.filter(({ objectId }) => objectId === newest).toReversed()
  const changed = change ? [`${kind}.changed`, ...Object.keys(bodyOf(change, made))] : []
  const ending = end.name.endsWith('.revoke') ? 'revoked' : 'deleted'
  t.same(noted.at(0)?.action, `${kind}.created`)
  if (change) t.same([noted[1]?.action, ...(noted[1]?.fields ?? [])], changed)
  t.same(noted.at(-1)?.action, `${kind}.${ending}`)

  const again = await add()
  t.equal(again.status, 200, 'and leaves room')
  return { owner, list, ids: [again.json.data.id, second, oldest] }
}

/** Each change makes another revision, and one that is based on a former revision is refused. */
async function changesAtRevision(
  t: Test,
  json: object,
  patch: (more: object) => ReturnType<Daemon['ask']>,
): Promise<void> {
  t.equal((await patch({ json, headers: stale })).status, 412)
  const { status, headers } = await patch({ json })
  t.equal(status, 200)
  const current = { 'if-match': headers.get('etag') ?? '' }
  t.equal((await patch({ json, headers: current })).status, 200)
  t.equal((await patch({ json, headers: current })).status, 412)
}

/** A document brings the same records to another organization, under other ids. */
export async function exportContract(
  t: Test,
  daemon: Daemon,
  name: string,
  { from, to }: { readonly from: Owner; readonly to: Owner },
): Promise<void> {
  const exported = async ({ org, cookie }: Owner) => {
    const { json } = await daemon.ask('GET', `/api/v1${org}/export`, { cookie })
    return json.data
  }
  const document = await exported(from)
  t.equal(document[name].length, quota, 'an export has all of them')
  // Only one page of the service can have a slug.
  const sent = document[name].map(({ slug: _taken, ...item }: { slug?: string }) => item)
  const json = { format: document.format, [name]: sent }
  const imported = await daemon.need('POST', `${to.org}/import`, { cookie: to.cookie, json })
  t.equal(imported[name], quota)
  const items = (of: Record<string, object[]>) =>
    of[name]?.map((item) => ({ ...item, id: '', slug: '' }))
  t.same(items(await exported(to)), items(document))
}

/** A damaged record is shown as one, hides no other, and can be ended. */
export async function damageContract(
  t: Test,
  daemon: Daemon,
  { get }: RoutedNoun,
  { owner, list, ids }: KeptRecords,
): Promise<void> {
  const { cookie } = owner
  const [damaged = '', ...others] = ids
  const listed = await daemon.need('GET', list, { cookie })
  t.same(
    listed.map(({ id }: { id: string }) => id),
    others,
    'a list leaves it out',
  )
  const path = `/api/v1${list}/${damaged}`
  if (get) {
    const { json } = await daemon.ask('GET', path, { cookie })
    t.match(json, { status: 500, code: 'damaged_record' })
  }
  t.equal((await daemon.ask('DELETE', path, { cookie })).status, 200, 'it can be deleted')
  t.equal((await daemon.need('GET', list, { cookie })).length, others.length)
}

function bodyOf({ name }: Route, number: number): object {
  return routeTable[name]?.body?.({ n: number, memberId: '' }) ?? {}
}

async function makeParent(daemon: Daemon, { org, cookie }: Owner, name: string): Promise<string> {
  const route = required(
    apiRoutes.find((one) => one.name === name),
    name,
  )
  const path = route.path.replace('/api/v1/orgs/:orgId', org)
  return (await daemon.need('POST', path, { cookie, json: bodyOf(route, 1) })).id
}

async function makePage(daemon: Daemon, { org, cookie }: Owner): Promise<string> {
  const json = { name: 'One', slug: 'of-domains' }
  return (await daemon.need('POST', `${org}/status-pages`, { cookie, json })).id
}
