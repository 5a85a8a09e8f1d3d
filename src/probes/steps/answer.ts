// What the answer to one step must be like, and what is taken from it.
import type { Steps } from '../../base/waiting/steps.ts'
import {
  expectationSteps,
  type FailedAssertion,
  needsBody,
  type Response,
} from '../../domain/assertions/assertion.ts'
import { type Budget, charge, freshBudget, GivenUp } from '../../domain/assertions/budget.ts'
import {
  type ExaminedAssertion,
  type Expectation,
  usualExpectation,
} from '../../domain/assertions/expectation.ts'
import { schemaProblem } from '../../domain/assertions/json-schema.ts'
import { isTooDeep, show } from '../../domain/assertions/json-value.ts'
import {
  captureWorkMax,
  regexCharsMax,
  regexProblem,
  searchFor,
} from '../../domain/assertions/pattern.ts'
import { ResponseBody } from '../../domain/assertions/response-body.ts'
import { type Capture, headerPath, type Step } from '../../domain/steps/step.ts'
import { stepAnswer, templateIn } from '../../domain/steps/step-rules.ts'
import { placeholdersIn } from '../../domain/steps/template.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import type { Redact } from '../../redaction/redaction.ts'
import type { Room, StepValues } from './values.ts'

/** Whether the body of the answer must be kept and decoded. */
export function readsBodyOf({ captures, ...step }: Step): boolean {
  const isTaken = captures.some(({ source }) => source !== 'header')
  return step.method !== 'HEAD' && (isTaken || needsBody({ ...usualExpectation, ...step }))
}

/** The expectation with the values of this check. */
export function expectationOfStep(
  step: Step,
  values: StepValues,
  room: Room,
  redact: Redact,
): Expectation {
  const { expectedStatus, acceptedStatuses } = step
  const assertions = step.assertions.map((assertion): ExaminedAssertion => {
    const template = templateIn(assertion)
    if (placeholdersIn(template).length === 0) return assertion
    // A value is no expression.
    const isPattern = assertion.type === 'regex'
    const write = isPattern ? quotedForRegex : undefined
    const value = values.in(template, room, write)
    const isSchema = assertion.type === 'jsonSchema'
    // What is wrong may quote a value.
    if (isPattern && regexProblem(value) !== null) throw new RunError(noPattern)
    if (isSchema && schemaProblem(value) !== null) throw new RunError(noSchema)
    return { ...assertion, value, shownValue: redact(values.shown(template, write)) }
  })
  return { ...usualExpectation, expectedStatus, acceptedStatuses, assertions }
}

const noPattern = failure(
  'assertion',
  `the values make no valid pattern of at most ${regexCharsMax} characters`,
)
const noSchema = failure('assertion', 'the values make no valid JSON Schema')

function quotedForRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|-]/g, String.raw`\$&`)
}

export interface JudgedAnswer {
  readonly failed: readonly FailedAssertion[]
  /** Empty if an assertion failed. */
  readonly captured: ReadonlyMap<string, string>
}

/** Characters of a value that later steps may use. */
const captureCharsMax = 8_192

/** Judges the answer, and takes what the step captures. */
export function* judgedAnswer(
  expectation: Expectation,
  captures: readonly Capture[],
  response: Response,
): Steps<JudgedAnswer> {
  const budget = freshBudget()
  const failed = yield* expectationSteps(expectation, { ...response, kind: stepAnswer }, budget)
  const captured = new Map<string, string>()
  if (failed.length > 0 || captures.length === 0) return { failed, captured }
  const body = new ResponseBody(response.text)
  const missing: FailedAssertion[] = []
  for (const { name, source, path } of captures) {
    const miss = (found: string): void => {
      missing.push({ kind: 'assertion', expected: `${path} to be found, for ${name}`, found })
    }
    const { value, problem = 'nothing' } = yield* valueAt({ source, path }, body, response)
    yield
    if (value === undefined) miss(problem)
    else if (value.length > captureCharsMax) miss(`more than ${captureCharsMax} characters`)
    else captured.set(name, value.toWellFormed())
  }
  return { failed: missing, captured }

  function* valueAt(
    { source, path }: Pick<Capture, 'source' | 'path'>,
    read: ResponseBody,
    { header }: Response,
  ): Steps<{ readonly value?: string | undefined; readonly problem?: string | undefined }> {
    if (source === 'header') {
      const { name, pattern } = headerPath(path)
      const values = header?.(name.toLowerCase()) ?? []
      return pattern === undefined ? { value: values[0] } : patternIn(values, pattern, budget)
    }
    if (source === 'body') return patternIn([read.text], path, budget)
    const unreadable = yield* read.problemOf(source)
    if (unreadable !== null) return { problem: `no ${unreadable.expected.replace(/^an? /, '')}` }
    const found = read.select({ format: source, path, type: 'exists', value: null }, budget)
    const first = found.values?.[0]
    if (first === undefined) return { problem: found.problem }
    if (isTooDeep(first)) return { problem: 'a value that is nested too deep' }
    return { value: show(first) }
  }
}

/** The first that the expression finds. */
function patternIn(texts: readonly string[], pattern: string, budget: Budget) {
  const pay = (steps: number): void => {
    charge(budget, steps, captureWorkMax)
    if (budget.left === 0) throw new GivenUp('more data than a check examines')
  }
  try {
    const search = searchFor(pattern)
    for (const text of texts) {
      const value = search?.capture(text, pay)
      if (value !== undefined) return { value }
    }
    return {}
  } catch (cause) {
    if (cause instanceof GivenUp) return { problem: cause.message }
    throw cause
  }
}
