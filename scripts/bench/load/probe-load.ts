// Looks at a target as often as it can, with the daemon's probe or with nothing but undici.
//
// A process of its own, so that nothing else is in its CPU time. Each check has a fresh connection.
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { Client } from 'undici'
import { startClock } from '../../../src/base/clock.ts'
import { saveMemory } from '../../../src/base/memory/v8-flags.ts'
import { monitorDefaults } from '../../../src/domain/monitors/monitor-fields.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { testCa } from '../../../test/support/certificates.ts'

export interface ProbeLoadInput {
  readonly how: 'probe' | 'undici'
  readonly url: string
  /** The authority that undici trusts; default: the one of tests. */
  readonly ca?: string
  /** Checks at once. */
  readonly connections: number
}

/** What the parent sends: check for so long, as often as it can or at a pace; or come to rest. */
export type ProbeLoadAsk =
  | { readonly kind: 'run'; readonly seconds: number; readonly perSecond?: number | undefined }
  | { readonly kind: 'rest' }

export interface ProbeRound {
  readonly checks: number
  readonly failures: number
  readonly seconds: number
  readonly cpuSeconds: number
}

export interface ProbeRest {
  /** Sockets of any kind; the channel to the parent is none. */
  readonly sockets: number
  readonly timers: number
  readonly heapKb: number
  readonly rssKb: number
}

/** Makes one check; whether all was well. */
type Check = () => Promise<boolean>

const restMs = 300

function probeCheck(url: string): Check {
  const clock = startClock()
  const { probe } = createProbes({
    clock,
    resolver: createResolver({ clock }),
    guard: createGuard({ targets: 'any' }),
    ca: [testCa],
  })
  const { headers, body, timeoutMs, ipFamily } = monitorDefaults
  const { checkType, method, followRedirects, maxRedirects, ignoreTlsErrors } = monitorDefaults
  const expect = monitorDefaults
  const target = {
    checkType,
    url,
    method,
    headers,
    body,
    timeoutMs,
    ipFamily,
    expect,
    followRedirects,
    maxRedirects,
    ignoreTlsErrors,
  }
  const { signal } = new AbortController()
  return async () => (await probe({ ...target }, { clock, signal })).result === 'good'
}

/** A client for each request, its authorities read once: no less than a check can do. */
function undiciCheck(url: string, ca: string): Check {
  const { origin, pathname: path } = new URL(url)
  const secureContext = tls.createSecureContext({ ca })
  return async () => {
    const client = new Client(origin, { pipelining: 0, connect: { secureContext } })
    try {
      const { statusCode, body } = await client.request({ method: 'GET', path })
      return (await body.text()) === 'ok' && statusCode === 200
    } catch {
      return false
    } finally {
      await client.destroy()
    }
  }
}

async function run(
  check: Check,
  connections: number,
  seconds: number,
  perSecond?: number,
): Promise<ProbeRound> {
  let checks = 0
  let failures = 0
  const startedMs = performance.now()
  const startedCpu = process.cpuUsage()
  const untilMs = startedMs + seconds * 1_000
  async function checkOnce(): Promise<void> {
    const isGood = await check()
    checks += 1
    if (!isGood) failures += 1
  }
  async function goOn(): Promise<void> {
    while (performance.now() < untilMs) await checkOnce()
  }
  /** Starts each at its time, whether the ones before have ended or not. */
  async function keepPace(pace: number): Promise<void> {
    const started: Promise<void>[] = []
    while (performance.now() < untilMs) {
      const due = ((performance.now() - startedMs) / 1_000) * pace
      while (started.length < due) started.push(checkOnce())
      await sleep(1)
    }
    await Promise.all(started)
  }
  await (perSecond === undefined
    ? Promise.all(Array.from({ length: connections }, goOn))
    : keepPace(perSecond))
  const { user, system } = process.cpuUsage(startedCpu)
  const tookSeconds = (performance.now() - startedMs) / 1_000
  return { checks, failures, seconds: tookSeconds, cpuSeconds: (user + system) / 1e6 }
}

async function rest(): Promise<ProbeRest> {
  for (let round = 0; round < 3; round += 1) {
    await sleep(restMs)
    globalThis.gc?.()
  }
  const active = process.getActiveResourcesInfo()
  const { heapUsed, rss } = process.memoryUsage()
  return {
    sockets: active.filter((name) => /^(TCP|TLS)/.test(name)).length,
    timers: active.filter((name) => name === 'Timeout').length,
    heapKb: heapUsed / 1_024,
    rssKb: rss / 1_024,
  }
}

// As the daemon does.
saveMemory()
process.once('disconnect', () => process.exit())
const { how, url, connections, ca = testCa }: ProbeLoadInput = JSON.parse(process.argv[2] ?? '{}')
const check = how === 'probe' ? probeCheck(url) : undiciCheck(url, ca)
process.on('message', (ask: ProbeLoadAsk) => {
  const answer = ask.kind === 'run' ? run(check, connections, ask.seconds, ask.perSecond) : rest()
  void answer.then((found) => process.send?.(found))
})
