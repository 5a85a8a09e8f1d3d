// JSON Schemas under fire: schemas and documents of strangers. The suite tries a share, a deep run 250,000
// (test/README.md).
import t from 'tap'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { misfitIn, schemaProblem } from '../../../src/domain/assertions/json-schema.ts'
import { keywords } from '../../../src/domain/assertions/json-schema-keywords.ts'
import type { Json } from '../../../src/domain/assertions/json-value.ts'
import { amount, patient } from '../../support/depth.ts'
import { createDice, createStopwatch, mutated } from '../../support/fuzz.ts'
import { documentChars, hardDocuments, inheritedKeys } from '../../support/fuzz-json.ts'
import { grownPattern } from '../../support/fuzz-pattern.ts'

const dice = createDice()
const documents = hardDocuments(dice)
const references = ['#', '#/items', '#/$defs/a', '#/properties/a', '#/allOf/0', '#a', 'b', '#/%']
const pieces = ['"', '{', '}', '[', ']', ',', ':', '0', '-1', '1e999', 'null', 'true', '{}', '#']
const keys = ['a', 'b', 'id', 'name', 'tags', ...inheritedKeys]

const several = <One>(make: () => One): One[] => Array.from({ length: 1 + dice.below(3) }, make)
const named = (key: () => string, depth: number): Json =>
  Object.fromEntries(several(() => [key(), grown(depth - 1)]))

/** What may stand at a keyword. */
function valueAt(keyword: string, depth: number): Json {
  if (/^(allOf|anyOf|oneOf|prefixItems)$/.test(keyword)) return several(() => grown(depth - 1))
  if (keyword === 'patternProperties') return named(() => grownPattern(dice, 1), depth)
  if (
    /^(.*roperties|\$defs|definitions|depend.*)$/.test(keyword) &&
    !/^(m|additional)/.test(keyword)
  )
    return named(() => dice.pick(keys), depth)
  if (/^m|^exclusive/.test(keyword)) return dice.pick([0, 1, 2, 100])
  if (keyword === 'required') return several(() => dice.pick(keys))
  if (keyword === 'enum') return [1, 'a', null, [1], { a: 1 }]
  if (keyword === 'type') return dice.pick(['string', 'number', 'array', 'object', 'boolean'])
  if (keyword === 'pattern') return grownPattern(dice, 1)
  if (keyword === '$ref') return dice.pick(references)
  return keyword === 'uniqueItems' ? true : grown(depth - 1)
}

function grown(depth: number): Json {
  if (depth <= 0 || dice.chance(0.1)) return dice.pick([true, false, {}])
  const used = several(() => dice.pick(Object.keys(keywords)))
  return Object.fromEntries(used.map((keyword) => [keyword, valueAt(keyword, depth)]))
}

t.test('no schema is expensive, or throws', async (t) => {
  const writing = createStopwatch(patient(50))
  const watch = createStopwatch(patient(10))
  let used = 0
  for (let left = amount(2_000, 250_000); left > 0; left--) {
    const whole = JSON.stringify(grown(4))
    const schema = dice.chance(0.1) ? mutated(dice, whole, pieces) : whole
    if (writing.time(schema, () => schemaProblem(schema)) !== null) continue
    const { name, value } = dice.pick(documents)
    used += 1
    const options = { chars: documentChars, charsShown: 100 }
    watch.time(`${schema} on ${name}`, () => misfitIn(schema, value, freshBudget(), options))
  }
  t.ok(used > 0, `${used} schemas were used`)
  for (const one of [writing, watch]) {
    t.same(one.slow().slice(0, 5), [])
    t.comment(one.summary())
  }
})
