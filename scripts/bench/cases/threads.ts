// Case (m): HTTPS with a handshake for each check, in threads, and at remote probes: how late they are, how
// many a second one gets, and what is left for the main thread. Beside undici alone and, where it is
// installed, blackbox_exporter, which a process of ours asks as Prometheus would.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestFloor, threadFloor } from '../load/floor.ts'
import type { PacedInput, PacedReport } from '../load/paced.ts'
import { startTarget, type Target } from '../load/target-process.ts'
import { addLocation } from '../world/account.ts'
import { type Daemon, freePort, startDaemon, startProbeProgram } from '../world/daemon.ts'
import { atMost, type CaseResult, type Figure, info, toFloor } from '../world/figure.ts'
import { checkedMonitor, prepare } from '../world/prepare.ts'
import { cpuSecondsOf, mainThreadSecondsOf, memoryOf } from '../world/procfs.ts'
import { scrape, sumOf } from '../world/scrape.ts'
import { hosts, urlOf } from '../world/urls.ts'
import { ended, nextMessage, type Workplace } from '../world/workplace.ts'

export interface ThreadsOptions {
  /** How many are checked at a usual pace, for lateness and memory. */
  readonly monitors: number
  readonly intervalSeconds: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

interface Load {
  readonly count: number
  readonly intervalSeconds: number
}

/** What checks the target. */
interface Checker {
  /** The daemon, or what is not ours; then the probes. */
  readonly pids: readonly number[]
  readonly slotsMs: readonly number[]
  /** How long other checks than usual may be made first. */
  readonly unsteadyMs: number
  /** How many checks failed. */
  stop(): Promise<number>
}

interface Program {
  readonly name: string
  /** How many the daemon has. Undefined: it is not ours. */
  readonly threads?: number
  /** How many probes make the checks in place of the daemon. */
  readonly probes?: number
  start(load: Load): Promise<Checker>
}

interface Round {
  /** How many checks a second were due. */
  readonly wanted: number
  readonly perSecond: number
  /** How late all of the checks are: a probe knows the daemon's time from one answer. */
  readonly behindMs: number
  /** The lateness beyond that. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
  readonly checkMicroseconds: number
  readonly mainMicroseconds: number
  readonly targetMicroseconds: number
  readonly rssMb: number
  /** What one probe takes; NaN without. */
  readonly probeRssMb: number
}

const lateMs = 100
const mainMicrosecondsMost = 40
const residentMbMost = 300
const climb = { intervalSeconds: 10, seconds: 10, perSecond: 400, perSecondLeast: 50, factor: 1.25 }
/** A program that makes fewer than are due is too slow, however late those are. */
const shareLeast = 0.97
const floorSeconds = 6
const settleMs = 3_000
const answerMs = 10_000
const blackbox = 'blackbox_exporter'
const checksTotal = 'stillup_checks_total'
const refusedResults = ['stillup_location_results_total', 'outcome="refused"'] as const
const liveProbes = ['stillup_location_probes', 'state="live"'] as const
const connectMs = 20_000
const connectPollMs = 100
/** A probe makes the first checks of all but the first monitors of its plan within this time. */
const newcomersMs = 30_000

export async function measureThreads(
  work: Workplace,
  options: ThreadsOptions,
): Promise<CaseResult> {
  const { monitors: count, intervalSeconds, seconds } = options
  const tls = certificate(work)
  const target = await startTarget(work, { tls })
  const perSecond = count / intervalSeconds
  const floor = await requestFloor(work, {
    ...{ url: urlOf(target.urlPrefix, 0), perSecond, seconds: floorSeconds, ca: tls.cert },
  })
  const mainFloor = await threadFloor(work, { threads: 2, perSecond, seconds: floorSeconds })
  const programs = [
    ...[0, 1, 2].map((threads) => daemonOn(work, target, options, { threads, probes: 0 })),
    ...[1, 2].map((probes) => daemonOn(work, target, options, { threads: 0, probes })),
  ]
  if (!spawnSync(blackbox, ['--version']).error) programs.push(blackboxOn(work, target))
  const calm = new Map<Program, Round>()
  for (const program of programs) {
    calm.set(program, await measure(target, program, { count, intervalSeconds }, seconds))
  }
  const peerMs = [...calm].find(([{ threads }]) => threads === undefined)?.[1].p99Ms
  const figures = [...calm].flatMap(([program, round]) =>
    calmFigures(program, round, { perSecond, floor, mainFloor, peerMs }),
  )
  const climbs: Record<string, readonly Round[]> = {}
  let { perSecond: from } = climb
  for (const program of programs) {
    const rounds = await climbWith(target, program, from)
    climbs[program.name] = rounds
    figures.push(...climbFigures(program, rounds))
    // Each begins where the one before it ended, on the same steps.
    from = rounds.at(-1)?.wanted ?? from
  }
  await target.stop()
  return {
    title: `threads: HTTPS, a handshake each; ${count} at ${intervalSeconds} s, then as many as go`,
    figures: [
      info('floor: CPU of a request by undici alone', 1_000 * floor, 'µs'),
      info('floor: main thread, a timer, a message to a thread and its answer', mainFloor, 'µs'),
      ...figures,
    ],
    details: { options, calm: [...calm.values()], climbs },
  }
}

/** A certificate of all hosts; whoever trusts it needs no authority. */
function certificate(work: Workplace): { readonly key: string; readonly cert: string } {
  const [keyFile, certFile] = [join(work.root, 'key.pem'), join(work.root, 'cert.pem')]
  const names = hosts.map((host) => `IP:${host}`).join()
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    // Nobody is to be warned of it.
    ...['-days', '90', '-subj', '/CN=bench', '-addext', `subjectAltName=${names}`],
    ...['-keyout', keyFile, '-out', certFile],
  ])
  if (made.status !== 0) throw new Error(`openssl makes no certificate: ${made.stderr}`)
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
}

/** Where there are probes, they make the checks, from the only location of all monitors. */
function daemonOn(
  work: Workplace,
  { urlPrefix }: Target,
  { nodeArgs }: ThreadsOptions,
  { threads, probes }: { readonly threads: number; readonly probes: number },
): Program {
  const trusting = { STILLUP_CHECKS_CA_FILE: join(work.root, 'cert.pem') }
  const program = { nodeArgs, isBinary: nodeArgs.length === 0 }
  let started = 0
  return {
    name: probes === 0 ? `${threads} threads` : probes === 1 ? '1 probe' : `${probes} probes`,
    ...{ threads, probes },
    async start({ count, intervalSeconds }) {
      started += 1
      const monitor = checkedMonitor(urlPrefix, intervalSeconds)
      const name = `threads-${threads}-${probes}-${started}`
      let tokens: readonly string[] = []
      const made = await prepare(work, {
        ...{ name, count, monitor, urlPrefix },
        async first(daemon, account) {
          if (probes === 0) return {}
          const location = await addLocation(daemon, account, probes)
          tokens = location.tokens
          return { locations: [location.id] }
        },
      })
      const daemon = await startDaemon(work, {
        ...{ dataDir: made.dataDir, ...program },
        settings: { ...trusting, STILLUP_CHECKS_WORKERS: String(threads) },
      })
      const remotes = tokens.map((token, at) =>
        startProbeProgram(work, daemon, {
          ...{ name: `${name}-probe-${at}`, token, settings: trusting, ...program },
        }),
      )
      await connected(daemon, probes)
      return {
        ...{ pids: [daemon.pid, ...remotes.map(({ pid }) => pid)], slotsMs: made.slotsMs },
        unsteadyMs: probes === 0 ? 0 : newcomersMs,
        async stop() {
          const text = await scrape(daemon)
          for (const one of [...remotes, daemon]) await one.stop()
          const notUp = sumOf(text, checksTotal) - sumOf(text, checksTotal, 'verdict="up"')
          return notUp + sumOf(text, ...refusedResults)
        },
      }
    },
  }
}

/** Resolves once the daemon hears so many probes. */
async function connected(daemon: Daemon, probes: number): Promise<void> {
  const untilMs = performance.now() + connectMs
  while (sumOf(await scrape(daemon), ...liveProbes) < probes) {
    if (performance.now() > untilMs) throw new Error('the probes do not connect')
    await sleep(connectPollMs)
  }
}

function blackboxOn(work: Workplace, { urlPrefix }: Target): Program {
  return {
    name: blackbox,
    async start({ count, intervalSeconds }) {
      const port = await freePort()
      const configFile = join(work.root, 'blackbox.yml')
      const http = {
        preferred_ip_protocol: 'ip4',
        tls_config: { ca_file: join(work.root, 'cert.pem') },
      }
      // JSON is YAML.
      const modules = { bench: { prober: 'http', timeout: '10s', http } }
      writeFileSync(configFile, JSON.stringify({ modules }))
      const child = work.run(
        blackbox,
        [
          `--config.file=${configFile}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--log.level=error',
        ],
        { env: process.env, cwd: work.root, logFile: join(work.root, 'blackbox.log') },
      )
      await sleep(settleMs)
      const intervalMs = intervalSeconds * 1_000
      const input: PacedInput = { port, module: 'bench', urlPrefix, intervalMs }
      const asking: ChildProcess = work.fork('load/paced.ts', input)
      const slotsMs = Array.from({ length: count }, () => Math.floor(Math.random() * intervalMs))
      asking.send(slotsMs)
      return {
        ...{ pids: [child.pid ?? 0], slotsMs, unsteadyMs: 0 },
        async stop() {
          const answer = nextMessage<PacedReport>(asking, answerMs)
          asking.send({})
          const { failures } = await answer
          asking.disconnect()
          child.kill('SIGTERM')
          await Promise.all([ended(asking, answerMs), ended(child, answerMs)])
          return failures
        },
      }
    },
  }
}

async function measure(
  target: Target,
  program: Program,
  load: Load,
  seconds: number,
): Promise<Round> {
  const checker = await program.start(load)
  const { pids, unsteadyMs } = checker
  const [pid = 0, ...probes] = pids
  const intervalMs = load.intervalSeconds * 1_000
  // Each was checked once before.
  await sleep(Math.max(intervalMs, unsteadyMs) + settleMs)
  await target.reset(checker.slotsMs, intervalMs)
  const spent = () => ({
    all: pids.reduce((sum, one) => sum + cpuSecondsOf(one), 0),
    main: mainThreadSecondsOf(pid),
    target: cpuSecondsOf(target.pid),
  })
  const startedMs = performance.now()
  const before = spent()
  await sleep(seconds * 1_000)
  const after = spent()
  const tookSeconds = (performance.now() - startedMs) / 1_000
  const { total, lateness } = await target.report()
  const behindMs = probes.length > 0 ? lateness.p1Ms : 0
  const rssMb = (one: number) => memoryOf(one).rssKb / 1_024
  const memory = { rssMb: rssMb(pid), probeRssMb: mean(probes.map(rssMb)) }
  const microseconds = (of: keyof typeof before) => (1e6 * (after[of] - before[of])) / total
  return {
    wanted: load.count / load.intervalSeconds,
    perSecond: total / tookSeconds,
    behindMs,
    p50Ms: lateness.p50Ms - behindMs,
    p99Ms: lateness.p99Ms - behindMs,
    failures: await checker.stop(),
    checkMicroseconds: microseconds('all'),
    mainMicroseconds: microseconds('main'),
    targetMicroseconds: microseconds('target'),
    ...memory,
  }
}

/** The rounds in which checks were on time, each with more of them than the one before. */
async function climbWith(target: Target, program: Program, from: number): Promise<Round[]> {
  const { intervalSeconds, seconds, perSecondLeast, factor } = climb
  const rounds: Round[] = []
  let isTooMuch = false
  for (let wanted = from; wanted >= perSecondLeast; wanted *= isTooMuch ? 1 / factor : factor) {
    const count = Math.round(wanted * intervalSeconds)
    const round = await measure(target, program, { count, intervalSeconds }, seconds)
    if (round.p99Ms <= lateMs && round.perSecond >= shareLeast * wanted) {
      rounds.push(round)
      if (isTooMuch) break
    } else {
      if (rounds.length > 0) break
      isTooMuch = true
    }
  }
  return rounds
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

interface Beside {
  readonly perSecond: number
  /** CPU-seconds of 1,000 requests by undici alone. */
  readonly floor: number
  /** Microseconds of a main thread for a check in threads, at least. */
  readonly mainFloor: number
  readonly peerMs: number | undefined
}

function calmFigures(
  { name, threads, probes = 0 }: Program,
  round: Round,
  beside: Beside,
): Figure[] {
  const { perSecond, floor, mainFloor, peerMs } = beside
  const main = info(mainThreadName(name), round.mainMicroseconds, 'µs')
  const isOurs = threads !== undefined
  const late = `${name}: ${perSecond}/s, at the target after its slot`
  const p99 = info(`${late} p99`, round.p99Ms, 'ms')
  return [
    ...(probes > 0 ? [info(`${name}: behind the time of the daemon`, round.behindMs, 'ms')] : []),
    info(`${late} p50`, round.p50Ms, 'ms'),
    isOurs && peerMs !== undefined ? toFloor(p99, peerMs, { op: '<=', value: 1 }) : p99,
    toFloor(info(`${name}: CPU of a check`, round.checkMicroseconds, 'µs'), 1_000 * floor),
    ...(isOurs ? [threads > 0 ? toFloor(main, mainFloor) : main] : []),
    (isOurs ? atMost : info)(`${name}: resident memory`, round.rssMb, 'MB', residentMbMost),
    ...(probes > 0 ? [info(`${name}: resident memory of one`, round.probeRssMb, 'MB')] : []),
    atMost(`${name}: failed`, round.failures, '', 0),
  ]
}

function climbFigures({ name, threads, probes = 0 }: Program, rounds: readonly Round[]): Figure[] {
  const last = rounds.at(-1)
  if (last === undefined) return [info(`${name}: at most, ${lateMs} ms late`, 0, '/s')]
  // Without threads or probes, it makes the checks itself.
  const main = threads === 0 && probes === 0 ? info : atMost
  return [
    info(`${name}: at most, ${lateMs} ms late`, last.perSecond, '/s'),
    info(`${name}: CPU of a check then`, last.checkMicroseconds, 'µs'),
    ...(threads === undefined
      ? []
      : [main(mainThreadName(name), last.mainMicroseconds, 'µs', mainMicrosecondsMost)]),
    info(`${name}: CPU of the target for a check`, last.targetMicroseconds, 'µs'),
    ...(probes > 0
      ? [
          info(`${name}: resident memory then`, last.rssMb, 'MB'),
          info(`${name}: resident memory of one then`, last.probeRssMb, 'MB'),
        ]
      : []),
    atMost(`${name}: failed then`, last.failures, '', 0),
  ]
}

const mainThreadName = (name: string) => `${name}: of this, the main thread of the daemon`
