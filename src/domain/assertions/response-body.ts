// The body of a response for assertions: text, JSON, XML or HTML, each parsed at most once.

import type { Steps } from '../../base/waiting/steps.ts'
import type { Budget, Selection } from './budget.ts'
import { selectCss, textOfMarkup } from './css-path.ts'
import type { Assertion, AssertionType, Expectation } from './expectation.ts'
import { select } from './json-path.ts'
import { type Json, parseJson } from './json-value.ts'
import { type Markup, markupSteps, type parseMarkup } from './markup.ts'

export type BodyFormat = 'text' | 'json' | 'xml' | 'html'

export type BodySelector = Pick<Assertion, 'path' | 'type' | 'value'> & {
  readonly format: BodyFormat
}

/** Every JSONPath begins like this, and no CSS selector does. */
export function isJsonPath(path: string): boolean {
  return path.trimStart().startsWith('$')
}

/** Why a body cannot be read in a format. */
export interface BodyProblem {
  readonly kind: 'invalid_response'
  readonly expected: string
  readonly found: string
}

/** A class because it caches what it parsed. */
export class ResponseBody {
  readonly #read: () => string
  readonly #name: string
  #text: string | undefined
  #json: { readonly document: Json | undefined } | undefined
  readonly #markup = new Map<string, ReturnType<typeof parseMarkup>>()
  readonly #markupText = new Map<Markup, string>()

  /** `name`: how messages call it. */
  constructor(read: () => string, name = 'body') {
    this.#read = read
    this.#name = name
  }

  get text(): string {
    this.#text ??= this.#read()
    return this.#text
  }

  /** Undefined if the body is not JSON. */
  get json(): Json | undefined {
    this.#json ??= { document: parseJson(this.text) }
    return this.#json.document
  }

  /**
   * The format for a monitor's own assertion. The path decides if the content type is unclear;
   * undefined if the path selects markup but the body is JSON.
   */
  formatOf(expectation: Expectation, contentType: string): BodyFormat | undefined {
    const { responseFormat, responseAssertionPath: path, responseAssertionType } = expectation
    if (responseFormat !== 'auto') return responseFormat
    if (responseAssertionType === null) return 'text'
    const isJson = jsonType.test(contentType)
    if (!path) return isJson ? 'json' : 'text'
    if (isJsonPath(path)) return 'json'
    if (isJson) return undefined
    return xmlType.test(contentType) ? 'xml' : 'html'
  }

  /** What is wrong with the body in this format, or null. Reads it in steps. */
  *problemOf(format: BodyFormat): Steps<BodyProblem | null> {
    if (format === 'text') return null
    const kind = 'invalid_response'
    if (format === 'json') {
      const { json } = this
      yield
      if (json !== undefined) return null
      return { kind, expected: `a JSON ${this.#name}`, found: this.text }
    }
    const markup = this.#markup.get(format) ?? (yield* markupSteps(this.text, format))
    this.#markup.set(format, markup)
    if (!('problem' in markup)) return null
    const expected = `an ${format === 'xml' ? 'XML' : 'HTML'} ${this.#name}`
    return { kind, expected, found: `one that ${markup.problem}: ${this.text}` }
  }

  /**
   * The values at a path; without a path, the whole as the assertion type sees it. The body was asked
   * for its problem in this format before.
   */
  select({ format, path, type, value }: BodySelector, budget: Budget): Selection<Json> {
    if (format === 'text') return { values: subjectOfText(type, this.text, value) }
    // Without a path, a search reads the body as sent; the other types read its parsed value.
    if (path === null && searches.has(type)) return { values: [this.text] }
    if (format === 'json') {
      const document = this.json
      if (document === undefined) return { values: [] }
      if (path === null) return { values: [document] }
      return select(path, document, budget, this.text.length)
    }
    const markup = this.#markup.get(format)
    if (markup === undefined || 'problem' in markup) return { values: [] }
    if (path === null) return { values: [this.#textOf(markup)] }
    return selectCss(path, markup, budget, this.text.length)
  }

  /** Read once, however many assertions are about it. */
  #textOf(markup: Markup): string {
    const text = this.#markupText.get(markup) ?? textOfMarkup(markup)
    this.#markupText.set(markup, text)
    return text
  }
}

const jsonType = /^\s*(application|text)\/(json|[\w.-]+\+json)\s*(;|$)/i
const xmlType = /^\s*[\w.-]+\/(xml|[\w.-]+\+xml)\s*(;|$)/i

const searches: ReadonlySet<AssertionType> = new Set(['contains', 'notContains', 'regex'])

/** An empty text selects nothing; comparisons ignore surrounding white space. */
function subjectOfText(type: AssertionType, text: string, value: string | null): readonly Json[] {
  if (type === 'exists' || type === 'notExists' || type === 'jsonPath')
    return text === '' ? [] : [text]
  const compares = /^(equals|notEquals|greater|less)/.test(type)
  return [compares && text !== value ? text.trim() : text]
}
