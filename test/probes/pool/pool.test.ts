// Checks in threads say what checks in the main thread say, and a thread that ends harms nobody.
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { startWorker } from '../../../src/base/assets.ts'
import { startClock } from '../../../src/base/clock.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createChecks } from '../../../src/probes/checks.ts'
import type { PoolRules } from '../../../src/probes/pool/messages.ts'
import { createPool } from '../../../src/probes/pool/pool.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { makeTarget } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { answer, silent, startTarget } from '../../support/target.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
const target = await startTarget()
t.after(async () => {
  clock.stop()
  await target.close()
})
const { signal } = new AbortController()

function start(
  t: { after(run: () => unknown): void; fail(message: string): void },
  threads: number,
  first: Partial<PoolRules> = {},
) {
  const probes = createProbes({
    clock,
    guard: createGuard({ targets: 'any' }),
    resolver: createResolver({ clock }),
  })
  const deaths: unknown[] = []
  const workers: Worker[] = []
  let rules: PoolRules = {
    ...{ targets: { targets: 'any' }, ownListeners: [], nameServers: [], addedCa: undefined },
    ...first,
  }
  const pool = createPool({
    clock,
    local: createChecks(probes, clock),
    threadsWanted: () => threads,
    start: { refreshesRegistries: false, pastMs: undefined },
    startThread(path, options) {
      const worker = startWorker(path, options)
      workers.push(worker)
      return worker
    },
    rules: () => rules,
    hidesPrivate: () => false,
    clockWatch: { doubted() {}, confirmed() {} },
    onBug: (error) => t.fail(String(error)),
    onDeath: (error) => deaths.push(error),
  })
  t.after(() => pool.stop())
  return {
    pool,
    workers,
    deaths,
    async check(fields: Parameters<typeof makeTarget>[0] = {}) {
      const one = makeTarget({ url: `${target.url}/`, ...fields })
      return (await pool.check(one, { signal, keepsAnswer: false })).reading
    },
    setRules(next: Partial<PoolRules>) {
      rules = { ...rules, ...next }
      pool.tellRules()
    },
  }
}

t.test('a check in a thread is a reading', async (t) => {
  const { check, pool } = start(t, 2)
  target.script = answer({ body: 'hello' })
  const atMs = clock.nowMs()
  const readings = await Promise.all(Array.from({ length: 20 }, () => check()))
  t.equal(pool.threads(), 2)
  for (const reading of readings) t.match(reading, { result: 'good', status: 200 })
  const waitedMs = readings.map((reading) => Number(reading.waitedMs))
  t.ok(
    Math.min(...waitedMs) >= 0 && Math.max(...waitedMs) < clock.nowMs() - atMs,
    'and how late it was',
  )
  t.ok(readings.every((reading: Reading) => reading.atMs >= atMs))
})

t.test('a check ends early when it is stopped', async (t) => {
  const { pool } = start(t, 1)
  target.script = silent
  const stopping = new AbortController()
  const one = makeTarget({ url: `${target.url}/`, timeoutMs: 30_000 })
  const checked = pool.check(one, { signal: stopping.signal, keepsAnswer: false })
  await until(() => target.open > 0)
  stopping.abort()
  t.match((await checked).reading, {
    result: 'unknown',
    error: { message: 'the check was stopped' },
  })
})

t.test('rules that change hold for the checks that follow', async (t) => {
  const { check, setRules } = start(t, 2)
  target.script = answer()
  t.match(await check(), { result: 'good' })
  setRules({ targets: { targets: 'public' } })
  t.match(await check(), { result: 'failed', error: { kind: 'blocked' } })
  setRules({ targets: { targets: 'public', allow: ['127.0.0.0/8'] } })
  t.match(await check(), { result: 'good' })
  const memory = { checkType: 'host', url: 'host://memory?max=100' } as const
  t.match(await check(memory), { result: 'unknown', error: { kind: 'blocked' } })
  setRules({ targets: { targets: 'public', machine: { ...openMachine, host: ['memory'] } } })
  t.match(await check(memory), { result: 'good' })
})

t.test('what was found crosses over, without the secrets that were sent', async (t) => {
  const { check } = start(t, 1)
  const secret = 'a-secret-of-ours-1234'
  target.script = answer({ status: 500, body: `you sent ${secret}` })
  const reading = await check({ headers: { authorization: `Bearer ${secret}` } })
  t.match(reading, { result: 'failed', error: { kind: 'status' }, evidence: { status: 500 } })
  t.notMatch(JSON.stringify(reading), secret)
})

t.test('a thread that is killed under load loses no check and fails none', async (t) => {
  const { check, workers, deaths } = start(t, 1)
  target.script = answer()
  t.match(await check(), { result: 'good' })
  target.script = silent
  const waiting = Array.from({ length: 50 }, () => check({ timeoutMs: 20_000 }))
  await until(() => target.open === 50)
  await workers[0]?.terminate()
  for (const reading of await Promise.all(waiting)) {
    t.match(reading, { result: 'unknown', isSetAside: true, error: undefined })
  }
  t.equal(deaths.length, 1)
  target.script = answer()
  const after = await Promise.all(Array.from({ length: 50 }, () => check()))
  t.ok(
    after.every(({ result }) => result === 'good'),
    'the next thread goes on',
  )
})
