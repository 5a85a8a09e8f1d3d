// Which rows of the overview are selected, by themselves, in ranges, and all of a list.
import t from 'tap'
import type { Row } from '../../../src/console/pages/overview/rows/filter.ts'
import {
  begunAt,
  extended,
  nonePicked,
  type Picked,
  shareOf,
  toggled,
  withAll,
  withoutGone,
} from '../../../src/console/pages/overview/selection/picked-rows.ts'

const row = (id: string, key = id) => ({ kind: 'monitor', key, entry: { id } }) as unknown as Row
const group = { kind: 'group', key: 'tag web', tag: 'web', count: 2 } as Row
const [a, b, c, d, e] = [row('a'), row('b'), row('c'), row('d'), row('e')] as const
const rows = [a, b, c, d, e]
const idsOf = ({ ids }: Picked) => [...ids].toSorted().join('')

t.test('a row is selected, and another time it is not', async (t) => {
  const one = toggled(nonePicked, b)
  t.equal(idsOf(toggled(one, d)), 'bd')
  t.equal(idsOf(toggled(one, b)), '')
  t.equal(idsOf(toggled(one, group)), 'b', 'a heading selects nothing')
})

t.test(
  'a range grows and shrinks, in both directions, beside what was selected before',
  async (t) => {
    const begun = toggled(toggled(nonePicked, e), b)
    const longer = extended(begun, rows, d)
    t.equal(idsOf(longer), 'bcde')
    t.equal(idsOf(extended(longer, rows, c)), 'bce')
    t.equal(idsOf(extended(longer, rows, a)), 'abe')
    t.equal(idsOf(extended(begunAt(longer, 'a'), rows, a)), 'abcde', 'the next one keeps it')
    t.equal(idsOf(extended(nonePicked, rows, c)), 'c', 'without a beginning it is one row')
    t.equal(idsOf(extended(begun, [a, b], e)), 'be', 'a row that is gone changes nothing')
  },
)

t.test('all of a list are selected beside others, and then none of it', async (t) => {
  const some = toggled(nonePicked, e)
  t.same([shareOf(some, rows), shareOf(some, [a, b]), shareOf(some, [e])], ['some', 'none', 'all'])
  t.equal(shareOf(nonePicked, []), 'none')
  const all = withAll(some, [a, b])
  t.equal(idsOf(all), 'abe')
  t.equal(idsOf(withAll(all, [a, b])), 'e')
})

t.test('a monitor with two tags is one, and headings are none', async (t) => {
  const grouped = [group, row('a', 'web a'), row('b', 'web b'), group, row('a', 'shop a')]
  const all = withAll(nonePicked, grouped)
  t.equal(all.ids.size, 2)
  t.equal(shareOf(toggled(all, row('a', 'shop a')), grouped), 'some')
})

t.test('what was deleted is no more selected', async (t) => {
  const picked = withAll(nonePicked, rows)
  t.equal(
    idsOf(
      withoutGone(
        picked,
        new Map([
          ['a', 1],
          ['e', 1],
        ]),
      ),
    ),
    'ae',
  )
  const known = new Map(rows.map(({ key }) => [key, 1]))
  t.equal(withoutGone(picked, known), picked)
})
