// A client of the API as a stranger would write it; each answer is held against the description.
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

/** An event stream has no end: only its head is looked at here. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

const contract = createContract()

/** `note` is told each request and each answer, for whoever collects what must stay secret. */
export function createClient(
  url: () => string,
  note: (sent: unknown, got: unknown) => void = () => {},
): ApiClient {
  let checked = 0

  async function ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
    const { json, body, cookie, key, bearer, headers } = options
    const response = await fetch(url() + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie: `auth-token=${cookie}` }),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(json === undefined
        ? body === undefined
          ? {}
          : { body }
        : { body: JSON.stringify(json) }),
    })
    const text = await textOf(response)
    const { status, headers: got } = response
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
