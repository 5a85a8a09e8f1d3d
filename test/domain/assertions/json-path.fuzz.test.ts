// JSONPath under fire: random, grown by the grammar, and bent from the compliance suite. The suite
// tries a share of it, a deep run a million paths in some minutes (test/README.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { JSONPathEnvironment } from 'json-p3'
import t from 'tap'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { jsonPathProblem, select } from '../../../src/domain/assertions/json-path.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { amount, patient } from '../../support/depth.ts'
import { createDice, createStopwatch, fuzzSeed, mutated } from '../../support/fuzz.ts'
import {
  type FuzzDocument,
  hardDocuments,
  inheritedKeys,
  randomDocument,
} from '../../support/fuzz-json.ts'

const pathMsMax = patient(5)
const dice = createDice()
const file = join(import.meta.dirname, 'data', 'jsonpath-compliance-suite.json')
const suite: { tests: { selector: string }[] } = JSON.parse(readFileSync(file, 'utf8'))
const standard = suite.tests.map(({ selector }) => selector)

const pieces = [
  ...[
    '$',
    '@',
    '.',
    '..',
    '*',
    '[',
    ']',
    '?',
    '(',
    ')',
    '!',
    '&&',
    '||',
    '==',
    '<=',
    ',',
    ':',
    '-',
  ],
  ...['..*', '[*]', '[*,*]', '[?@', '[?$..*]', '[:]', '[::-1]', '[?count(@..*)>1]', '[?@==$]'],
  ...['match(@,"a*")', 'search(@.a,"(a|b)*c")', 'match(@.a,@.b)', 'length(@)', 'value(@..a)'],
  ...['"', "'", '\\', '\\u0041', '\\ud83d', '0', '1', '-1', '9007199254740991', '1e3', ' ', '\n'],
  ...['a', 'b', 'true', 'null', '"a"', "'b'", '😀', '\0', '~', '#', ...inheritedKeys],
]

type Grammar = Record<'path' | 'segment' | 'selectors' | 'selector' | 'test' | 'value', string>

/** Paths as the grammar of RFC 9535 has them, and as heavy as they come. */
const { path: grown } = fc.letrec<Grammar>((tie) => {
  const name = fc.constantFrom('a', 'b', 'c', 'o', 'id', 'name', 'tags', ...inheritedKeys)
  const number = fc.constantFrom('0', '1', '-1', '2', '7', '100', '9007199254740991')
  const part = fc.option(number, { nil: '' })
  const quoted = name.map((one) => `'${one}'`)
  const pattern = fc.constantFrom('a', '.*', '(a|b)*c', 'a.{20}[bc]', '[ab]+', '\\\\p{L}+', '(')
  const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
  const joined = (...arbs: fc.Arbitrary<string>[]) => fc.tuple(...arbs).map((all) => all.join(''))
  const fixed = (text: string) => fc.constant(text)
  const steps = (max: number) =>
    fc.array(tie('segment'), { maxLength: max }).map((all) => all.join(''))
  const root = fc.constantFrom('@', '@', '$')
  return {
    path: joined(fixed('$'), steps(5)),
    segment: fc.oneof(
      { depthSize: 'small', withCrossShrink: false },
      joined(fc.constantFrom('.', '..'), fc.oneof(name, fixed('*'))),
      joined(fc.constantFrom('[', '..['), tie('selectors'), fixed(']')),
    ),
    selectors: fc.array(tie('selector'), { minLength: 1, maxLength: 4 }).map((all) => all.join()),
    selector: fc.oneof(
      { depthSize: 'small' },
      quoted,
      number,
      fixed('*'),
      joined(part, fixed(':'), part, fixed(':'), part),
      joined(fixed('?'), tie('test')),
    ),
    test: fc.oneof(
      { depthSize: 'small' },
      joined(tie('value'), comparison, tie('value')),
      joined(
        fixed('!'),
        root,
        fc.array(tie('segment'), { maxLength: 2 }).map((all) => all.join('')),
      ),
      joined(root, steps(3)),
      joined(tie('test'), fc.constantFrom('&&', '||'), tie('test')),
      joined(fixed('!('), tie('test'), fixed(')')),
      joined(fc.constantFrom('match(', 'search('), tie('value'), fixed(',"'), pattern, fixed('")')),
      joined(
        fc.constantFrom('match(', 'search('),
        tie('value'),
        fixed(','),
        tie('value'),
        fixed(')'),
      ),
    ),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', '-0', '1.5', 'null', 'true', '"a"', "'ab'", '@', '$'),
      joined(root, fixed('.'), name),
      joined(root, fixed('['), number, fixed(']')),
      joined(fixed('length('), tie('value'), fixed(')')),
      joined(fc.constantFrom('count(', 'value('), root, steps(2), fixed(')')),
    ),
  }
})

const batch = 500
let ready: string[] = []
let batches = 0

function grownPath(): string {
  if (ready.length === 0) ready = fc.sample(grown, { numRuns: batch, seed: fuzzSeed + batches++ })
  return ready.pop() ?? '$'
}

function nextPath(): string {
  for (;;) {
    const path = anyPath()
    if (path.length <= limits.assertionPathCharsMax) return path
  }
}

function anyPath(): string {
  const kind = dice.below(10)
  if (kind < 2) return dice.text(1 + dice.below(30), pieces)
  if (kind < 6) return grownPath()
  const base = kind === 6 ? grownPath() : dice.pick(standard)
  return mutated(dice, base, pieces)
}

const oracle = new JSONPathEnvironment({ maxRecursionDepth: 1_000 })

/** What the library itself selects, where it is right and takes no time; else undefined. */
function librarySays(path: string, { text, value }: FuzzDocument): string | undefined {
  if (text.length > 2_000 || /match|search|(\.\.[^.]*){3}/.test(path)) return undefined
  // In a filter within a path that begins at @, it takes $ for what that @ is.
  if (/@.*\?.*\$/s.test(path)) return undefined
  // Its comparisons see what objects inherit.
  if (path.includes('=') && inheritedKeys.some((key) => text.includes(`"${key}"`))) return undefined
  return JSON.stringify(oracle.query(path, value).values())
}

t.test('no path is expensive, throws, or selects anything outside the document', async (t) => {
  const hard = hardDocuments(dice)
  const easy = Array.from({ length: 200 }, () => randomDocument(dice))
  const watch = createStopwatch(pathMsMax)
  const writing = createStopwatch(pathMsMax)
  const strange: string[] = []
  let used = 0
  let compared = 0
  for (let left = amount(1_200, 1_000_000); left > 0; left--) {
    const path = nextPath()
    const document = dice.chance(0.5) ? dice.pick(easy) : dice.pick(hard)
    const problem = writing.time(path, () => jsonPathProblem(path))
    if (problem === null) used += 1
    const name = `${path} on ${document.name}`
    const { value, text } = document
    const { values } = watch.time(name, () => select(path, value, freshBudget(), text.length))
    if (values === undefined) continue
    const isOwn = values.every((one) => document.values.has(one))
    if (problem !== null || !isOwn) strange.push(name)
    const others = librarySays(path, document)
    if (others === undefined) continue
    compared += 1
    if (others !== JSON.stringify(values)) strange.push(`${name}: the library says ${others}`)
  }
  t.same(strange.slice(0, 5), [])
  for (const one of [watch, writing]) {
    t.same(one.slow().slice(0, 5), [])
    t.comment(one.summary())
  }
  t.comment(`${used} of the paths could be used, ${compared} were compared with the library`)
  t.ok(used > 0 && compared > 0)
})
