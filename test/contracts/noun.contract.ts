// What every noun promises that an organization owns: over the API, as its users meet it.
import type { Test } from 'tap'
import { nouns, type QuotaNoun } from '../../src/base/nouns.ts'
import { type Owner, register } from '../support/cast.ts'
import type { Daemon } from '../support/daemon.ts'

/** The quota of each organization of the contract. */
export const contractQuota = 3

export interface NounCase {
  readonly noun: QuotaNoun
  /** Its list, below the organization. */
  readonly path: string
  /** The least body, with a number of its own; `pageId` is a status page of the organization. */
  readonly body: (number: number, pageId: string) => object
  /** Changes, and the names of the fields that the audit log has of them. Absent: it has none. */
  readonly change?: readonly [changes: object, ...fields: string[]]
  /** A filter of the list that no record fits. */
  readonly filter?: string
  /** What the audit log calls its end; default: deleted. */
  readonly ending?: string
  /** Its answers have no ETag, and no record is asked for alone. */
  readonly isListOnly?: true
  /** Its deletion compares no revision. */
  readonly endsUnasked?: true
}

interface Entry {
  readonly action: string
  readonly objectId: string
  readonly fields: readonly string[]
}

const stale = { 'if-match': '"99-stale"' }

interface Cast {
  readonly daemon: Daemon
  readonly foreign: Owner
}

/** Leaves `contractQuota` records, and returns where they are. */
export async function nounContract(t: Test, { daemon, foreign }: Cast, one: NounCase) {
  const { noun, path, body, change, filter, ending = 'deleted' } = one
  const { kind, title } = nouns[noun]
  const owner = await register(daemon, noun)
  const { cookie } = owner
  const { id: pageId } = await daemon.need('POST', `${owner.org}/status-pages`, {
    cookie,
    json: { name: 'For others', slug: `for-${noun}` },
  })
  // The page is no part of the contract of pages.
  if (noun === 'pages') {
    await daemon.need('DELETE', `${owner.org}/status-pages/${pageId}`, { cookie })
  }
  const list = `${owner.org}/${path}`
  let made = 0
  const create = () => {
    made += 1
    return daemon.ask('POST', `/api/v1${list}`, { cookie, json: body(made, pageId) })
  }
  const ids: string[] = []
  for (let count = 0; count < contractQuota; count += 1) {
    const { status, json } = await create()
    t.equal(status, 200, `record ${count + 1} is within the quota`)
    ids.unshift(json.data.id)
  }
  const [newest = '', second = '', oldest = ''] = ids
  const at = (id: string) => `${list}/${id}`
  const ask = (method: string, id: string, options = {}) =>
    daemon.ask(method, `/api/v1${at(id)}`, { cookie, ...options })
  const entries = async (id: string): Promise<[string, ...string[]][]> => {
    const log: Entry[] = await daemon.need('GET', `${owner.org}/audit-log?limit=100`, { cookie })
    return log
      .filter(({ objectId }) => objectId === id)
      .map(({ action, fields }) => [action, ...fields])
  }

  t.match((await create()).json, {
    status: 409,
    detail: `This organization may have at most ${contractQuota} ${title}.`,
  })

  const first = await daemon.ask('GET', `/api/v1${list}?limit=2`, { cookie })
  t.match(first.json.data, [{ id: newest }, { id: second }], 'a list begins with the newest')
  const cursor = encodeURIComponent(first.json.meta?.nextCursor ?? '')
  const rest = await daemon.need('GET', `${list}?limit=2&cursor=${cursor}`, { cookie })
  t.match(rest, [{ id: oldest }], 'and goes on after its cursor')
  t.equal(rest.length, 1)
  if (filter !== undefined) t.same(await daemon.need('GET', `${list}?${filter}`, { cookie }), [])

  const stranger = { cookie: foreign.cookie }
  const theirs = (method: string, id: string) =>
    daemon.ask(method, `/api/v1${foreign.org}/${path}/${id}`, {
      ...stranger,
      ...(method === 'PATCH' ? { json: change?.[0] ?? {} } : {}),
    })
  const verbs = ['DELETE', ...(one.isListOnly ? [] : ['GET']), ...(change ? ['PATCH'] : [])]
  for (const method of verbs) {
    t.equal((await theirs(method, newest)).status, 404, `${method} by another organization`)
  }

  if (!one.isListOnly) {
    t.match((await ask('GET', newest)).json.data, { id: newest })
  }
  if (change) {
    const [json, ...fields] = change
    const refused = await ask('PATCH', newest, { json, headers: stale })
    t.equal(refused.status, 412, 'another revision is not changed')
    const { status, headers } = await ask('PATCH', newest, { json })
    t.equal(status, 200)
    const etag = headers.get('etag') ?? ''
    t.equal((await ask('PATCH', newest, { json, headers: { 'if-match': etag } })).status, 200)
    const isOver = await ask('PATCH', newest, { json, headers: { 'if-match': etag } })
    t.equal(isOver.status, 412, 'each change makes another revision')
    t.same((await entries(newest)).at(-2), [`${kind}.changed`, ...fields])
  }
  if (!one.endsUnasked) {
    const refused = await ask('DELETE', newest, { headers: stale })
    t.equal(refused.status, 412, 'another revision is not deleted')
  }
  t.equal((await ask('DELETE', newest)).status, 200)
  t.equal((await ask('DELETE', newest)).status, 404, 'it is gone')
  const log = await entries(newest)
  t.same(log.at(0), [`${kind}.${ending}`])
  t.same(log.at(-1), [`${kind}.created`])
  const again = await create()
  t.equal(again.status, 200, 'and leaves room')
  return { owner, ids: [again.json.data.id, second, oldest] as const, at, list }
}

/** A document brings the same records to another organization, under other ids. */
export async function exportContract(
  t: Test,
  daemon: Daemon,
  owner: Owner,
  to: Owner,
  list: string,
) {
  const exported = async ({ org, cookie }: Owner) => {
    const { json } = await daemon.ask('GET', `/api/v1${org}/export`, { cookie })
    return json.data
  }
  const document = await exported(owner)
  t.equal(document[list].length, contractQuota, 'an export has all of them')
  const { org, cookie } = to
  // Only one page of the service can have a slug.
  const sent = document[list].map(({ slug: _taken, ...item }: { slug?: string }) => item)
  const json = { format: document.format, [list]: sent }
  const imported = await daemon.need('POST', `${org}/import`, { cookie, json })
  t.equal(imported[list], contractQuota)
  const items = (of: Record<string, object[]>) =>
    of[list]?.map((item) => ({ ...item, id: '', slug: '' }))
  t.same(items(await exported(to)), items(document))
}
