// JSONPath on hostile documents: right, and within its budget.
import t from 'tap'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import { jsonPathProblem, select } from '../../../src/domain/assertions/json-path.ts'
import type { Json } from '../../../src/domain/assertions/json-value.ts'
import { leastMs } from '../../support/starvation.ts'

const nested = (depth: number): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
const wide = Array.from({ length: 30_000 }, (_, i) => i)
const twice = { a: wide, b: [...wide] }

t.test('a path selects what RFC 9535 says', async (t) => {
  const a = [
    { b: 1, s: 'xy' },
    { b: 2, s: 'x\r' },
  ]
  const document = { a, 'o k': null, n: 7 }
  const rows: readonly [string, readonly Json[]][] = [
    ['$.a[*].b', [1, 2]],
    ["$['o k']", [null]],
    ['$.a[?@.b>1].b', [2]],
    ['$.a[?match(@.s, "x.")].b', [1]],
    ['$.a[?match(@.s, "x")].b', []],
    ['$.a[?search(@.s, "y")].b', [1]],
    ['$.a[?@.b==$.n]', []],
    ['$..b', [1, 2]],
    ['$.a[-1].b', [2]],
    ['$.a[?@[?$.n==7]].b', [1, 2]],
    ['$.a.length', []],
    ['$.constructor', []],
    ['$.__proto__', []],
    ['$.toString', []],
  ]
  for (const [path, values] of rows) t.same(select(path, document, freshBudget()), { values }, path)
})

t.test('values are compared by their own properties', async (t) => {
  const list = JSON.parse('[{"__proto__":{}},{"a":1},{"constructor":{}},{"toString":null},{}]')
  const rows: readonly [string, readonly number[]][] = [
    ['$[?@==$[0]]', [0]],
    ['$[?@==$[1]]', [1]],
    ['$[?@==$[2]]', [2]],
    ['$[?@.a==@.b]', [0, 2, 3, 4]],
    ['$[?@.toString]', [3]],
    ['$[?@.__proto__]', [0]],
    ['$[?@.constructor==@.__proto__]', [1, 3, 4]],
    ['$[?length(@.constructor)==0]', [2]],
  ]
  for (const [path, indexes] of rows) {
    t.same(
      select(path, list, freshBudget()).values,
      indexes.map((i) => list[i]),
      path,
    )
  }
})

t.test('an expensive path is abandoned', async (t) => {
  const patterns = Array.from({ length: 1_000 }, (_, i) => `\\pLx${i}`)
  const rows: readonly [string, Json][] = [
    [`$${'[*,*]'.repeat(30)}`, nested(32)],
    [`$${'[:,:]'.repeat(30)}`, nested(32)],
    ['$..*..*..*..*', JSON.parse(`${'['.repeat(30)}${wide.join()}${']'.repeat(30)}`)],
    ['$..[?count($..*)>0]', wide],
    ['$.a[?$.a==$.b]', twice],
    ['$[?match("aaa", @)]', patterns],
    ['$..x', nested(50_000)],
    ['$[?@.a==@.b]', [{ a: nested(50_000), b: nested(50_000) }]],
  ]
  for (const [path, document] of rows) {
    const tookMs = leastMs(500, () => {
      t.type(select(path, document, freshBudget()).problem, 'string', path)
    })
    t.ok(tookMs < 500, `${Math.round(tookMs)} ms`)
  }
})

t.test('a document of a mebibyte does not take long', async (t) => {
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i]))
  const list = Array.from({ length: 160_000 }, (_, i) => i)
  const all = Array.from({ length: 40 }, () => '*').join()
  const chars = 1_024 * 1_024
  for (const path of ['$[?value($..k1)==1]', '$[?count(@.*)==count($.*)]', `$[${all}]`]) {
    for (const document of [keys, list]) {
      const tookMs = leastMs(40, () => {
        t.type(select(path, document, freshBudget(), chars).problem, 'string', path)
      })
      t.ok(tookMs < 40, `${path}: ${tookMs} ms`)
    }
  }
  const honest = ['$.*', '$[*]', '$[?@>5]', '$..x', '$[0]', '$[-5:]']
  for (const path of honest) t.ok(select(path, list, freshBudget(), chars).values, path)
  for (const path of ['$.*', '$.k7', '$[*]']) {
    t.ok(select(path, keys, freshBudget(), chars).values, path)
  }
})

t.test('an object with many keys is listed once, however often a path visits it', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]))
  const document = { many, rows: [1, 2, 3, 4, 5] }
  const { values } = select('$.rows[?count($.many.*)==5000]', document, freshBudget())
  t.same(values, document.rows)
  t.equal(select('$.many.*', { many: { ...many, more: 1 } }, freshBudget()).values?.length, 5_001)
})

t.test('two expensive paths use up a budget, and the next check has a new one', async (t) => {
  const budget = freshBudget()
  select('$.a[?$.a==$.b]', twice, budget)
  t.same(select('$[0]', wide, budget), { values: [0] })
  select('$.a[?$.a==$.b]', twice, budget)
  t.match(select('$[0]', wide, budget), { problem: /too many steps/ })
  t.same(select('$[0]', wide, freshBudget()), { values: [0] })
})

t.test('an internal error is not reported as a problem of the document', async (t) => {
  const document = {
    get a(): never {
      throw new TypeError('ours')
    },
  }
  const budget = freshBudget()
  t.throws(() => select('$.a', document, budget), { message: 'ours' })
  t.ok(budget.left < freshBudget().left, 'what it took is paid all the same')
  t.match(select('$.[', {}, freshBudget()), { problem: /./ }, 'a path that never was one is')
})

t.test('a path that cannot be used is refused when it is written', async (t) => {
  for (const path of ['$', '$.a', '$["a b"]', '$..x[?@.y>1]', '$[?match(@.a, "x.*")]']) {
    t.equal(jsonPathProblem(path), null, path)
  }
  for (const path of ['', 'a.b', '$.', '$[', '$[?nope(@)]', `$.${'x'.repeat(300)}`, '$[?@.a=1]']) {
    t.match(jsonPathProblem(path), /^(is not a valid JSONPath|must be at most 256)/, path)
  }
})
