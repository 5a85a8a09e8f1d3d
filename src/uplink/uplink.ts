// The probe's side of the protocol: a session with the daemon, its plan, and the way of the results.
import type { Clock, RunningClock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import { TooLate, within } from '../base/timeout.ts'
import {
  type Assignment,
  type ProbeHello,
  type ProbeLoad,
  type ProbePlan,
  type ProbeWelcome,
  planHoldMs,
  probeSilentMs,
} from '../domain/locations/protocol.ts'
import type { DaemonWire } from '../net/daemon-wire.ts'
import {
  type ReadPlan,
  readAssigned,
  readAssignment,
  readPlan,
  readResultsAnswer,
  readWelcome,
} from './answers.ts'
import { createHeldResults, type MadeResult } from './held-results.ts'
import { outcomeOf, type WireOutcome } from './outcome.ts'

export interface UplinkDeps {
  readonly clock: Clock & Pick<RunningClock, 'onJump'>
  readonly log: Log
  /** A random number in [0, 1). */
  readonly random: () => number
  readonly wire: DaemonWire
  /** The addresses of the daemon, without a slash at the end; the next one is tried when one fails. */
  readonly urls: readonly string[]
  readonly hello: ProbeHello
  readonly onPlan: (plan: Omit<ProbePlan, 'revision' | 'nowMs'>) => void
  /** The daemon's time is another one than was thought. */
  readonly onTime: () => void
  /** The daemon refuses this probe: it has no plan any more. */
  readonly onRefused: () => void
  readonly load: () => Omit<ProbeLoad, 'dropped'>
}

interface UplinkSession {
  readonly id: string
  readonly controller: AbortController
  /** The counts when it began. */
  readonly checks: number
  readonly dropped: number
  revision: number
  readonly askIds: Set<number>
  /** Since when the daemon has a newer plan than we; undefined: it has not. */
  behindMonoMs: number | undefined
  /** Ends the held question for the plan. */
  question: AbortController | undefined
}

interface AskOptions {
  readonly timeoutMs: number
  /** JSON of a POST; undefined: a GET. */
  readonly body?: string | undefined
  readonly ended?: AbortSignal | undefined
}

type DaemonReply<Answer> =
  | Exclude<WireOutcome, { kind: 'ok' }>
  /** We ended it ourselves. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'ok'; readonly value: Answer | undefined }

const helloMs = 15_000
const resultsMs = 30_000
const planMs = planHoldMs + 20_000
/** The wait after a failure: the first, doubled each time, and the longest. */
const pauseMs = 1_000
const pauseMsMax = 30_000
/** The wait after the daemon has refused us, or speaks another version of the protocol. */
const refusedPauseMs = 60_000
/** An answer without news that comes sooner was not held: a proxy may answer by itself. */
const emptyPlanMsMin = 1_000
/** Questions for the plan, and batches, are so far apart: the daemon takes ten requests a second. */
const requestGapMs = 250
/** Routine results wait so long for others, and so many go at once. */
const routineMs = 1_000
const routineMax = 100
/** The daemon's clock is followed back if it differs by so much; less is the way of the answer. */
const clockStepMs = 250
/** From such a difference on, what is due is planned anew. */
const clockJumpMs = 1_000
/** The held question for the plan may have been lost on its way. */
const behindMsMax = 5_000
const stopMs = 5_000

/** Connects, and goes on until it is stopped. */
export function startUplink(deps: UplinkDeps) {
  const { clock, log, wire, urls } = deps
  const held = createHeldResults(clock)
  const stopping = new AbortController()
  /** What is held shall be sent now or never. */
  const hurry = new AbortController()
  let session: UplinkSession | undefined
  /** The daemon's time minus our monotonic clock. */
  let aheadMs = clock.nowMs() - clock.monoMs()
  let isTimeKnown = false
  /** The newest answer told of a time that is earlier by a step. */
  let isStepSeen = false
  let urlAt = 0
  let failures = 0
  /** What is wrong, as it was logged. */
  let trouble: string | undefined
  let heardMonoMs = Number.NEGATIVE_INFINITY
  let isUrgent = false
  let sendTimer: unknown
  let sentMonoMs = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | undefined
  let isDraining = false

  const urlNow = () => urls[urlAt % urls.length] ?? ''
  const nowMs = () => Math.round(clock.monoMs() + aheadMs)

  /**
   * The answer was on its way for a while, so of two estimates the later one is nearer. A larger difference
   * means that the daemon's clock was set, if two answers in a row say so: one may have been held up.
   */
  function follow(toldMs: number): void {
    const differenceMs = toldMs - clock.monoMs() - aheadMs
    const isStep = differenceMs <= -clockStepMs
    const isEarlier = isStep && isStepSeen
    isStepSeen = isStep
    if (isTimeKnown && differenceMs < 0 && !isEarlier) return
    aheadMs += differenceMs
    isTimeKnown = true
    if (Math.abs(differenceMs) >= clockJumpMs) deps.onTime()
  }

  /** Asks the daemon; what it answers is read by `read`. A failure is counted, and the next address follows. */
  async function ask<Answer>(
    path: string,
    read: (document: unknown) => Answer | undefined,
    { timeoutMs, body, ended }: AskOptions,
  ): Promise<DaemonReply<Answer>> {
    const usedAt = urlAt
    const asked = await askOnce(path, read, { timeoutMs, body, ended })
    if ((asked.kind === 'failed' || asked.kind === 'rejected') && urlAt === usedAt) {
      urlAt += 1
      failures += 1
    }
    return asked
  }

  async function askOnce<Answer>(
    path: string,
    read: (document: unknown) => Answer | undefined,
    { timeoutMs, body, ended }: AskOptions,
  ): Promise<DaemonReply<Answer>> {
    const late = new AbortController()
    const timer = clock.setTimeout(() => late.abort(new TooLate(timeoutMs)), timeoutMs)
    const signal = AbortSignal.any([late.signal, stopping.signal, ...(ended ? [ended] : [])])
    const url = urlNow()
    const place = new URL(url).origin
    const method = body === undefined ? 'GET' : 'POST'
    try {
      const answer = await wire.send({ method, url: `${url}/api/v1/probe/${path}`, body, signal })
      const outcome = outcomeOf(answer, place)
      if (outcome.kind !== 'ok') return outcome
      const value = outcome.document === undefined ? undefined : read(outcome.document)
      if (outcome.document !== undefined && value === undefined) {
        const told = `what ${place} answers is not understood: is a stillup daemon of this version there?`
        return { kind: 'failed', told }
      }
      noteWord(place)
      return { kind: 'ok', value }
    } catch (error) {
      if (late.signal.aborted) return { kind: 'failed', told: `${place} does not answer` }
      if (signal.aborted) return { kind: 'ended' }
      const why = error instanceof Error ? error.message : String(error)
      return { kind: 'failed', told: `${place} cannot be reached: ${why}` }
    } finally {
      clock.clearTimeout(timer)
    }
  }

  function noteWord(place: string): void {
    failures = 0
    heardMonoMs = clock.monoMs()
    if (trouble === undefined) return
    trouble = undefined
    log.info(`${place} answers again`)
  }

  /** Each trouble is told once, until there is another one or none. */
  function tell(told: string): void {
    if (trouble !== told) log.error(told)
    trouble = told
  }

  function pause(ms: number, ended?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const signal = AbortSignal.any([stopping.signal, ...(ended ? [ended] : [])])
      const done = () => {
        clock.clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = clock.setTimeout(done, ms)
      if (signal.aborted) done()
      else signal.addEventListener('abort', done)
    })
  }

  /** Waits as long as what happened demands. */
  async function pauseAfter(asked: DaemonReply<unknown>, ended?: AbortSignal): Promise<void> {
    if (asked.kind === 'ended' || asked.kind === 'ok') return
    tell(asked.told)
    if (asked.kind === 'refused' || asked.kind === 'mismatch') return pause(refusedPauseMs, ended)
    const ms = Math.min(pauseMsMax, pauseMs * 2 ** Math.min(Math.max(0, failures - 1), 10))
    const { retryAfterMs = 0 } = asked
    return pause(Math.max(retryAfterMs, ms * (0.75 + deps.random() / 2)), ended)
  }

  async function live(): Promise<void> {
    const body = JSON.stringify(deps.hello)
    while (!stopping.signal.aborted) {
      const asked = await ask('session', readWelcome, { timeoutMs: helloMs, body })
      if (asked.kind === 'refused') {
        held.forget()
        deps.onRefused()
      }
      if (asked.kind !== 'ok' || !asked.value) {
        await pauseAfter(asked)
        continue
      }
      const begunMonoMs = clock.monoMs()
      await followPlan(begin(asked.value))
      // Somebody else may have the same token, and each ends the other's session.
      if (clock.monoMs() - begunMonoMs < pauseMs) await pause(pauseMs)
    }
  }

  function begin({ session: id, probe, location, nowMs: toldMs }: ProbeWelcome): UplinkSession {
    // Another daemon may be there.
    isStepSeen = true
    follow(toldMs)
    const begun: UplinkSession = {
      id,
      controller: new AbortController(),
      checks: deps.load().checks,
      dropped: held.dropped(),
      revision: 0,
      askIds: new Set(),
      behindMonoMs: undefined,
      question: undefined,
    }
    session = begun
    log.info('connected', { server: urlNow(), probe, location })
    send()
    return begun
  }

  /** Asks for the plan again and again, until the session is over. */
  async function followPlan(own: UplinkSession): Promise<void> {
    const { signal } = own.controller
    while (session === own && !stopping.signal.aborted) {
      const askedMonoMs = clock.monoMs()
      own.question = new AbortController()
      const path = `plan?session=${encodeURIComponent(own.id)}&since=${own.revision}`
      const ended = AbortSignal.any([signal, own.question.signal])
      const asked = await ask(path, readPlan, { timeoutMs: planMs, ended })
      if (session !== own) return
      if (asked.kind === 'over' || asked.kind === 'refused') return endSession(own)
      if (asked.kind !== 'ok') {
        await pauseAfter(asked, signal)
        continue
      }
      const isNews = asked.value !== undefined && takePlan(own, asked.value)
      const tookMs = clock.monoMs() - askedMonoMs
      const gapMs = isNews ? requestGapMs : emptyPlanMsMin
      if (tookMs < gapMs) await pause(gapMs - tookMs, signal)
    }
  }

  /** Whether it has news. */
  function takePlan(own: UplinkSession, plan: ReadPlan): boolean {
    follow(plan.nowMs)
    const put: Assignment[] = []
    const strange: unknown[] = []
    for (const one of plan.put) {
      const read = readAssignment(one)
      if (read && deps.hello.kinds.includes(read.checkType)) put.push(read)
      else strange.push(one)
    }
    if (strange.length > 0) {
      const told = strange.length === 1 ? 'one monitor is' : `${strange.length} monitors are`
      log.error(`${told} not understood and not checked here: upgrade this probe`)
    }
    // Nobody wants to know any more what they were before.
    const gone = strange.flatMap((one) => readAssigned(one)?.monitorId ?? [])
    const ask = plan.ask.filter(({ askId }) => !own.askIds.has(askId))
    for (const { askId } of ask) own.askIds.add(askId)
    const isNews = plan.revision !== own.revision || ask.length > 0
    own.revision = plan.revision
    own.behindMonoMs = undefined
    deps.onPlan({ isWhole: plan.isWhole, put, remove: [...plan.remove, ...gone], ask })
    return isNews
  }

  function endSession(own: UplinkSession): void {
    if (session === own) session = undefined
    own.controller.abort()
  }

  function send(): void {
    clock.clearTimeout(sendTimer)
    sendTimer = undefined
    sending ??= sendAll().finally(() => {
      sending = undefined
      if (held.size() > 0 && session && !isDraining) schedule()
    })
  }

  /** Sends now, or soon if all that is held is routine. */
  function schedule(): void {
    if (!session) return
    if (isUrgent || held.size() >= routineMax) send()
    else sendTimer ??= clock.setTimeout(send, routineMs)
  }

  async function sendAll(): Promise<void> {
    let isFirst = true
    while (session && (isFirst || isUrgent || isDraining || held.size() >= routineMax)) {
      isFirst = false
      const gapMs = sentMonoMs + requestGapMs - clock.monoMs()
      if (gapMs > 0) await pause(gapMs, hurry.signal)
      const own: UplinkSession | undefined = session
      if (!own) return
      const batch = held.takeBatch()
      if (!batch) return
      sentMonoMs = clock.monoMs()
      if (batch.isAll) isUrgent = false
      const { checks, ...now } = deps.load()
      const dropped = held.dropped() - own.dropped
      const self: ProbeLoad = { ...now, checks: checks - own.checks, dropped }
      const id = JSON.stringify(own.id)
      const body = `{"session":${id},"results":${batch.list},"self":${JSON.stringify(self)}}`
      const asked = await ask('results', readRevision, { timeoutMs: resultsMs, body })
      if (asked.kind === 'ok') {
        held.settle(true)
        noteRevision(own, asked.value ?? 0)
        continue
      }
      isUrgent = true
      if (asked.kind === 'rejected') {
        log.error(`results were dropped: ${asked.told}`, { results: batch.size })
        held.settle(false)
        continue
      }
      if (asked.kind === 'over' || asked.kind === 'refused') return endSession(own)
      if (isDraining) return
      await pauseAfter(asked, AbortSignal.any([own.controller.signal, hurry.signal]))
    }
  }

  /** The held question is asked anew if the plan has long been newer. */
  function noteRevision(own: UplinkSession, planRevision: number): void {
    if (planRevision <= own.revision) {
      own.behindMonoMs = undefined
      return
    }
    own.behindMonoMs ??= clock.monoMs()
    if (clock.monoMs() - own.behindMonoMs < behindMsMax) return
    own.behindMonoMs = undefined
    own.question?.abort()
  }

  clock.onJump(({ kind, deltaMs }) => {
    if (kind !== 'step') return
    // The machine slept, or so it looks: nobody knows how old what is held is. The daemon is asked what time
    // it is; until it answers, this is the best guess.
    aheadMs += deltaMs
    isTimeKnown = false
    held.forget()
    deps.onTime()
    if (session) endSession(session)
  })

  const living = live()

  return {
    /** The daemon's time. */
    nowMs,
    hold(made: MadeResult): void {
      held.hold(made)
      if (made.isUrgent) isUrgent = true
      if (!sending) schedule()
    },
    /** Whether the daemon has answered lately. */
    isConnected: () =>
      session !== undefined && clock.monoMs() - heardMonoMs < planHoldMs + probeSilentMs,
    /** Sends what is held, as far as that is possible within 5 s. */
    async stop(): Promise<void> {
      isDraining = true
      hurry.abort()
      const drain = async () => {
        await sending
        send()
        await sending
      }
      await within(clock, drain(), stopMs)
      stopping.abort()
      clock.clearTimeout(sendTimer)
      await living
      wire.close()
    },
  }
}

/** Whatever else the answer is, the daemon has the results. */
function readRevision(document: unknown): number {
  return readResultsAnswer(document)?.planRevision ?? 0
}
