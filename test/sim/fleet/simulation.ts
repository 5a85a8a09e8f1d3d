// A simulated time of a fleet, from one seed: the daemon's engine, services and store in a world
// where targets fail, our network and clock break, receivers refuse, and the process is killed.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from '../../../src/base/fault.ts'
import type { IncidentId } from '../../../src/base/ids.ts'
import type { Sender } from '../../../src/channels/sender.ts'
import type { Outcome } from '../../../src/domain/alerts/attempt.ts'
import { type Channel, channelEvents } from '../../../src/domain/alerts/channel.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { hashToken, mintToken } from '../../../src/seal/tokens.ts'
import { channelNo, makeChannel } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeOrg } from '../../support/make-org.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'
import { type Attempt, ChannelOracle, type News, type Truth } from './channel-oracle.ts'
import {
  createReceiver,
  createTargets,
  diceOf,
  isWithin,
  type ReceiverKind,
  spans,
  type Target,
  type Treatment,
} from './faults.ts'
import { createJudge } from './judge.ts'
import { admin, type Fate, type Life, startLife } from './life.ts'
import { type LifeClock, SimTime } from './sim-clock.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface SimOptions {
  readonly seed: number
  readonly monitors: number
  readonly days: number
  /** Seconds between the checks of a monitor, to choose from. */
  readonly intervals?: readonly number[]
  /** Called at the end of each simulated day. */
  readonly onDay?: (day: number, soFar: SimReport) => void
  /** Called with everything that goes into the hash. */
  readonly trace?: (line: string) => void
}

export interface SimReport {
  readonly seed: number
  /** Moments at which something happened. */
  readonly steps: number
  readonly readings: number
  readonly incidents: number
  readonly messages: number
  readonly lives: number
  readonly edits: number
  /** The hash of everything that happened, without the ids, which no seed decides. */
  readonly hash: string
  readonly problems: readonly string[]
}

/** After so many, what follows only follows. */
const problemsKept = 20
/** What goes wrong ends before the receivers' last retry, and that before the end. */
const settledReceiversMs = 3 * hourMs
const flappingMs = 31 * minuteMs
const networkMarginMs = 20 * secondMs

interface ChannelPlan {
  readonly kind: ReceiverKind
  readonly fields: Partial<Channel>
  readonly isExact?: true
  readonly isLossless?: true
}

/** The one error that belongs to a working daemon. */
const networkLost = 'the local network is failing: failures that this explains are ignored'

const withoutDigest = channelEvents.filter((event) => event !== 'incident.digest')

const channelPlans: readonly ChannelPlan[] = [
  { kind: 'calm', fields: { events: withoutDigest }, isExact: true, isLossless: true },
  { kind: 'slow', fields: {}, isLossless: true },
  { kind: 'flaky', fields: {}, isLossless: true },
  { kind: 'rude', fields: {} },
  { kind: 'calm', fields: { delayMinutes: 10, minSeverity: 'down' } },
  {
    kind: 'slow',
    fields: {
      quietHours: {
        timezone: 'UTC',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from: '22:00',
        to: '06:00',
      },
    },
  },
]

export async function simulate(options: SimOptions): Promise<SimReport> {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const dir = mkdtempSync(join(parent, 'stillup-sim-'))
  const world = createWorld(options, dir)
  try {
    return await world.run()
  } finally {
    await world.end()
    rmSync(dir, { recursive: true, force: true })
  }
}

function createWorld(
  { seed, monitors: count, days, intervals, onDay, trace }: SimOptions,
  dir: string,
) {
  const time = new SimTime(Date.UTC(2026, 0, 1))
  const plan = planOf(seed, count, days, intervals)
  const { endMs, faultsEndMs } = plan
  const problems: string[] = []
  const hash = createHash('sha256')
  const tasks: (() => Promise<void>)[] = []
  const targets = new Map<string, Target>()
  const newTarget = createTargets(seed, {
    outageEveryMs: plan.outageEveryMs,
    untilMs: faultsEndMs,
  })
  const jitter = diceOf(seed, 'jitter')
  const checkDice = diceOf(seed, 'checks')
  const crashDice = diceOf(seed, 'crashes')
  const people = diceOf(seed, 'people')
  const clockDice = diceOf(seed, 'clock')
  const pushDice = diceOf(seed, 'push')
  const partitions = spans(diceOf(seed, 'network'), {
    everyMs: Math.min(5 * dayMs, (days * dayMs) / 4),
    untilMs: faultsEndMs,
    lengthMs: (dice) => dice.between(20 * secondMs, 40 * minuteMs),
  })
  let steps = 0
  let lives = 0
  let edits = 0
  /** The data of a life: the copy that was made during the one before it. */
  const dataDir = (number: number) => join(dir, `db-${number}`)
  let life: Life | undefined
  let clock: LifeClock | undefined
  let isStopping = false
  /** Commits until the process is killed at one. */
  let fatal: { commits: number; readonly fate: Fate } | undefined
  let absentMs = 0
  let awayFromMs: number | undefined
  /** Reports that arrive while the process stands still. */
  let backlog: (() => void)[] = []

  function note(...parts: (string | number)[]): void {
    trace?.(`${new Date(time.nowMs).toISOString()} ${parts.join(' ')}`)
    hash.update(`${time.elapsedMs} ${parts.join(' ')}\n`)
  }

  function problem(text: string): void {
    note('problem', text)
    if (problems.length < problemsKept) problems.push(text)
  }

  const truths = new Map<string, Truth>()
  const channels = channelPlans.map((one, index) => ({
    id: channelNo(index + 1),
    plan: one,
    receiver: createReceiver(one.kind, seed + index, faultsEndMs - settledReceiversMs),
    oracle: new ChannelOracle(
      {
        name: `${one.kind} ${index + 1}`,
        isExact: one.isExact ?? false,
        isLossless: one.isLossless ?? false,
        lateMsMax: 100 + 3 * plan.tickMs,
      },
      truths,
    ),
  }))
  const awakeMs = () => time.nowMs - absentMs
  const judge = createJudge({
    nowMs: () => time.nowMs,
    awakeMs,
    channels: channels.map(({ oracle }) => oracle),
    note,
    problem,
    truths,
  })

  // The life of the process

  function begin(): Life {
    lives += 1
    clock = time.begin(plan.tickMs)
    isStopping = false
    fatal = undefined
    const begun = startLife({
      dir: dataDir(lives),
      copyDir: dataDir(lives + 1),
      keyFile: join(dir, 'key'),
      clock,
      random: jitter.random,
      commitDelayMs: plan.commitDelayMs,
      probe,
      onReading(monitor, reading) {
        judgeNetwork(reading)
        judge.checked(monitor, reading)
      },
      sentinels: async () => {
        const answers = !isWithin(partitions, time.elapsedMs)
        if (!answers) await pause(2 * secondMs)
        const sentinel = { version: 'ipv4', answers, isProven: true } as const
        return { sentinels: [sentinel, sentinel], names: null }
      },
      sender,
      fateAtCommit,
      onFacts: (facts) => judge.commit(facts),
      onError(message, fields) {
        if (message !== networkLost) problem(`${message}: ${stackOf(fields)}`)
      },
    })
    life = begun
    if (awayFromMs !== undefined) absentMs += time.nowMs - awayFromMs
    awayFromMs = undefined
    judge.began()
    const { fromMs, toMs } = begun.gap
    if (lives > 1) {
      const aliveMs = judge.aliveMs()
      if (aliveMs !== null && aliveMs !== fromMs) problem(`the gap begins at ${fromMs}`)
      if (toMs - fromMs >= secondMs) judge.addGap({ fromMs, toMs })
    }
    note('life', lives)
    return begun
  }

  function fateAtCommit(): Fate {
    if (!fatal) return 'lives'
    fatal.commits -= 1
    if (fatal.commits > 0) return 'lives'
    const { fate } = fatal
    kill(`at a commit, ${fate}`)
    return fate
  }

  /** As kill -9 does. */
  function kill(how: string): void {
    const killed = life
    if (!killed || killed.isDead) return
    note('killed', how)
    killed.markDead()
    fatal = undefined
    away()
    tasks.push(() => buried(killed))
    restartLater()
  }

  /** Once all that it put on disk was seen. */
  async function buried(dead: Life): Promise<void> {
    await dead.die()
    rmSync(dataDir(lives), { recursive: true })
    judge.died()
  }

  function away(): void {
    life = undefined
    awayFromMs = time.nowMs
    backlog = []
  }

  function restartLater(): void {
    const dice = crashDice.random()
    const downMs =
      dice < 0.4
        ? crashDice.between(300, 20 * secondMs)
        : dice < 0.85
          ? crashDice.between(20 * secondMs, 15 * minuteMs)
          : crashDice.between(15 * minuteMs, 3 * hourMs)
    time.at(time.elapsedMs + downMs, () => {
      tasks.push(async () => {
        const begun = begin()
        begun.load().catch((error: unknown) => problem(`the start failed: ${stackOf({ error })}`))
      })
    })
  }

  function stopGently(): void {
    const stopped = life
    if (!stopped || isStopping || clock?.isStanding) return
    isStopping = true
    note('stopping')
    stopped.stop().then(
      () => {
        if (stopped.isDead) return
        stopped.markDead()
        away()
        tasks.push(() => buried(stopped))
        restartLater()
      },
      (error: unknown) => problem(`the stop failed: ${stackOf({ error })}`),
    )
  }

  /** What of this process may act now. */
  const active = (): Life | undefined =>
    life && !life.isDead && !isStopping && !clock?.isStanding ? life : undefined

  /** A time of the process: it stands still when the process does, and ends with it. */
  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    clock?.setExactTimeout(resolve, ms)
    return promise
  }

  // Targets

  async function probe(monitor: Monitor): Promise<Reading> {
    const atMs = time.nowMs
    const isCut = isWithin(partitions, time.elapsedMs)
    const mood = isCut ? 'failed' : (targets.get(monitor.id)?.moodAt(time.elapsedMs) ?? 'good')
    // Most answer within the same moment of the simulation.
    if (checkDice.chance(0.1)) await pause(checkDice.whole(1, 3_000))
    const durationMs = mood === 'slow' ? 9_000 : 100
    if (mood !== 'failed') return { atMs, durationMs, result: 'good', status: 200 }
    if (isCut || targets.get(monitor.id)?.isSilent) {
      const error = { kind: 'timeout', message: 'no answer within 10 s', phase: 'connect' } as const
      return { atMs, durationMs: 10_000, result: 'failed', error, doubt: 'ipv4' }
    }
    const error = { kind: 'status', message: 'the status is 500' } as const
    return { atMs, durationMs, result: 'failed', status: 500, error }
  }

  /** Our own network is blamed only while it fails, or soon after that. */
  function judgeNetwork({ result, isSetAside }: Reading): void {
    if (result !== 'unknown' || isSetAside) return
    const { elapsedMs } = time
    const wasCut = partitions.some(
      ({ fromMs, toMs }) => fromMs <= elapsedMs && elapsedMs <= toMs + networkMarginMs,
    )
    if (!wasCut) problem(`at ${time.nowMs} our own network was blamed, and it works`)
  }

  // Receivers

  const sender: Sender = async (message, { channel }) => {
    const found = channels.find(({ id }) => id === channel.id)
    if (!found) throw new Error('a message to a channel that is not there')
    const { treatment, afterMs } = found.receiver.treat(time.elapsedMs)
    const attempt = attemptOf(message.id, message.payloadJson)
    note('attempt', found.oracle.traits.name, attempt?.news ?? message.event, treatment.kind)
    if (attempt) {
      tell(found.oracle, found.oracle.attempt(attempt, lives))
      if (treatment.kind === 'taken' || treatment.kind === 'takenSilently') {
        const isKnown = treatment.kind === 'taken'
        tell(found.oracle, found.oracle.taken(attempt, isKnown, lives))
      }
    }
    await pause(afterMs)
    return outcomeOf(treatment)
  }

  function tell({ traits }: ChannelOracle, wrong: readonly string[]): void {
    for (const text of wrong)
      problem(`${traits.name} at ${new Date(time.nowMs).toISOString()}: ${text}`)
  }

  function attemptOf(webhookId: string, payloadJson: string): Attempt | null {
    const { type, data, timestamp } = JSON.parse(payloadJson)
    const at = { webhookId, awakeMs: awakeMs() }
    if (type === 'incident.digest') {
      const subjects = data.incidentIds.map(subjectOf)
      return { ...at, news: newsOf(data.event), subjects, writtenAtMs: Date.parse(timestamp) }
    }
    if (!type.startsWith('incident.')) return null
    note('about', subjectOf(data.incident.id))
    const subjects = [subjectOf(data.incident.id)]
    return { ...at, news: newsOf(type), subjects, writtenAtMs: time.nowMs }
  }

  const subjectOf = (id: IncidentId) => judge.subjects.get(id) ?? `unknown ${id}`

  // Senders of reports

  function sendReports(monitor: Monitor, token: string): void {
    const periodMs = monitor.intervalSeconds * secondMs
    const target = targets.get(monitor.id)
    const next = () => {
      const soonMs = pushDice.between(0.9, 1) * periodMs
      time.at(time.elapsedMs + soonMs, next)
      const mood = target?.moodAt(time.elapsedMs) ?? 'good'
      if (mood === 'failed' || isWithin(partitions, time.elapsedMs)) return
      const send = () => report(monitor, token, mood === 'good')
      if (clock?.isStanding && life) backlog.push(send)
      else send()
    }
    time.at(pushDice.random() * periodMs, next)
  }

  function report(monitor: Monitor, token: string, isGood: boolean): void {
    const receiving = active()
    if (!receiving?.fleet.monitor(monitor.id)) return
    judge.reported(monitor.id, time.nowMs, isGood)
    receiving.push.report(token, { status: isGood ? 'ok' : 'error' }).catch(unlessFault)
  }

  function unlessFault(error: unknown): void {
    if (!(error instanceof Fault)) problem(`a request failed: ${stackOf({ error })}`)
  }

  // The clock and the process

  function disturbClock(): void {
    const dice = clockDice.random()
    if (dice < 0.3) set(Math.round(clockDice.between(500, hourMs)))
    else if (dice < 0.6) set(-Math.round(clockDice.between(500, hourMs)))
    else
      standStill(Math.round(clockDice.between(600, clockDice.chance(0.3) ? 2 * hourMs : minuteMs)))
  }

  function set(byMs: number): void {
    note('clock set', byMs)
    const stepMs = time.set(byMs)
    if (!life) return
    absentMs += stepMs
    if (stepMs >= secondMs && !clock?.isStanding) {
      judge.addGap({ fromMs: time.nowMs - stepMs, toMs: time.nowMs })
    }
    clock?.noteSet(byMs, stepMs)
  }

  function standStill(ms: number): void {
    const standing = clock
    if (!active() || !standing) return
    note('stands still', ms)
    standing.standStill()
    time.at(time.elapsedMs + ms, () => {
      absentMs += ms
      const missedMs = standing.goOn(ms)
      if (missedMs >= secondMs) judge.addGap({ fromMs: time.nowMs - missedMs, toMs: time.nowMs })
      for (const send of backlog.splice(0)) send()
    })
  }

  function disturbProcess(): void {
    if (!active()) return
    const dice = crashDice.random()
    if (dice < 0.25) stopGently()
    else if (dice < 0.4) kill('at a moment')
    else {
      const fate = crashDice.chance(0.5) ? 'diesBefore' : 'diesAfter'
      fatal = { commits: crashDice.whole(1, 40), fate }
    }
  }

  // People

  function edit(): void {
    const living = active()
    if (!living) return
    edits += 1
    const dice = people.random()
    if (dice < 0.5) handleIncident(living, dice < 0.3)
    else if (dice < 0.6) editChannel(living)
    else editMonitor(living, dice)
  }

  function editMonitor(living: Life, dice: number): void {
    const monitor = people.pick(plan.monitors)
    const known = judge.caseOf(monitor.id)?.monitor
    if (!known) return
    if (dice < 0.75) {
      if (!known.isActive) return
      void living.monitors.pause(admin, monitor.id).catch(unlessFault)
      const againMs = time.elapsedMs + people.between(10 * minuteMs, 20 * hourMs)
      resumeAt(monitor, Math.min(againMs, faultsEndMs - minuteMs))
    } else if (dice < 0.97) {
      const fields = {
        failureThreshold: people.whole(1, 4),
        recoveryThreshold: people.whole(1, 3),
        degradedThreshold: people.whole(1, 3),
      }
      void living.monitors.change(admin, monitor.id, fields).catch(unlessFault)
    } else void living.monitors.remove(admin, monitor.id).catch(unlessFault)
  }

  function resumeAt(monitor: Monitor, elapsedMs: number): void {
    time.at(elapsedMs, () => {
      const living = active()
      if (!living) resumeAt(monitor, time.elapsedMs + 10 * minuteMs)
      else void living.monitors.resume(admin, monitor.id).catch(unlessFault)
    })
  }

  function handleIncident(living: Life, isAcknowledged: boolean): void {
    const open = living.store.incidents.listOpen(orgA, 50)
    if (open.length === 0) return
    const { id } = people.pick(open)
    if (isAcknowledged) {
      void living.incidents.acknowledge(admin, id).catch(unlessFault)
      return
    }
    judge.closing.add(id)
    void living.incidents.resolve(admin, id).catch(unlessFault)
  }

  /** Only of channels of which not everything is expected. */
  function editChannel(living: Life): void {
    const { id, plan: planned } = people.pick(channels.slice(3))
    const fields =
      planned.kind === 'calm'
        ? { delayMinutes: people.whole(0, 20) }
        : planned.kind === 'rude'
          ? { isActive: people.chance(0.7) }
          : { minSeverity: people.pick(['degraded', 'down'] as const) }
    void living.channels.change(admin, id, fields).catch(unlessFault)
  }

  // Regular work of the daemon

  function eachDay(day: number): void {
    const living = active()
    if (living) {
      void living.janitor.round().catch((error: unknown) => problem(stackOf({ error })))
      living.reconciler.round().then(
        (mended) => mended > 0 && problem(`${mended} records did not agree`),
        (error: unknown) => problem(stackOf({ error })),
      )
      if (day % 7 === 0) forgetHours(living)
    }
    onDay?.(day, summary())
    if ((day + 1) * dayMs < endMs) time.at((day + 1) * dayMs, () => eachDay(day + 1))
  }

  /** Two years of hours would only fill the memory of this machine. */
  function forgetHours({ store }: Life): void {
    const beforeMs = time.nowMs - 2 * dayMs
    for (const { id } of plan.monitors) {
      store.writeTogether((tx) => store.hours.trim(tx, orgA, id, beforeMs, 400)).catch(unlessFault)
    }
  }

  function again(dice: { wait(meanMs: number): number }, everyMs: number, run: () => void): void {
    const next = (): void => {
      const atMs = time.elapsedMs + dice.wait(everyMs)
      if (atMs < faultsEndMs) {
        time.at(atMs, () => {
          run()
          next()
        })
      }
    }
    next()
  }

  // The run

  async function settle(): Promise<void> {
    for (let idle = 0; idle < 2; ) {
      await nextTurn()
      for (const task of tasks.splice(0)) {
        await task()
        idle = 0
      }
      idle = process.getActiveResourcesInfo().includes('Immediate') ? 0 : idle + 1
    }
  }

  async function runUntil(elapsedMs: number): Promise<void> {
    await settle()
    while (time.nextMs() <= elapsedMs && problems.length < problemsKept) {
      steps += 1
      time.moveTo(time.nextMs())
      await settle()
    }
    if (problems.length < problemsKept) time.moveTo(elapsedMs)
    await settle()
  }

  function summary(): SimReport {
    return {
      seed,
      steps,
      readings: judge.readings(),
      incidents: judge.subjects.size,
      messages: channels.reduce((sum, { oracle }) => sum + oracle.messages, 0),
      lives,
      edits,
      hash: hash.copy().digest('hex'),
      problems,
    }
  }

  async function setUp(): Promise<void> {
    const { store } = begin()
    const nowMs = time.nowMs
    const written = store.write((tx) => {
      store.orgs.put(tx, makeOrg())
      for (const { id, plan: one } of channels) {
        store.channels.put(tx, makeChannel({ id, orgId: orgA, name: one.kind, ...one.fields }))
      }
      for (const monitor of plan.monitors) {
        store.monitors.put(tx, monitor)
        store.monitorStates.put(tx, orgA, monitor.id, initialMonitorState(nowMs))
      }
    })
    await settle()
    await written
  }

  return {
    async run(): Promise<SimReport> {
      for (const [index, monitor] of plan.monitors.entries()) {
        targets.set(monitor.id, newTarget(monitor.id, index, 0))
      }
      await setUp()
      life?.load().catch((error: unknown) => problem(stackOf({ error })))
      for (const [index, monitor] of plan.monitors.entries()) {
        const token = plan.tokens.get(index)
        if (token !== undefined) sendReports(monitor, token)
      }
      again(crashDice, plan.crashEveryMs, disturbProcess)
      again(clockDice, plan.jumpEveryMs, disturbClock)
      again(people, plan.editEveryMs, edit)
      time.at(dayMs, () => eachDay(1))
      // The person looks after a channel that was switched off.
      time.at(faultsEndMs - settledReceiversMs, repairChannels)
      await runUntil(endMs)
      finish()
      return summary()
    },
    async end(): Promise<void> {
      await life?.die()
    },
  }

  function repairChannels(): void {
    const living = active()
    if (!living) {
      time.at(time.elapsedMs + minuteMs, repairChannels)
      return
    }
    for (const { id } of channels) {
      void living.channels.change(admin, id, { isActive: true }).catch(unlessFault)
    }
  }

  function finish(): void {
    if (!life) {
      problem('the daemon did not come back')
      return
    }
    const { store } = life
    judge.finish(({ orgId, id }) => store.monitorStates.get(orgId, id))
    for (const { oracle } of channels) tell(oracle, oracle.missing().slice(0, 3))
    for (const { id, oracle } of channels) {
      const pending = store.deliveries.pending(orgA, id, 10)
      const isQuiet = store.channels.get(orgA, id)?.quietHours
      if (pending.length > 0 && !isQuiet) tell(oracle, [`${pending.length} messages wait`])
    }
    if (store.damage.count() > 0) problem('records are damaged')
  }
}

const shortIntervals = [60, 300, 600, 1_800, 3_600]
const longIntervals = [300, 900, 1_800, ...Array.from({ length: 17 }, () => 3_600)]

/** Everything about a run that follows from its seed and size at once. */
function planOf(seed: number, count: number, days: number, given?: readonly number[]) {
  const dice = diceOf(seed, 'fleet')
  const tokens = new Map<number, string>()
  // Long runs check rarely, short ones often.
  const isLong = count * days > 20_000
  const intervals = given ?? (isLong ? longIntervals : shortIntervals)
  const monitors = Array.from({ length: count }, (_, index): Monitor => {
    const id = monitorNo(index + 1)
    const isPush = index % 7 === 3
    const token = mintToken('spp')
    if (isPush) tokens.set(index, token)
    return makeMonitor({
      id,
      orgId: orgA,
      name: `Monitor ${index + 1}`,
      url: isPush ? null : `https://t${index}.test/`,
      checkType: isPush ? 'push' : 'endpoint',
      intervalSeconds: dice.pick(intervals),
      timeoutMs: 10_000,
      failureThreshold: dice.whole(1, 4),
      recoveryThreshold: dice.whole(1, 3),
      degradedThreshold: dice.whole(1, 3),
      degradedOpensIncident: dice.chance(0.4),
      reminderMinutes: dice.chance(0.1) ? 60 : 0,
      graceSeconds: isPush ? dice.whole(1, 10) * 60 : 60,
      pushTokenHash: isPush ? hashToken(token) : null,
      createdAtMs: Date.UTC(2026, 0, 1),
    })
  })
  const slowestMs =
    Math.max(
      ...monitors.map(({ intervalSeconds, graceSeconds }) => intervalSeconds + graceSeconds),
    ) * secondMs
  const endMs = days * dayMs
  const faultsEndMs = endMs - 2 * slowestMs - 90 * secondMs - flappingMs
  return {
    monitors,
    tokens,
    endMs,
    faultsEndMs,
    outageEveryMs: isLong ? 8 * dayMs : Math.min(2 * dayMs, (days * dayMs) / 4),
    crashEveryMs: isLong ? 3 * dayMs : Math.max(4 * hourMs, (days * dayMs) / 12),
    jumpEveryMs: isLong ? 5 * dayMs : (days * dayMs) / 8,
    editEveryMs: isLong ? 2 * hourMs : Math.min(2 * hourMs, (days * dayMs) / 30),
    commitDelayMs: isLong ? 15_000 : dice.pick([200, 2_000, 15_000]),
    // A coarse clock lets much happen at the same moment, which costs less.
    tickMs: isLong ? 5_000 : 1,
  }
}

function outcomeOf(treatment: Treatment): Outcome {
  const failed = { ok: false, mayRetry: true } as const
  switch (treatment.kind) {
    case 'taken':
      return { ok: true, status: 200 }
    case 'takenSilently':
      return { ...failed, class: 'timeout', reason: 'The receiver did not answer.' }
    case 'refused':
      return { ...failed, status: 500, reason: 'The receiver answered 500.' }
    case 'unreachable':
      return { ...failed, class: 'connection', reason: 'The receiver cannot be reached.' }
    case 'limited':
      return { ...failed, status: 429, reason: 'Too many.', retryAfterMs: treatment.retryAfterMs }
    case 'gone':
      return { ok: false, mayRetry: false, status: 410, reason: 'Gone.', disablesChannel: true }
  }
}

const newsNames: Readonly<Record<string, News>> = {
  'incident.opened': 'opened',
  'incident.acknowledged': 'acknowledged',
  'incident.updated': 'updated',
  'incident.resolved': 'resolved',
  'incident.reminder': 'reminder',
}

function newsOf(event: string): News {
  const news = newsNames[event]
  if (!news) throw new Error(`${event} is no news of an incident`)
  return news
}

function stackOf(fields: { readonly error?: unknown } | undefined): string {
  const error = fields?.error
  return error instanceof Error ? (error.stack ?? error.message) : ''
}
