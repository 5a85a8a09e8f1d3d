// Results as a remote probe sends them: what is understood of one, within the bounds of our own readings. By hand
// and not by a schema, because there are many, and a newer probe may send more than this.
import { clip } from '../../base/clip.ts'
import { asId } from '../../base/ids.ts'
import { isRecord } from '../../base/schema/pick.ts'
import {
  type Certificate,
  type ErrorKind,
  type Evidence,
  errorKinds,
  hopOutcomes,
  hopsMax,
  type LoadedRequest,
  type Loose,
  loadedRequestsMax,
  type PhaseName,
  type Phases,
  phaseNames,
  type Reading,
  type ReadingError,
  type StepReport,
  stepOutcomes,
  type TracedHop,
  type Traceroute,
} from '../checks/reading.ts'
import { limits } from '../limits/limits.ts'
import { stepsMax } from '../steps/step.ts'
import type { ProbeLoad, ProbeResult } from './protocol.ts'

/** A result, with the time of its check. */
export interface TimedResult
  extends Pick<ProbeResult, 'monitorId' | 'revision' | 'dueAtMs' | 'try'> {
  readonly reading: Reading
}

/** Longer than any check takes. */
const durationMsMax = 3_600_000
const triesMax = 1_000
const statusMax = 999
const addressCharsMax = 45
const issuerCharsMax = 200
const fingerprintPattern = /^[0-9a-f]{64}$/
const timeMsMax = 8.64e15

/** Undefined if it is not one. `receivedAtMs`: by which its age becomes a time. */
export function readResult(value: unknown, receivedAtMs: number): TimedResult | undefined {
  if (!isRecord(value)) return undefined
  // What is no text may not even become one.
  const monitorId = typeof value.monitorId === 'string' && asId('monitor', value.monitorId)
  const revision = whole(value.revision, 0, Number.MAX_SAFE_INTEGER)
  const dueAtMs = whole(value.dueAtMs, 0, timeMsMax)
  const tries = whole(value.try, 0, triesMax)
  const ageMs = within(value.ageMs, 0, receivedAtMs)
  if (!monitorId || revision === undefined || dueAtMs === undefined) return undefined
  if (tries === undefined || ageMs === undefined) return undefined
  const reading = readingOf(value, Math.round(receivedAtMs - ageMs))
  return reading && { monitorId, revision, dueAtMs, try: tries, reading }
}

/** How a probe is, by its own word; what it leaves out is 0. */
export function readLoad(value: unknown): ProbeLoad {
  const fields = isRecord(value) ? value : {}
  const count = (name: keyof ProbeLoad) =>
    Math.round(within(fields[name], 0, Number.MAX_SAFE_INTEGER) ?? 0)
  return {
    checks: count('checks'),
    dropped: count('dropped'),
    lateMs: count('lateMs'),
    monitors: count('monitors'),
  }
}

function readingOf(value: Record<string, unknown>, atMs: number): Reading | undefined {
  const { result } = value
  const durationMs = within(value.durationMs, 0, durationMsMax)
  if (durationMs === undefined) return undefined
  if (result !== 'good' && result !== 'failed' && result !== 'unknown') return undefined
  const error = value.error === undefined ? undefined : errorOf(value.error)
  if (result === 'failed' && !error) return undefined
  // Each of these is assigned only if it is there: most results have few.
  const reading: { -readonly [Name in keyof Reading]: Reading[Name] } = { atMs, durationMs, result }
  if (error) reading.error = error
  if (value.isSetAside === true) reading.isSetAside = true
  if (value.isDegraded === true) reading.isDegraded = true
  const status = whole(value.status, 0, statusMax)
  if (status !== undefined) reading.status = status
  const phases = phasesOf(value.phases)
  if (phases) reading.phases = phases
  const address = textOf(value.address, addressCharsMax)
  if (address !== undefined) reading.address = address
  const certificate = certificateOf(value.certificate)
  if (certificate) reading.certificate = certificate
  const evidence = evidenceOf(value.evidence)
  if (evidence) reading.evidence = evidence
  const found = foundOf(value.found)
  if (found !== undefined) reading.found = found
  const message = textOf(value.message, limits.errorMessageCharsMax)
  if (message !== undefined) reading.message = message
  return reading
}

function errorOf(value: unknown): ReadingError | undefined {
  if (!isRecord(value)) return undefined
  const message = textOf(value.message, limits.errorMessageCharsMax)
  if (message === undefined) return undefined
  const phase = phaseNames.find((name) => name === value.phase)
  return { kind: kindOf(value.kind), message, ...(phase ? { phase } : {}) }
}

/** A newer probe may know more kinds. */
function kindOf(value: unknown): ErrorKind {
  return errorKinds.find((kind) => kind === value) ?? 'invalid_response'
}

function phasesOf(value: unknown): Phases | undefined {
  if (!isRecord(value)) return undefined
  const phases: { [Phase in PhaseName]?: number } = {}
  for (const name of phaseNames) {
    const ms = within(value[name], 0, durationMsMax)
    if (ms !== undefined) phases[name] = ms
  }
  return phases
}

function certificateOf(value: unknown): Certificate | undefined {
  if (!isRecord(value)) return undefined
  const expiresAtMs = whole(value.expiresAtMs, 0, timeMsMax)
  const issuer = textOf(value.issuer, issuerCharsMax)
  if (expiresAtMs === undefined || issuer === undefined) return undefined
  const { fingerprint } = value
  const isHash = typeof fingerprint === 'string' && fingerprintPattern.test(fingerprint)
  return { expiresAtMs, issuer, ...(isHash ? { fingerprint } : {}) }
}

function evidenceOf(value: unknown): Evidence | undefined {
  if (!isRecord(value)) return undefined
  const status = whole(value.status, 0, statusMax)
  const redirects = whole(value.redirects, 0, limits.redirectsMax)
  const url = textOf(value.url, limits.urlCharsMax)
  const body = textOf(value.body, limits.evidenceBodyBytesMax)
  const note = textOf(value.note, limits.errorMessageCharsMax)
  const traceroute = tracerouteOf(value.traceroute)
  return {
    ...(status === undefined ? {} : { status }),
    ...(Array.isArray(value.headers) ? { headers: headersOf(value.headers) } : {}),
    ...(url === undefined ? {} : { url }),
    ...(redirects === undefined ? {} : { redirects }),
    ...(body === undefined ? {} : { body }),
    ...(Array.isArray(value.failedAssertions)
      ? { failedAssertions: failuresOf(value.failedAssertions) }
      : {}),
    ...(Array.isArray(value.steps) ? { steps: stepsOf(value.steps) } : {}),
    ...(isPicture(value.picture) ? { picture: value.picture } : {}),
    ...(traceroute === undefined ? {} : { traceroute }),
    ...(Array.isArray(value.requests) ? { requests: requestsOf(value.requests) } : {}),
    ...(note === undefined ? {} : { note }),
  }
}

function tracerouteOf(value: unknown): Traceroute | undefined {
  if (!isRecord(value) || !Array.isArray(value.hops)) return undefined
  const ageMs = within(value.ageMs, 0, durationMsMax)
  const hops = value.hops.slice(0, hopsMax).map(hopOf)
  return ageMs === undefined ? undefined : { ageMs, hops }
}

/** A router of which nothing is understood counts as silent: those behind it keep their place. */
function hopOf(value: unknown): TracedHop {
  const hop = isRecord(value) ? value : {}
  const outcome = hopOutcomes.find((one) => one === hop.outcome) ?? 'silent'
  const address = textOf(hop.address, addressCharsMax)
  const roundTripMs = within(hop.roundTripMs, 0, durationMsMax)
  return {
    outcome,
    ...(address === undefined ? {} : { address }),
    ...(hop.isPrivate === true ? { isPrivate: true as const } : {}),
    ...(roundTripMs === undefined ? {} : { roundTripMs }),
  }
}

function requestsOf(list: readonly unknown[]): NonNullable<Evidence['requests']> {
  return list.slice(0, loadedRequestsMax).flatMap((request): LoadedRequest[] => {
    if (!isRecord(request)) return []
    const method = textOf(request.method, limits.nameCharsMax)
    const url = textOf(request.url, limits.loadedUrlCharsMax)
    const type = textOf(request.type, limits.nameCharsMax)
    const startMs = within(request.startMs, 0, durationMsMax)
    const isUsable = method !== undefined && url !== undefined && startMs !== undefined
    if (!isUsable || type === undefined) return []
    const durationMs = within(request.durationMs, 0, durationMsMax)
    const status = whole(request.status, 0, statusMax)
    const bytes = whole(request.bytes, 0, Number.MAX_SAFE_INTEGER)
    const errorText = textOf(request.errorText, limits.nameCharsMax)
    return [
      {
        ...{ method, url, type, startMs },
        ...(durationMs === undefined ? {} : { durationMs }),
        ...(status === undefined ? {} : { status }),
        ...(bytes === undefined ? {} : { bytes }),
        ...(errorText === undefined ? {} : { errorText }),
      },
    ]
  })
}

/** A JPEG in Base64. */
function isPicture(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > limits.pictureCharsMax) return false
  return /^\/9j[A-Za-z\d+/]*={0,2}$/.test(value)
}

function stepsOf(list: readonly unknown[]): NonNullable<Evidence['steps']> {
  return list.slice(0, stepsMax).flatMap((step): StepReport[] => {
    if (!isRecord(step)) return []
    const name = textOf(step.name, limits.nameCharsMax)
    const outcome = stepOutcomes.find((one) => one === step.outcome)
    const method = textOf(step.method, limits.nameCharsMax)
    const url = textOf(step.url, limits.urlCharsMax)
    if (name === undefined || outcome === undefined) return []
    if (method === undefined || url === undefined) return []
    const status = whole(step.status, 0, statusMax)
    const durationMs = within(step.durationMs, 0, limits.timeoutMsMax)
    const message = textOf(step.message, limits.errorMessageCharsMax)
    const body = textOf(step.body, limits.evidenceBodyBytesMax)
    const captures = isRecord(step.captures) ? capturesOf(step.captures) : undefined
    return [
      {
        ...{ name, outcome, isCleanUp: step.isCleanUp === true, method, url },
        ...(status === undefined ? {} : { status }),
        ...(durationMs === undefined ? {} : { durationMs }),
        ...(message === undefined ? {} : { message }),
        ...(Array.isArray(step.headers) ? { headers: headersOf(step.headers) } : {}),
        ...(body === undefined ? {} : { body }),
        ...(captures === undefined ? {} : { captures }),
      },
    ]
  })
}

function capturesOf(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(record).slice(0, stepsMax)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const text = textOf(value, limits.evidenceHeaderValueCharsMax)
      return text === undefined ? [] : [[name.slice(0, limits.nameCharsMax), text]]
    }),
  )
}

function headersOf(list: readonly unknown[]): NonNullable<Evidence['headers']> {
  return list.slice(0, limits.evidenceHeadersMax).flatMap((pair): [string, string][] => {
    if (!Array.isArray(pair)) return []
    const name = textOf(pair[0], limits.headerNameCharsMax)
    const text = textOf(pair[1], limits.evidenceHeaderValueCharsMax)
    return name === undefined || text === undefined ? [] : [[name, text]]
  })
}

function failuresOf(list: readonly unknown[]): NonNullable<Evidence['failedAssertions']> {
  return list.slice(0, failuresMax).flatMap((failure) => {
    if (!isRecord(failure)) return []
    const expected = textOf(failure.expected, limits.evidenceHeaderValueCharsMax)
    const found = textOf(failure.found, limits.evidenceHeaderValueCharsMax)
    if (expected === undefined || found === undefined) return []
    const assertion = whole(failure.assertion, 0, limits.assertionsMax)
    return [{ expected, found, ...(assertion === undefined ? {} : { assertion }) }]
  })
}

/** Assertions, and the fields of a monitor that act as one. */
const failuresMax = limits.assertionsMax + 5

function foundOf(value: unknown): Loose | undefined {
  if (typeof value === 'string') return textOf(value, limits.foundCharsShownMax)
  if (!isRecord(value) || isDeeper(value, limits.jsonDepthMax)) return undefined
  const text = JSON.stringify(value)
  // Nothing that merges objects may meet it.
  if (text.length > limits.foundCharsShownMax || text.includes('"__proto__"')) return undefined
  return value
}

/** Whether it is nested deeper than so many levels. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  for (const field of Object.values(value)) {
    if (typeof field === 'object' && field !== null && isDeeper(field, levels - 1)) return true
  }
  return false
}

function within(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? value : undefined
}

function whole(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) ? within(value, min, max) : undefined
}

function textOf(value: unknown, charsMax: number): string | undefined {
  return typeof value === 'string' ? clip(value, charsMax).toWellFormed() : undefined
}
