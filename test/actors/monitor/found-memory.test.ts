// What the newest checks found: in memory only, bounded, and made when somebody looks.
import t from 'tap'
import {
  createFoundMemory,
  foundCharsKept,
  foundMonitorsKept,
} from '../../../src/actors/monitor/found-memory.ts'
import type { MonitorId } from '../../../src/base/ids.ts'
import { makeReading } from '../../support/monitor-world.ts'

const monitor = (n: number, requestBox: string | null = null) => {
  return { id: `mon_${n}` as MonitorId, checkType: 'tcp', requestBox } as const
}
const finding = (found: string) => makeReading(1, { found })

t.test('the newest check counts, whatever its result', async (t) => {
  const memory = createFoundMemory()
  const { id } = monitor(1)
  t.equal(memory.newest(id), null)
  memory.note(monitor(1), finding('one'))
  memory.note(monitor(1), finding('two'))
  t.equal(memory.newest(id), 'two')
  memory.note(monitor(1), { ...finding('three'), result: 'unknown' })
  t.equal(memory.newest(id), null, 'nothing was looked at')
  memory.note(monitor(1), finding('four'))
  memory.note(monitor(1), makeReading(2))
  t.equal(memory.newest(id), null, 'it found nothing')
})

t.test('of web checks the target of redirects is kept, if there were any', async (t) => {
  const memory = createFoundMemory()
  const web = { ...monitor(1), checkType: 'endpoint' } as const
  const found = { url: 'http://a.example/', redirects: 1 }
  memory.note(web, makeReading(1, { found }))
  t.same(memory.newest(web.id), found)
  memory.note(web, makeReading(2))
  t.equal(memory.newest(web.id), null)
})

t.test('a check whose findings nobody reads costs nothing', async (t) => {
  const memory = createFoundMemory()
  let made = 0
  const reading = {
    ...makeReading(1),
    get found() {
      made += 1
      return 'found'
    },
  }
  memory.note(monitor(1), reading)
  t.equal(made, 0)
  t.equal(memory.newest(monitor(1).id), 'found')
  t.equal(made, 1)
})

t.test('the memory is bounded in monitors and in findings', async (t) => {
  const memory = createFoundMemory()
  for (let n = 0; n <= foundMonitorsKept; n++) memory.note(monitor(n), finding(`${n}`))
  t.equal(memory.newest(monitor(0).id), null)
  t.equal(memory.newest(monitor(1).id), '1')
  const large = 'x'.repeat(128 * 1024)
  const most = Math.floor(foundCharsKept / large.length)
  for (let n = 0; n < most + 10; n++) memory.note(monitor(n, large), finding(`${n}`))
  const kept = Array.from({ length: most + 10 }, (_, n) => memory.newest(monitor(n).id))
  t.ok(kept.filter((found) => found !== null).length < most)
  t.equal(kept.at(-1), `${most + 9}`)
})
