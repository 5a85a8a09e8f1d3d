// An HTTP side of its own for tests: the real server on a free port over a few services of paper.
import { connect } from 'node:net'
import type { Clock } from '../../src/base/clock.ts'
import { startClock } from '../../src/base/clock.ts'
import { Fault } from '../../src/base/fault.ts'
import type { KeyId, OrgId, SessionId, UserId } from '../../src/base/ids.ts'
import type { Log, LogFields } from '../../src/base/log/log.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import { type Role, reaches } from '../../src/domain/access.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import type { RawRoute } from '../../src/http/routing/raw-route.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { type HttpSettings, type HttpTls, type Site, startHttp } from '../../src/http/start.ts'
import type { Services } from '../../src/services/assembly/services.ts'
import type { Identity } from '../../src/services/identity.ts'
import { createReplays } from '../../src/services/replays.ts'
import type { ReplayRecord, ReplaysTable } from '../../src/store/tables/system/replays.ts'

export const orgA = 'org_01jd0000000000000000000000' as OrgId
export const orgB = 'org_01jd0000000000000000000001' as OrgId
export const systemToken = 'a-system-token-of-some-length'

/** Alice owns A, bob is a viewer of A; Charlie owns B. Keys are `key-<role>` of A. */
const members: Record<string, { orgId: OrgId; role: Role }> = {
  alice: { orgId: orgA, role: 'owner' },
  stale: { orgId: orgA, role: 'owner' },
  bob: { orgId: orgA, role: 'viewer' },
  charlie: { orgId: orgB, role: 'owner' },
}

function paperIdentity(): Identity {
  return {
    authenticate({ sessionToken, apiKey }, nowMs) {
      if (apiKey?.startsWith('key-')) {
        const role = apiKey.slice(4) as 'admin' | 'member' | 'viewer'
        return { kind: 'key', keyId: apiKey as KeyId, orgId: orgA, role }
      }
      if (apiKey !== undefined || !sessionToken || !(sessionToken in members)) {
        throw new Fault('unauthenticated', 'The credential is not valid')
      }
      return {
        kind: 'session',
        userId: `usr_${sessionToken}` as UserId,
        sessionId: `ses_${sessionToken}` as SessionId,
        authenticatedAtMs: sessionToken === 'stale' ? nowMs - 3_600_000 : nowMs,
        isSystemAdmin: sessionToken === 'alice',
      }
    },
    operatorScope() {
      throw new Fault('not_found', 'There is no such organization')
    },
    scope(caller, orgId, needed) {
      const { principal } = caller
      const member =
        principal.kind === 'key'
          ? principal
          : principal.kind === 'session'
            ? members[principal.userId.slice(4)]
            : undefined
      if (member?.orgId !== orgId) throw new Fault('not_found', 'There is no such organization')
      if (!reaches(member.role, needed)) throw new Fault('forbidden', `Requires the role ${needed}`)
      return { caller, orgId: member.orgId, role: member.role }
    },
    holds: () => true,
  }
}

/** A replays table in memory. */
function paperReplays(): ReplaysTable {
  const records = new Map<string, ReplayRecord>()
  return {
    get: (owner, keyHash) => records.get(`${owner}/${keyHash}`),
    slice: () => [...records.values()],
    put: (_tx, replay) => void records.set(`${replay.owner}/${replay.keyHash}`, replay),
    removeExpired: () => 0,
  }
}

/** What was logged, for tests that look. */
export interface Logged {
  readonly message: string
  readonly fields: LogFields
}

export function recordingLog(lines: Logged[]): Log {
  const note = (message: string, fields: LogFields = {}) => void lines.push({ message, fields })
  const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }
  return log
}

export interface TestHttpOptions {
  readonly routes?: readonly Route[]
  readonly innerRoutes?: readonly Route[]
  readonly rawRoutes?: readonly RawRoute[]
  readonly site?: Site
  readonly settings?: Partial<HttpSettings>
  readonly services?: Partial<Services>
  readonly isReady?: () => boolean
  readonly hasRoom?: () => boolean
  readonly clock?: Clock
  readonly tls?: HttpTls
}

const box = { seal: (text: string) => text, open: (text: string) => text }

const noSite: Site = {
  routes: [],
  isOwnHost: () => true,
  isPageHost: () => false,
  elsewhere() {
    throw new Error('there is no site')
  },
}

/** Starts it; `stop` ends the server and its clock. */
export async function startTestHttp(options: TestHttpOptions = {}) {
  const realClock = startClock()
  const clock = options.clock ?? realClock
  const logged: Logged[] = []
  const writeJoined: Parameters<typeof createReplays>[0]['store']['writeJoined'] = async (
    work,
    join,
  ) => {
    const made = await work()
    join({} as never, made)
    return made
  }
  const services = {
    baseUrl: 'https://up.example',
    identity: paperIdentity(),
    audit: { refused() {}, signInFailed() {} },
    errorReports: { own() {} },
    replays: createReplays({ store: { writeJoined, replays: paperReplays() }, box }),
    ...options.services,
  } as Services
  const settings: HttpSettings = {
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'https://up.example',
    isBaseGuessed: false,
    connectionsMax: limits.connectionsMax,
    trustedProxies: [],
    rates: { api: null, auth: null, push: null, page: null },
    systemToken,
    version: '1.2.3',
    ...options.settings,
  }
  const metrics = createMetrics()
  const server = await startHttp({
    settings,
    services,
    routes: options.routes ?? [],
    innerRoutes: options.innerRoutes ?? [],
    rawRoutes: options.rawRoutes ?? [],
    site: options.site ?? noSite,
    mayHaveCertificate: (host) => host === 'known.test',
    isReady: options.isReady ?? (() => true),
    hasRoom: options.hasRoom ?? (() => true),
    clock,
    tls: options.tls,
    log: recordingLog(logged),
    metrics,
    cursorKey: Buffer.alloc(32, 7),
  })
  const url = (path: string) => `${server.address}${path}`
  return {
    ...server,
    logged,
    metrics,
    url,
    async stop(): Promise<void> {
      await server.drain(0)
      realClock.stop()
    },
    /** A request with a session cookie or an API key, and its JSON answer. */
    async ask(path: string, { as, key, json, headers, ...init }: AskOptions = {}) {
      const all = new Headers(headers)
      if (as !== undefined) all.set('cookie', `auth-token=${as}`)
      if (key !== undefined) all.set('x-api-key', key)
      if (json !== undefined) all.set('content-type', 'application/json')
      const body = json === undefined ? {} : { body: JSON.stringify(json) }
      const response = await fetch(url(path), {
        redirect: 'manual',
        ...(json === undefined ? {} : { method: 'POST' }),
        ...init,
        ...body,
        headers: all,
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      }
    },
    /** Bytes as they are, and everything that came back until the other side was silent or gone. */
    raw: (bytes: string | readonly string[], idleMs = 100) =>
      rawExchange(server.port, bytes, idleMs),
  }
}

/** How often an exchange looks whether the other side is silent. */
const quietTickMs = 10

interface AskOptions extends RequestInit {
  readonly as?: string
  readonly key?: string
  readonly json?: unknown
}

async function rawExchange(port: number, bytes: string | readonly string[], idleMs: number) {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  await new Promise<void>((resolve) => {
    // Silence is counted in ticks and not by a clock: on a busy machine a tick comes late, but the
    // server, which runs in this process, has its turn between two of them.
    let quietMs = 0
    const ticks = setInterval(() => {
      quietMs += quietTickMs
      if (quietMs >= idleMs) done()
    }, quietTickMs)
    const done = () => {
      clearInterval(ticks)
      resolve()
    }
    socket.on('data', (chunk: Buffer) => {
      quietMs = 0
      chunks.push(chunk)
    })
    socket.on('close', done)
    socket.on('error', done)
    for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part, 'latin1')
  })
  socket.destroy()
  return Buffer.concat(chunks).toString('latin1')
}
