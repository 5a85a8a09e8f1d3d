// What a conversion to steps makes, held against the rules of monitors before a test looks at it.
import assert from 'node:assert/strict'
import { createCheck } from '../../src/base/schema/validate.ts'
import {
  type ConvertedSteps,
  convertToSteps,
} from '../../src/domain/steps/convert/convert-to-steps.ts'
import { stepsProblems } from '../../src/domain/steps/step-rules.ts'
import { MonitorIn } from '../../src/http/api/monitors/monitor-input-schemas.ts'
import { urlShapeProblem } from '../../src/net/egress-policy.ts'

const check = createCheck(MonitorIn, 100)

/** The problems that the creation of the monitor would be refused for. */
export function problemsOf({ name, url, steps, variables }: ConvertedSteps) {
  const base = url || 'https://example.com/'
  const monitor = { name, url: base, checkType: 'steps', steps, variables }
  return [
    ...check(monitor),
    ...stepsProblems({ url: base, steps, variables, timeoutMs: 30_000 }, urlShapeProblem),
  ]
}

/** Converts a text into steps that a monitor may have. */
export function stepsIn(text: string): ConvertedSteps {
  const made = convertToSteps(text)
  assert.deepEqual(problemsOf(made), [])
  return made
}
