// The rows of the overview: which monitors, in which order, and what the address says of it.
import t from 'tap'
import { valueAt, withValueAt } from '../../../src/console/base/pointer.ts'
import {
  entriesOf,
  filterOf,
  linesOf,
  nextOrder,
  rowsOf,
  withFilter,
} from '../../../src/console/pages/overview/rows/filter.ts'
import { movedTo } from '../../../src/console/pages/overview/rows/own-order.ts'

const entry = (id: string, state: string, tags: readonly string[] = [], isConfirming = false) => {
  const named = { id, name: `Service ${id}`, state, tags, isConfirming }
  return [id, { ...named, checkType: 'endpoint', since: '' }] as const
}

const known = [
  entry('1', 'up', ['a']),
  entry('2', 'down', ['b']),
  entry('3', 'paused'),
  entry('10', 'up', ['a', 'b']),
]

const shown = (query: Record<string, string>, more: typeof known = []) =>
  rowsOf(new Map([...known, ...more]) as never, filterOf(query)).map((row) =>
    row.kind === 'group' ? `[${row.tag}:${row.count}]` : row.entry.id,
  )

t.test('the worst come first, then by name as people count', async (t) => {
  t.same(shown({}), ['2', '1', '10', '3'])
  t.same(shown({ state: 'up' }), ['1', '10'])
  t.same(shown({ tag: 'b' }), ['2', '10'])
  t.same(shown({ q: 'service 1' }), ['1', '10'])
  t.same(shown({ state: 'no such state' }).length, 4, 'an address that nobody made is no filter')
})

t.test('a monitor that fails from some of its places is up, and can be found', async (t) => {
  const [id, up] = entry('5', 'up')
  const partly = [[id, { ...up, isPartly: true }]] as unknown as typeof known
  t.same(shown({ state: 'partly' }, partly), ['5'])
  t.same(shown({ state: 'up' }, partly), ['1', '10', '5'])
})

t.test('what is failing and not down yet stands above what is well', async (t) => {
  const failing = [entry('4', 'up', [], true), entry('5', 'degraded', [], true)]
  t.same(shown({}, failing), ['2', '5', '4', '1', '10', '3'])
})

t.test('groups follow their worst monitor, and a monitor is in each of its groups', async (t) => {
  t.same(shown({ by: 'tag' }), ['[b:2]', '2', '10', '[a:2]', '1', '10', '[undefined:1]', '3'])
})

t.test('a slash makes groups in groups, which fold with their worst state', async (t) => {
  const all = new Map([
    entry('1', 'up', ['shop/web', 'shop/api']),
    entry('2', 'down', ['shop/web']),
    entry('3', 'up', ['shop']),
    entry('4', 'paused', ['lab']),
  ]) as never
  const filter = filterOf({ by: 'tag' })
  const of = (folded: readonly string[]) =>
    rowsOf(all, filter, { folded: new Set(folded), uptimes: new Map(), own: [] }).map((row) =>
      row.kind === 'monitor'
        ? row.entry.id
        : `${'>'.repeat(row.depth)}${row.tag} ${row.worst} ${row.wrong}/${row.count}`,
    )
  t.same(of([]), [
    'shop down 1/3',
    '3',
    '>shop/web down 1/2',
    '2',
    '1',
    '>shop/api up 0/1',
    '1',
    'lab paused 0/1',
    '4',
  ])
  t.same(of(['tag shop/web', 'tag lab']), [
    'shop down 1/3',
    '3',
    '>shop/web down 1/2',
    '>shop/api up 0/1',
    '1',
    'lab paused 0/1',
  ])
  t.same(of(['tag shop', 'tag lab']), ['shop down 1/3', 'lab paused 0/1'])
  const tagged = rowsOf(all, filterOf({ tag: 'shop' })).length
  t.equal(tagged, 3, 'a tag finds what is in its groups')
})

t.test('cards and tiles fill lines, and a group begins a new one', async (t) => {
  const lines = (query: Record<string, string>) =>
    linesOf(rowsOf(new Map(known) as never, filterOf(query)), 2).map((item) =>
      item.kind === 'group'
        ? `[${item.tag}]`
        : entriesOf(item)
            .map(({ id }) => id)
            .join(' '),
    )
  t.same(lines({}), ['2 1', '10 3'])
  t.same(lines({ by: 'tag' }), ['[b]', '2 10', '[a]', '1 10', '[undefined]', '3'])
})

t.test('the order by uptime has the worst first, and what has none last', async (t) => {
  const uptimes = new Map(Object.entries({ 1: 1, 2: 0.5, 10: 0.9 }))
  const sorted = (sort: string) =>
    rowsOf(new Map(known) as never, filterOf({ sort }), { folded: new Set(), uptimes, own: [] })
      .map(({ key }) => key)
      .join(' ')
  t.equal(sorted('uptime'), '2 10 1 3')
  t.equal(sorted('-uptime'), '1 10 2 3')
  t.same(nextOrder(undefined, 'uptime'), { by: 'uptime', isDown: false })
})

t.test(
  'the own order is what a person made it, and monitors that it lacks stand last',
  async (t) => {
    const shown = (own: readonly string[], query = {}) =>
      rowsOf(new Map(known) as never, filterOf({ sort: 'own', ...query }), {
        ...{ folded: new Set<string>(), uptimes: new Map<string, number>(), own },
      })
        .map(({ key }) => key)
        .join(' ')
    t.equal(shown([]), '1 2 3 10', 'as it comes, until something was moved')
    t.equal(shown(['3', 'gone', '10']), '3 10 1 2')
    const all = ['a', 'b', 'c', 'd', 'e']
    const moved = (id: string, place: number, shown: readonly string[] = all) =>
      movedTo(all, shown, { id, place }).join('')
    t.equal(moved('d', 0), 'dabce')
    t.equal(moved('a', 1), 'bacde')
    t.equal(moved('a', 4), 'bcdea')
    t.equal(moved('c', 2), 'abcde')
    t.equal(moved('e', 1, ['b', 'd', 'e']), 'abced', 'before the next that the filters leave')
    t.equal(moved('b', 2, ['b', 'd', 'e']), 'acdeb', 'after the last of them')
  },
)

t.test('a column puts the rows in its order, in both directions', async (t) => {
  const at = (id: string, since: string, responseTimeMs: number | null) => {
    const [, plain] = entry(id, 'up')
    return [id, { ...plain, since, glance: { peek: () => ({ responseTimeMs }) } }] as const
  }
  const all = new Map([
    at('1', '2026-01-02T00:00:00.000Z', 90),
    at('2', '2026-01-01T00:00:00.000Z', null),
    at('3', '2026-01-03T00:00:00.000Z', 1_000),
    at('4', '2026-01-03T00:00:00.000Z', 90),
  ])
  const sorted = (sort: string) =>
    rowsOf(all as never, filterOf({ sort }))
      .map(({ key }) => key)
      .join('')
  t.equal(sorted('name'), '1234')
  t.equal(sorted('-name'), '4321')
  t.equal(sorted('since'), '2134')
  t.equal(sorted('-since'), '3412')
  t.equal(sorted('response'), '1432', 'without a value it is the last')
  t.equal(sorted('-response'), '3142')
  t.equal(sorted('colour'), '1234', 'an unknown column is none')
})

t.test('clicks on a column turn its order, and end it', async (t) => {
  const first = nextOrder(undefined, 'response')
  t.same(first, { by: 'response', isDown: true })
  const second = nextOrder(first, 'response')
  t.same(second, { by: 'response', isDown: false })
  t.equal(nextOrder(second, 'response'), undefined)
  t.same(nextOrder(second, 'name'), { by: 'name', isDown: false })
})

t.test('the address holds the filter', async (t) => {
  const filter = filterOf({ q: 'a b', state: 'down', tag: 'x&y', by: 'tag', sort: '-since' })
  const address = withFilter('/app', filter, {})
  const query = Object.fromEntries(new URL(address, 'http://x').searchParams)
  t.same(filterOf(query), filter)
  t.equal(withFilter('/app', filterOf({}), {}), '/app')
})

t.test('pointers reach and change what they name, and nothing else', async (t) => {
  const body = { a: { 'b/c': 1 }, list: [{ x: 1 }] }
  t.equal(valueAt(body, '/a/b~1c'), 1)
  t.equal(valueAt(body, '/a/none/deeper'), undefined)
  const changed = withValueAt(body, '/list/0/x', 2)
  t.same(changed, { a: { 'b/c': 1 }, list: [{ x: 2 }] })
  t.equal(changed.a, body.a, 'the rest is the same object')
  t.same(withValueAt(body, '/a', undefined), { list: [{ x: 1 }] })
  t.same(withValueAt({}, '/new/deep', 1), { new: { deep: 1 } })
})
