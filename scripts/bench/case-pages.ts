// Case (c): how often a status page and answers of the API can be fetched, beside a bare server.

import type { Account } from './account.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { atMost, type CaseResult, type Figure, info, toFloor } from './figure.ts'
import { bytesOf, serveFloor } from './floor.ts'
import type { LoadInput } from './load.ts'
import { loadFigures, runLoad } from './load-process.ts'
import { checkedMonitor, idIn, prepare } from './prepare.ts'
import { startTarget } from './target-process.ts'
import type { Workplace } from './workplace.ts'

export interface PagesOptions {
  /** Shown on the page. */
  readonly monitors: number
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
}

const slug = 'bench'
/** As many as a list's first page shows. */
const listed = 50
const intervalSeconds = 20

export async function measurePages(work: Workplace, options: PagesOptions): Promise<CaseResult> {
  const { monitors, connections, nodeArgs } = options
  const target = await startTarget(work)
  const { urlPrefix } = target
  const monitor = { ...checkedMonitor(urlPrefix, intervalSeconds), isPublic: true }
  const made = await prepare(work, {
    name: 'pages',
    count: listed,
    urlPrefix,
    monitor,
    also: (daemon, account, first) => makePage(daemon, account, monitor, [first], monitors),
  })
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
  const { orgId, apiKey } = made.account
  const page = { method: 'GET', path: `/status/${slug}` }
  const api = { method: 'GET', headers: { 'x-api-key': apiKey } }
  const orgPath = `/api/v1/orgs/${orgId}`
  const monitorPath = `${orgPath}/monitors/${made.templateId}`
  const { figures, details } = await measureEach(work, daemon, options, [
    {
      label: 'status page, gzip',
      ratioMin: 0.7,
      request: { ...page, headers: { 'Accept-Encoding': 'gzip' } },
    },
    { label: 'status page, plain', request: { ...page, headers: {} } },
    { label: 'one organization', request: { ...api, path: orgPath } },
    { label: 'one monitor', ratioMin: 0.4, request: { ...api, path: monitorPath } },
    {
      label: `list of ${listed} monitors`,
      ratioMin: 1 / 30,
      isBesidePage: true,
      request: { ...api, path: `${orgPath}/monitors?limit=${listed}` },
    },
  ])
  await daemon.stop()
  await target.stop()
  return {
    title: `pages and API: ${monitors} monitors on the page, ${connections} connections`,
    figures,
    details: { options, ...details },
  }
}

async function measureEach(
  work: Workplace,
  daemon: Daemon,
  { connections, warmupSeconds, seconds }: PagesOptions,
  all: readonly Fetched[],
) {
  const figures: Figure[] = []
  const details: Record<string, object> = {}
  let pageFloor: number | undefined
  for (const { label, request, ratioMin, isBesidePage } of all) {
    const load = { connections, warmupSeconds, seconds, request }
    const answer = await bytesOf(daemon, request)
    const floor = await serveFloor(work, load, answer)
    const loaded = await runLoad(work, daemon, load)
    details[label] = { floor, loaded }
    pageFloor ??= floor.perSecond
    const requests = info(`${label}: requests`, loaded.perSecond, '/s')
    const goal = ratioMin === undefined ? undefined : ({ op: '>=', value: ratioMin } as const)
    figures.push(
      info(`floor: ${answer.bytes.length} bytes by uWebSockets.js`, floor.perSecond, '/s'),
      toFloor(requests, isBesidePage ? pageFloor : floor.perSecond, goal),
      atMost(`${label}: failures`, loaded.failures, '', 0),
      ...loadFigures(`${label}:`, loaded, floor),
    )
  }
  return { figures, details }
}

/** The other monitors of the page, one check of each, and the page. */
async function makePage(
  daemon: Daemon,
  account: Account,
  monitor: object,
  ids: readonly string[],
  count: number,
): Promise<void> {
  const publicMonitorIds = [...ids]
  while (publicMonitorIds.length < count) {
    publicMonitorIds.push(idIn(await account.create(daemon, '/monitors', monitor)))
  }
  for (const id of publicMonitorIds) await account.create(daemon, `/monitors/${id}`, {})
  const shown = { showHistory: true, showUptime: true, showIncidents: true, showMonitors: true }
  const names = { name: 'Bench', slug, title: 'Bench status', description: 'How it goes' }
  const page = { ...names, ...shown, isEnabled: true, isDefault: true, publicMonitorIds }
  await account.create(daemon, '/status-pages', page)
}
