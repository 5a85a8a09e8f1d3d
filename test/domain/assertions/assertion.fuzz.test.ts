// Assertions under fire: selectors, documents and regular expressions of strangers, and whole
// checks of any kind. The suite tries a share, a deep run 250,000 of each kind (test/README.md).
import t, { type Test } from 'tap'
import { bodyHolds, checkExpectation } from '../../../src/domain/assertions/assertion.ts'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { mismatchOf } from '../../../src/domain/assertions/comparison.ts'
import { cssPathProblem, selectCss } from '../../../src/domain/assertions/css-path.ts'
import type {
  Assertion,
  AssertionSource,
  AssertionType,
} from '../../../src/domain/assertions/expectation.ts'
import { parseMarkup } from '../../../src/domain/assertions/markup.ts'
import { regexProblem } from '../../../src/domain/assertions/pattern.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { amount, patient } from '../../support/depth.ts'
import { createDice, createStopwatch, mutated, type Stopwatch } from '../../support/fuzz.ts'
import { documentChars, hardDocuments, inheritedKeys } from '../../support/fuzz-json.ts'
import {
  grownSelector,
  hardMarkup,
  markupDocuments,
  selectorPieces,
} from '../../support/fuzz-markup.ts'
import { grownPattern, hardTexts, patternPieces } from '../../support/fuzz-pattern.ts'
import { makeTarget } from '../../support/make-target.ts'

const oneMsMax = patient(5)
/** Compiling a pattern takes a while, but that is done when it is written. */
const writingMsMax = patient(50)
const dice = createDice()
const texts = hardTexts(dice, documentChars)
const documents = hardDocuments(dice)

function quick(t: Test, watch: Stopwatch): void {
  t.same(watch.slow().slice(0, 5), [])
  t.comment(watch.summary())
}

function nextSelector(): string {
  const kind = dice.below(10)
  if (kind < 2) return dice.text(1 + dice.below(12), selectorPieces)
  const grown = grownSelector(dice)
  return kind < 7 ? grown : mutated(dice, grown, selectorPieces)
}

t.test('no selector is expensive, throws, or selects anything but texts', async (t) => {
  const watch = createStopwatch(oneMsMax)
  const writing = createStopwatch(oneMsMax)
  const strange: string[] = []
  let used = 0
  for (let left = amount(400, 250_000); left > 0; left--) {
    const path = nextSelector()
    if (path.length > limits.assertionPathCharsMax) continue
    if (writing.time(path, () => cssPathProblem(path)) === null) used += 1
    const { name, markup, text } = dice.pick(markupDocuments)
    const { values } = watch.time(`${path} on ${name}`, () =>
      selectCss(path, markup, freshBudget(), text.length),
    )
    if (values?.some((one) => typeof one !== 'string')) strange.push(path)
  }
  t.same(strange, [])
  t.ok(used > 0)
  quick(t, watch)
  quick(t, writing)
})

t.test('no document is expensive to read, or throws', async (t) => {
  const watch = createStopwatch(oneMsMax)
  const pieces = hardMarkup.map(([, text]) => text.slice(0, 40))
  for (let left = amount(150, 250_000); left > 0; left--) {
    const [name, hard] = dice.pick(hardMarkup)
    const isWhole = dice.chance(0.1)
    const text = isWhole ? hard : mutated(dice, hard.slice(0, dice.below(3_000)), pieces)
    const format = dice.pick(['xml', 'html'] as const)
    watch.time(`${name} as ${format}`, () => parseMarkup(text, format))
  }
  quick(t, watch)
})

t.test('no regular expression is expensive on a text, or throws', async (t) => {
  const watch = createStopwatch(oneMsMax)
  const writing = createStopwatch(writingMsMax)
  let used = 0
  for (let left = amount(150, 250_000); left > 0; left--) {
    const grown = grownPattern(dice)
    const kind = dice.below(10)
    const random = dice.text(1 + dice.below(12), patternPieces)
    const value = kind < 2 ? random : kind < 7 ? grown : mutated(dice, grown, patternPieces)
    const problem = writing.time(value, () => regexProblem(value))
    if (problem !== null) continue
    used += 1
    const [name, text] = dice.pick(texts)
    watch.time(`${value} on ${name}`, () =>
      mismatchOf({ type: 'regex', value }, [text], { name: 'it' }, freshBudget()),
    )
  }
  t.ok(used > 0)
  quick(t, watch)
  quick(t, writing)
})

const types: readonly AssertionType[] = [
  ...(['contains', 'notContains', 'equals', 'notEquals', 'regex', 'type', 'lengthEquals'] as const),
  ...(['greaterThan', 'greaterOrEqual', 'lessThan', 'lessOrEqual'] as const),
  ...(['exists', 'notExists', 'jsonPath', 'jsonSchema', 'unchanged'] as const),
]
const sources: readonly AssertionSource[] = [
  ...(['status', 'header', 'body', 'json', 'xml', 'html', 'responseTime'] as const),
  ...(['certificateDays', 'ip', 'size', 'redirects', 'tlsVersion', 'tlsCipher'] as const),
]
const values = [
  '',
  'a',
  '1',
  '-1e999',
  '[1,[2]]',
  '{"a":1}',
  'null',
  'a+$',
  '(a|b)*c',
  'string',
  'false',
]
const paths = ['$', '$.a', '$..*', '$..a', '$[?@.a==1]', 'p', '* *', 'a@href', 'x', '$[', '::']
const contentTypes = ['', 'application/json', 'text/html', 'text/xml', 'a/b+json;x', '/', ';;;,']

function nextAssertion(): Assertion {
  return {
    source: dice.pick(sources),
    type: dice.pick(types),
    path: dice.pick([null, ...paths, ...inheritedKeys]),
    value: dice.pick([null, ...values, ...inheritedKeys, grownPattern(dice, 1)]),
  }
}

t.test('no check of a response throws or takes long; its messages are short', async (t) => {
  const watch = createStopwatch(4 * oneMsMax)
  const wrong: string[] = []
  const bodies = [
    ...documents.map(({ name, text }) => [name, text] as const),
    ...hardMarkup,
    ...texts,
  ]
  for (let left = amount(150, 250_000); left > 0; left--) {
    const [name, body] = dice.pick(bodies)
    const own = nextAssertion()
    const assertions = Array.from({ length: dice.below(3) }, nextAssertion)
    const { expect } = makeTarget({
      expect: {
        assertions,
        responseFormat: dice.pick(['auto', 'json', 'text', 'xml', 'html'] as const),
        responseAssertionType: dice.pick([null, own.type]),
        responseAssertionPath: own.path,
        responseAssertionValue: own.value,
        bodyContains: dice.pick([null, 'zzz']),
      },
    })
    const text = dice.chance(0.2) ? dice.text(dice.below(40), patternPieces) : body
    const response = {
      status: dice.pick([0, 200, 999]),
      contentType: dice.pick(contentTypes),
      text: () => text,
      header: () => [text.slice(0, dice.below(100))],
    }
    const title = `${JSON.stringify([own, ...assertions])} on ${name}`
    const failed = watch.time(title, () => checkExpectation(expect, response))
    const isShort = failed.every(({ expected, found }) => {
      return expected.length < 600 && found.length <= limits.foundCharsMax
    })
    if (!isShort) wrong.push(title)
    if (dice.chance(0.1)) watch.time(title, () => bodyHolds(expect, response))
  }
  t.same(wrong.slice(0, 3), [])
  quick(t, watch)
})
