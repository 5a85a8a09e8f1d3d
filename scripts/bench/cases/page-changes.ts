// How soon a change is visible on a status page: from a report of a job to the first answer that
// differs, and to the event of a reader who keeps a stream open.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import type { Account } from '../world/account.ts'
import type { Daemon } from '../world/daemon.ts'
import { atMost, type Figure, info } from '../world/figure.ts'
import { idIn } from '../world/prepare.ts'

const slug = 'changes'
const rounds = 20
const quietMs = 300
const visibleMsMax = 100
const waitMsMax = 5_000
const pollMs = 1

interface Change {
  readonly visibleMs: number
  readonly toldMs: number
}

/** A page of jobs, each of which can fail once; gives their tokens. */
export async function makeJobsPage(daemon: Daemon, account: Account): Promise<readonly string[]> {
  const ids: string[] = []
  const tokens: string[] = []
  for (let number = 0; number < rounds; number += 1) {
    const job = { name: `Job ${number}`, checkType: 'push', intervalSeconds: 3_600, isPublic: true }
    const made = await account.create(daemon, '/monitors', job)
    ids.push(idIn(made))
    tokens.push(/spp_[0-9A-Za-z]+/.exec(JSON.stringify(made))?.[0] ?? '')
  }
  const shown = { showHistory: true, showUptime: true, showIncidents: true, showMonitors: true }
  const page = { name: 'Changes', slug, title: 'Changes', ...shown, publicMonitorIds: ids }
  await account.create(daemon, '/status-pages', { ...page, isEnabled: true })
  return tokens
}

/** One after the other, while the daemon does what else it does. */
export async function measureChanges(daemon: Daemon, tokens: readonly string[]) {
  const reports = new Client(daemon.baseUrl)
  const reader = new Client(daemon.baseUrl)
  const stream = await follow(daemon)
  for (const token of tokens) await report(reports, token, 'ok')
  const changes: Change[] = []
  for (const token of tokens) {
    await sleep(quietMs)
    const before = await etagNow(reader)
    const startedMs = performance.now()
    const sent = report(reports, token, 'error')
    const visibleMs = await untilOther(reader, before, startedMs)
    await sent
    await sleep(quietMs)
    changes.push({ visibleMs, toldMs: stream.firstAfter(startedMs) - startedMs })
  }
  stream.close()
  await reports.close()
  await reader.close()
  return { figures: figuresOf(changes), details: changes }
}

function figuresOf(changes: readonly Change[]): Figure[] {
  const visible = changes.map(({ visibleMs }) => visibleMs).toSorted((a, b) => a - b)
  const told = changes.map(({ toldMs }) => toldMs).toSorted((a, b) => a - b)
  const middle = Math.floor(changes.length / 2)
  return [
    info('a change is visible after, p50', visible[middle] ?? Number.NaN, 'ms'),
    atMost('a change is visible after, at most', visible.at(-1) ?? Number.NaN, 'ms', visibleMsMax),
    info('its event reaches a reader after, p50', told[middle] ?? Number.NaN, 'ms'),
    atMost('its event reaches a reader after, at most', told.at(-1) ?? Number.NaN, 'ms', 100),
  ]
}

async function report(client: Client, token: string, status: 'ok' | 'error'): Promise<void> {
  const answer = await client.request({
    method: 'POST',
    path: `/api/v1/push/${token}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`a report got ${answer.statusCode}`)
}

async function etagNow(client: Client): Promise<string> {
  const headers = { 'accept-encoding': 'gzip' }
  const answer = await client.request({ method: 'GET', path: `/status/${slug}`, headers })
  await answer.body.dump()
  return String(answer.headers.etag)
}

async function untilOther(client: Client, before: string, startedMs: number): Promise<number> {
  for (;;) {
    const etag = await etagNow(client)
    const passedMs = performance.now() - startedMs
    if (etag !== before) return passedMs
    if (passedMs > waitMsMax) throw new Error('a change did not become visible')
    await sleep(pollMs)
  }
}

/** A reader's stream; remembers when it was told of changes. */
async function follow({ baseUrl }: Daemon) {
  const toldAtMs: number[] = []
  const ending = new AbortController()
  const answer = await fetch(`${baseUrl}/status/${slug}/events`, { signal: ending.signal })
  async function read(): Promise<void> {
    for await (const chunk of answer.body ?? []) {
      if (Buffer.from(chunk).includes('event: change')) toldAtMs.push(performance.now())
    }
  }
  // It ends with an error when it is closed.
  void read().catch(() => {})
  return {
    /** Infinite if there was none. */
    firstAfter: (sinceMs: number) =>
      toldAtMs.find((atMs) => atMs >= sinceMs) ?? Number.POSITIVE_INFINITY,
    close: () => ending.abort(),
  }
}
