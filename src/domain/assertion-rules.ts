// What a caller may say of a response: which assertions make sense, each wrong one by its pointer.
import type { FieldProblem } from '../base/fault.ts'
import { cssPathProblem } from './css-path.ts'
import { isHeaderName } from './header-rules.ts'
import { jsonPathProblem } from './json-path.ts'
import { numberIn } from './json-value.ts'
import type { Assertion, AssertionSource, AssertionType, Expectation, Method } from './monitor.ts'
import { regexProblem } from './pattern.ts'
import { isJsonPath } from './response-body.ts'

/** Every rule about the response that the input breaks. */
export function assertionProblems(input: Expectation & { method: Method }): FieldProblem[] {
  return [
    ...ownProblems(input),
    ...input.assertions.flatMap((assertion, index) => listedProblems(input, assertion, index)),
    ...statusProblems(input.acceptedStatuses),
    ...kindProblems(input),
  ]
}

/** Those that compare with a value. */
const valueTypes: ReadonlySet<AssertionType> = new Set([
  ...(['contains', 'notContains', 'equals', 'notEquals', 'regex', 'type', 'lengthEquals'] as const),
  ...(['greaterThan', 'greaterOrEqual', 'lessThan', 'lessOrEqual'] as const),
])

/** The monitor's own assertion: responseAssertionType, -Path and -Value. */
function ownProblems(input: Expectation): FieldProblem[] {
  const { responseAssertionType: type, responseAssertionPath: path, responseFormat } = input
  const value = input.responseAssertionValue
  const problems: FieldProblem[] = []
  const add = (field: string, keyword: string, message: string): void => {
    problems.push({ pointer: `/responseAssertion${field}`, keyword, message })
  }
  if (type === null && (path !== null || value !== null)) {
    add('Type', 'required', 'is required with a path or value')
  }
  if (type === 'jsonPath' && path === null) add('Path', 'required', 'is required for jsonPath')
  if (path !== null && responseFormat === 'text')
    add('Path', 'forbidden', 'must be absent for text')
  else if (path !== null) {
    const isJson = responseFormat === 'auto' ? isJsonPath(path) : responseFormat === 'json'
    const wrong = isJson ? jsonPathProblem(path) : cssPathProblem(path)
    if (wrong !== null) add('Path', 'format', wrong)
  }
  if (type !== null) problems.push(...valueProblems('/responseAssertionValue', type, value))
  return problems
}

function valueProblems(pointer: string, type: AssertionType, value: string | null): FieldProblem[] {
  if (value === null) {
    if (!valueTypes.has(type)) return []
    return [{ pointer, keyword: 'required', message: `is required for ${type}` }]
  }
  const wrong = type === 'regex' ? regexProblem(value) : null
  return wrong === null ? [] : [{ pointer, keyword: 'format', message: wrong }]
}

const numeric: ReadonlySet<AssertionSource> = new Set(['status', 'responseTime', 'certificateDays'])
const comparing = /^(equals|notEquals|greater|less)/
const web: ReadonlySet<string> = new Set(['endpoint', 'health', 'keyword'])

/** One of the list of assertions. */
function listedProblems(
  { checkType }: Expectation,
  { source, path, type, value }: Assertion,
  index: number,
): FieldProblem[] {
  const at = `/assertions/${index}`
  const problems: FieldProblem[] = []
  const add = (field: string, keyword: string, message: string): void => {
    problems.push({ pointer: `${at}/${field}`, keyword, message })
  }
  if ((source === 'status' || source === 'header') && !web.has(checkType)) {
    add('source', 'forbidden', `means nothing with checkType ${checkType}`)
  }
  const wrong = pathProblem(source, path)
  if (wrong !== null) add('path', ...wrong)
  if (type === 'jsonPath') {
    if (source !== 'json') add('type', 'forbidden', 'is for the source json only')
    else if (path === null) add('path', 'required', 'is required for jsonPath')
  }
  problems.push(...valueProblems(`${at}/value`, type, value))
  const isNumber = value === null || numberIn(value) !== undefined
  const wantsNumber = type === 'lengthEquals' || (numeric.has(source) && comparing.test(type))
  if (wantsNumber && !isNumber) add('value', 'format', 'must be a number')
  return problems
}

function pathProblem(
  source: AssertionSource,
  path: string | null,
): [keyword: string, message: string] | null {
  if (source === 'header') {
    if (path === null) return ['required', 'is required: it is the name of the header']
    return isHeaderName(path) ? null : ['format', 'is not a valid header name']
  }
  if (path === null) return null
  if (source !== 'json' && source !== 'xml' && source !== 'html') {
    return ['forbidden', `must be absent for the source ${source}`]
  }
  const wrong = source === 'json' ? jsonPathProblem(path) : cssPathProblem(path)
  return wrong === null ? null : ['format', wrong]
}

function statusProblems(acceptedStatuses: readonly string[]): FieldProblem[] {
  return acceptedStatuses.flatMap((entry, index) => {
    const [low = 0, high = low] = entry.split('-').map(Number)
    if (low >= 100 && high <= 599 && low <= high) return []
    const message = 'must be a status or a range within 100-599'
    return [{ pointer: `/acceptedStatuses/${index}`, keyword: 'range', message }]
  })
}

/** What a kind of check needs. */
function kindProblems(input: Expectation & { method: Method }): FieldProblem[] {
  const { checkType, method } = input
  const problems: FieldProblem[] = []
  if (checkType === 'push' && input.assertions.length > 0) {
    const message = 'must be empty on a push monitor'
    problems.push({ pointer: '/assertions', keyword: 'forbidden', message })
  }
  if (checkType === 'keyword' && !input.bodyContains && !input.bodyNotContains) {
    const message = 'is required on a keyword monitor, or bodyNotContains'
    problems.push({ pointer: '/bodyContains', keyword: 'required', message })
  }
  if ((checkType === 'keyword' || checkType === 'health') && method === 'HEAD') {
    const message = `must not be HEAD on a ${checkType} monitor: its body is what counts`
    problems.push({ pointer: '/method', keyword: 'forbidden', message })
  }
  return problems
}
