// Dependencies: circles are refused by name, and the nearest outage above explains one below.
import t from 'tap'
import type { MonitorId } from '../../../src/base/ids.ts'
import type { Health } from '../../../src/domain/health/health.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  dependencyProblems,
  dependencyReachMax,
  explains,
  failsByItself,
  monitorsAbove,
} from '../../../src/domain/monitors/dependencies.ts'
import type { MonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { makeHealth, makeMonitor } from '../../support/make-page.ts'

const idOf = (name: string) => `mon_${name}` as MonitorId

/** Monitors by name, with what each depends on. */
function graph(arcs: Readonly<Record<string, readonly string[]>>) {
  const monitors = new Map(
    Object.entries(arcs).map(([name, needs]) => {
      return [idOf(name), { id: idOf(name), name, dependsOn: needs.map(idOf) }] as const
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
  const length = dependencyReachMax
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

t.test('those above are found once each, the nearest first', async (t) => {
  const needs = { dependsOn: [idOf('Switch'), idOf('Database')] }
  const above = (arcs: Parameters<typeof graph>[0]) =>
    [...monitorsAbove(needs, graph(arcs))].map(({ name }) => name)
  const all = ['Switch', 'Database', 'Router', 'Core']
  t.same(above({ Switch: ['Router'], Router: ['Core'], Core: [], Database: ['Core'] }), [
    'Switch',
    'Database',
    'Router',
    'Core',
  ])
  t.same(above({ Switch: [] }), ['Switch'], 'what was deleted is not there')
  const round = { Switch: ['Router'], Router: ['Switch', 'Core'], Database: [], Core: [] }
  t.same(above(round), all, 'a circle that should not be there is no trap')
})

t.test('what fails, also before it is confirmed, may explain others', async (t) => {
  const states = ['pending', 'up', 'confirming', 'down', 'recovering', 'degraded'] as const
  t.same(
    states.map((state) => explains({ state, sinceMs: 0 }, limits.heldInAllMsMax - 1)),
    ['nothing', 'nothing', 'failure', 'outage', 'outage', 'nothing'],
  )
})

t.test('an outage of a day explains no others any more', async (t) => {
  const dayMs = limits.heldInAllMsMax
  t.equal(explains({ state: 'down', sinceMs: 5 }, dayMs + 5), 'nothing')
  t.equal(explains({ state: 'recovering', sinceMs: 5 }, dayMs + 5), 'nothing')
  t.equal(
    explains({ state: 'confirming', sinceMs: 5 }, dayMs + 5),
    'failure',
    'it was up until now',
  )
})

const minuteMs = 60_000
const clearedAtMs = 100 * minuteMs

type Seen = Partial<Pick<MonitorState, 'lastAtMs' | 'lastVerdict'>>

function fails(state: Health['state'], seen: Seen, afterMs = 1_000, push?: number) {
  const monitor = makeMonitor(
    push === undefined ? {} : { checkType: 'push', intervalSeconds: push, graceSeconds: 10 },
  )
  const stood = { health: makeHealth(state), lastAtMs: null, lastVerdict: null, ...seen }
  return failsByItself(monitor, stood, clearedAtMs, clearedAtMs + afterMs)
}

t.test('a result that began after the other outage decides', async (t) => {
  const fresh = { lastAtMs: clearedAtMs } as const
  t.ok(fails('down', { ...fresh, lastVerdict: 'down' }))
  t.ok(fails('degraded', { ...fresh, lastVerdict: 'degraded' }))
  t.notOk(fails('degraded', { ...fresh, lastVerdict: 'up' }), 'it is on its way back')
  t.notOk(fails('recovering', { ...fresh, lastVerdict: 'up' }, 60 * minuteMs))
  t.notOk(fails('down', { ...fresh, lastVerdict: 'unknown' }), 'it was not seen')
  t.notOk(fails('down', { lastAtMs: clearedAtMs - 1, lastVerdict: 'down' }))
})

t.test('without a result it is told after five minutes, or the time of a report', async (t) => {
  const old = { lastAtMs: clearedAtMs - 1, lastVerdict: 'down' } as const
  t.notOk(fails('down', old, 5 * minuteMs - 1))
  t.ok(fails('down', old, 5 * minuteMs))
  t.notOk(fails('down', old, 69_999, 60))
  t.ok(fails('down', old, 70_000, 60))
  t.ok(fails('down', old, 5 * minuteMs, 86_400))
})
