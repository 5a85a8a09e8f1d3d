// What callers send of a monitor: merged with what was there, and judged by the rules between fields.
import type { FieldProblem } from '../../base/fault.ts'
import { assertionProblems } from '../assertions/assertion-rules.ts'
import { completedAssertion } from '../assertions/expectation.ts'
import { completedAction } from '../browser/action.ts'
import { isChecked, waitsForReports } from '../checks/check-type.ts'
import { headerProblems } from '../checks/header-rules.ts'
import { limits } from '../limits/limits.ts'
import { patched } from '../merge-patch.ts'
import { cronProblem } from '../schedule/cron.ts'
import { maskRule, secretMask } from '../secret-mask.ts'
import { completedStep } from '../steps/step.ts'
import { caCertificatesProblems } from './ca-certificates.ts'
import { clientCertificateProblems } from './client-certificate.ts'
import { connectToRule, readConnectTo } from './connect-to.ts'
import { authProblems, completedAuth } from './monitor-auth.ts'
import {
  type CheckKind,
  fieldGroups,
  hasField,
  type MonitorAuth,
  type MonitorFields,
  type MonitorInput,
  monitorDefaults,
  secretTexts,
} from './monitor-fields.ts'

/**
 * Merges fields into a base: a missing one keeps the base's value, null and '' restore the default.
 * The schema has already checked their types.
 */
export function completedInput(fields: MonitorFields, base: MonitorFields = {}): MonitorInput {
  const known: Readonly<Record<string, unknown>> = { ...monitorDefaults }
  const input: Record<string, unknown> = patched(known, base, fields)
  input.name = fields.name ?? base.name
  // Null is a threshold of its own: never degraded. A short timeout leaves no room for the default,
  // and a monitor with the default counts as one without a chosen threshold.
  const { degradedThresholdMs: defaultMs } = monitorDefaults
  if (fields.degradedThresholdMs === null) input.degradedThresholdMs = null
  const isUnsaid =
    fields.degradedThresholdMs === undefined && input.degradedThresholdMs === defaultMs
  if (isUnsaid && Number(input.timeoutMs) <= Number(defaultMs)) input.degradedThresholdMs = null
  // If only intervalMinutes is given, it applies.
  if (fields.intervalMinutes !== undefined && fields.intervalSeconds === undefined) {
    input.intervalSeconds = null
  }
  if (fields.auth) input.auth = completedAuth(fields.auth as MonitorAuth)
  if (Array.isArray(fields.steps)) input.steps = fields.steps.map(completedStep)
  if (Array.isArray(fields.actions)) input.actions = fields.actions.map(completedAction)
  if (Array.isArray(fields.assertions)) input.assertions = fields.assertions.map(completedAssertion)
  return input as unknown as MonitorInput
}

export function intervalSecondsOf(input: MonitorInput): number {
  return input.intervalSeconds ?? input.intervalMinutes * 60
}

/** Every rule between fields that the input breaks, each with its pointer. */
export function inputProblems(input: MonitorInput, kind: CheckKind): FieldProblem[] {
  return [
    ...urlProblems(input),
    ...kindProblems(input, kind),
    ...(kind.problems?.(input) ?? []),
    ...timeProblems(input),
    ...scheduleProblems(input),
    ...bodyProblems(input, kind),
    ...headerProblems(input.headers),
    ...secretProblems(input),
    ...loginProblems(input),
    ...authProblems(input, kind),
    ...caCertificatesProblems(input.caCertificates),
    ...clientCertificateProblems(input),
    ...connectToProblems(input),
    ...(isChecked(input) ? assertionProblems(input, kind) : []),
  ]
}

function urlProblems(input: MonitorInput): FieldProblem[] {
  const { url, runbookUrl } = input
  const problems: FieldProblem[] = []
  const hasTarget = isChecked(input)
  if (!hasTarget && url !== null) {
    const message = waitsForReports(input)
      ? 'must be absent on a push monitor'
      : `must be absent on a ${input.checkType} monitor, which has no target`
    problems.push(problem('/url', 'forbidden', message))
  }
  if (hasTarget && url === null) {
    problems.push(problem('/url', 'required', 'is required'))
  }
  if (runbookUrl !== null && !/^https?:\/\/[^\s]+$/.test(runbookUrl)) {
    problems.push(problem('/runbookUrl', 'format', 'must be an http or https URL'))
  }
  return problems
}

function connectToProblems({ connectTo }: MonitorInput): FieldProblem[] {
  if (connectTo === null || readConnectTo(connectTo) !== undefined) return []
  return [problem('/connectTo', 'format', connectToRule)]
}

/** What a monitor without checks does anyway, so these values are accepted. */
const withoutChecksAnyway: MonitorFields = {
  failureThreshold: 1,
  recoveryThreshold: 1,
  degradedThresholdMs: null,
}

/** A field that would have no effect is probably a mistake, so it is refused. */
function kindProblems(input: MonitorInput, kind: CheckKind): FieldProblem[] {
  return Object.keys(fieldGroups).flatMap((name) => {
    const field = name as keyof typeof monitorDefaults
    if (hasField(kind, name) || input[field] === withoutChecksAnyway[field]) return []
    const isSaid = JSON.stringify(input[field]) !== JSON.stringify(monitorDefaults[field])
    if (!isSaid) return []
    return [problem(`/${name}`, 'forbidden', `does not apply to checkType ${kind.type}`)]
  })
}

function bodyProblems({ body }: MonitorInput, kind: CheckKind): FieldProblem[] {
  if (body === null) return []
  const bytesMax = limits.requestBodyBytesMax
  if (Buffer.byteLength(body) > bytesMax) {
    return [problem('/body', 'maxLength', `must have at most ${bytesMax} bytes in UTF-8`)]
  }
  const rule = kind.bodyProblem?.(body) ?? null
  return rule === null ? [] : [problem('/body', 'format', rule)]
}

/** A line break would end a command of a protocol that talks in lines, and begin another one. */
function loginProblems(input: MonitorInput): FieldProblem[] {
  const names = (['username', 'password'] as const).filter((name) =>
    /\p{Cc}/u.test(input[name] ?? ''),
  )
  return names.map((name) => problem(`/${name}`, 'pattern', 'must not contain control characters'))
}

function secretProblems(input: MonitorInput): FieldProblem[] {
  const unknown = secretTexts.filter((name) => input[name] === secretMask)
  return unknown.map((name) => problem(`/${name}`, 'secret', maskRule))
}

function timeProblems(input: MonitorInput): FieldProblem[] {
  // Reports come by themselves; only the next one is awaited.
  if (!isChecked(input)) return []
  const problems: FieldProblem[] = []
  const intervalSeconds = intervalSecondsOf(input)
  if (input.timeoutMs > intervalSeconds * 1_000) {
    problems.push(problem('/timeoutMs', 'maximum', 'must not be above the interval'))
  }
  if (input.degradedThresholdMs !== null && input.degradedThresholdMs >= input.timeoutMs) {
    problems.push(problem('/degradedThresholdMs', 'maximum', 'must be below timeoutMs'))
  }
  if (input.retryIntervalSeconds !== null && input.retryIntervalSeconds > intervalSeconds) {
    problems.push(problem('/retryIntervalSeconds', 'maximum', 'must not be above the interval'))
  }
  return problems
}

function scheduleProblems({ schedule, timezone }: MonitorInput): FieldProblem[] {
  const found = cronProblem({ cron: schedule ?? '@daily', timezone })
  if (found === null) return []
  const pointer = found.field === 'cron' ? '/schedule' : '/timezone'
  return [problem(pointer, 'format', found.rule)]
}

function problem(pointer: string, keyword: string, message: string): FieldProblem {
  return { pointer, keyword, message }
}
