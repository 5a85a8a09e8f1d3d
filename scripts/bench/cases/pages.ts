// Case (c): how often a status page and answers of the API can be fetched while very many checks run,
// beside a bare server; how soon a change is visible; what many pages take of the memory.
//
// On two cores the generator often needs a whole one, and then the rates say more about it than about
// the servers. The CPU time of the server for each request is the figure to compare in that case.
import { setTimeout as sleep } from 'node:timers/promises'
import { bytesOf, serveFloor } from '../load/floor.ts'
import type { LoadInput } from '../load/load.ts'
import { loadFigures, runLoad } from '../load/load-process.ts'
import { startTarget } from '../load/target-process.ts'
import { type Daemon, startDaemon } from '../world/daemon.ts'
import { atLeast, atMost, type CaseResult, type Figure, info, toFloor } from '../world/figure.ts'
import { makePage, slug } from '../world/page-made.ts'
import { checkedMonitor, prepare } from '../world/prepare.ts'
import { cpuSecondsOf } from '../world/procfs.ts'
import { scrape, sumOf } from '../world/scrape.ts'
import type { Workplace } from '../world/workplace.ts'
import { makeJobsPage, measureChanges } from './page-changes.ts'
import { measurePageMemory } from './page-memory.ts'

export interface PagesOptions {
  /** Shown on the page. */
  readonly monitors: number
  /** The interval of the monitors that are checked meanwhile. */
  readonly intervalSeconds: number
  readonly connections: number
  readonly warmupSeconds: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

/** What is fetched again and again, and the part of the floor that is promised of it. */
interface Fetched {
  readonly label: string
  readonly request: LoadInput['request']
  readonly ratioMin?: number
  /** Beside the floor of the page, however large its own answer is. */
  readonly isBesidePage?: true
  /** The first requests for it only cause it to be made. */
  readonly isReadyLater?: true
}

/** What the checks alone take of the daemon. */
interface Checking {
  readonly perSecond: number
  readonly cpuShare: number
}

/** As many as a list's first page shows. */
const listed = 50
const checksPerSecond = 500
const roundsUntilReady = 3
const readyMs = 1_200
const p99MsMax = 10
const pagesKept = 1_000
const monitorsOfKept = 20

export async function measurePages(work: Workplace, options: PagesOptions): Promise<CaseResult> {
  const { monitors, intervalSeconds, connections, nodeArgs } = options
  const target = await startTarget(work)
  const { urlPrefix } = target
  const monitor = checkedMonitor(urlPrefix, intervalSeconds)
  let tokens: readonly string[] = []
  const made = await prepare(work, {
    name: 'pages',
    count: checksPerSecond * intervalSeconds,
    urlPrefix,
    monitor,
    async also(daemon, account) {
      await makePage(daemon, account, { ...monitor, isPublic: true }, monitors)
      tokens = await makeJobsPage(daemon, account)
    },
  })
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
  // All monitors were checked once before anything is measured.
  await sleep(intervalSeconds * 1_000)
  const checking = await watchChecks(daemon, options.seconds)
  const { orgId, apiKey } = made.account
  const page = { method: 'GET', path: `/status/${slug}` }
  const api = { method: 'GET', headers: { 'x-api-key': apiKey } }
  const orgPath = `/api/v1/orgs/${orgId}`
  const monitorPath = `${orgPath}/monitors/${made.templateId}`
  const { figures, details } = await measureEach(work, daemon, options, checking, [
    {
      label: 'status page, gzip',
      ratioMin: 0.7,
      request: { ...page, headers: { 'Accept-Encoding': 'gzip' } },
    },
    {
      label: 'status page, brotli',
      ratioMin: 0.7,
      isReadyLater: true,
      request: { ...page, headers: { 'Accept-Encoding': 'gzip, br' } },
    },
    { label: 'status page, plain', ratioMin: 0.7, request: { ...page, headers: {} } },
    { label: 'one organization', request: { ...api, path: orgPath } },
    { label: 'one monitor', ratioMin: 0.4, request: { ...api, path: monitorPath } },
    {
      label: `list of ${listed} monitors`,
      ratioMin: 1 / 30,
      isBesidePage: true,
      request: { ...api, path: `${orgPath}/monitors?limit=${listed}` },
    },
  ])
  const changes = await measureChanges(daemon, tokens)
  await daemon.stop()
  const sizes = { pages: pagesKept, monitors: monitorsOfKept }
  const memory = await measurePageMemory(work, { urlPrefix, ...sizes, nodeArgs })
  await target.stop()
  const { perSecond, cpuShare } = checking
  return {
    title: `pages and API: ${monitors} monitors on the page, ${connections} connections`,
    figures: [
      atLeast('checks meanwhile', perSecond, '/s', 0.9 * checksPerSecond),
      info('CPU of the daemon by checks alone', 100 * cpuShare, '%'),
      ...figures,
      ...changes.figures,
      ...memory,
    ],
    details: { options, checking, ...details, changes: changes.details },
  }
}

async function watchChecks(daemon: Daemon, seconds: number): Promise<Checking> {
  const before = sumOf(await scrape(daemon), 'stillup_checks_total')
  const startedMs = performance.now()
  const cpuBefore = cpuSecondsOf(daemon.pid)
  await sleep(seconds * 1_000)
  const elapsedSeconds = (performance.now() - startedMs) / 1_000
  const cpuShare = (cpuSecondsOf(daemon.pid) - cpuBefore) / elapsedSeconds
  const after = sumOf(await scrape(daemon), 'stillup_checks_total')
  return { perSecond: (after - before) / elapsedSeconds, cpuShare }
}

async function measureEach(
  work: Workplace,
  daemon: Daemon,
  { connections, warmupSeconds, seconds }: PagesOptions,
  checking: Checking,
  all: readonly Fetched[],
) {
  const figures: Figure[] = []
  const details: Record<string, object> = {}
  let pageFloor: number | undefined
  for (const { label, request, ratioMin, isBesidePage, isReadyLater } of all) {
    for (let round = 0; isReadyLater && round < roundsUntilReady; round += 1) {
      await bytesOf(daemon, request)
      await sleep(readyMs)
    }
    const load = { connections, warmupSeconds, seconds, request }
    const answer = await bytesOf(daemon, request)
    // While the daemon checks, so that the machine is as busy as with the daemon's own answers.
    const floor = await serveFloor(work, load, answer)
    const loaded = await runLoad(work, daemon, load)
    details[label] = { floor, loaded }
    pageFloor ??= floor.perSecond
    const requests = info(`${label}: requests`, loaded.perSecond, '/s')
    const goal = ratioMin === undefined ? undefined : ({ op: '>=', value: ratioMin } as const)
    const isPage = request.path === `/status/${slug}`
    figures.push(
      info(`floor: ${answer.bytes.length} bytes by uWebSockets.js`, floor.perSecond, '/s'),
      info('floor: CPU of the generator', (100 * floor.generatorCpuSeconds) / floor.seconds, '%'),
      toFloor(requests, isBesidePage ? pageFloor : floor.perSecond, goal),
      atMost(`${label}: failures`, loaded.failures, '', 0),
      ...loadFigures(`${label}:`, loaded, {
        floor,
        besidesCpu: checking.cpuShare * loaded.seconds,
        ...(isPage ? { p99MsMax } : {}),
      }),
    )
  }
  return { figures, details }
}
