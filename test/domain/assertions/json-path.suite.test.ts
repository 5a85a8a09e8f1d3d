// The compliance suite of RFC 9535: every path it names is refused or selects what it says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { jsonPathProblem, select } from '../../../src/domain/assertions/json-path.ts'
import type { Json } from '../../../src/domain/assertions/json-value.ts'

interface Case {
  readonly name: string
  readonly selector: string
  readonly invalid_selector?: true
  readonly document?: Json
  readonly result?: readonly Json[]
  /** Where the order is open, every order that is right. */
  readonly results?: readonly (readonly Json[])[]
}

const file = join(import.meta.dirname, 'data', 'jsonpath-compliance-suite.json')
const suite: { readonly tests: readonly Case[] } = JSON.parse(readFileSync(file, 'utf8'))

t.test(
  'every path of the standard suite is refused, or selects what the standard says',
  async (t) => {
    t.equal(suite.tests.length, 703)
    const wrong: string[] = []
    for (const { name, selector, invalid_selector, document, result, results } of suite.tests) {
      const problem = jsonPathProblem(selector)
      if (invalid_selector || problem !== null) {
        if (!invalid_selector || problem === null) wrong.push(`${name}: ${problem}`)
        continue
      }
      const { values } = select(selector, document ?? null, freshBudget())
      const right = (results ?? [result ?? []]).map((one) => JSON.stringify(one))
      if (!right.includes(JSON.stringify(values))) wrong.push(`${name}: ${JSON.stringify(values)}`)
    }
    t.same(wrong, [])
  },
)
