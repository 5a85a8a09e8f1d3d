// Walking along a path: each part of RFC 9535, and nothing beside it.
import { JSONPathEnvironment } from 'json-p3'
import t from 'tap'
import { grant } from '../../../src/domain/assertions/budget.ts'
import { walkOf } from '../../../src/domain/assertions/json-path-walk.ts'
import type { Json } from '../../../src/domain/assertions/json-value.ts'

function walked(path: string, document: Json, steps = 1_000): Json[] {
  const walk = walkOf(new JSONPathEnvironment().compile(path))
  grant(steps)
  return walk(document)
}

t.test('slices go forwards and backwards, and end at the ends', async (t) => {
  const list = [0, 1, 2, 3, 4]
  const rows: readonly [string, readonly number[]][] = [
    ['1:3', [1, 2]],
    ['-2:', [3, 4]],
    [':-3', [0, 1]],
    ['::2', [0, 2, 4]],
    ['::-2', [4, 2, 0]],
    ['3:1:-1', [3, 2]],
    ['-9:9', list],
    ['9:-9:-1', [4, 3, 2, 1, 0]],
    ['1:3:0', []],
    ['9007199254740991:', []],
    ['::9007199254740991', [0]],
  ]
  for (const [slice, found] of rows) t.same(walked(`$[${slice}]`, list), found, slice)
})

t.test('in a filter @ is the current value, $ is always the document', async (t) => {
  const document = { min: 2, rows: [{ n: 1, of: [1, 2] }, { n: 2, of: [3] }, { m: 9 }] }
  const [one = null, two = null, three = null] = document.rows as Json[]
  const rows: readonly [string, readonly Json[]][] = [
    ['$.rows[?@.n>=$.min]', [two]],
    ['$.rows[?@.of[?@>=$.min]]', [one, two]],
    ['$.rows[?!@.n]', [three]],
    ['$.rows[?@.n==1||@.m==9]', [one, three]],
    ['$.rows[?@.n&&!(@.n==2)]', [one]],
    ['$.rows[?@.x==@.y]', [one, two, three]],
    ['$.rows[?count(@.of[*])==2]', [one]],
    ['$.rows[?value(@..m)==9]', [three]],
    ['$.rows[?length(@)==1]', [three]],
    ['$.rows[?match(@.n, "1")]', []],
  ]
  for (const [path, found] of rows) t.same(walked(path, document), found, path)
})

t.test('every step counts, and without steps left the walk stops', async (t) => {
  const list = Array.from({ length: 100 }, (_, i) => i)
  t.equal(walked('$[*]', list, 200).length, 100)
  for (const path of ['$[*]', '$[:]', '$..x', '$[?@>1]', '$[?count($)==1]', '$[?1==1]']) {
    t.throws(() => walked(path, list, 50), { name: 'GivenUp' }, path)
  }
  t.ok(grant(0) === 0, 'nothing is left of it')
})
