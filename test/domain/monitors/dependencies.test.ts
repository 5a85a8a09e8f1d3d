// Dependencies: circles are refused by name, and the nearest outage above explains one below.
import t from 'tap'
import type { MonitorId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  blockerOf,
  dependencyProblems,
  isBadForOthers,
} from '../../../src/domain/monitors/dependencies.ts'

const idOf = (name: string) => `mon_${name}` as MonitorId

/** Monitors by name, with what each depends on; `!` marks the bad ones. */
function graph(arcs: Readonly<Record<string, readonly string[]>>) {
  const monitors = new Map(
    Object.entries(arcs).map(([marked, needs]) => {
      const name = marked.replace('!', '')
      const isBad = marked.endsWith('!')
      return [idOf(name), { id: idOf(name), name, dependsOn: needs.map(idOf), isBad }] as const
    }),
  )
  return (id: MonitorId) => monitors.get(id)
}

t.test('a circle is refused, and the sentence names its monitors', async (t) => {
  const find = graph({ Shop: [], Router: ['Core'], Core: ['Shop'], Other: [] })
  const shop = find(idOf('Shop'))
  t.same(dependencyProblems([idOf('Other'), idOf('Router')], find, shop), [
    {
      index: 1,
      keyword: 'circle',
      message:
        'makes a circle: "Shop" depends on "Router", which depends on "Core", which depends on "Shop"',
    },
  ])
  t.same(dependencyProblems([idOf('Shop')], find, shop), [
    { index: 0, keyword: 'circle', message: 'is the monitor itself' },
  ])
  t.same(dependencyProblems([idOf('Other')], find, shop), [])
  t.same(dependencyProblems([idOf('Router')], find), [], 'on a new one nothing depends')
})

t.test('each monitor that is not there is named with its place', async (t) => {
  const find = graph({ Router: [] })
  t.same(dependencyProblems([idOf('gone'), idOf('Router'), idOf('foreign')], find), [
    {
      index: 0,
      keyword: 'reference',
      message: 'is mon_gone, which is not a monitor of this organization',
    },
    {
      index: 2,
      keyword: 'reference',
      message: 'is mon_foreign, which is not a monitor of this organization',
    },
  ])
})

t.test('a long circle is told in a short sentence, a very long chain is refused', async (t) => {
  const length = limits.dependencyReachMax
  const chain = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        String(at),
        at + 1 < count ? [String(at + 1)] : [],
      ]),
    )
  const ring = graph({ ...chain(20), '19': ['bottom'], bottom: [] })
  const [circle] = dependencyProblems([idOf('0')], ring, ring(idOf('bottom')))
  t.equal(
    circle?.message,
    'makes a circle: "bottom" depends on "0", which depends on "1", which depends on "2", which depends on …, which depends on "bottom"',
  )
  t.same(dependencyProblems([idOf('0')], graph(chain(length - 1))), [])
  t.match(dependencyProblems([idOf('0')], graph(chain(length))), [
    { message: /leads to more than 200/ },
  ])
})

t.test('the nearest outage above explains one below, at any distance', async (t) => {
  const needs = { dependsOn: [idOf('Switch'), idOf('Database')] }
  const find = (arcs: Parameters<typeof graph>[0]) => blockerOf(needs, graph(arcs))?.name
  t.equal(find({ Switch: ['Router'], Router: [], Database: [] }), undefined)
  t.equal(find({ Switch: ['Router'], 'Router!': [], Database: [] }), 'Router')
  t.equal(find({ Switch: ['Router'], 'Router!': [], 'Database!': [] }), 'Database')
  t.equal(find({ 'Switch!': [] }), 'Switch', 'one that was deleted explains nothing')
  t.equal(blockerOf({ dependsOn: [] }, graph({}))?.name, undefined)
  const round = graph({ Switch: ['Router'], Router: ['Switch'], Database: [] })
  t.equal(blockerOf(needs, round), undefined, 'a circle that should not be there is no trap')
})

t.test('what fails, also before it is confirmed, may explain others', async (t) => {
  const states = ['pending', 'up', 'confirming', 'down', 'recovering', 'degraded'] as const
  t.same(
    states.filter((state) => isBadForOthers({ state })),
    ['confirming', 'down', 'recovering'],
  )
})
