// The expectations about a response: assertions, and fields that act as one.
export const responseFormats = ['auto', 'text', 'json', 'xml', 'html'] as const
type ResponseFormat = (typeof responseFormats)[number]

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
  'jsonSchema',
  'unchanged',
] as const
export type AssertionType = (typeof assertionTypes)[number]

/** The part of a response that an assertion examines. */
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
  'size',
  'redirects',
  'tlsVersion',
  'tlsCipher',
] as const
export type AssertionSource = (typeof assertionSources)[number]

export interface Assertion {
  readonly source: AssertionSource
  /** header: its name; json: a JSONPath; xml and html: a CSS selector. */
  readonly path: string | null
  readonly type: AssertionType
  readonly value: string | null
}

/** An assertion as it is examined. */
export interface ExaminedAssertion extends Assertion {
  /** How messages write the value, if it must not be shown. */
  readonly shownValue?: string
}

/** An assertion as callers send it: an empty path or value becomes null. */
export function completedAssertion({ source, type, path, value }: Assertion): Assertion {
  return { source, path: path || null, type, value: value || null }
}

type DeclaredSource = 'status' | 'header' | 'certificateDays' | 'ip'

/** What the checks of a kind answer with, and what the kind expects of it by itself. */
export interface AnswerKind {
  /** The word in the API and in stored records. */
  readonly type: string
  /**
   * What assertions can examine besides the text and the response time. With `status` come size and
   * redirects, with `certificateDays` what else is known of TLS.
   */
  readonly sources: readonly DeclaredSource[]
  /** The name of its text in messages. */
  readonly textName: string
  /** What its body is, and one for people who write one. Absent: a body of HTTP, or none. */
  readonly message?: {
    readonly is: 'query' | 'command' | 'message'
    readonly example: string
    /** The part of a body that is sent: what a target repeats of it is masked. Absent: all of it. */
    sentOf?(body: string): string
  }
  /** `words`: bodyContains or bodyNotContains is required. `health`: JSON that reports healthy. */
  readonly expects?: 'words' | 'health'
}

/** The sources that only some kinds have, each with the one that a kind declares. */
const declaredAs: Readonly<Partial<Record<AssertionSource, DeclaredSource>>> = {
  status: 'status',
  header: 'header',
  certificateDays: 'certificateDays',
  ip: 'ip',
  size: 'status',
  redirects: 'status',
  tlsVersion: 'certificateDays',
  tlsCipher: 'certificateDays',
}

/** What assertions can examine of the answers to a kind of check. */
export function sourcesOf({ sources }: Pick<AnswerKind, 'sources'>): readonly AssertionSource[] {
  return assertionSources.filter((source) => {
    const declared = declaredAs[source]
    return declared === undefined || sources.includes(declared)
  })
}

/** The expectations about a target's response. Plain values: secrets are already decrypted. */
export interface Expectation {
  readonly expectedStatus: number
  /** Each is a status or a range, such as "301" or "200-299", in addition to expectedStatus. */
  readonly acceptedStatuses: readonly string[]
  readonly bodyContains: string | null
  readonly bodyNotContains: string | null
  readonly responseFormat: ResponseFormat
  readonly responseAssertionType: AssertionType | null
  readonly responseAssertionPath: string | null
  readonly responseAssertionValue: string | null
  readonly assertions: readonly Assertion[]
}

/** What is expected of an answer of which nothing else is said. */
export const usualExpectation: Expectation = {
  expectedStatus: 200,
  acceptedStatuses: [],
  bodyContains: null,
  bodyNotContains: null,
  responseFormat: 'auto',
  responseAssertionType: null,
  responseAssertionPath: null,
  responseAssertionValue: null,
  assertions: [],
}

/** An expectation without all else that a monitor has: what is copied to other threads and machines. */
export function expectationOf({
  expectedStatus,
  acceptedStatuses,
  bodyContains,
  bodyNotContains,
  responseFormat,
  responseAssertionType,
  responseAssertionPath,
  responseAssertionValue,
  assertions,
}: Expectation): Expectation {
  return {
    expectedStatus,
    acceptedStatuses,
    bodyContains,
    bodyNotContains,
    responseFormat,
    responseAssertionType,
    responseAssertionPath,
    responseAssertionValue,
    assertions,
  }
}
