// In which order the monitors of a shadow run go live.
import t from 'tap'
import type { MonitorId } from '../../../../src/base/ids.ts'
import { inOrderOfTelling } from '../../../../src/domain/imports/shadow/telling-order.ts'

const make = (id: string, dependsOn: string[] = [], memberIds: string[] = []) => ({
  id: id as MonitorId,
  dependsOn: dependsOn as MonitorId[],
  memberIds: memberIds as MonitorId[],
})
const ordered = (...all: ReturnType<typeof make>[]) =>
  inOrderOfTelling(all)
    .map(({ id }) => id)
    .join(' ')

t.test('what explains an outage goes live before what it explains', async (t) => {
  t.equal(ordered(make('a'), make('b')), 'a b')
  t.equal(
    ordered(make('shop', ['switch']), make('switch', ['router']), make('router')),
    'router switch shop',
  )
  t.equal(ordered(make('a', ['gone'])), 'a', 'a monitor of no run is passed over')
})

t.test('the members of a group go live together, and before it', async (t) => {
  const group = make('group', [], ['c', 'a'])
  t.equal(ordered(make('a'), make('b'), make('c'), group), 'b c a group')
  t.equal(ordered(make('outer', [], ['group']), group, make('a'), make('c')), 'c a group outer')
})

t.test(
  'monitors that wait for each other, and a very long chain, are each there once',
  async (t) => {
    t.equal(ordered(make('a', ['b']), make('b', ['a'])).length, 'a b'.length)
    const chain = Array.from({ length: 20_000 }, (_, at) => make(`m${at}`, [`m${at + 1}`]))
    t.equal(new Set(inOrderOfTelling(chain)).size, chain.length)
  },
)
