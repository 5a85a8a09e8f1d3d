// Case (c): how often a status page and a small API answer can be fetched.

import type { Account } from './account.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { atLeast, atMost, type CaseResult } from './figure.ts'
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

type Request = LoadInput['request']

const slug = 'bench'
const pagesPerSecond = 30_000
const answersPerSecond = 20_000

export async function measurePages(work: Workplace, options: PagesOptions): Promise<CaseResult> {
  const { monitors, connections, nodeArgs } = options
  const target = await startTarget(work)
  const monitor = { ...checkedMonitor(target.urlPrefix, 20), isPublic: true }
  const made = await prepare(work, {
    name: 'pages',
    count: 1,
    monitor,
    also: (daemon, account, first) => makePage(daemon, account, monitor, [first], monitors),
  })
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
  const { orgId, apiKey } = made.account
  const page = { method: 'GET', path: `/status/${slug}` }
  const api = { method: 'GET', headers: { 'x-api-key': apiKey } }
  const orgPath = `/api/v1/orgs/${orgId}`
  const requests: readonly (readonly [label: string, least: number, request: Request])[] = [
    ['status page, gzip,', pagesPerSecond, { ...page, headers: { 'Accept-Encoding': 'gzip' } }],
    ['status page, plain,', pagesPerSecond, { ...page, headers: {} }],
    // A small answer, and one of fifty fields.
    ['one organization by API', answersPerSecond, { ...api, path: orgPath }],
    [
      'one monitor by API',
      answersPerSecond,
      { ...api, path: `${orgPath}/monitors/${made.templateId}` },
    ],
  ]
  const { figures, details } = await measureEach(work, daemon, options, requests)
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
  requests: readonly (readonly [label: string, least: number, request: Request])[],
) {
  const figures: CaseResult['figures'][number][] = []
  const details: Record<string, object> = {}
  for (const [label, least, request] of requests) {
    const loaded = await runLoad(work, daemon, { connections, warmupSeconds, seconds, request })
    details[label] = loaded
    figures.push(
      atLeast(`${label} requests`, loaded.perSecond, '/s', least),
      atMost(`${label} failures`, loaded.failures, '', 0),
      ...loadFigures(label, loaded),
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
