// Places are shared between organizations, and slow jobs give theirs up.
import t from 'tap'
import { createPlaces } from '../../../src/actors/queue/places.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const never = new AbortController().signal
const kept = { places: 4, share: 1 / 2 }

function start(slow?: { slowMs: number; total: number }) {
  const clock = new FakeClock()
  const places = createPlaces(clock, { total: 8, kept, ...(slow ? { slow } : {}) })
  const entered: string[] = []
  async function enter(orgId: string, name: string, signal = never) {
    const place = places.for(orgId, name)
    await place.take(signal)
    entered.push(name)
    return place
  }
  return { clock, places, entered, enter }
}

t.test('one organization cannot take the last places', async (t) => {
  const { entered, enter } = start()
  for (let number = 1; number <= 10; number += 1) void enter('big', `big${number}`)
  await Promise.resolve()
  t.equal(entered.length, 4)
  await Promise.all([enter('small', 's1'), enter('other', 'o1')])
  t.same(entered.slice(4), ['s1', 'o1'])
})

t.test('a slow job goes on beside, and leaves its place to the next', async (t) => {
  const { clock, places, entered, enter } = start({ slowMs: 500, total: 3 })
  for (let number = 1; number <= 10; number += 1) void enter('big', `hangs${number}`)
  await Promise.resolve()
  t.equal(entered.length, 4)
  await clock.advance(499)
  t.equal(entered.length, 4)
  await clock.advance(1)
  t.equal(entered.length, 7, 'as many as may be slow')
  t.match(places.load(), { inside: 4, slow: 3, waiting: 3 })
})

t.test('who ends while slow makes room for another slow one', async (t) => {
  const { clock, places, enter } = start({ slowMs: 500, total: 1 })
  const place = await enter('a', 'one')
  await clock.advance(500)
  t.match(places.load(), { inside: 0, slow: 1 })
  place.free()
  t.match(places.load(), { inside: 0, slow: 0 })
  const quick = await enter('a', 'two')
  quick.free()
  await clock.advance(500)
  t.match(places.load(), { inside: 0, slow: 0 })
  t.equal(clock.pending, 0)
})

t.test('who gives up waiting leaves no place taken', async (t) => {
  const { places, enter } = start()
  const held = await Promise.all([1, 2, 3, 4].map((number) => enter('big', `big${number}`)))
  const abort = new AbortController()
  const given = enter('big', 'late', abort.signal)
  abort.abort(new Error('stopped'))
  await t.rejects(given, { message: 'stopped' })
  for (const place of held) place.free()
  await new Promise((resolve) => setImmediate(resolve))
  t.match(places.load(), { inside: 0, waiting: 0 })
})
