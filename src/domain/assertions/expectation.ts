// What a response must be like: the assertions and the fields that stand for one.
import type { CheckType } from '../checks/check-type.ts'

export const responseFormats = ['auto', 'text', 'json', 'xml', 'html'] as const
export type ResponseFormat = (typeof responseFormats)[number]

export const assertionTypes = [
  'contains',
  'notContains',
  'equals',
  'notEquals',
  'regex',
  'jsonPath',
  'exists',
  'notExists',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'type',
  'lengthEquals',
] as const
export type AssertionType = (typeof assertionTypes)[number]

/** What an assertion looks at. */
export const assertionSources = [
  'status',
  'header',
  'body',
  'json',
  'xml',
  'html',
  'responseTime',
  'certificateDays',
  'ip',
] as const
export type AssertionSource = (typeof assertionSources)[number]

export interface Assertion {
  readonly source: AssertionSource
  /** Of a header: its name; of json a JSONPath; of xml and html a CSS selector. */
  readonly path: string | null
  readonly type: AssertionType
  readonly value: string | null
}

/** What the response of a target must be like. Plain values: the secrets are opened already. */
export interface Expectation {
  /** `health`: besides all else, the body must be JSON that says it is healthy. */
  readonly checkType: CheckType
  readonly expectedStatus: number
  /** Each is a status or a range, such as "301" or "200-299"; they widen expectedStatus. */
  readonly acceptedStatuses: readonly string[]
  readonly bodyContains: string | null
  readonly bodyNotContains: string | null
  readonly responseFormat: ResponseFormat
  readonly responseAssertionType: AssertionType | null
  readonly responseAssertionPath: string | null
  readonly responseAssertionValue: string | null
  readonly assertions: readonly Assertion[]
}
