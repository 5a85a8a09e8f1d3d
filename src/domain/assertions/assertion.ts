// Evaluates assertions about a response. Pure; the API reference of monitors specifies them.
import { unreachable } from '../../base/assert.ts'
import { clip } from '../../base/clip.ts'
import { runSteps, type Steps } from '../../base/waiting/steps.ts'
import { isSecretHeader } from '../checks/header-rules.ts'
import type { TlsChoice } from '../checks/reading.ts'
import { limits } from '../limits/limits.ts'
import {
  earlierCut,
  secretMask,
  withMaskedQuery,
  withoutCutEnd,
  withoutCutStart,
} from '../secret-mask.ts'
import { type Budget, freshBudget } from './budget.ts'
import { type Compared, excerptCharsMax, mismatchOf, quoted } from './comparison.ts'
import type {
  AnswerKind,
  Assertion,
  AssertionSource,
  ExaminedAssertion,
  Expectation,
} from './expectation.ts'
import type { Json } from './json-value.ts'
import { showStart } from './json-value.ts'
import { partsOfMark } from './mark.ts'
import { occursIn, placeOf } from './occurrence.ts'
import { type BodyFormat, ResponseBody } from './response-body.ts'

export interface FailedAssertion {
  /** `invalid_response`: the body does not have its format; the others name what was examined. */
  readonly kind: 'status' | 'assertion' | 'invalid_response'
  readonly expected: string
  /** An excerpt of the actual value. It may quote the target, so it belongs only into evidence. */
  readonly found: string
  /** The index of an assertion of type `unchanged`, which accepts `found` as its value. */
  readonly assertion?: number
  /** The actual value is a number computed by us, or one of few words, so everyone may see it. */
  readonly mayTell?: true
}

/** The parts of a response; a part that the kind of check does not have is absent. */
export interface Response {
  /** Absent: a response with a body. */
  readonly kind?: Pick<AnswerKind, 'textName' | 'expects'>
  readonly status: number
  readonly contentType: string
  /** The decoded body; called only if an assertion reads the body. */
  readonly text: () => string
  /** The values of a header, by lower-case name. */
  readonly header?: (name: string) => readonly string[]
  readonly responseTimeMs?: number
  /** Whole days until the certificate expires. */
  readonly certificateDays?: number | undefined
  readonly address?: string | undefined
  /** The bytes of the decoded body. */
  readonly size?: number | undefined
  /** How many redirects were followed. */
  readonly redirects?: number | undefined
  readonly tls?: TlsChoice | undefined
  /** Removes secrets from quotes of the target before they are cut to an excerpt. */
  readonly redact?: (text: string) => string
}

const none: readonly FailedAssertion[] = []

/** Returns every assertion that failed; empty if all hold. */
export function checkExpectation(
  expectation: Expectation,
  response: Response,
  budget?: Budget,
): readonly FailedAssertion[] {
  return runSteps(expectationSteps(expectation, response, budget))
}

/** The same in steps: reading the body, and each assertion. */
export function* expectationSteps(
  expectation: Expectation,
  response: Response,
  budget = freshBudget(),
): Steps<readonly FailedAssertion[]> {
  const statusOk = statusHolds(expectation, response.status)
  const { kind } = response
  const isAboutBody = needsBody(expectation, kind)
  if (statusOk && !isAboutBody && expectation.assertions.length === 0) return none
  const check = new ExpectationCheck(response, budget)
  if (!statusOk) {
    const expected = `status ${describeStatuses(expectation)}`
    check.fail({ kind: 'status', expected, found: String(response.status), mayTell: true })
  }
  if (isAboutBody) yield* check.body(expectation)
  for (const [index, assertion] of expectation.assertions.entries()) {
    yield* check.assertion(assertion, index)
    yield
  }
  return check.failed
}

/**
 * Whether the assertions about the body hold, regardless of the status. `budget`: of a check that
 * examines many texts.
 */
export function bodyHolds(
  expectation: Expectation,
  response: Pick<Response, 'contentType' | 'text'>,
  budget?: Budget,
): boolean {
  const assertions = expectation.assertions.filter(readsBody)
  const status = expectation.expectedStatus
  const failed = checkExpectation({ ...expectation, assertions }, { ...response, status }, budget)
  return failed.length === 0
}

const bodySources: ReadonlySet<AssertionSource> = new Set(['body', 'json', 'xml', 'html', 'size'])

export function readsBody({ source }: Assertion): boolean {
  return bodySources.has(source)
}

/** Whether any assertion, or the kind itself, reads the body, so that it must be kept and decoded. */
export function needsBody(expectation: Expectation, kind?: Pick<AnswerKind, 'expects'>): boolean {
  const { responseFormat: format, assertions } = expectation
  return (
    Boolean(expectation.bodyContains) ||
    Boolean(expectation.bodyNotContains) ||
    (format !== 'auto' && format !== 'text') ||
    Boolean(expectation.responseAssertionType) ||
    kind?.expects === 'health' ||
    (assertions.length > 0 && assertions.some(readsBody))
  )
}

/** Whether the status is expected or accepted. */
function statusHolds(expectation: Expectation, status: number): boolean {
  if (status === expectation.expectedStatus) return true
  return expectation.acceptedStatuses.some((entry) => {
    const [low = '', high = low] = entry.split('-')
    return status >= Number(low) && status <= Number(high)
  })
}

/** Whether exactly this status is accepted by name: such a redirect is a result, not followed. */
export function namesStatus(
  expectation: Pick<Expectation, 'expectedStatus' | 'acceptedStatuses'>,
  status: number,
): boolean {
  return (
    status === expectation.expectedStatus || expectation.acceptedStatuses.includes(String(status))
  )
}

function describeStatuses({ expectedStatus, acceptedStatuses }: Expectation): string {
  const others = acceptedStatuses.filter((entry) => entry !== String(expectedStatus))
  return [String(expectedStatus), ...others].join(' or ')
}

/** Healthy states, in any case: Spring's, those of health+json, and other common ones. */
const healthy: ReadonlySet<string> = new Set(['ok', 'up', 'healthy', 'pass', 'passing', 'green'])
const healthyStatus = 'a JSON "status" of ok, up, healthy, pass, passing or green'

interface ComparedSubject extends Compared, Pick<FailedAssertion, 'kind' | 'mayTell'> {}

/** Checks one response against all expectations and reads its body once. */
class ExpectationCheck {
  readonly failed: FailedAssertion[] = []
  readonly #response: Response
  readonly #body: ResponseBody
  readonly #textName: string
  readonly #budget: Budget
  /** The index of what is examined, where its value can be accepted. */
  #index: number | undefined

  constructor(response: Response, budget: Budget) {
    this.#response = response
    this.#budget = budget
    this.#textName = response.kind?.textName ?? 'body'
    this.#body = new ResponseBody(response.text, this.#textName)
  }

  fail(failed: FailedAssertion): void {
    this.failed.push(failed)
  }

  *body(expectation: Expectation): Steps<void> {
    const { bodyContains, bodyNotContains, responseAssertionType: type } = expectation
    const { text } = this.#body
    const textName = this.#textName
    yield
    if (bodyContains && !occursIn(text, bodyContains)) {
      this.#mismatchOf(`${textName} to contain ${quoted(bodyContains)}`, text)
    }
    const forbiddenAt = bodyNotContains ? placeOf(text, bodyNotContains) : -1
    if (bodyNotContains && forbiddenAt >= 0) {
      const expected = `${textName} not to contain ${quoted(bodyNotContains)}`
      const start = Math.max(0, forbiddenAt - limits.foundCharsMax / 4)
      this.#mismatchOf(expected, text, start)
    }
    yield
    if (this.#response.kind?.expects === 'health') yield* this.#health()
    const path = expectation.responseAssertionPath || null
    const value = expectation.responseAssertionValue || null
    const { contentType } = this.#response
    const format = this.#body.formatOf(expectation, contentType)
    if (format === undefined) {
      this.#mismatchOf(
        `${path} to be found`,
        `a JSON ${textName}: paths that begin with $ need JSON`,
      )
    } else if (type !== null) {
      yield* this.assertion({ source: format === 'text' ? 'body' : format, path, type, value })
    } else if (format !== 'text') {
      yield* this.#reads(format)
    }
  }

  *assertion(assertion: ExaminedAssertion, index?: number): Steps<void> {
    this.#index = assertion.type === 'unchanged' ? index : undefined
    const { source, path } = assertion
    const response = this.#response
    switch (source) {
      case 'status':
        this.#compare(assertion, [response.status], { kind: 'status', name: 'status', ...open })
        return
      case 'header': {
        const name = path ?? ''
        const values = response.header?.(name.toLowerCase()) ?? []
        this.#compare(assertion, values, { kind: 'assertion', name: `header ${name}` })
        return
      }
      case 'responseTime': {
        const subject = { ...measured, name: 'response time', unit: ' ms' }
        this.#compare(assertion, listOf(response.responseTimeMs), subject)
        return
      }
      case 'certificateDays': {
        const name = 'days until the certificate expires'
        this.#compare(assertion, listOf(response.certificateDays), { ...measured, name })
        return
      }
      case 'size': {
        const subject = { ...measured, name: 'body size', unit: ' bytes' }
        this.#compare(assertion, listOf(response.size), subject)
        return
      }
      case 'redirects': {
        const subject = { ...measured, name: 'number of redirects' }
        this.#compare(assertion, listOf(response.redirects), subject)
        return
      }
      case 'ip':
        this.#compare(assertion, listOf(response.address), { kind: 'assertion', name: 'address' })
        return
      case 'tlsVersion': {
        const subject = { ...measured, name: 'TLS version' }
        this.#compare(assertion, listOf(response.tls?.version), subject)
        return
      }
      case 'tlsCipher': {
        const subject = { ...measured, name: 'TLS cipher' }
        this.#compare(assertion, listOf(response.tls?.cipher), subject)
        return
      }
      case 'body':
      case 'json':
      case 'xml':
      case 'html':
        yield* this.#select(assertion, source === 'body' ? 'text' : source)
        return
      default:
        unreachable(source)
    }
  }

  *#health(): Steps<void> {
    if (!(yield* this.#reads('json'))) return
    const document = this.#body.json
    const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
    const status = isObject && Object.hasOwn(document, 'status') ? document.status : undefined
    if (typeof status === 'string' && healthy.has(status.toLowerCase())) return
    const foundStatus = status === undefined ? 'no "status"' : showStart(status, excerptCharsMax)
    this.#mismatchOf(healthyStatus, foundStatus)
  }

  *#select(assertion: ExaminedAssertion, format: BodyFormat): Steps<void> {
    if (!(yield* this.#reads(format))) return
    const { path, type, value } = assertion
    const name = path ?? this.#textName
    const { values, problem } = this.#body.select({ format, path, type, value }, this.#budget)
    if (values === undefined) this.#mismatchOf(`${name} to be found`, problem)
    else
      this.#compare(assertion, values, { kind: 'assertion', name, chars: this.#body.text.length })
  }

  /** Whether the body has its format. The first time that it does not, that is a failure. */
  *#reads(format: BodyFormat): Steps<boolean> {
    const problem = yield* this.#body.problemOf(format)
    if (problem === null) return true
    const { expected, found } = problem
    if (!this.failed.some((other) => other.kind === problem.kind && other.expected === expected)) {
      this.fail({ kind: problem.kind, expected, found: this.#excerpt(found) })
    }
    return false
  }

  #compare(assertion: ExaminedAssertion, values: readonly Json[], subject: ComparedSubject): void {
    const { kind, mayTell } = subject
    const failed = mismatchOf(assertion, values, subject, this.#budget)
    if (failed === undefined) return
    const isHeader = assertion.source === 'header'
    const isSecret = isHeader && isSecretHeader(assertion.path ?? '')
    const shownFound = isHeader ? withMaskedQuery(failed.found) : failed.found
    const found = isSecret && values.length > 0 ? secretMask : this.#excerpt(shownFound)
    this.fail({
      ...{ kind, expected: failed.expected, found },
      ...(mayTell && { mayTell }),
      ...(this.#index !== undefined && partsOfMark(found) && { assertion: this.#index }),
    })
  }

  /** `start`: where the shown excerpt begins. */
  #mismatchOf(expected: string, found: string, start = 0): void {
    this.fail({ kind: 'assertion', expected, found: this.#excerpt(found, start) })
  }

  #excerpt(found: string, start = 0): string {
    // Longer than the excerpt, because a secret split by the cut would not be recognized.
    const cutAt = earlierCut(start)
    const piece = found.slice(cutAt, start + excerptCharsMax)
    const masked = withoutCutStart(this.#response.redact?.(piece) ?? piece, start - cutAt)
    const text = found.length > start + excerptCharsMax ? withoutCutEnd(masked) : masked
    return text === '' ? '(empty)' : clip(text, limits.foundCharsMax)
  }
}

const open = { mayTell: true } as const
const measured = { kind: 'assertion', ...open } as const

function listOf(value: string | number | undefined): readonly Json[] {
  return value === undefined ? [] : [value]
}
