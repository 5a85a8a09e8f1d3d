// The API of people and access on the real edge, on a free port, for tests of its resources.
import type { Test } from 'tap'
import { atPrefix, type Route } from '../../src/http/routing/route.ts'
import { createReplays } from '../../src/services/replays.ts'
import { type AccessOptions, openAccess } from './access.ts'
import { startTestHttp } from './http.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON body; undefined where it is something else. */
  // Tests look into bodies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

type Ask = (
  method: string,
  path: string,
  options?: {
    body?: unknown
    /** The fields of an HTML form, in place of a body. */
    form?: Record<string, string>
    cookie?: string
    key?: string
    headers?: Record<string, string>
  },
) => Promise<Answer>

const prefix = '/api/v1'

/** Serves the routes with the real services of people and access. */
export async function serveAccess(t: Test, routes: readonly Route[], options: AccessOptions = {}) {
  const access = openAccess(t, options)
  const { clock, store, box } = access
  const state = () => 'not_kept' as const
  const privateAnswers = { state, shownTo: state }
  const proxiesOf = () => []
  const baseUrl = options.baseUrl ?? 'http://127.0.0.1:8080'
  const server = await startTestHttp({
    routes: atPrefix(prefix, routes),
    clock,
    services: {
      ...access,
      privateAnswers,
      proxiesOf,
      baseUrl,
      replays: createReplays({ store, box }),
    },
    settings: { baseUrl, systemToken: undefined },
  })
  t.teardown(() => server.stop())
  const url = server.address + prefix
  return { ...access, ask: askerOf(url), url }
}

function askerOf(url: string): Ask {
  return async (method, path, { body, form, cookie, key, headers } = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie: `auth-token=${cookie}` }),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    const { status, headers: got } = response
    return { status, headers: got, text, body: isJson ? JSON.parse(text) : undefined }
  }
}
