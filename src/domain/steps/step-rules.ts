// The rules of steps that no schema can express: templates, names, and what each step says of itself.
import { type FieldProblem, pointerPart } from '../../base/fault.ts'
import { assertionProblems } from '../assertions/assertion-rules.ts'
import { cssPathProblem } from '../assertions/css-path.ts'
import { type AnswerKind, type Assertion, usualExpectation } from '../assertions/expectation.ts'
import { jsonPathProblem } from '../assertions/json-path.ts'
import { regexProblem } from '../assertions/pattern.ts'
import { headerProblems, isHeaderName, isSecretHeader } from '../checks/header-rules.ts'
import { limits } from '../limits/limits.ts'
import { maskRule, secretMask } from '../secret-mask.ts'
import { type Capture, type CaptureSource, headerPath, inOrder, type Step } from './step.ts'
import { filledIn, placeholdersIn, templateProblem } from './template.ts'

/** What the answer to a step is, for its assertions. */
export const stepAnswer: AnswerKind = {
  type: 'step',
  sources: ['status', 'header', 'certificateDays', 'ip'],
  textName: 'body',
}

/** All steps of a monitor together, in UTF-8. */
export const stepsBytesMax = 48 * 1024
/** What is masked in answers has a bound, so what may be secret has one. */
const variablesBytesMax = 32 * 1024
const secretsOfStepsMax = 20

/** No document that is sent to the daemon may have these keys, and results of remote probes are such. */
const noKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A monitor with steps. */
interface StepsInput {
  readonly url: string | null
  readonly steps: readonly Step[]
  readonly variables: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** `urlProblem`: what is wrong with an absolute URL, as a sentence without its subject. */
export function stepsProblems(
  { url, steps, variables, timeoutMs }: StepsInput,
  urlProblem: (url: string) => string | null,
): FieldProblem[] {
  const problems = variableProblems(variables)
  const say = (pointer: string, keyword: string, message: string | null): void => {
    if (message !== null) problems.push({ pointer, keyword, message })
  }
  if (!steps.some((step) => !step.isCleanUp)) {
    const message = 'must have a step that is not for cleaning up'
    say('/steps', steps.length === 0 ? 'required' : 'rule', message)
  }
  if (Buffer.byteLength(JSON.stringify(steps)) > stepsBytesMax) {
    say('/steps', 'maxLength', `must have at most ${stepsBytesMax} bytes in all, as JSON`)
  }
  if (secretNamesIn(steps).length > secretsOfStepsMax) {
    say('/steps', 'maxItems', `must name at most ${secretsOfStepsMax} secrets`)
  }
  const known = new Set(Object.keys(variables))
  for (const step of inOrder(steps)) {
    const at = (field: string): string => `/steps/${steps.indexOf(step)}/${field}`
    for (const [field, text] of templatesOf(step)) {
      say(at(field), 'format', templateProblem(text) ?? unknownName(text, known))
    }
    say(at('url'), 'format', stepUrlProblem(step.url, url, urlProblem))
    for (const { pointer, ...problem } of headersProblems(step)) {
      problems.push({ pointer: at(pointer.slice(1)), ...problem })
    }
    if (Buffer.byteLength(step.body ?? '') > limits.requestBodyBytesMax) {
      const most = `must have at most ${limits.requestBodyBytesMax} bytes in UTF-8`
      say(at('body'), 'maxLength', most)
    }
    for (const { pointer, ...problem } of answerProblems(step)) {
      problems.push({ pointer: at(pointer.slice(1)), ...problem })
    }
    for (const [index, capture] of step.captures.entries()) {
      say(at(`captures/${index}/path`), 'format', pathProblem(capture))
      const isTaken = Object.hasOwn(variables, capture.name)
      say(at(`captures/${index}/name`), 'rule', isTaken ? 'is the name of a variable' : null)
      const isNoKey = noKeys.has(capture.name)
      say(at(`captures/${index}/name`), 'rule', isNoKey ? `must not be ${capture.name}` : null)
      known.add(capture.name)
    }
    const isNever = step.degradedThresholdMs !== null && step.degradedThresholdMs >= timeoutMs
    say(at('degradedThresholdMs'), 'maximum', isNever ? 'must be below timeoutMs' : null)
  }
  return problems
}

function variableProblems(variables: Readonly<Record<string, string>>): FieldProblem[] {
  const problems = Object.entries(variables).flatMap(([name, value]): FieldProblem[] => {
    if (value !== secretMask) return []
    return [{ pointer: `/variables/${pointerPart(name)}`, keyword: 'secret', message: maskRule }]
  })
  if (Buffer.byteLength(Object.values(variables).join('')) > variablesBytesMax) {
    const message = `must have at most ${variablesBytesMax} bytes in all`
    problems.push({ pointer: '/variables', keyword: 'maxLength', message })
  }
  return problems
}

/** The templates of a step, each with its field. */
function templatesOf({ url, headers, body, assertions }: Step): [field: string, text: string][] {
  return [
    ['url', url],
    ...Object.entries(headers).map(([name, value]): [string, string] => [
      `headers/${pointerPart(name)}`,
      value,
    ]),
    ['body', body ?? ''],
    ...assertions.map((assertion, index): [string, string] => [
      `assertions/${index}/value`,
      templateIn(assertion),
    ]),
  ]
}

/** The template of an assertion; a part of an answer that was accepted is none. */
export function templateIn({ type, value }: Pick<Assertion, 'type' | 'value'>): string {
  return type === 'unchanged' ? '' : (value ?? '')
}

/** The secrets of the organization that steps name. */
export function secretNamesIn(steps: readonly Step[]): readonly string[] {
  const found = steps.flatMap(templatesOf).flatMap(([, text]) => placeholdersIn(text))
  return [...new Set(found.flatMap(({ kind, name }) => (kind === 'secret' ? [name] : [])))]
}

function unknownName(text: string, known: ReadonlySet<string>): string | null {
  const unknown = placeholdersIn(text).find(
    ({ kind, name }) => kind === 'variable' && !known.has(name),
  )
  if (unknown === undefined) return null
  return `names {{${unknown.name}}}, which is no variable and which no earlier step captures`
}

/** What stands for a value while the text around it is judged. */
const word = '1'

function stepUrlProblem(
  template: string,
  base: string | null,
  urlProblem: (url: string) => string | null,
): string | null {
  if (template.startsWith('{{')) return null
  const origin = literalOrigin(template)
  if (origin === undefined && /^(\/\/|[a-z][a-z0-9+.-]*:)/i.test(template)) {
    return 'must be relative, or begin with http:// or https:// and a host without placeholders'
  }
  const text = filledIn(template, word)
  if (origin !== undefined) return urlProblem(text)
  // A URL parser drops some of these and reads `\` as `/`: the rest could name a server.
  if (/[\0-\x20\x7f\\]/.test(text))
    return 'must not contain spaces, control characters or backslashes'
  // What is wrong with the URL of the monitor is said there.
  const whole = URL.parse(text, base ?? '')?.href
  return whole === undefined ? null : urlProblem(whole)
}

/** The scheme and host with which an absolute URL begins; undefined if it is relative, or a placeholder names them. */
export function literalOrigin(template: string): string | undefined {
  const [authority] = /^https?:\/\/[^/?#\\{}\s]+(?=[/?#]|$)/i.exec(template) ?? []
  return URL.parse(authority ?? '')?.origin
}

/** The servers to which the steps of a monitor go: a secret of it goes to no other one. */
export function originsOf(base: string | null, steps: readonly Pick<Step, 'url'>[]): string[] {
  const own = URL.parse(base ?? '')?.origin
  return [...new Set([own, ...steps.map((step) => literalOrigin(step.url))])].flatMap(
    (origin) => origin ?? [],
  )
}

function headersProblems({ headers }: Step): FieldProblem[] {
  const filled = Object.entries(headers).map(([name, value]) => [name, filledIn(value, word)])
  const shown = Object.entries(headers).flatMap(([name, value]) => {
    if (!isSecretHeader(name) || placeholdersIn(value).length > 0) return []
    const message =
      'is shown to everybody who edits the monitor: put its value into a variable or a secret, and name that'
    return [{ pointer: `/headers/${pointerPart(name)}`, keyword: 'secret', message }]
  })
  return [...headerProblems(Object.fromEntries(filled)), ...shown]
}

function answerProblems(step: Step): FieldProblem[] {
  const { method, expectedStatus, acceptedStatuses } = step
  const assertions = step.assertions.map((assertion) => ({
    ...assertion,
    value: templateIn(assertion) === '' ? assertion.value : filledIn(templateIn(assertion), word),
  }))
  const expected = { method, url: null, expectedStatus, acceptedStatuses, assertions }
  return assertionProblems({ ...usualExpectation, ...expected }, stepAnswer)
}

const pathRules: Readonly<Record<CaptureSource, (path: string) => string | null>> = {
  json: jsonPathProblem,
  html: cssPathProblem,
  xml: cssPathProblem,
  body: regexProblem,
  header(path) {
    const { name, pattern } = headerPath(path)
    if (!isHeaderName(name)) return 'is not a valid header name'
    return pattern === undefined ? null : regexProblem(pattern)
  },
}

function pathProblem({ source, path }: Capture): string | null {
  return pathRules[source](path)
}
