// Case (n): many monitors that sign in to one PostgreSQL server and ask a query. What does a check cost beside
// bare `pg`, is it on time, and what do kinds of checks cost in memory that no monitor has?
import { setTimeout as sleep } from 'node:timers/promises'
import { skipWithoutPostgres, startPostgres } from '../../../../test/support/servers/postgres.ts'
import { startDaemon } from '../../world/daemon.ts'
import { atLeast, atMost, type CaseResult, info, toFloor } from '../../world/figure.ts'
import { emptyMemory, prepare } from '../../world/prepare.ts'
import { cpuSecondsOf, memoryOf } from '../../world/procfs.ts'
import { bucketsBetween, quantile, scrape, sumOf } from '../../world/scrape.ts'
import { ended, nextMessage, type Workplace } from '../../world/workplace.ts'
import type { PgFloor, PgFloorInput } from './pg-floor.ts'

export interface DatabasesOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

const login = { username: 'ada', password: 's3cret' }
const query = 'SELECT 1'
const floorSeconds = 10
const answerMs = 60_000
const checksTotal = 'stillup_checks_total'
const lateness = 'stillup_check_lateness_seconds'

export async function measureDatabases(
  work: Workplace,
  { monitors, intervalSeconds, seconds, nodeArgs }: DatabasesOptions,
): Promise<CaseResult> {
  if (skipWithoutPostgres) throw new Error(skipWithoutPostgres)
  const ends: (() => unknown)[] = []
  const server = await startPostgres({ teardown: (end) => void ends.unshift(end) })
  try {
    const perSecond = monitors / intervalSeconds
    const { username: user, password } = login
    const asked = { port: server.port, user, password, database: 'shop', query }
    const floor = await floorOf(work, { ...asked, perSecond, seconds: floorSeconds })
    const empty = await emptyMemory(work)
    const url = `postgres://127.0.0.1:${server.port}/shop?tls=off`
    const monitor = { name: 'Database', checkType: 'postgres', url, ...login, body: query }
    const made = await prepare(work, {
      name: 'databases',
      count: monitors,
      monitor: { ...monitor, intervalSeconds, timeoutMs: 10_000 },
    })
    const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
    await sleep(intervalSeconds * 1_000)
    const [before, cpuBefore, startedMs] = [
      await scrape(daemon),
      cpuSecondsOf(daemon.pid),
      performance.now(),
    ]
    await sleep(seconds * 1_000)
    const cpuSeconds = cpuSecondsOf(daemon.pid) - cpuBefore
    const [after, memory] = [await scrape(daemon), memoryOf(daemon.pid)]
    const elapsed = (performance.now() - startedMs) / 1_000
    await daemon.stop()
    const between = (labels?: string) =>
      sumOf(after, checksTotal, labels) - sumOf(before, checksTotal, labels)
    const checks = between()
    const buckets = bucketsBetween(before, after, lateness)
    return {
      title: `databases: ${monitors} PostgreSQL monitors at ${intervalSeconds} s, ${seconds} s`,
      figures: [
        atLeast('checks committed', checks / elapsed, '/s', 0.97 * perSecond),
        atMost('checks not up', checks - between('verdict="up"'), '', 0),
        info('start lateness p50', quantile(buckets, 0.5) * 1_000, 'ms'),
        info('start lateness p99', quantile(buckets, 0.99) * 1_000, 'ms'),
        toFloor(info('CPU-seconds per 1,000 checks', (cpuSeconds / checks) * 1_000, 's'), floor, {
          op: '<=',
          value: 1.4,
        }),
        info('resident memory of an empty daemon', empty.rssKb / 1_024, 'MB'),
        info('resident memory', memory.rssKb / 1_024, 'MB'),
      ],
      details: { monitors, intervalSeconds, seconds, empty, memory },
    }
  } finally {
    for (const end of ends) await end()
  }
}

async function floorOf(work: Workplace, input: PgFloorInput): Promise<number> {
  const child = work.fork('cases/databases/pg-floor.ts', input)
  const { cpuSeconds } = await nextMessage<PgFloor>(child, answerMs)
  await ended(child, answerMs)
  return cpuSeconds
}
