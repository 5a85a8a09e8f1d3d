// Validates the assertions of a monitor: which ones make sense, each problem with its pointer.
import type { FieldProblem } from '../../base/fault.ts'
import type { Method } from '../checks/check-type.ts'
import { isHeaderName } from '../checks/header-rules.ts'
import { readsBody } from './assertion.ts'
import { cssPathProblem } from './css-path.ts'
import {
  type AnswerKind,
  type Assertion,
  type AssertionSource,
  type AssertionType,
  type Expectation,
  sourcesOf,
} from './expectation.ts'
import { jsonPathProblem } from './json-path.ts'
import { schemaCharsMax, schemaProblem } from './json-schema.ts'
import { numberIn, typeNames } from './json-value.ts'
import { partsOfMark } from './mark.ts'
import { regexProblem } from './pattern.ts'
import { isJsonPath } from './response-body.ts'

interface ResponseInput extends Expectation {
  readonly method: Method
  readonly url: string | null
}

/** Every rule about the response that the input breaks. */
export function assertionProblems(input: ResponseInput, kind: AnswerKind): FieldProblem[] {
  return [
    ...ownProblems(input, kind),
    ...input.assertions.flatMap((assertion, index) => {
      const pointerOf = (field: string) => `/assertions/${index}/${field}`
      const { source } = assertion
      return problemsOf(input, assertion, { kind, pointerOf, origin: `the source ${source}` })
    }),
    ...schemasProblems(input.assertions),
    ...statusProblems(input.acceptedStatuses),
    ...kindProblems(input, kind),
  ]
}

/** responseAssertionType, -Path and -Value form one more assertion, under the same rules. */
function ownProblems(input: ResponseInput, kind: AnswerKind): FieldProblem[] {
  const { responseAssertionType: type, responseAssertionPath: path, responseFormat } = input
  const value = input.responseAssertionValue
  if (type === null) {
    if (path === null && value === null) return []
    const message = 'is required when a path or value is given'
    return [{ pointer: '/responseAssertionType', keyword: 'required', message }]
  }
  const pointerOf = (field: keyof Assertion) => ownPointers[field]
  const assertion = { source: ownSource(input), type, path, value }
  const origin = `the responseFormat ${responseFormat}`
  return problemsOf(input, assertion, { kind, pointerOf, origin })
}

const ownPointers: Readonly<Record<keyof Assertion, string>> = {
  source: '/responseFormat',
  path: '/responseAssertionPath',
  type: '/responseAssertionType',
  value: '/responseAssertionValue',
}

const ofJson: ReadonlySet<AssertionType | null> = new Set(['jsonPath', 'jsonSchema'])

/** The source of that assertion: given by the format, otherwise by type and path. */
function ownSource(input: Expectation): AssertionSource {
  const { responseFormat, responseAssertionType: type, responseAssertionPath: path } = input
  if (responseFormat === 'text') return 'body'
  if (responseFormat !== 'auto') return responseFormat
  if (ofJson.has(type)) return 'json'
  if (path === null) return 'body'
  return isJsonPath(path) ? 'json' : 'html'
}

/** The kind of check, and the pointers to one assertion's fields. */
interface AssertionPointers {
  readonly kind: AnswerKind
  readonly pointerOf: (field: keyof Assertion) => string
  /** What its source is called there. */
  readonly origin: string
}

type RuleBreak = readonly [keyword: string, message: string] | null

function problemsOf(
  input: ResponseInput,
  assertion: Assertion,
  place: AssertionPointers,
): FieldProblem[] {
  const { kind, pointerOf, origin } = place
  const wrong: Readonly<Record<keyof Assertion, RuleBreak>> = {
    source: sourceProblem(input, assertion, kind),
    path: pathProblem(assertion, origin),
    type: typeProblem(assertion, origin),
    value: valueProblem(assertion),
  }
  return Object.entries(wrong).flatMap(([field, found]) => {
    if (found === null) return []
    const [keyword, message] = found
    return [{ pointer: pointerOf(field as keyof Assertion), keyword, message }]
  })
}

/** Reports a source that the kind of check does not have. */
function sourceProblem({ url }: ResponseInput, { source }: Assertion, kind: AnswerKind): RuleBreak {
  if (!sourcesOf(kind).includes(source)) {
    return ['forbidden', `does not apply to checkType ${kind.type}`]
  }
  const [, plain] = /^(http|ws):/i.exec(url ?? '') ?? []
  if (!ofTls.has(source) || plain === undefined) return null
  return ['forbidden', `does not apply to a ${plain.toLowerCase()}:// URL: it has no certificate`]
}

const ofTls: ReadonlySet<AssertionSource> = new Set(['certificateDays', 'tlsVersion', 'tlsCipher'])

function pathProblem({ source, path, type }: Assertion, origin: string): RuleBreak {
  if (source === 'header') {
    if (path === null) return ['required', 'is required: it is the name of the header']
    return isHeaderName(path) ? null : ['format', 'is not a valid header name']
  }
  if (path === null) {
    return type === 'jsonPath' && source === 'json'
      ? ['required', 'is required for jsonPath']
      : null
  }
  if (source !== 'json' && source !== 'xml' && source !== 'html') {
    return ['forbidden', `must be absent for ${origin}`]
  }
  const wrong = source === 'json' ? jsonPathProblem(path) : cssPathProblem(path)
  return wrong === null ? null : ['format', wrong]
}

const ofShape: ReadonlySet<AssertionType> = new Set(['type', 'lengthEquals'])
const shapesAndOrders: ReadonlySet<AssertionType> = new Set([
  ...ofShape,
  ...(['greaterThan', 'greaterOrEqual', 'lessThan', 'lessOrEqual'] as const),
])

/** Types that always or never hold for a source, because its values are all alike. */
const idleTypes: Partial<Record<AssertionSource, ReadonlySet<AssertionType>>> = {
  status: ofShape,
  responseTime: ofShape,
  certificateDays: ofShape,
  ip: shapesAndOrders,
  size: ofShape,
  redirects: ofShape,
  tlsVersion: ofShape,
  tlsCipher: shapesAndOrders,
}

/** Sources whose values may be accepted as they are. */
const contents: ReadonlySet<AssertionSource> = new Set(['header', 'body', 'json', 'xml', 'html'])

function typeProblem({ source, type }: Assertion, origin: string): RuleBreak {
  if (type === 'unchanged' && !contents.has(source)) {
    return ['forbidden', `must not be unchanged with ${origin}`]
  }
  const isIdle = ofJson.has(type) ? source !== 'json' : idleTypes[source]?.has(type) === true
  return isIdle ? ['forbidden', `must not be ${type} with ${origin}`] : null
}

/** Types that compare with a value. */
const valueTypes: ReadonlySet<AssertionType> = new Set([
  'contains',
  'notContains',
  'equals',
  'notEquals',
  'regex',
  'type',
  'lengthEquals',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'jsonSchema',
])

const numeric: ReadonlySet<AssertionSource> = new Set([
  ...(['status', 'responseTime', 'certificateDays', 'size', 'redirects'] as const),
])
/** OpenSSL's names of the versions; their order as texts is that of their age. */
const tlsVersions: readonly string[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']
/** A value that is no schema. */
export const assertionValueCharsMax = 1_024
const comparing = /^(equals|notEquals|greater|less)/

function valueProblem({ source, type, value }: Assertion): RuleBreak {
  if (value === null) return valueTypes.has(type) ? ['required', `is required for ${type}`] : null
  if (type === 'jsonSchema') {
    const wrong = schemaProblem(value)
    return wrong === null ? null : ['format', wrong]
  }
  if (type === 'unchanged' && partsOfMark(value) === undefined) {
    return ['format', 'must be what a check found, which begins with a hash']
  }
  if (value.length > assertionValueCharsMax) {
    return ['maxLength', `must be at most ${assertionValueCharsMax} characters`]
  }
  const number = numberIn(value)
  if (type === 'regex') {
    const wrong = regexProblem(value)
    return wrong === null ? null : ['format', wrong]
  }
  if (type === 'type') {
    return typeNames.has(value) ? null : ['enum', `must be one of ${[...typeNames].join(', ')}`]
  }
  if (type === 'lengthEquals') {
    const isLength = Number.isSafeInteger(number) && Number(number) >= 0
    return isLength ? null : ['format', 'must be a whole number, 0 or more']
  }
  if (source === 'tlsVersion' && comparing.test(type)) {
    if (tlsVersions.includes(value)) return null
    return ['enum', `must be one of ${tlsVersions.join(', ')}`]
  }
  const isWrong = numeric.has(source) && comparing.test(type) && number === undefined
  return isWrong ? ['format', 'must be a number'] : null
}

function schemasProblems(assertions: readonly Assertion[]): FieldProblem[] {
  const schemas = assertions.filter(({ type }) => type === 'jsonSchema')
  const chars = schemas.reduce((sum, { value }) => sum + (value?.length ?? 0), 0)
  if (chars <= schemasCharsMax) return []
  const message = `must have schemas of at most ${schemasCharsMax} characters in all`
  return [{ pointer: '/assertions', keyword: 'maxLength', message }]
}

/** The schemas of one monitor. */
const schemasCharsMax = 2 * schemaCharsMax

function statusProblems(acceptedStatuses: readonly string[]): FieldProblem[] {
  return acceptedStatuses.flatMap((entry, index) => {
    const [low = 0, high = low] = entry.split('-').map(Number)
    if (low <= high) return []
    const message = `must name the lower status first: ${high}-${low}`
    return [{ pointer: `/acceptedStatuses/${index}`, keyword: 'range', message }]
  })
}

/** Fields that a kind of check requires. */
function kindProblems(input: ResponseInput, kind: AnswerKind): FieldProblem[] {
  const { method } = input
  const problems: FieldProblem[] = []
  if (kind.expects === 'words' && !input.bodyContains && !input.bodyNotContains) {
    const message = `is required on a ${kind.type} monitor unless bodyNotContains is given`
    problems.push({ pointer: '/bodyContains', keyword: 'required', message })
  }
  const needsBody = method === 'HEAD' ? bodyRule(input, kind) : null
  if (needsBody !== null) {
    const message = `must not be HEAD ${needsBody}`
    problems.push({ pointer: '/method', keyword: 'forbidden', message })
  }
  return problems
}

/** Why a response body is needed, or null. */
function bodyRule(input: ResponseInput, { type, sources, expects }: AnswerKind): string | null {
  const { bodyContains, bodyNotContains, responseFormat } = input
  if (!sources.includes('status')) return null
  if (expects !== undefined) return `on a ${type} monitor: the check reads the body`
  const rules: readonly (readonly [field: string, isSaid: boolean])[] = [
    ['bodyContains', bodyContains !== null],
    ['bodyNotContains', bodyNotContains !== null],
    ['responseFormat', responseFormat !== 'auto'],
    ['responseAssertionType', input.responseAssertionType !== null],
    ['assertions', input.assertions.some(readsBody)],
  ]
  const [field] = rules.find(([, isSaid]) => isSaid) ?? []
  return field === undefined ? null : `when ${field} is given: it needs a response body`
}
