// What a caller may say about a monitor, its defaults, and the rules between its fields.
import type { FieldProblem } from '../../base/fault.ts'
import { assertionProblems } from '../assertions/assertion-rules.ts'
import type { Assertion } from '../assertions/expectation.ts'
import { type CheckType, checkTypes } from '../checks/check-type.ts'
import { headerProblems } from '../checks/header-rules.ts'
import { limits } from '../limits/limits.ts'
import type { Monitor } from './monitor.ts'

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
  assertions: [],
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
  certificateWarnDays: [30, 14, 7, 3, 1],
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
  // Null is a threshold of its own: never degraded. A short timeout leaves no room for the default,
  // and a monitor that has the default is one that nobody set a threshold for.
  const { degradedThresholdMs: defaultMs } = monitorDefaults
  if (fields.degradedThresholdMs === null) input.degradedThresholdMs = null
  const isUnsaid =
    fields.degradedThresholdMs === undefined && input.degradedThresholdMs === defaultMs
  if (isUnsaid && Number(input.timeoutMs) <= Number(defaultMs)) input.degradedThresholdMs = null
  // An interval in minutes is meant where only that one is said.
  if (fields.intervalMinutes !== undefined && fields.intervalSeconds === undefined) {
    input.intervalSeconds = null
  }
  if (Array.isArray(fields.assertions)) input.assertions = fields.assertions.map(completedAssertion)
  return input as unknown as MonitorInput
}

/** A path or a value that is missing or empty is none. */
function completedAssertion({ source, type, path, value }: Assertion): Assertion {
  return { source, path: path || null, type, value: value || null }
}

export function intervalSecondsOf(input: MonitorInput): number {
  return input.intervalSeconds ?? input.intervalMinutes * 60
}

/** Every rule between fields that the input breaks, each with its pointer. */
export function inputProblems(input: MonitorInput): FieldProblem[] {
  return [
    ...urlProblems(input),
    ...kindProblems(input),
    ...timeProblems(input),
    ...bodyProblems(input),
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

const web = ['endpoint', 'health', 'keyword'] as const
const talking = [...web, 'websocket', 'tcp'] as const
const looking = checkTypes.filter((kind) => kind !== 'push')
/** Not certificates themselves: there is nothing else that such a check could look at. */
const secured = [...web, 'websocket', 'smtp'] as const

/** What means something for some kinds of checks only. */
export const fieldKinds: Partial<Record<keyof MonitorInput, readonly CheckType[]>> = {
  method: web,
  expectedStatus: web,
  acceptedStatuses: web,
  followRedirects: web,
  maxRedirects: web,
  headers: [...web, 'websocket'],
  body: talking,
  ignoreTlsErrors: secured,
  certificateWarnDays: [...secured, 'ssl'],
  bodyContains: looking,
  bodyNotContains: looking,
  responseFormat: looking,
  responseAssertionType: looking,
  ipFamily: looking.filter((kind) => kind !== 'domain'),
  // A report is believed at once, and how long the sender took is its own affair.
  timeoutMs: looking,
  failureThreshold: looking,
  recoveryThreshold: looking,
  degradedThresholdMs: looking,
  degradedThreshold: looking,
  degradedOpensIncident: looking,
  retryIntervalSeconds: looking,
  graceSeconds: ['push'],
}

/** What a push monitor does anyway, so that it may be said of one. */
const pushAnyway: MonitorFields = {
  failureThreshold: 1,
  recoveryThreshold: 1,
  degradedThresholdMs: null,
}

/** A field that would be passed over is a mistake of whoever set it. */
function kindProblems(input: MonitorInput): FieldProblem[] {
  const { checkType, url, ipFamily } = input
  const problems = Object.entries(fieldKinds).flatMap(([name, kinds]) => {
    const field = name as keyof typeof monitorDefaults
    if (kinds.includes(checkType) || input[field] === pushAnyway[field]) return []
    const isSaid = JSON.stringify(input[field]) !== JSON.stringify(monitorDefaults[field])
    if (!isSaid) return []
    return [problem(`/${name}`, 'forbidden', `does not apply to checkType ${checkType}`)]
  })
  // The daemon's own name servers have their addresses from the operator.
  if (checkType === 'dns' && ipFamily !== 'any' && !/[?&]server=/.test(url ?? '')) {
    problems.push(problem('/ipFamily', 'forbidden', 'applies only when the url names a server'))
  }
  return problems
}

/** What stands for bytes in the body of a tcp check, as the groups of `split`. */
export const tcpEscape = /(\\x[0-9a-fA-F]{2}|\\[rnt\\])/

function bodyProblems({ body, checkType }: MonitorInput): FieldProblem[] {
  if (body === null) return []
  const bytesMax = limits.requestBodyBytesMax
  if (Buffer.byteLength(body) > bytesMax) {
    return [problem('/body', 'maxLength', `must have at most ${bytesMax} bytes in UTF-8`)]
  }
  if (checkType !== 'tcp') return []
  const pieces = body.split(tcpEscape).filter((_, i) => i % 2 === 0)
  const [unknown] = /\\.?/su.exec(pieces.find((piece) => piece.includes('\\')) ?? '') ?? []
  if (unknown === undefined) return []
  const rule = `must not contain ${unknown} (the escapes are \\r, \\n, \\t, \\\\ and \\xNN, a byte in hex)`
  return [problem('/body', 'format', rule)]
}

function timeProblems(input: MonitorInput): FieldProblem[] {
  // Reports come by themselves: nothing is waited for but the next one.
  if (input.checkType === 'push') return []
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

function problem(pointer: string, keyword: string, message: string): FieldProblem {
  return { pointer, keyword, message }
}
