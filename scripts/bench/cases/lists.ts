// Case (i): an organization of very many monitors, listed page by page, and read by Prometheus, while all are checked.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import { startFloor } from '../load/floor.ts'
import { atMost, type CaseResult, info, toFloor } from '../world/figure.ts'
import { cpuSecondsOf } from '../world/procfs.ts'
import type { Workplace } from '../world/workplace.ts'
import { startChecked } from './checked.ts'

export interface ListsOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly nodeArgs: readonly string[]
}

const perPage = 200
const rounds = 5
const metricsRounds = 14
const metricsBeginning = 3
const metricsEveryMs = 1_000

export async function measureLists(work: Workplace, options: ListsOptions): Promise<CaseResult> {
  const { monitors, intervalSeconds, nodeArgs } = options
  const asked = { name: 'lists', count: monitors, intervalSeconds, nodeArgs }
  const { made, daemon, stop } = await startChecked(work, asked)
  const client = new Client(daemon.baseUrl)
  const path = `/api/v1/orgs/${made.account.orgId}/monitors?limit=${perPage}`
  const headers = { 'x-api-key': made.account.apiKey }
  const seconds: number[] = []
  const cpuBefore = cpuSecondsOf(daemon.pid)
  let missing = 0
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    const count = await listAll(client, path, headers)
    seconds.push((performance.now() - startedMs) / 1_000)
    missing += monitors - count
  }
  const cpuSeconds = (cpuSecondsOf(daemon.pid) - cpuBefore) / rounds
  const metrics = await measureMetrics(work, { client, pid: daemon.pid, headers })
  await client.close()
  await stop()
  return {
    title: `lists: ${monitors} monitors at ${intervalSeconds} s, ${perPage} a page`,
    figures: [
      atMost('all of them, page by page', median(seconds), 's', 2),
      atMost('monitors missing', missing, '', 0),
      info('the first time', seconds[0] ?? Number.NaN, 's'),
      info('CPU of the daemon, each time', cpuSeconds, 's'),
      ...metrics.figures,
    ],
    details: { options, seconds, metrics },
  }
}

/**
 * What a scrape of the metrics of all of them takes, once what is kept for scrapes is there; by turns with bare
 * uWebSockets.js that sends as many bytes.
 */
async function measureMetrics(
  work: Workplace,
  { client, pid, headers }: { client: Client; pid: number; headers: Record<string, string> },
) {
  const ask = async (from: Client) => {
    const startedMs = performance.now()
    const { body } = await from.request({ method: 'GET', path: '/metrics/monitors', headers })
    const bytes = Buffer.from(await body.arrayBuffer())
    return { bytes, ms: performance.now() - startedMs }
  }
  const first = await ask(client)
  const floor = await startFloor(work, { bytes: first.bytes, head: ['Content-Type', 'text/plain'] })
  const floorClient = new Client(`http://127.0.0.1:${floor.port}`)
  const times: number[] = []
  const floors: number[] = []
  const cpus: number[] = []
  for (let round = 0; round < metricsRounds; round += 1) {
    const [cpuStart, startedMs] = [cpuSecondsOf(pid), performance.now()]
    await sleep(metricsEveryMs)
    const [cpuBefore, beforeMs] = [cpuSecondsOf(pid), performance.now()]
    const { ms } = await ask(client)
    const cpu = cpuSecondsOf(pid) - cpuBefore
    const ofChecks = ((cpuBefore - cpuStart) * ms) / (beforeMs - startedMs)
    cpus.push(1_000 * (cpu - ofChecks))
    times.push(ms)
    floors.push((await ask(floorClient)).ms)
  }
  await floorClient.close()
  await floor.stop()
  // In the first rounds, uptimes are computed that the next ones tell again.
  const steady = (values: readonly number[]) => median(values.slice(metricsBeginning))
  return {
    times,
    floors,
    cpus,
    figures: [
      info('metrics of all of them: the first time', first.ms, 'ms'),
      info('floor: as many bytes by uWebSockets.js', steady(floors), 'ms'),
      atMost('metrics of all of them', steady(times), 'ms', 100),
      toFloor(
        info('metrics of all of them, beside the floor', steady(times), 'ms'),
        steady(floors),
      ),
      info('metrics of all of them: CPU of the daemon beyond its checks', steady(cpus), 'ms'),
      info('metrics of all of them: size', first.bytes.length / 1_024, 'KB'),
    ],
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Follows the pages to the end; tells how many monitors there were. */
async function listAll(client: Client, path: string, headers: Record<string, string>) {
  let count = 0
  let cursor = ''
  for (;;) {
    const answer = await client.request({ method: 'GET', path: path + cursor, headers })
    const { data, meta } = (await answer.body.json()) as {
      readonly data: readonly unknown[]
      readonly meta: { readonly nextCursor: string | null }
    }
    count += data.length
    if (meta.nextCursor === null) return count
    cursor = `&cursor=${encodeURIComponent(meta.nextCursor)}`
  }
}
