// The API's own schemas, applied while somebody types: the same rules, without a round trip.
import type { FieldProblem } from '../../api/problem.ts'
import type { JsonSchema } from '../../base/json-schema.ts'
import { words } from '../../words/words.ts'
import { brokenIn } from './rule-words.ts'

/** The fields that break a rule; each once, with the broken rule that says most. */
export async function problemsIn(schema: JsonSchema, value: unknown): Promise<FieldProblem[]> {
  const { Validator } = await import('@cfworker/json-schema')
  const { errors } = new Validator(schema as object, '2020-12', false).validate(value)
  return brokenIn(schema, value, errors, words.value.form)
}
