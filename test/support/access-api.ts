// The API of people and access on the real edge, on a free port, for tests of its resources.
import type { Test } from 'tap'
import { createProxyTrust } from '../../src/http/edge/address.ts'
import { listen } from '../../src/http/edge/server.ts'
import { createCursors } from '../../src/http/input/cursor.ts'
import { asFault, problemReply } from '../../src/http/output/problems.ts'
import { createArrivals } from '../../src/http/pipeline/arrival.ts'
import { createAuthenticator } from '../../src/http/pipeline/auth.ts'
import { apiEndpoint } from '../../src/http/pipeline/operate.ts'
import { createRateGates } from '../../src/http/pipeline/rate.ts'
import { buildRouter } from '../../src/http/pipeline/router.ts'
import type { Route } from '../../src/http/routing/route.ts'
import type { Services } from '../../src/http/routing/services.ts'
import { createReplays } from '../../src/services/replays.ts'
import { type AccessOptions, openAccess } from './access.ts'

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

const unlimited = { api: null, auth: null, push: null, page: null }

/** Serves the routes with the real services of people and access. */
export async function serveAccess(
  t: Test,
  routes: readonly Route[],
  options: AccessOptions & { readonly baseUrl?: string } = {},
) {
  const access = openAccess(t, options)
  const { clock, store, box } = access
  const baseUrl = options.baseUrl ?? 'http://127.0.0.1:8080'
  // Only what these resources ask for; the rest of the services is not built here.
  const services = {
    ...access,
    baseUrl,
    replays: createReplays({ store, box }),
  } as unknown as Services
  const arrivals = createArrivals({
    nowMs: clock.nowMs,
    trust: createProxyTrust([]),
    isDraining: () => false,
  })
  const { identity } = access
  const deps = {
    services,
    arrivals,
    baseUrl,
    gates: createRateGates(unlimited),
    cursors: createCursors(Buffer.alloc(32, 7)),
    hasRoom: () => true,
    authenticator: createAuthenticator({ identity, systemToken: undefined, baseOrigin: baseUrl }),
  }
  const entries = routes.map((route) => ({
    ...route,
    path: route.path,
    endpoint: apiEndpoint(route, deps),
  }))
  const explain = (
    error: unknown,
    { path, requestId, lines }: Parameters<typeof problemReply>[1],
  ) => problemReply(asFault(error), { path, requestId, lines })
  const server = await listen(
    '127.0.0.1',
    0,
    buildRouter(entries, arrivals, {
      clock,
      explain,
      onStart: () => {},
      onDone: () => {},
      tooLarge: (exchange) => explain(new Error('too large'), exchange),
      tooSlow: (exchange) => explain(new Error('too slow'), exchange),
    }),
    { connectionsMax: 1_000, onRefused() {} },
  )
  t.teardown(() => server.close())

  return { ...access, ask: askerOf(server.port), url: `http://127.0.0.1:${server.port}` }
}

function askerOf(port: number): Ask {
  return async (method, path, { body, form, cookie, key, headers } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
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
