// A daemon that speaks the protocol of remote probes, as far as a probe can tell: in this process, or as a server.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Clock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import {
  type Assignment,
  type ProbeAsk,
  type ProbeHello,
  type ProbeLoad,
  type ProbePlan,
  type ProbeResult,
  type ProbeResults,
  planHoldMs,
} from '../../src/domain/locations/protocol.ts'
import type { DaemonWire, WireAnswer } from '../../src/net/daemon-wire.ts'
import { makeExpectation } from './make-target.ts'

interface DaemonSession {
  readonly id: string
  /** The newest revision that it was sent. */
  sent: number
}

interface DaemonQuestion {
  readonly method: string
  /** Below /api/v1/probe/. */
  readonly path: string
  readonly auth: string
  readonly body: string
  readonly signal: AbortSignal
}

export type ProbeDaemon = ReturnType<typeof probeDaemon>

/** `clock` holds questions for the plan; the daemon's time is that of the clock, plus `aheadMs`. */
export function probeDaemon(
  clock: Pick<Clock, 'nowMs' | 'setTimeout' | 'clearTimeout'>,
  { auth, aheadMs = 0 }: { readonly auth: string; readonly aheadMs?: number },
) {
  const sessions = new Map<string, DaemonSession>()
  const assigned = new Map<string, { readonly assignment: object; readonly revision: number }>()
  const removed = new Map<string, number>()
  const asks: ProbeAsk[] = []
  const waiting = new Set<() => void>()
  const seen = new Set<string>()
  let revision = 1
  let isAskNew = false

  const heard = {
    /** All of it: method, path without the session. */
    questions: [] as string[],
    hellos: [] as ProbeHello[],
    batches: [] as (ProbeResults & { readonly atMs: number; readonly bytes: number })[],
    /** What counted: each check once. */
    results: [] as ProbeResult[],
    loads: [] as ProbeLoad[],
  }
  /** Takes the place of an answer. */
  let instead: (path: string) => WireAnswer | Error | Promise<never> | undefined = () => undefined

  function changed(): void {
    revision += 1
    wake()
  }

  function wake(): void {
    for (const run of [...waiting]) run()
  }

  function planFor(session: DaemonSession, since: number): ProbePlan {
    const isWhole = since === 0 || since !== session.sent
    const news = [...assigned.values()].filter((one) => isWhole || one.revision > since)
    const remove = isWhole ? [] : [...removed].filter(([, at]) => at > since).map(([id]) => id)
    session.sent = revision
    isAskNew = false
    return {
      revision,
      nowMs: clock.nowMs() + aheadMs,
      isWhole,
      put: news.map(({ assignment }) => assignment as Assignment),
      remove: remove as Assignment['monitorId'][],
      ask: [...asks],
    }
  }

  async function plan(session: DaemonSession, since: number, signal: AbortSignal) {
    if (since !== session.sent || since < revision || isAskNew) return ok(planFor(session, since))
    const isNews = await new Promise<boolean>((resolve) => {
      const end = (isNews: boolean) => {
        clock.clearTimeout(timer)
        waiting.delete(run)
        resolve(isNews)
      }
      const run = () => end(true)
      const timer = clock.setTimeout(() => end(false), planHoldMs)
      waiting.add(run)
      signal.addEventListener('abort', () => end(false))
    })
    if (!sessions.has(session.id)) return problem(409, 'conflict', 'There is no such session.')
    return isNews ? ok(planFor(session, since)) : { status: 204, text: '' }
  }

  function take(body: string): WireAnswer {
    const batch: ProbeResults = JSON.parse(body)
    heard.batches.push({ ...batch, atMs: clock.nowMs(), bytes: Buffer.byteLength(body) })
    heard.loads.push(batch.self)
    for (const result of batch.results) {
      const key = `${result.monitorId} ${result.dueAtMs} ${result.try}`
      if (!seen.has(key)) heard.results.push(result)
      seen.add(key)
    }
    return ok({ taken: batch.results.length, refused: [], planRevision: revision })
  }

  async function answer(asked: DaemonQuestion): Promise<WireAnswer> {
    const url = new URL(asked.path, 'http://daemon/')
    heard.questions.push(`${asked.method} ${url.pathname.slice(1)}`)
    const other = await instead(url.pathname.slice(1))
    if (other instanceof Error) throw other
    if (other) return other
    if (asked.auth !== auth) return problem(401, 'unauthenticated', 'The token is not valid.')
    if (url.pathname === '/session') {
      heard.hellos.push(JSON.parse(asked.body))
      const session = { id: `session-${heard.hellos.length}`, sent: 0 }
      sessions.set(session.id, session)
      const nowMs = clock.nowMs() + aheadMs
      return ok({ session: session.id, probe: 'prb_1', location: 'loc_1', nowMs, isNewer: true })
    }
    const body = asked.body
    const id = url.searchParams.get('session') ?? (body ? JSON.parse(body).session : '')
    const session = sessions.get(id)
    if (!session) return problem(409, 'conflict', 'There is no such session.')
    if (url.pathname === '/plan') {
      return plan(session, Number(url.searchParams.get('since')), asked.signal)
    }
    return take(body)
  }

  return {
    heard,
    answer,
    /** Puts something in the place of answers: another answer, or an error of the network. */
    break(with_: typeof instead): void {
      instead = with_
    },
    repair(): void {
      instead = () => undefined
    },
    assign(...assignments: (Partial<Assignment> & Pick<Assignment, 'monitorId'>)[]): void {
      for (const assignment of assignments) {
        assigned.set(assignment.monitorId, { assignment, revision: revision + 1 })
        removed.delete(assignment.monitorId)
      }
      changed()
    },
    remove(monitorId: Assignment['monitorId']): void {
      assigned.delete(monitorId)
      removed.set(monitorId, revision + 1)
      changed()
    },
    ask(monitorId: Assignment['monitorId']): void {
      asks.push({ askId: asks.length + 1, monitorId })
      isAskNew = true
      wake()
    },
    /** Knows no session any more. */
    restart(): void {
      sessions.clear()
      wake()
    },
    wire: (own = auth): DaemonWire => ({
      send: ({ method, url, body = '', signal }) =>
        Promise.race([
          answer({ method, path: url.split('/probe/')[1] ?? '', auth: own, body, signal }),
          new Promise<never>((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          ),
        ]),
      close() {},
    }),
  }
}

/** An answer with a document. */
export function ok(document: object): WireAnswer {
  return { status: 200, text: JSON.stringify(document) }
}

/** A problem document. */
export function problem(status: number, code: string, detail: string): WireAnswer {
  return { status, text: JSON.stringify({ success: false, code, detail }) }
}

/** A monitor that a probe checks each minute over HTTP. */
export function makeAssignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    monitorId: newId('monitor', 1_760_000_000_000),
    revision: 1,
    checkType: 'endpoint',
    url: 'https://example.com/',
    method: 'GET',
    sealed: null,
    timeoutMs: 10_000,
    followRedirects: true,
    maxRedirects: 5,
    ignoreTlsErrors: false,
    ipFamily: 'any',
    expect: makeExpectation(),
    intervalMs: 60_000,
    retryMs: 10_000,
    offsetMs: 0,
    failureThreshold: 2,
    recoveryThreshold: 1,
    degradedThreshold: 2,
    degradedThresholdMs: null,
    ...changes,
  }
}

/** The daemon as a server on loopback; closed with the test. Returns its address. */
export async function serveDaemon(
  t: Test,
  daemon: Pick<ProbeDaemon, 'answer'>,
  tls?: { readonly key: string; readonly cert: string },
): Promise<string> {
  const server = tls ? createTlsServer(tls) : createServer()
  server.on('request', async (asked, reply) => {
    const gone = new AbortController()
    reply.on('close', () => gone.abort())
    const parts: Buffer[] = []
    for await (const part of asked) parts.push(part)
    const path = (asked.url ?? '').split('/api/v1/probe/')[1] ?? ''
    const auth = (asked.headers.authorization ?? '').replace(/^Bearer /, '')
    const body = Buffer.concat(parts).toString()
    const method = asked.method ?? ''
    const { status, text } = await daemon.answer({ method, path, auth, body, signal: gone.signal })
    reply.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
}
