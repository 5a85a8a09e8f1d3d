// Case (e): what sign-ins and rubbish cost everybody else: many logins at once, and junk cookies.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Loaded, runLoad } from '../load/load-process.ts'
import { type Daemon, startDaemon } from '../world/daemon.ts'
import { atMost, type CaseResult, info } from '../world/figure.ts'
import { prepare } from '../world/prepare.ts'
import { scrape, sumOf } from '../world/scrape.ts'
import type { Workplace } from '../world/workplace.ts'

export interface AccessOptions {
  /** Sign-ins at once. */
  readonly logins: number
  readonly connections: number
  readonly warmupSeconds: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

const retryMs = 250
const junkPerSecond = 10_000
const person = { email: 'bench@example.com', password: 'Vg7-bench-only-Kq2' }

export async function measureAccess(work: Workplace, options: AccessOptions): Promise<CaseResult> {
  const { logins, connections, warmupSeconds, seconds, nodeArgs } = options
  const monitor = { name: 'Job', checkType: 'push', intervalSeconds: 3_600 }
  const made = await prepare(work, { name: 'access', count: 2, monitor })
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
  const storm = await measureStorm(work, daemon, { ...options, tokensFile: made.tokensFile })
  const load = { connections, warmupSeconds, seconds }
  const bare = await runLoad(work, daemon, { ...load, request: asking({}) })
  const junk = await runLoad(work, daemon, { ...load, request: asking({ Cookie: junkCookie }) })
  await daemon.stop()
  const shareOf = (each: number) => (100 * junkPerSecond * each) / 1e6
  return {
    title: `access: ${logins} sign-ins at once, junk cookies from ${connections} connections`,
    figures: [
      atMost('event loop delay p99, signing in', storm.loopDelayMs, 'ms', 50),
      atMost('durable write p99, signing in', storm.pushed.p99Ms, 'ms', 50),
      info('time for all sign-ins', storm.seconds, 's'),
      info('told to come back (503, 429)', storm.refused, ''),
      info('refused requests, without a cookie', bare.failures / bare.seconds, '/s'),
      info('refused requests, with a junk cookie', junk.failures / junk.seconds, '/s'),
      info('CPU of a refusal, without a cookie', eachMicroseconds(bare), 'µs'),
      info('CPU of a refusal, with a junk cookie', eachMicroseconds(junk), 'µs'),
      info('junk cookie to none', eachMicroseconds(junk) / eachMicroseconds(bare), '×'),
      atMost(
        `core for the cookies of ${junkPerSecond} junk requests/s`,
        shareOf(Math.max(0, eachMicroseconds(junk) - eachMicroseconds(bare))),
        ...(['%', 20] as const),
      ),
    ],
    details: { options, storm, bare, junk },
  }
}

/** Everybody signs in at once while one monitor reports, durably, again and again. */
async function measureStorm(
  work: Workplace,
  daemon: Daemon,
  { logins, seconds, warmupSeconds, tokensFile }: AccessOptions & { readonly tokensFile: string },
) {
  const pushing = runLoad(work, daemon, {
    connections: 1,
    warmupSeconds,
    seconds,
    tokensFile,
    request: { method: 'POST', path: '/api/v1/push/{token}', headers: {} },
  })
  await sleep((warmupSeconds + 1) * 1_000)
  // The gauge begins anew whenever it is read.
  await scrape(daemon)
  const startedMs = performance.now()
  const tries = await Promise.all(Array.from({ length: logins }, () => signIn(daemon)))
  const stormSeconds = (performance.now() - startedMs) / 1_000
  const after = await scrape(daemon)
  const loopDelayMs = sumOf(after, 'nodejs_eventloop_lag_p99_seconds') * 1_000
  const refused = tries.reduce((sum, count) => sum + count, 0)
  return { pushed: await pushing, seconds: stormSeconds, loopDelayMs, refused }
}

/** Signs in, and tells how often it was told to come back later. */
async function signIn({ baseUrl }: Daemon): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    const response = await fetch(`${baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    })
    await response.arrayBuffer()
    if (response.status === 200) return refused
    // Attempts are counted before the password is compared, and good ones are given back afterwards.
    const mustWait = response.status === 503 || response.status === 429
    if (!mustWait) throw new Error(`POST /auth/login: ${response.status}`)
    await sleep(retryMs)
  }
}

/** Well-formed, so that it is looked up before it is refused. */
const junkCookie = `auth-token=s1.${'J'.repeat(43)}.${'J'.repeat(43)}`

function asking(headers: Readonly<Record<string, string>>) {
  return { method: 'GET', path: '/api/v1/auth/session', headers }
}

function eachMicroseconds({ daemonCpuSeconds, failures }: Loaded): number {
  return (1e6 * daemonCpuSeconds) / failures
}
