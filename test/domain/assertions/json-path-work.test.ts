// What comparing and matching cost in steps.
import t from 'tap'
import { grant } from '../../../src/domain/assertions/budget.ts'
import {
  comparisons,
  documentPattern,
  foreignRegexCharsMax,
  isFound,
  literalPattern,
  sizeOf,
  spendOnKeys,
} from '../../../src/domain/assertions/json-path-work.ts'

const plenty = 1_000_000

function costOf(run: () => unknown): number {
  grant(plenty)
  run()
  return plenty - grant(0)
}

t.test('longer texts and more parts make a comparison more expensive', async (t) => {
  const isSame = comparisons['=='] ?? (() => t.fail('no such operator'))
  const long = 'x'.repeat(6_400)
  t.equal(isSame(long, `${long}y`), false)
  t.equal(
    costOf(() => isSame(long, `${long}y`)),
    0,
    'another length is seen at once',
  )
  t.equal(
    costOf(() => isSame(long, `${long.slice(1)}x`)),
    200,
  )
  t.equal(
    costOf(() => isSame([1, 2, 3], [1, 2, 4])),
    3,
  )
  t.equal(
    costOf(() => isSame({ a: 1 }, { a: 1 })),
    2,
  )
  t.equal(isSame(undefined, undefined), true, 'nothing equals nothing')
  t.equal(isSame(null, undefined), false)
})

t.test('objects with many keys cost more for each', async (t) => {
  t.equal(
    costOf(() => spendOnKeys(10)),
    10,
  )
  t.ok(costOf(() => spendOnKeys(1_000)) > 5_000)
  t.equal(
    costOf(() => sizeOf('x'.repeat(1_000))),
    0,
  )
  t.equal(
    costOf(() => sizeOf({ a: 1, b: 2 })),
    2,
  )
})

t.test('a pattern from the document must be short and plain', async (t) => {
  grant(plenty)
  t.equal(isFound(documentPattern('a.c'), 'abc', 'whole'), true)
  t.equal(isFound(documentPattern('a.c'), 'a\rc', 'whole'), false, 'the dot of RFC 9485')
  t.equal(isFound(documentPattern('b'), 'abc', 'find'), true)
  for (const pattern of ['a{2}', 'x'.repeat(foreignRegexCharsMax + 1), '(', 7, undefined]) {
    t.equal(documentPattern(pattern), undefined, String(pattern))
  }
  t.not(literalPattern('a{2}'), undefined, 'the path itself may have more')
  const first = costOf(() => documentPattern('new|pattern'))
  t.ok(first > 10 * costOf(() => documentPattern('new|pattern')), 'known patterns cost little')
})
