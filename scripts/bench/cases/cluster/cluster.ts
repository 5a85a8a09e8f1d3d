// Case (n): what a standby and a cluster cost for a check and for a write that somebody waits for, beside the same
// daemon alone; and how long nobody leads once the leader of a cluster has died under load.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startTarget, type Target } from '../../load/target-process.ts'
import { commandOf, type Daemon, startDaemon, startStandby } from '../../world/daemon.ts'
import { atMost, type CaseResult, type Figure, info, toFloor } from '../../world/figure.ts'
import { checkedMonitor, type Prepared, prepare } from '../../world/prepare.ts'
import { cpuSecondsOf } from '../../world/procfs.ts'
import { ended, type Workplace } from '../../world/workplace.ts'
import { type NatsCluster, startNats } from './nats.ts'

export interface ClusterOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly seconds: number
}

interface Way {
  readonly name: 'alone' | 'with a standby' | 'in a cluster'
  readonly nats?: NatsCluster
}

interface Costs {
  readonly checkMicroseconds: number
  readonly elsewhereMicroseconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly perSecond: number
}

const failoverMonitors = 10_000
const failoverSecondsMost = 25
const writes = 300
const concurrent = 16
const settleMs = 3_000
const followMsMax = 60_000
const commandMsMax = 60_000
const pollMs = 50
const failoverMsMax = 120_000

export async function measureCluster(
  work: Workplace,
  options: ClusterOptions,
): Promise<CaseResult> {
  const target = await startTarget(work)
  const nats = await startNats(work)
  const ways: readonly Way[] = [
    { name: 'alone' },
    { name: 'with a standby' },
    { name: 'in a cluster', nats },
  ]
  const all = new Map<string, Costs>()
  for (const way of ways) all.set(way.name, await costsOf(work, target, way, options))
  const failover = await measureFailover(work, target, nats)
  await nats.stop()
  await target.stop()
  const alone = all.get('alone')
  return {
    title: `cluster: what is acknowledged is on two machines; ${options.monitors} monitors at ${options.intervalSeconds} s`,
    figures: [
      ...[...all].flatMap(([name, costs]) => figuresOf(name, costs, alone)),
      atMost(
        `${failoverMonitors} monitors, the leader killed: until a write is answered`,
        failover.writeSeconds,
        's',
        failoverSecondsMost,
      ),
      atMost('until the first check', failover.checkSeconds, 's', failoverSecondsMost),
    ],
    details: { options, costs: Object.fromEntries(all), failover },
  }
}

function figuresOf(name: string, costs: Costs, alone: Costs | undefined): Figure[] {
  const beside = (figure: Figure, of: keyof Costs) =>
    alone && alone !== costs ? toFloor(figure, alone[of]) : figure
  const { checkMicroseconds, elsewhereMicroseconds, p50Ms, p99Ms, perSecond } = costs
  return [
    beside(info(`${name}: CPU of a check`, checkMicroseconds, 'µs'), 'checkMicroseconds'),
    ...(elsewhereMicroseconds > 0
      ? [info(`${name}: and of the others for it`, elsewhereMicroseconds, 'µs')]
      : []),
    beside(info(`${name}: a write is answered p50`, p50Ms, 'ms'), 'p50Ms'),
    beside(info(`${name}: a write is answered p99`, p99Ms, 'ms'), 'p99Ms'),
    beside(info(`${name}: writes, ${concurrent} at a time`, perSecond, '/s'), 'perSecond'),
  ]
}

interface Running {
  readonly made: Prepared
  readonly daemon: Daemon
  /** The processes besides the leader. */
  readonly others: readonly number[]
  readonly standby: Awaited<ReturnType<typeof startStandby>> | undefined
}

async function start(
  work: Workplace,
  target: Target,
  { name, nats }: Way,
  { monitors: count, intervalSeconds }: Pick<ClusterOptions, 'monitors' | 'intervalSeconds'>,
): Promise<Running> {
  const folder = `${name.replaceAll(' ', '-')}-${count}`
  const { urlPrefix } = target
  const monitor = checkedMonitor(urlPrefix, intervalSeconds)
  const made = await prepare(work, { name: folder, count, monitor, urlPrefix })
  await target.reset(made.slotsMs, intervalSeconds * 1_000)
  const { dataDir } = made
  const clustered = (member: string) => ({
    ...nats?.settings,
    STILLUP_CLUSTER_MEMBER: member,
    STILLUP_CLUSTER_CELL: `c${count}`,
  })
  if (nats) await begin(work, dataDir, clustered('a'))
  const settings =
    name === 'alone' ? {} : nats ? clustered('a') : { STILLUP_CLUSTER_STANDBY: 'true' }
  const daemon = await startDaemon(work, { dataDir, settings })
  if (name === 'alone') return { made, daemon, others: [], standby: undefined }
  const copyDir = join(work.root, `${folder}-copy`)
  mkdirSync(copyDir, { mode: 0o700 })
  copyFileSync(join(dataDir, 'master.key'), join(copyDir, 'master.key'))
  const standby = await startStandby(work, {
    dataDir: copyDir,
    ...(nats
      ? { words: ['serve'], settings: clustered('b') }
      : { words: ['standby', '--of', daemon.baseUrl], settings }),
  })
  await followed(daemon)
  return { made, daemon, standby, others: [standby.pid, ...(nats?.pids ?? [])] }
}

/** Lets the cluster begin with the data. */
async function begin(work: Workplace, dataDir: string, settings: NodeJS.ProcessEnv): Promise<void> {
  const [command = '', ...args] = [...commandOf(false), 'cluster', 'init']
  const child = work.run(command, args, {
    env: { ...process.env, ...settings, STILLUP_DATA_DIR: dataDir },
    cwd: work.root,
    logFile: `${dataDir}.init.log`,
  })
  const code = await ended(child, commandMsMax)
  if (code !== 0) throw new Error(`stillup cluster init ended with ${code}`)
}

/** Resolves once the standby has everything. */
async function followed({ baseUrl }: Daemon): Promise<void> {
  const untilMs = performance.now() + followMsMax
  for (;;) {
    const text = await fetch(`${baseUrl}/metrics`).then((answer) => answer.text())
    if (/stillup_cluster_standbys\{state="in_step"\} 1/.test(text)) break
    if (performance.now() > untilMs) throw new Error('the standby does not follow')
    await sleep(pollMs)
  }
  await sleep(settleMs)
}

async function costsOf(
  work: Workplace,
  target: Target,
  way: Way,
  options: ClusterOptions,
): Promise<Costs> {
  const { made, daemon, others, standby } = await start(work, target, way, options)
  await sleep(options.intervalSeconds * 1_000 + settleMs)
  await target.reset(made.slotsMs, options.intervalSeconds * 1_000)
  const spent = () => ({
    own: cpuSecondsOf(daemon.pid),
    others: others.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
  })
  const before = spent()
  await sleep(options.seconds * 1_000)
  const after = spent()
  const { total } = await target.report()
  const latencies = await write(daemon, made, writes, 1)
  const startedMs = performance.now()
  await write(daemon, made, writes * 2, concurrent)
  const perSecond = (writes * 2) / ((performance.now() - startedMs) / 1_000)
  await standby?.stop()
  await daemon.stop()
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    checkMicroseconds: (1e6 * (after.own - before.own)) / total,
    elsewhereMicroseconds: (1e6 * (after.others - before.others)) / total,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    perSecond,
  }
}

/** Changes monitors, so many at a time; returns how long each took, in order of size. */
async function write(
  daemon: Daemon,
  made: Prepared,
  count: number,
  atOnce: number,
): Promise<number[]> {
  const agent = new Agent({ connections: atOnce })
  const took: number[] = []
  let next = 0
  async function run(): Promise<void> {
    while (next < count) {
      next += 1
      const sinceMs = performance.now()
      const status = await rename(daemon.baseUrl, made, `Renamed ${next}`, agent)
      if (status !== 200) throw new Error(`a write is answered with ${status}`)
      took.push(performance.now() - sinceMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  await agent.close()
  return took.toSorted((a, b) => a - b)
}

async function rename(
  baseUrl: string,
  { account, templateId }: Prepared,
  name: string,
  dispatcher?: Agent,
): Promise<number> {
  const url = `${baseUrl}/api/v1/orgs/${account.orgId}/monitors/${templateId}`
  const { statusCode, body } = await request(url, {
    method: 'PATCH',
    headers: { 'x-api-key': account.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
    ...(dispatcher && { dispatcher }),
  })
  await body.dump()
  return statusCode
}

async function measureFailover(work: Workplace, target: Target, nats: NatsCluster) {
  const intervalSeconds = 60
  const size = { monitors: failoverMonitors, intervalSeconds }
  const { made, daemon, standby } = await start(work, target, { name: 'in a cluster', nats }, size)
  if (!standby) throw new Error('there is no other member')
  await sleep(settleMs)
  process.kill(daemon.pid, 'SIGKILL')
  const killedMs = performance.now()
  // What was on its way arrives.
  await sleep(pollMs)
  await target.reset(made.slotsMs, intervalSeconds * 1_000)
  let writeSeconds: number | undefined
  let checkSeconds: number | undefined
  while (writeSeconds === undefined || checkSeconds === undefined) {
    const seconds = (performance.now() - killedMs) / 1_000
    if (seconds * 1_000 > failoverMsMax) throw new Error('no member took over')
    const status = await rename(standby.baseUrl, made, 'After').catch(() => 0)
    if (status === 200) writeSeconds ??= (performance.now() - killedMs) / 1_000
    if ((await target.report()).total > 0) checkSeconds ??= seconds
    await sleep(pollMs)
  }
  await standby.stop()
  return { writeSeconds, checkSeconds }
}
