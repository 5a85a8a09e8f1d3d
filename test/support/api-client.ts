// A client of the API as a stranger would write it; each answer is held against the description.
import { request } from 'undici'
import { createContract } from './api-contract.ts'

/** What lets a request in: a session's value, or a key in one of its two places. */
export interface Credential {
  readonly cookie?: string
  readonly key?: string
  readonly bearer?: string
}

export interface AskOptions extends Credential {
  readonly json?: unknown
  /** A body as it is, without a Content-Type of its own. */
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON body, whatever its shape. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any
}

export interface ApiClient {
  /** The path begins with /. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>
  /** The same below /api/v1; throws where the answer is no success, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  need(method: string, path: string, options?: AskOptions): Promise<any>
  /** How many answers were held against the description so far. */
  readonly checked: number
}

/**
 * The status, the headers and the text, without what fetch does for pages: a third of its time, and most
 * tests ask hundreds of times. An event stream has no end, so only its head is looked at.
 */
async function exchange(url: string, options: Parameters<typeof request>[1]) {
  try {
    const { statusCode: status, headers: fields, body } = await request(url, options)
    const headers = new Headers()
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value ?? []].flat()) headers.append(name, one)
    }
    if (!headers.get('content-type')?.startsWith('text/event-stream')) {
      return { status, headers, text: await body.text() }
    }
    body.on('error', () => {}).destroy()
    return { status, headers, text: '' }
  } catch (cause) {
    throw new NoAnswer(`${options?.method} ${url}: no answer`, { cause })
  }
}

/** The connection was refused, or ended before the answer did. */
export class NoAnswer extends Error {}

const contract = createContract()

/** `note` is told each request and each answer, for whoever collects what must stay secret. */
export function createClient(
  url: () => string,
  note: (sent: unknown, got: unknown) => void = () => {},
): ApiClient {
  let checked = 0

  async function ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
    const { json, body, cookie, key, bearer, headers } = options
    const answered = await exchange(url() + path, {
      method,
      headers: {
        'user-agent': 'a test',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie: `auth-token=${cookie}` }),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    })
    const { status, headers: got, text } = answered
    const isJson = /\bjson\b/.test(got.get('content-type') ?? '') && text !== ''
    const answer = { status, headers: got, text, json: isJson ? JSON.parse(text) : undefined }
    note(json, answer.json)
    if (path.startsWith('/api/v1/') && !path.startsWith('/api/v1/openapi.json')) {
      checked += 1
      const sent = body === undefined ? { sent: json } : {}
      const problems = contract.problemsOf({ method, path, ...answer, ...sent })
      if (problems.length > 0) throw new Error(`not as described: ${problems.join('; ')}\n${text}`)
    }
    return answer
  }

  return {
    ask,
    async need(method, path, options) {
      const { status, json, text } = await ask(method, `/api/v1${path}`, options)
      if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
      return json.data
    },
    get checked() {
      return checked
    },
  }
}
