// The steps of a monitor: HTTP requests in order, with values that later ones take from the answers to earlier ones.

import { type Assertion, completedAssertion } from '../assertions/expectation.ts'
import type { Method } from '../checks/check-type.ts'

/** Where a capture finds its value; `body` is searched with a regular expression. */
export const captureSources = ['json', 'header', 'html', 'xml', 'body'] as const
export type CaptureSource = (typeof captureSources)[number]

/** A value of an answer that later steps use by its name. */
export interface Capture {
  readonly name: string
  readonly source: CaptureSource
  /**
   * A JSONPath, the name of a header, a CSS selector, or an expression: its first group, or the whole match. A header
   * may have an expression, too: `Set-Cookie: csrf=([^;]+)`.
   */
  readonly path: string
}

/** The name of a header, and the expression for its value; undefined: the whole value. */
export function headerPath(path: string): { readonly name: string; readonly pattern?: string } {
  const at = path.indexOf(':')
  if (at < 0) return { name: path.trim() }
  return { name: path.slice(0, at).trim(), pattern: path.slice(at + 1).trim() }
}

/** One request. Url, values of headers, body and values of assertions are templates (template.ts). */
export interface Step {
  readonly name: string
  readonly method: Method
  /** Relative to the URL of the monitor, or absolute. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly expectedStatus: number
  readonly acceptedStatuses: readonly string[]
  readonly assertions: readonly Assertion[]
  readonly captures: readonly Capture[]
  /** An answer that takes longer makes the check degraded. Null: never. */
  readonly degradedThresholdMs: number | null
  readonly followRedirects: boolean
  /** It is made after the others, also if one of them failed. */
  readonly isCleanUp: boolean
}

export const stepsMax = 20
export const capturesMax = 20
export const variablesMax = 50
export const variableCharsMax = 4_096

/** The defaults of a step; name and url have none. */
const stepDefaults: Omit<Step, 'name' | 'url'> = {
  method: 'GET',
  headers: {},
  body: null,
  expectedStatus: 200,
  acceptedStatuses: [],
  assertions: [],
  captures: [],
  degradedThresholdMs: null,
  followRedirects: true,
  isCleanUp: false,
}

type StepFields = { readonly [Field in keyof Step]?: Step[Field] | null }

/** A step as callers send it; null and '' mean the default. The schema has checked the types. */
export function completedStep(fields: StepFields): Step {
  const { name, url, ...others } = fields
  const given = Object.entries(others).filter(([, value]) => value !== null && value !== '')
  const step = { name: name ?? '', url: url ?? '', ...stepDefaults, ...Object.fromEntries(given) }
  return { ...step, assertions: step.assertions.map(completedAssertion) }
}

/** In the order in which they are made. */
export function inOrder(steps: readonly Step[]): readonly Step[] {
  return [...steps.filter((step) => !step.isCleanUp), ...steps.filter((step) => step.isCleanUp)]
}
