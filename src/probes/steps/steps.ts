// Checks in steps: HTTP requests in order, each judged before the next, and then those that clean up.
import type { Steps } from '../../base/waiting/steps.ts'
import { isSecretHeader } from '../../domain/checks/header-rules.ts'
import type { StepReport } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import { headerPath, inOrder, type Step } from '../../domain/steps/step.ts'
import { stepsProblems } from '../../domain/steps/step-rules.ts'
import { roundMs } from '../../net/connection/connect.ts'
import { hostOf, portOf, urlShapeProblem } from '../../net/egress-policy.ts'
import { RunError, runGuarded } from '../../net/run/guarded-run.ts'
import type { Redact } from '../../redaction/redaction.ts'
import {
  type BodyBeginning,
  beginningOf,
  evidenceHeaders,
  shownBeginning,
} from '../run/evidence.ts'
import { waitedTooLong } from '../run/examination-turns.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { AnswerRefused, type ProbeRun } from '../run/probe-run.ts'
import { Journey, type TakenStep } from './journey.ts'

export const steps = defineKind({
  type: 'steps',
  family: 'web',
  icon: 'list-checks',
  fields: ['connection', 'stream', 'steps', 'tls'],
  sources: [],
  textName: 'result',
  finds: 'json',
  schemes: ['https', 'http'],
  typed: { schemes: [] },
  example: 'https://shop.example.com/',
  urlForm: '`http://host/path` or `https://host/path`, to which the urls of its steps are relative',
  parse(text): URL | UrlFault {
    const problem = urlShapeProblem(text)
    return problem === null ? new URL(text) : { problem }
  },
  destination: (url) => ({ host: hostOf(url), port: portOf(url) }),
  problems: (input) => stepsProblems(input, urlShapeProblem),
  open: () => ({ look: takeSteps }),
})

/** The share of the time that is kept for cleaning up. */
const cleanUpShare = 1 / 4
/** How long before the end of the check its steps end, to report what was seen. */
const spareMs = 100

async function takeSteps(base: URL, target: EndpointTarget, run: ProbeRun): Promise<TargetAnswer> {
  const { record, clock } = run
  const beganMs = clock.monoMs()
  const journey = new Journey(base, target, clock.nowMs())
  const taken = inOrder(target.steps ?? []).map((step): TakenStep => ({ step, outcome: 'notRun' }))
  record.steps = (isWhole) => reportsOf(taken, run, isWhole)

  /** The first failure, if there is one. `share`: of the time that is left; the rest is for others. */
  async function take(list: readonly TakenStep[], share: number): Promise<RunError | undefined> {
    let current: TakenStep | undefined
    const leftMs = run.untilMs - clock.monoMs() - Math.min(spareMs, target.timeoutMs / 10)
    const timeoutMs = Math.max(1, Math.floor(leftMs * share))
    const { deps, own } = run
    const options = { deps, scope: { ...target, timeoutMs }, clock, record, own }
    try {
      await runGuarded({ ...options, signal: run.signal }, async (part) => {
        for (const one of list) {
          current = one
          await journey.take(one, part)
          one.outcome = 'good'
        }
      })
      return undefined
    } catch (cause) {
      if (!(cause instanceof RunError) || current === undefined) throw cause
      // The time to look at an answer is ours: a target is not down because it was used up.
      const isOurs = current.isExamined === true && cause.failure.kind === 'timeout'
      const found = isOurs ? new RunError(waitedTooLong) : cause
      current.outcome = 'failed'
      current.message = found.failure.message
      current.durationMs ??= roundMs(clock.monoMs() - (current.beganMs ?? beganMs))
      return placed(found, current.step, taken.indexOf(current) + 1)
    }
  }

  /** A step is left out whose values were not captured: what it would clean up was not made. */
  async function cleanUp(list: readonly TakenStep[]): Promise<RunError | undefined> {
    let first: RunError | undefined
    for (const [at, one] of list.entries()) {
      const lacking = journey.lackingFor(one.step)
      // One that hangs leaves time for the others.
      const share = 1 / (list.length - at)
      const found = lacking === undefined ? await take([one], share) : undefined
      if (lacking !== undefined) one.message = `${lacking} was not captured`
      first ??= found
    }
    return first
  }

  const cleaning = taken.filter(({ step }) => step.isCleanUp)
  const failed = await take(
    taken.filter(({ step }) => !step.isCleanUp),
    cleaning.length === 0 ? 1 : 1 - cleanUpShare,
  )
  const responseTimeMs = roundMs(clock.monoMs() - beganMs)
  const response = taken.find(({ outcome }) => outcome === 'failed')?.response
  const { address, addresses, certificate } = record
  const unclean = await cleanUp(cleaning)
  // What the check ended with before is what it tells.
  Object.assign(record, { address, addresses, certificate })
  if (failed !== undefined) {
    record.response = response
    throw failed
  }
  const degradedBy = unclean?.failure.message ?? slownessOf(taken)
  return {
    text: JSON.stringify({ steps: taken.map(numbersOf) }),
    contentType: 'application/json',
    responseTimeMs,
    ...(degradedBy === undefined ? {} : { degradedBy }),
  }
}

/** The same failure, with the step in which it occurred. */
function placed(cause: RunError, { name }: Step, number: number): RunError {
  const found = {
    ...cause.failure,
    message: `step ${number}, "${name}": ${cause.failure.message}`,
  }
  if (cause instanceof AnswerRefused) return new AnswerRefused(found, cause.failedAssertions)
  return new RunError(found, cause.phase, { cause })
}

/** The first step that took longer than it should. */
function slownessOf(taken: readonly TakenStep[]): string | undefined {
  const at = taken.findIndex(({ step, durationMs = 0 }) => {
    return step.degradedThresholdMs !== null && durationMs > step.degradedThresholdMs
  })
  const { step, durationMs = 0 } = taken[at] ?? {}
  if (step === undefined) return undefined
  return `step ${at + 1}, "${step.name}": took ${Math.round(durationMs)} ms, more than ${step.degradedThresholdMs} ms`
}

function numbersOf({ step, outcome, response, durationMs }: TakenStep) {
  return { name: step.name, outcome, status: response?.status || null, ms: durationMs ?? null }
}

/** Characters of an answer that are kept with the evidence, and that a trial shows. */
const keptCharsMax = 512
const triedCharsMax = 4_096
const captureCharsKept = 50
const captureCharsTried = 200
const urlCharsKept = 512

/** In the turn of the organization: to look for secrets in all answers takes long. Empty if that does not come. */
async function reportsOf(
  list: readonly TakenStep[],
  { record }: ProbeRun,
  isWhole: boolean,
): Promise<readonly StepReport[]> {
  const bytesMax = isWhole ? limits.trialBodyBytesKept : limits.evidenceKeptBytes
  const beginnings = await Promise.all(
    list.map(({ response, hidden = null }) =>
      response?.status && hidden === null ? beginningOf(response, bytesMax) : undefined,
    ),
  )
  function* made(): Steps<StepReport[]> {
    const reports: StepReport[] = []
    for (const [index, one] of list.entries()) {
      reports.push(reportOf(one, beginnings[index], record.redact, isWhole))
      yield
    }
    return reports
  }
  try {
    return await record.examined(made())
  } catch (error) {
    if (error instanceof RunError) return []
    throw error
  }
}

function reportOf(
  { step, outcome, url, response, hidden = null, durationMs, message, captures }: TakenStep,
  beginning: BodyBeginning,
  redact: Redact,
  isWhole: boolean,
): StepReport {
  const { name, isCleanUp, method } = step
  const shown = (text: string, charsMax: number) =>
    redact(text.slice(0, limits.redactedTextCharsMax)).slice(0, charsMax).toWellFormed()
  const status = response?.status || undefined
  const headers = response && hidden === null ? response.headers : {}
  const charsMax = isWhole ? triedCharsMax : keptCharsMax
  const body = shownBeginning(beginning, redact).body?.slice(0, charsMax).toWellFormed()
  const taken = hidden === null ? Object.entries(captures ?? {}) : []
  return {
    ...{ name, outcome, isCleanUp, method },
    url: shown(url ?? step.url, isWhole ? limits.urlCharsMax : urlCharsKept),
    ...(status === undefined ? {} : { status }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(message === undefined ? {} : { message: shown(message, limits.errorMessageCharsMax) }),
    ...(isWhole && status !== undefined ? { headers: evidenceHeaders(headers, redact) } : {}),
    ...(body === undefined ? {} : { body }),
    captures: Object.fromEntries(
      taken.map(([key, value]) => {
        const text = isFromSecretHeader(step, key) ? secretMask : value
        return [key, shown(text, isWhole ? captureCharsTried : captureCharsKept)]
      }),
    ),
  }
}

/** Whether it is of a header such as Set-Cookie, of which answers are shown without the value. */
function isFromSecretHeader({ captures }: Step, name: string): boolean {
  return captures.some((one) => {
    return one.name === name && one.source === 'header' && isSecretHeader(headerPath(one.path).name)
  })
}
