// Case: a backup while checks run and reports arrive. What does it cost them, and is everything in it
// that was acknowledged before it began? The backup is restored, checked, and read through the API.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Acknowledged, ReportsInput, ReportsResult } from '../load/reports.ts'
import { startTarget } from '../load/target-process.ts'
import type { Account } from '../world/account.ts'
import { commandOf, type Daemon, startDaemon } from '../world/daemon.ts'
import { atLeast, atMost, type CaseResult, info } from '../world/figure.ts'
import { checkedMonitor, idIn, prepare } from '../world/prepare.ts'
import { bucketsBetween, quantile, scrape, sumOf } from '../world/scrape.ts'
import type { Seeded, SeedInput } from '../world/seed.ts'
import { nextMessage, type Workplace } from '../world/workplace.ts'

export interface BackupOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  /** Monitors that wait for reports. */
  readonly jobs: number
  readonly reportsPerSecond: number
  readonly warmupSeconds: number
  /** Before the backup, to compare with. */
  readonly seconds: number
}

interface Made {
  readonly name: string
  readonly bytes: number
  readonly dataBytes: number
  readonly records: number
  readonly damagedRecords: number
}

/** What happened in a part of the run. */
interface Window {
  readonly seconds: number
  readonly resultsPerSecond: number
  readonly latenessP99Ms: number
  readonly fromMs: number
  readonly untilMs: number
}

const seedTimeoutMs = 120_000
const recordTimeoutMs = 30_000
const pageSize = 100

export async function measureBackup(work: Workplace, options: BackupOptions): Promise<CaseResult> {
  const target = await startTarget(work)
  const made = await world(work, options, target.urlPrefix)
  const daemon = await startDaemon(work, { dataDir: made.dataDir, isBinary: true })
  const recordFile = join(work.root, 'acknowledged.json')
  const input: ReportsInput = {
    port: daemon.port,
    perSecond: options.reportsPerSecond,
    connections: 50,
    tokensFile: made.tokensFile,
    recordFile,
  }
  const reports = work.fork('load/reports.ts', input)
  await sleep(options.warmupSeconds * 1_000)
  const before = await during(daemon, () => sleep(options.seconds * 1_000))
  let backup: Made | undefined
  const meanwhile = await during(daemon, async () => {
    backup = await run<Made>(work, made.dataDir, ['backup', 'create', '--json'])
  })
  if (!backup) throw new Error('there is no backup')
  await sleep(1_000)
  const result = nextMessage<ReportsResult>(reports, recordTimeoutMs)
  reports.send('end')
  const { failures } = await result
  await daemon.stop()
  await target.stop()
  const record = JSON.parse(readFileSync(recordFile, 'utf8')) as Acknowledged[]
  const restored = join(work.root, 'restored')
  const restoring = performance.now()
  await run(work, made.dataDir, ['restore', backup.name, '--to', restored, '--json'])
  const restoreSeconds = (performance.now() - restoring) / 1_000
  const verifying = performance.now()
  const verified = await run<Made>(work, made.dataDir, ['backup', 'verify', backup.name, '--json'])
  const verifySeconds = (performance.now() - verifying) / 1_000
  // It ends with 1, and then this fails, where anything is damaged or disagrees.
  const looking = performance.now()
  await run(work, made.dataDir, ['fsck', restored, '--json'])
  const fsckSeconds = (performance.now() - looking) / 1_000
  const owed = record.filter(({ atMs }) => atMs < meanwhile.fromMs)
  const lost = await missing(work, restored, made.account, owed)
  const p99Of = ({ fromMs, untilMs }: Window) => p99(record, fromMs, untilMs)
  const megabytes = (bytes: number) => bytes / 1e6
  const arrived = record.filter(({ atMs }) => atMs >= meanwhile.fromMs && atMs < meanwhile.untilMs)
  return {
    title: `backup: ${options.monitors} checks at ${options.intervalSeconds} s, ${options.reportsPerSecond} reports/s`,
    figures: [
      info('results before it, of checks and reports', before.resultsPerSecond, '/s'),
      atLeast(
        'results during it, of checks and reports',
        meanwhile.resultsPerSecond,
        '/s',
        0.95 * (options.monitors / options.intervalSeconds + options.reportsPerSecond),
      ),
      atLeast(
        'reports acknowledged during it',
        arrived.length / meanwhile.seconds,
        '/s',
        0.95 * options.reportsPerSecond,
      ),
      info('start lateness p99 before it', before.latenessP99Ms, 'ms'),
      info('start lateness p99 during it', meanwhile.latenessP99Ms, 'ms'),
      info('report latency p99 before it', p99Of(before), 'ms'),
      info('report latency p99 during it', p99Of(meanwhile), 'ms'),
      info('backup, with its verification', meanwhile.seconds, 's'),
      info('data', megabytes(backup.dataBytes), 'MB'),
      info('backup', megabytes(backup.bytes), 'MB'),
      info('records', backup.records, ''),
      info('restore, with its checks', restoreSeconds, 's'),
      info('its verification again, by command', verifySeconds, 's'),
      info('fsck of the restored data, without a finding', fsckSeconds, 's'),
      atMost('damaged records', verified.damagedRecords, '', 0),
      info('reports acknowledged before it', owed.length, ''),
      atMost('of these not in the restored data', lost, '', 0),
      atMost('reports that failed', failures, '', 0),
    ],
    details: { options, before, meanwhile, backup },
  }
}

/** Checked monitors, and jobs whose tokens are in a file. */
async function world(work: Workplace, options: BackupOptions, urlPrefix: string) {
  const { monitors, intervalSeconds, jobs } = options
  const job = { name: 'Job', checkType: 'push', intervalSeconds: 3_600 }
  let jobId = ''
  const made = await prepare(work, {
    name: 'backup',
    count: monitors,
    monitor: checkedMonitor(urlPrefix, intervalSeconds),
    urlPrefix,
    async also(daemon, account) {
      jobId = idIn(await account.create(daemon, '/monitors', job))
    },
  })
  const tokensFile = join(work.root, 'jobs.tokens')
  const { dataDir, account } = made
  const place = { dataDir, orgId: account.orgId, templateId: jobId }
  const input: SeedInput = { ...place, count: jobs + 1, tokensFile }
  await nextMessage<Seeded>(work.fork('world/seed.ts', input), seedTimeoutMs)
  return { dataDir, account, tokensFile }
}

async function during(daemon: Daemon, work: () => Promise<unknown>): Promise<Window> {
  const textBefore = await scrape(daemon)
  const fromMs = Date.now()
  await work()
  const untilMs = Date.now()
  const text = await scrape(daemon)
  const seconds = (untilMs - fromMs) / 1_000
  const results = sumOf(text, 'stillup_checks_total') - sumOf(textBefore, 'stillup_checks_total')
  const lateness = bucketsBetween(textBefore, text, 'stillup_check_lateness_seconds')
  const latenessP99Ms = quantile(lateness, 0.99) * 1_000
  return { seconds, resultsPerSecond: results / seconds, latenessP99Ms, fromMs, untilMs }
}

/** A command of the binary, on a data directory; gives what it printed. */
async function run<T>(work: Workplace, dataDir: string, words: readonly string[]): Promise<T> {
  const [command, ...args] = commandOf(true)
  const env = { ...process.env, STILLUP_DATA_DIR: dataDir, STILLUP_LOG_LEVEL: 'warn' }
  const master = join(work.root, 'backup/master.key')
  const key = existsSync(master) ? { STILLUP_DATA_MASTER_KEY_FILE: master } : {}
  const file = join(work.root, `${words[0]}.out`)
  const child = work.run('/bin/sh', ['-c', '"$0" "$@"', command ?? '', ...args, ...words], {
    env: { ...env, ...key },
    cwd: work.root,
    logFile: file,
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  const said = readFileSync(file, 'utf8')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${said}`)
  return JSON.parse(said.split('\n').findLast((line) => line.startsWith('{')) ?? '{}') as T
}

/** How many of the acknowledged reports a daemon on the restored data does not know. */
async function missing(
  work: Workplace,
  dataDir: string,
  { orgId, apiKey }: Account,
  owed: readonly Acknowledged[],
): Promise<number> {
  execFileSync('cp', [join(work.root, 'backup/master.key'), dataDir])
  const daemon = await startDaemon(work, { dataDir, isBinary: true })
  const list = async (path: string) => {
    const all: { id: string; name: string; responseTimeMs: number | null }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `limit=${pageSize}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const response = await fetch(`${daemon.baseUrl}/api/v1/orgs/${orgId}${path}?${query}`, {
        headers: { 'x-api-key': apiKey },
      })
      // The types are the API's, which its own tests check.
      const answer = (await response.json()) as {
        data: typeof all
        meta: { nextCursor: string | null }
      }
      all.push(...answer.data)
      cursor = answer.meta.nextCursor
    }
    return all
  }
  const monitors = await list('/monitors')
  const byName = new Map(monitors.map(({ id, name }) => [name, id]))
  const numbersOf = Map.groupBy(owed, ({ token }) => token)
  let lost = 0
  for (const [token, reports] of numbersOf) {
    const id = byName.get(`Job ${token + 1}`)
    const known = new Set(
      id ? (await list(`/monitors/${id}/checks`)).map((row) => row.responseTimeMs) : [],
    )
    lost += reports.filter(({ number }) => !known.has(number)).length
  }
  await daemon.stop()
  return lost
}

function p99(record: readonly Acknowledged[], fromMs: number, untilMs: number): number {
  const times = record.flatMap(({ atMs, tookMs }) =>
    atMs >= fromMs && atMs < untilMs ? [tookMs] : [],
  )
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? 0
}
