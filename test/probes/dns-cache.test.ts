// The memory of answers: bounded, and nobody's is pushed out by somebody who has more of it.
import t from 'tap'
import { createDnsCache } from '../../src/probes/dns-cache.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { seededRandom } from '../support/seeded-random.ts'

const keepMs = 30_000

function start(entriesMax: number) {
  const clock = new FakeClock()
  const cache = createDnsCache<number>(clock, entriesMax)
  const add = (owner: string, count: number, from = 0) => {
    for (let i = from; i < from + count; i++) cache.set(`${owner}${i}`, owner, i, keepMs)
  }
  const known = (owner: string, count: number) => {
    const keys = Array.from({ length: count }, (_, i) => `${owner}${i}`)
    return keys.filter((key) => cache.get(key) !== undefined).length
  }
  return { clock, cache, add, known }
}

t.test('an answer is good for its time', async (t) => {
  const { clock, cache } = start(10)
  cache.set('x', 'a', 1, 1_000)
  await clock.advance(999)
  t.equal(cache.get('x'), 1)
  await clock.advance(1)
  t.equal(cache.get('x'), undefined)
  cache.set('x', 'a', 2, 1_000)
  t.equal(cache.get('x'), 2)
})

t.test('one who asks for very many names pushes out nobody else', (t) => {
  const { add, known } = start(100)
  add('b', 20)
  add('c', 30)
  add('a', 10_000)
  t.equal(known('b', 20), 20)
  t.equal(known('c', 30), 30)
  t.equal(known('a', 10_000), 50, 'the rest is theirs')
  add('d', 40)
  t.ok(known('d', 40) >= 26, 'three share what the small one leaves')
  t.equal(known('b', 20), 20)
  t.end()
})

t.test('of their own, what was not used for the longest time goes', (t) => {
  const { add, cache } = start(3)
  add('a', 3)
  cache.get('a0')
  add('a', 1, 3)
  t.equal(cache.get('a1'), undefined)
  t.equal(cache.get('a0'), 0)
  t.end()
})

t.test('it is full and never holds more than it may, whoever asks for what', (t) => {
  const { cache } = start(50)
  const random = seededRandom(1)
  const below = (bound: number) => Math.floor(random() * bound)
  for (let i = 0; i < 20_000; i++) cache.set(`k${below(120)}`, `o${below(7)}`, i, keepMs)
  const held = Array.from({ length: 120 }, (_, i) => cache.get(`k${i}`))
  t.equal(held.filter((one) => one !== undefined).length, 50)
  t.end()
})
