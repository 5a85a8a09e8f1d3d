// The official test suite of JSON Schema: every schema is refused, or judges as the standard says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { misfitIn, schemaProblem } from '../../../src/domain/assertions/json-schema.ts'
import type { Json } from '../../../src/domain/assertions/json-value.ts'

interface SchemaCase {
  readonly name: string
  readonly schema: Json
  readonly tests: readonly { readonly name: string; readonly data: Json; readonly valid: boolean }[]
}

const file = join(import.meta.dirname, 'data', 'json-schema-test-suite.json')
const { cases }: { readonly cases: readonly SchemaCase[] } = JSON.parse(readFileSync(file, 'utf8'))

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }

t.test('every schema of the suite is refused, or judges as the standard says', async (t) => {
  const wrong: string[] = []
  const refused: string[] = []
  for (const { name, schema, tests } of cases) {
    const isOld = name.startsWith('draft7 ') && typeof schema === 'object'
    const text = JSON.stringify(isOld ? { ...draft7, ...schema } : schema)
    const problem = schemaProblem(text)
    if (problem !== null) refused.push(`${name}: ${problem}`)
    else
      for (const { name: what, data, valid } of tests) {
        const found = misfitIn(text, data, freshBudget(), { chars: 1_000, charsShown: 80 })
        if ((found === null) !== valid) wrong.push(`${name}, ${what}: ${found}`)
      }
  }
  t.same(wrong, [])
  const honest = refused.filter((one) =>
    /\$id is only supported at the top|must begin with #|is not supported|valid RE2/.test(one),
  )
  t.same(refused, honest)
  t.equal(cases.length - refused.length, 267, refused.join('\n'))
})
