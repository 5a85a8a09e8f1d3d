// Calls the API: typed by operation, one problem type for everything that goes wrong, and a session
// that ends in the middle of work is renewed without losing the call.
import operationRoutes from 'api:routes'
import { outward } from '../base/base-path.ts'
import type { Operations } from '../generated/operations.ts'
import { ApiProblem, problemOf, unreachable } from './problem.ts'

export type OperationName = keyof Operations
export type Data<Name extends OperationName> = Operations[Name]['data']
export type Body<Name extends OperationName> = Operations[Name]['body']
/** One entry of a list operation. */
export type Item<Name extends OperationName> =
  Data<Name> extends readonly (infer Entry)[] ? Entry : never

type Part<Key extends string, Value> =
  Partial<Value> extends Value
    ? { readonly [key in Key]?: Value }
    : { readonly [key in Key]: Value }

type BodyPart<Value> = Value extends undefined ? unknown : { readonly body: Value }

export type Call<Name extends OperationName> = Part<'path', Operations[Name]['path']> &
  Part<'query', Operations[Name]['query']> &
  BodyPart<Body<Name>> & {
    /** From an earlier answer: the change is refused if somebody else changed it meanwhile. */
    readonly revision?: string | undefined
    readonly signal?: AbortSignal
    /** The browser sends it although the page is left; all of these at once have 64 KiB. */
    readonly keepalive?: boolean
    /** The body of an operation that takes bytes. */
    readonly bytes?: Blob
  }

export interface Answer<Name extends OperationName> {
  readonly data: Data<Name>
  readonly message: string | undefined
  /** Where the next page of a list begins; undefined on the last one. */
  readonly nextCursor: string | undefined
}

/** What a person is asked before a refused call is tried again. */
export interface Renewal {
  /** The session ended: resolves once somebody signed in again. */
  signIn(): Promise<void>
  /** The action needs a sign-in within the last minutes: resolves once it was confirmed. */
  confirm(): Promise<void>
}

const revisions = new WeakMap<object, string>()

/** The revision of a record that an answer had, for `revision` of a change; undefined for others. */
export function revisionOf(record: object): string | undefined {
  return revisions.get(record)
}

let renewal: Renewal | undefined
let apiKey: string | undefined

/** Calls with an API key in place of the session, for a screen that nobody signs in at. */
export function callWithKey(key: string): void {
  apiKey = key
}

/** Lets refused calls wait for the person. Without it they fail. */
export function renewSessionsWith(by: Renewal): void {
  renewal = by
}

export function urlOf<Name extends OperationName>(name: Name, call: Partial<Call<Name>>): string {
  const [, template = ''] = operationRoutes[name].split(' ')
  const { path = {}, query = {} } = call as {
    path?: Readonly<Record<string, string | number>>
    query?: Readonly<Record<string, unknown>>
  }
  const filled = template.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(path[key])),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value))
  }
  const text = search.toString()
  return outward(`/api/v1${filled}${text === '' ? '' : `?${text}`}`)
}

/** Throws ApiProblem. */
export async function ask<Name extends OperationName>(
  name: Name,
  call: Call<Name>,
): Promise<Answer<Name>> {
  const makes = makesSomething(name) ? makingOf(name, call) : undefined
  const key = makes?.key ?? (isPost(name) ? randomKey() : undefined)
  try {
    const answer = await renewed(name, call, key)
    makes?.answered()
    return answer
  } catch (error) {
    if (error instanceof ApiProblem && !isUnanswered(error)) makes?.answered()
    throw error
  }
}

/** Asks once more if a refusal is over when somebody signed in. */
async function renewed<Name extends OperationName>(
  name: Name,
  call: Call<Name>,
  key: string | undefined,
): Promise<Answer<Name>> {
  try {
    return await once(name, call, key)
  } catch (error) {
    if (!renewal || !(error instanceof ApiProblem) || name.startsWith('auth.')) throw error
    // Nobody is there to ask where a key is used.
    if (apiKey !== undefined) throw error
    if (error.code === 'reauthentication_required') await renewal.confirm()
    // Other answers with 401 say that a code or a password is wrong.
    else if (error.code === 'unauthenticated') await renewal.signIn()
    else throw error
    return once(name, call, key)
  }
}

/** The data alone. Throws ApiProblem. */
export async function fetchData<Name extends OperationName>(
  name: Name,
  call: Call<Name>,
): Promise<Data<Name>> {
  return (await ask(name, call)).data
}

/** All pages of a list, as they come. Throws ApiProblem. */
export async function* everyPage<Name extends OperationName>(
  name: Name,
  call: Call<Name>,
): AsyncGenerator<Data<Name>> {
  let cursor: string | undefined
  do {
    const { query = {} } = call as { query?: object }
    const asked = cursor === undefined ? call : { ...call, query: { ...query, cursor } }
    const answer: Answer<Name> = await ask(name, asked)
    yield answer.data
    cursor = answer.nextCursor
  } while (cursor !== undefined)
}

/** Entries of a list that a page shows at once, or chooses from. */
const wholeListMax = 5_000

/** A list that people overlook or choose from, whole: quotas keep nearly all of them below the bound. */
export async function wholeList<Entry>(
  pages: AsyncIterable<readonly Entry[]>,
): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for await (const page of pages) {
    all.push(...page)
    if (all.length >= wholeListMax) break
  }
  return all
}

const isPost = (name: OperationName) => operationRoutes[name].startsWith('POST /orgs')

/** What is there twice if it is sent twice. */
const makesSomething = (name: OperationName) =>
  isPost(name) && /\.(create|createMany|declare|update|import|addSubscribers)$/.test(name)

/** How long the same request counts as another try of the one whose answer was lost. */
const triedAgainMs = 10 * 60_000

/** Keys of requests without an answer yet, by what they ask. */
const unanswered = new Map<string, { readonly key: string; readonly atMs: number }>()

/** The key of a request that makes something: the former one if its answer was lost. */
function makingOf<Name extends OperationName>(name: Name, call: Call<Name>) {
  const { path, body } = call as { readonly path?: object; readonly body?: unknown }
  const what = JSON.stringify([name, path, body])
  const former = unanswered.get(what)
  const isRecent = former !== undefined && Date.now() - former.atMs < triedAgainMs
  const key = isRecent ? former.key : randomKey()
  unanswered.set(what, { key, atMs: Date.now() })
  return { key, answered: () => unanswered.delete(what) }
}

/** Nobody knows whether the service did it: the network, or a proxy, has no answer of its own. */
const isUnanswered = ({ status, code }: ApiProblem) =>
  status === 0 || (status >= 500 && code.startsWith('http_'))

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

async function once<Name extends OperationName>(
  name: Name,
  call: Call<Name>,
  key: string | undefined,
): Promise<Answer<Name>> {
  const [method = 'GET'] = operationRoutes[name].split(' ')
  const {
    body,
    revision,
    signal,
    keepalive = false,
    bytes,
  } = call as {
    bytes?: Blob
    body?: unknown
    revision?: string
    signal?: AbortSignal
    keepalive?: boolean
  }
  let response: Response
  try {
    response = await fetch(urlOf(name, call as Partial<Call<Name>>), {
      method,
      keepalive,
      credentials: apiKey === undefined ? 'same-origin' : 'omit',
      headers: {
        Accept: 'application/json',
        // Letters that follow from a request are in the language of the console.
        'Accept-Language': document.documentElement.lang,
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...contentType(body, bytes),
        ...(revision === undefined ? {} : { 'If-Match': revision }),
        // A creation that is sent twice, because its answer was lost, creates once.
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined && bytes === undefined ? {} : { body: bytes ?? JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable(error)
  }
  if (!response.ok) throw await problemOf(response)
  const answer = await response.json()
  const etag = response.headers.get('etag')
  if (etag !== null && typeof answer.data === 'object' && answer.data !== null)
    revisions.set(answer.data, etag)
  return {
    data: answer.data,
    message: answer.message,
    nextCursor: answer.meta?.nextCursor ?? undefined,
  }
}

function contentType(body: unknown, bytes: Blob | undefined): Readonly<Record<string, string>> {
  if (bytes !== undefined) return { 'Content-Type': 'application/octet-stream' }
  return body === undefined ? {} : { 'Content-Type': 'application/json' }
}
