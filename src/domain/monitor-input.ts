// What a caller may say about a monitor, its defaults, and the rules between its fields.
import type { FieldProblem } from '../base/fault.ts'
import { jsonPathProblem, regexProblem } from './assertion.ts'
import { headerProblems } from './header-rules.ts'
import type { AssertionType, Monitor } from './monitor.ts'

/** What the daemon adds to a monitor, or keeps in another form than callers give it. */
type Kept =
  | 'id'
  | 'orgId'
  | 'headerNames'
  | 'requestBox'
  | 'intervalSeconds'
  | 'pushTokenHash'
  | 'pushTokenBox'
  | 'createdAtMs'
  | 'updatedAtMs'
  | 'revision'

/** A monitor as callers spell it; empty optional texts have become null. */
export interface MonitorInput extends Omit<Monitor, Kept> {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly intervalMinutes: number
  /** Overrides intervalMinutes. */
  readonly intervalSeconds: number | null
}

/** What a field is when nothing is said about it; `name` alone has no default. */
export const monitorDefaults: Omit<MonitorInput, 'name'> = {
  checkType: 'endpoint',
  url: null,
  method: 'GET',
  expectedStatus: 200,
  acceptedStatuses: [],
  headers: {},
  body: null,
  bodyContains: null,
  bodyNotContains: null,
  responseFormat: 'auto',
  responseAssertionType: null,
  responseAssertionPath: null,
  responseAssertionValue: null,
  intervalMinutes: 5,
  intervalSeconds: null,
  timeoutMs: 10_000,
  degradedThresholdMs: 3_000,
  degradedThreshold: 3,
  degradedOpensIncident: false,
  isActive: true,
  isPublic: false,
  notifyChannelIds: [],
  failureThreshold: 3,
  recoveryThreshold: 2,
  retryIntervalSeconds: null,
  followRedirects: true,
  maxRedirects: 10,
  ignoreTlsErrors: false,
  ipFamily: 'any',
  tags: [],
  description: null,
  runbookUrl: null,
  graceSeconds: 60,
}

/** What a caller said: a field may be missing, null, or an empty text. */
export type MonitorFields = { readonly [Field in keyof MonitorInput]?: unknown }

/**
 * The fields over a base: a missing one keeps the base's value, null and '' go back to the default.
 * Their types were checked by the schema that also documents them.
 */
export function completedInput(fields: MonitorFields, base: MonitorFields = {}): MonitorInput {
  const input: Record<string, unknown> = { ...monitorDefaults, ...base }
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const isCleared = value === null || value === ''
    input[name] = isCleared ? monitorDefaults[name as keyof typeof monitorDefaults] : value
  }
  // Null is a threshold of its own: never degraded. A short timeout leaves no room for the default.
  if (fields.degradedThresholdMs === null) input.degradedThresholdMs = null
  const isSaid = (fields.degradedThresholdMs ?? base.degradedThresholdMs) !== undefined
  if (!isSaid && Number(input.timeoutMs) <= Number(monitorDefaults.degradedThresholdMs)) {
    input.degradedThresholdMs = null
  }
  // An interval in minutes is meant where only that one is said.
  if (fields.intervalMinutes !== undefined && fields.intervalSeconds === undefined) {
    input.intervalSeconds = null
  }
  return input as unknown as MonitorInput
}

export function intervalSecondsOf(input: MonitorInput): number {
  return input.intervalSeconds ?? input.intervalMinutes * 60
}

/** Every rule between fields that the input breaks, each with its pointer. */
export function inputProblems(input: MonitorInput): FieldProblem[] {
  return [
    ...urlProblems(input),
    ...timeProblems(input),
    ...headerProblems(input.headers),
    ...assertionProblems(input),
  ]
}

function urlProblems({ checkType, url, runbookUrl }: MonitorInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (checkType === 'push' && url !== null) {
    problems.push(problem('/url', 'forbidden', 'must be absent on a push monitor'))
  }
  if (checkType !== 'push' && url === null) {
    problems.push(problem('/url', 'required', 'is required'))
  }
  if (runbookUrl !== null && !/^https?:\/\/[^\s]+$/.test(runbookUrl)) {
    problems.push(problem('/runbookUrl', 'format', 'must be an http or https URL'))
  }
  return problems
}

function timeProblems(input: MonitorInput): FieldProblem[] {
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

const valueTypes: ReadonlySet<AssertionType> = new Set([
  'contains',
  'notContains',
  'equals',
  'notEquals',
  'regex',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'type',
  'lengthEquals',
])

function assertionProblems(input: MonitorInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  const { responseAssertionType: type, responseAssertionPath: path } = input
  const value = input.responseAssertionValue
  if (type === null && (path !== null || value !== null)) {
    problems.push(problem('/responseAssertionType', 'required', 'is required with a path or value'))
  }
  if (type !== null && valueTypes.has(type) && value === null) {
    problems.push(problem('/responseAssertionValue', 'required', `is required for ${type}`))
  }
  if (type === 'jsonPath' && path === null) {
    problems.push(problem('/responseAssertionPath', 'required', 'is required for jsonPath'))
  }
  if (path !== null && input.responseFormat === 'text') {
    problems.push(problem('/responseAssertionPath', 'forbidden', 'must be absent for text'))
  }
  const pathProblem = path === null ? null : jsonPathProblem(path)
  if (pathProblem) problems.push(problem('/responseAssertionPath', 'format', pathProblem))
  const pattern = type === 'regex' && value !== null ? regexProblem(value) : null
  if (pattern) problems.push(problem('/responseAssertionValue', 'format', pattern))
  for (const [index, entry] of input.acceptedStatuses.entries()) {
    const [low = 0, high = low] = entry.split('-').map(Number)
    if (low < 100 || high > 599 || low > high) {
      const pointer = `/acceptedStatuses/${index}`
      problems.push(problem(pointer, 'range', 'must be a status or a range within 100-599'))
    }
  }
  return problems
}

function problem(pointer: string, keyword: string, message: string): FieldProblem {
  return { pointer, keyword, message }
}
