// Case (h): callers who dawdle, and too many callers. Are the others served, and checks on time?
import { setTimeout as sleep } from 'node:timers/promises'
import { openFilesMax } from '../../../src/base/open-files.ts'
import { shareFiles } from '../../../src/domain/system/file-shares.ts'
import type { CrowdReport } from '../load/crowd.ts'
import type { CrowdInput, Manner } from '../load/crowd-manners.ts'
import { type Crowd, startCrowd } from '../load/crowd-process.ts'
import type { LoadInput } from '../load/load.ts'
import { type Loaded, runLoad } from '../load/load-process.ts'
import type { Daemon } from '../world/daemon.ts'
import { atLeast, atMost, type CaseResult, type Figure, info } from '../world/figure.ts'
import { filesOf, memoryOf } from '../world/procfs.ts'
import { bucketsBetween, quantile, scrape, sumOf } from '../world/scrape.ts'
import type { Workplace } from '../world/workplace.ts'
import { startChecked } from './checked.ts'

export interface ClientsOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly connections: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

const slowCount = 5_000
const beyondCount = 3_000
const checksAtOnce = 1_000
/** The daemon's bound is so much above the connections that stay. */
const spare = 200
const idleMs = 14_000
const settleMs = 3_000
const lookMs = 1_000
const otherConnections = 8
const otherPauseMs = 10

export async function measureClients(
  work: Workplace,
  options: ClientsOptions,
): Promise<CaseResult> {
  const { monitors, intervalSeconds, connections, nodeArgs } = options
  const filesMax = filesFor(connections + spare)
  const asked = { name: 'clients', count: monitors, intervalSeconds, nodeArgs, filesMax }
  const { made, daemon, stop } = await startChecked(work, asked)
  const path = `/api/v1/orgs/${made.account.orgId}`
  const headers = { 'x-api-key': made.account.apiKey }
  const place: Place = { work, daemon, options, input: { port: daemon.port, path, headers } }
  await warm(place)
  const base = stateOf(daemon)
  const before = await scrape(daemon)
  const slow = await measureSlow(place)
  const many = await measureMany(place)
  await sleep(settleMs)
  const after = await scrape(daemon)
  const end = stateOf(daemon)
  await stop()
  return {
    title: `clients: ${slowCount} slow ones; ${connections} at once; ${monitors} monitors`,
    figures: [...slow, ...many, ...endFigures({ base, end, before, after })],
    details: { options, filesMax, base, end },
  }
}

/** Throws where the system does not let processes open that many. */
function filesFor(connections: number): number {
  const most = openFilesMax() ?? Number.POSITIVE_INFINITY
  for (let filesMax = connections; filesMax <= most; filesMax += 1) {
    if (shareFiles(filesMax, checksAtOnce).connections >= connections) return filesMax
  }
  throw new Error(`${connections} connections need a higher limit of open files than ${most}`)
}

interface Place {
  readonly work: Workplace
  readonly daemon: Daemon
  readonly options: ClientsOptions
  readonly input: CrowdInput
}

/** Callers with manners, few at a time: what they feel is what counts. */
function others({ work, daemon, input }: Place, seconds: number): Promise<Loaded> {
  const { path, headers } = input
  const request: LoadInput['request'] = { method: 'GET', path, headers }
  const pace = { connections: otherConnections, pauseMs: otherPauseMs }
  return runLoad(work, daemon, { ...pace, warmupSeconds: 1, seconds, request })
}

/** A first crowd stretches what the allocator keeps for the next. */
async function warm({ work, input, options }: Place): Promise<void> {
  const crowd = startCrowd(work, input)
  await crowd.open('busy', options.connections)
  await sleep(settleMs)
  await crowd.close()
  await crowd.stop()
  await sleep(settleMs)
}

const slowManners: readonly Manner[] = ['slow head', 'slow body', 'unread answer', 'silent']

async function measureSlow(place: Place): Promise<Figure[]> {
  const { work, daemon, input, options } = place
  const crowds = slowManners.map((manner) => ({ manner, crowd: startCrowd(work, input) }))
  const each = Math.ceil(slowCount / crowds.length)
  for (const { manner, crowd } of crowds) {
    await crowd.keep(true)
    await crowd.open(manner, each)
  }
  const loaded = await others(place, options.seconds)
  const open = connectionsIn(await scrape(daemon))
  for (const { crowd } of crowds) await crowd.keep(false)
  await sleep(idleMs)
  const left = connectionsIn(await scrape(daemon)) - 1
  const figures: Figure[] = []
  for (const { manner, crowd } of crowds) {
    const { livedMsMax } = await crowd.report()
    if (livedMsMax > 0) figures.push(atMost(`${manner}, lived`, livedMsMax / 1_000, 's', 13))
    await crowd.stop()
  }
  return [
    atLeast('slow: open at once', open, '', slowCount * 0.9),
    ...othersFigures('slow', loaded, 50),
    ...figures,
    atMost(`slow: open ${idleMs / 1_000} s later`, left, '', 0),
  ]
}

async function measureMany(place: Place): Promise<Figure[]> {
  const { work, daemon, input, options } = place
  const crowd = startCrowd(work, input)
  await crowd.open('busy', options.connections)
  await sleep(settleMs)
  await crowd.reset()
  const loaded = await others(place, options.seconds)
  const open = connectionsIn(await scrape(daemon))
  const calm = await crowd.report()
  const beyond = startCrowd(work, input)
  // They are there before the rush: while it is full, nobody new comes in.
  const [loadedBeyond, { text, turnedAway }] = await Promise.all([
    others(place, options.seconds),
    sleep(settleMs).then(() => rush(daemon, beyond)),
  ])
  const full = await crowd.report()
  for (const one of [crowd, beyond]) {
    await one.close()
    await one.stop()
  }
  return [
    atLeast('many: open at once', open, '', options.connections),
    ...othersFigures('many', loaded, 200),
    ...crowdFigures('many: theirs', calm),
    info('beyond: open at once', connectionsIn(text), ''),
    info('beyond: bound', sumOf(text, 'stillup_http_connections_max'), ''),
    info('beyond: closed as they came', turnedAway.ended, ''),
    atMost('beyond: neither served nor closed', turnedAway.hanging, '', 0),
    ...othersFigures('beyond', loadedBeyond, 200),
    atMost('beyond: cut among those who were there', full.ended, '', 0),
    atMost('beyond: answers to them other than 200', full.failures, '', 0),
  ]
}

async function rush(daemon: Daemon, beyond: Crowd) {
  let isOver = false
  const opened = beyond.open('silent', beyondCount).then(() => {
    isOver = true
  })
  let text = await scrape(daemon)
  // Its connection stays because it is used: while it is full, nobody new comes in.
  while (!isOver) {
    await sleep(lookMs)
    text = await scrape(daemon)
  }
  await opened
  return { text, turnedAway: await beyond.report() }
}

function connectionsIn(text: string): number {
  return sumOf(text, 'stillup_http_connections')
}

function othersFigures(label: string, loaded: Loaded, p99MsMost: number): Figure[] {
  return [
    atMost(`${label}: failures of others`, loaded.failures, '', 0),
    info(`${label}: answers to others`, loaded.perSecond, '/s'),
    info(`${label}: latency of others p50`, loaded.p50Ms, 'ms'),
    atMost(`${label}: latency of others p99`, loaded.p99Ms, 'ms', p99MsMost),
    info(`${label}: latency of others, longest`, loaded.maxMs, 'ms'),
    info(`${label}: CPU of the daemon`, (100 * loaded.daemonCpuSeconds) / loaded.seconds, '%'),
  ]
}

function crowdFigures(label: string, { answers, failures, ended, p99Ms }: CrowdReport): Figure[] {
  return [
    info(`${label} answers`, answers, ''),
    atMost(`${label} failures`, failures + ended, '', 0),
    atMost(`${label} latency p99`, p99Ms, 'ms', 200),
  ]
}

function stateOf({ pid }: Daemon) {
  return { ...memoryOf(pid), files: filesOf(pid) }
}

interface Ends {
  readonly base: ReturnType<typeof stateOf>
  readonly end: ReturnType<typeof stateOf>
  readonly before: string
  readonly after: string
}

function endFigures({ base, end, before, after }: Ends): Figure[] {
  const buckets = bucketsBetween(before, after, 'stillup_check_lateness_seconds')
  const checks = 'stillup_checks_total'
  const good = (text: string) => sumOf(text, checks, 'verdict="up"')
  const all = sumOf(after, checks) - sumOf(before, checks)
  return [
    info('checks meanwhile', all, ''),
    atMost('checks not up', all - (good(after) - good(before)), '', 0),
    info('start lateness p99', quantile(buckets, 0.99) * 1_000, 'ms'),
    atMost('start lateness, longest', quantile(buckets, 1) * 1_000, 'ms', 1_000),
    atMost('afterwards: connections', connectionsIn(after) - 1, '', 0),
    atMost('afterwards: open files, growth', end.files - base.files, '', 20),
    atMost('afterwards: anonymous memory, growth', (end.anonKb - base.anonKb) / 1_024, 'MB', 20),
    info('afterwards: resident memory', end.rssKb / 1_024, 'MB'),
  ]
}
