// Assertions: what a response must be like. Pure; the API's table of monitors specifies them.
import { clip } from '../base/clip.ts'
import { jsonPathProblem, select } from './json-path.ts'
import type { Json } from './json-value.ts'
import {
  compare,
  containsValue,
  equalsValue,
  isOfType,
  lengthOf,
  numberIn,
  parseJson,
  show,
} from './json-value.ts'
import { limits } from './limits.ts'
import type { AssertionType, Expectation } from './monitor.ts'
import { regexProblem, searchFor } from './pattern.ts'

export { jsonPathProblem, regexProblem }

export interface FailedAssertion {
  /** `invalid_response`: the body is not what its format says; the others by what was looked at. */
  readonly kind: 'status' | 'assertion' | 'invalid_response'
  readonly expected: string
  /** An excerpt of what was there. It may quote the body, so it belongs into evidence only. */
  readonly found: string
}

export interface Response {
  readonly status: number
  readonly contentType: string
  /** The decoded body. Asked only when something is said about the body. */
  readonly text: () => string
  /** Blots out secrets in what is quoted of the body, before it is cut to an excerpt. */
  readonly redact?: (text: string) => string
}

const none: readonly FailedAssertion[] = []

/** Every assertion that does not hold; empty when all is as expected. */
export function checkExpectation(
  expectation: Expectation,
  response: Response,
): readonly FailedAssertion[] {
  const statusOk = statusHolds(expectation, response.status)
  if (statusOk && !needsBody(expectation)) return none
  const failed: FailedAssertion[] = []
  if (!statusOk) {
    const expected = `status ${describeStatuses(expectation)}`
    failed.push({ kind: 'status', expected, found: String(response.status) })
  }
  if (needsBody(expectation)) checkBody(expectation, response, failed)
  return failed
}

/** Whether anything is said about the body, so that it must be kept and decoded. */
export function needsBody(expectation: Expectation): boolean {
  return (
    Boolean(expectation.bodyContains) ||
    Boolean(expectation.bodyNotContains) ||
    expectation.responseFormat === 'json' ||
    Boolean(expectation.responseAssertionType)
  )
}

/** Whether the status is the expected one or one of the accepted ones. */
function statusHolds(expectation: Expectation, status: number): boolean {
  if (status === expectation.expectedStatus) return true
  return expectation.acceptedStatuses.some((entry) => {
    const [low = '', high = low] = entry.split('-')
    return status >= Number(low) && status <= Number(high)
  })
}

/** Whether this very status is asked for by name: then a redirect is an answer, not a way. */
export function namesStatus(expectation: Expectation, status: number): boolean {
  return (
    status === expectation.expectedStatus || expectation.acceptedStatuses.includes(String(status))
  )
}

function describeStatuses({ expectedStatus, acceptedStatuses }: Expectation): string {
  const others = acceptedStatuses.filter((entry) => entry !== String(expectedStatus))
  return [String(expectedStatus), ...others].join(' or ')
}

function checkBody(expectation: Expectation, response: Response, failed: FailedAssertion[]): void {
  const { bodyContains, bodyNotContains, responseAssertionType: type } = expectation
  const text = response.text()
  const excerpt = (found: string): string => excerptOf(response.redact?.(found) ?? found)
  const fail = (expected: string, found: string): void => {
    failed.push({ kind: 'assertion', expected, found: excerpt(found) })
  }
  if (bodyContains && !text.includes(bodyContains)) fail(`body to contain ${q(bodyContains)}`, text)
  if (bodyNotContains && text.includes(bodyNotContains)) {
    fail(`body not to contain ${q(bodyNotContains)}`, around(text, bodyNotContains))
  }
  const path = expectation.responseAssertionPath || null
  const value = expectation.responseAssertionValue || null
  if (!readsJson(expectation, response.contentType)) {
    if (type) checkSubjects(type, subjectOfText(type, text, value), value, 'body', fail)
    return
  }
  const document = parseJson(text)
  if (document === undefined) {
    failed.push({ kind: 'invalid_response', expected: 'a JSON body', found: excerpt(text) })
    return
  }
  if (!type) return
  const name = path ?? 'body'
  const selection =
    path === null ? { values: [whole(type, document, text)] } : select(path, document)
  if (selection.values === undefined) fail(`${name} to be found`, selection.problem)
  else checkSubjects(type, selection.values, value, name, fail)
}

/** A path is a JSONPath, so it makes a body of unclear type JSON; a type alone does not. */
function readsJson(expectation: Expectation, contentType: string): boolean {
  if (expectation.responseFormat !== 'auto') return expectation.responseFormat === 'json'
  if (expectation.responseAssertionType === null) return false
  return Boolean(expectation.responseAssertionPath) || isJsonType(contentType)
}

function isJsonType(contentType: string): boolean {
  const [essence = ''] = contentType.toLowerCase().split(';')
  return /^(application|text)\/(json|[\w.-]+\+json)$/.test(essence.trim())
}

/** Without a path, a search looks at the body as it was sent, the rest at what it means. */
function whole(type: AssertionType, document: Json, text: string): Json {
  return /^(contains|notContains|regex)$/.test(type) ? text : document
}

/** An empty text selects nothing; blanks at its ends do not matter to a comparison. */
function subjectOfText(type: AssertionType, text: string, value: string | null): readonly Json[] {
  if (type === 'exists' || type === 'notExists' || type === 'jsonPath')
    return text === '' ? [] : [text]
  const compares = /^(equals|notEquals|greater|less)/.test(type)
  return [compares && text !== value ? text.trim() : text]
}

function checkSubjects(
  type: AssertionType,
  values: readonly Json[],
  value: string | null,
  name: string,
  fail: (expected: string, found: string) => void,
): void {
  if (holds(type, values, value)) return
  const found = values.length === 0 ? 'nothing' : values.slice(0, 5).map(show).join(', ')
  const bare = type === 'jsonPath' ? 'to be found' : wording[type]
  const expected = value === null ? bare : `${wording[type]} ${q(value)}`
  fail(
    `${name} ${expected}`,
    values.some((text) => tooLong(type, text, value)) ? tooLongText : found,
  )
}

const wording: Readonly<Record<AssertionType, string>> = {
  contains: 'to contain',
  notContains: 'not to contain',
  equals: 'to equal',
  notEquals: 'not to equal',
  regex: 'to match',
  jsonPath: 'to be',
  exists: 'to exist',
  notExists: 'not to exist',
  greaterThan: 'to be greater than',
  greaterOrEqual: 'to be at least',
  lessThan: 'to be less than',
  lessOrEqual: 'to be at most',
  type: 'to be of type',
  lengthEquals: 'to have the length',
}

/** Of several selected values one that fits is enough; a negation allows none that fits. */
function holds(type: AssertionType, values: readonly Json[], wanted: string | null): boolean {
  const value = wanted ?? ''
  const some = (test: (found: Json) => boolean): boolean => values.some(test)
  switch (type) {
    case 'contains':
      return some((found) => containsValue(found, value))
    case 'notContains':
      return !some((found) => containsValue(found, value))
    case 'equals':
      return some((found) => equalsValue(found, value))
    case 'notEquals':
      return !some((found) => equalsValue(found, value))
    case 'regex':
      return some((found) => matches(found, value))
    case 'jsonPath':
      return wanted === null ? values.length > 0 : some((found) => equalsValue(found, value))
    case 'exists':
      return values.length > 0
    case 'notExists':
      return values.length === 0
    case 'greaterThan':
      return some((found) => compare(found, value) > 0)
    case 'greaterOrEqual':
      return some((found) => compare(found, value) >= 0)
    case 'lessThan':
      return some((found) => compare(found, value) < 0)
    case 'lessOrEqual':
      return some((found) => compare(found, value) <= 0)
    case 'type':
      return some((found) => isOfType(found, value))
    case 'lengthEquals':
      return some((found) => lengthOf(found) === numberIn(value))
  }
}

const tooLongText = '(a text too long for this pattern)'

function tooLong(type: AssertionType, found: Json, value: string | null): boolean {
  const steps = type === 'regex' ? searchFor(value ?? '')?.stepsFor(show(found).length) : 0
  return (steps ?? 0) > limits.regexStepsMax
}

function matches(found: Json, value: string): boolean {
  return !tooLong('regex', found, value) && (searchFor(value)?.find(show(found)) ?? false)
}

function around(text: string, part: string): string {
  const at = text.indexOf(part)
  return text.slice(Math.max(0, at - limits.foundCharsMax / 4))
}

function excerptOf(text: string): string {
  return text === '' ? '(empty)' : clip(text, limits.foundCharsMax)
}

/** A value in quotes, short enough for a sentence. */
function q(value: string): string {
  return `"${clip(value, limits.quotedCharsMax)}"`
}
