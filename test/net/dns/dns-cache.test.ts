// The memory of answers: bounded, and nobody's is pushed out by somebody who has more of it.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createDnsCache, type Manner } from '../../../src/net/dns/dns-cache.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const keepMs = 30_000

function start(entriesMax: number) {
  const clock = new FakeClock()
  const cache = createDnsCache<number>(clock, entriesMax)
  const add = (owner: string, count: number, from = 0) => {
    for (let i = from; i < from + count; i++) cache.set(owner, `${i}`, i, keepMs)
  }
  const known = (owner: string, count: number) => {
    const keys = Array.from({ length: count }, (_, i) => `${i}`)
    return keys.filter((key) => cache.get(owner, key) !== undefined).length
  }
  return { clock, cache, add, known }
}

t.test('an answer is good for its time', async (t) => {
  const { clock, cache } = start(10)
  cache.set('a', 'x', 1, 1_000)
  await clock.advance(999)
  t.equal(cache.get('a', 'x'), 1)
  await clock.advance(1)
  t.equal(cache.get('a', 'x'), undefined)
  cache.set('a', 'x', 2, 1_000)
  t.equal(cache.get('a', 'x'), 2)
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
  cache.get('a', '0')
  add('a', 1, 3)
  t.equal(cache.get('a', '1'), undefined)
  t.equal(cache.get('a', '0'), 0)
  t.end()
})

t.test('nobody is given what others asked for', (t) => {
  const { cache } = start(10)
  cache.set('a', 'x', 1, keepMs)
  t.equal(cache.get('b', 'x'), undefined)
  cache.set('b', 'x', 2, keepMs)
  t.same([cache.get('a', 'x'), cache.get('b', 'x')], [1, 2])
  t.end()
})

t.test('it is full and never holds more than it may, whoever asks for what', (t) => {
  const { cache } = start(50)
  const random = seededRandom(1)
  const below = (bound: number) => Math.floor(random() * bound)
  const owners = Array.from({ length: 7 }, (_, i) => `o${i}`)
  for (let i = 0; i < 20_000; i++) {
    const [owner, key] = [`o${below(7)}`, `k${below(40)}`]
    cache.set(owner, key, i, keepMs)
    cache.note(owner, key, below(3) === 0 ? 'silent' : 'answered')
  }
  const held = owners.flatMap((owner) =>
    Array.from({ length: 40 }, (_, i) => cache.get(owner, `k${i}`)),
  )
  t.equal(held.filter((one) => one !== undefined).length, 50)
  t.end()
})

t.test('a name is known once it answered, and doubtful while it is silent', async (t) => {
  const { cache, clock } = start(100)
  t.equal(cache.prospect('a', 'x'), 'new')
  cache.set('a', 'x', 1, 1)
  t.equal(cache.prospect('a', 'x'), 'new', 'who knows how it was answered')
  cache.note('a', 'x', 'answered')
  await clock.advance(keepMs)
  t.equal(cache.prospect('a', 'x'), 'known', 'although the answer is not good any more')
  t.equal(cache.prospect('a', 'y'), 'likely', 'whose names answer is believed')
  t.equal(cache.prospect('b', 'x'), 'new', 'and others are not')
  t.equal(cache.note('a', 'x', 'silent'), 1)
  t.equal(cache.prospect('a', 'x'), 'doubtful')
  t.equal(cache.prospect('a', 'y'), 'doubtful', 'of none of its names we know that it answers')
  cache.set('a', 'z', 1, 1)
  cache.note('a', 'z', 'answered')
  t.equal(cache.prospect('a', 'y'), 'new')
  cache.note('a', 'x', 'answered')
  await clock.advance(limits.dnsDoubtMs)
  t.equal(cache.prospect('a', 'x'), 'known', 'it answers again')
})

t.test('a name that answers and is silent by turns is doubtful ever longer', async (t) => {
  const { cache, clock } = start(100)
  cache.set('a', 'x', 1, 1)
  for (const [i, doubtMs] of [60_000, 120_000, 240_000].entries()) {
    t.equal(cache.note('a', 'x', 'silent'), i + 1)
    cache.note('a', 'x', 'answered')
    await clock.advance(doubtMs - 1)
    t.equal(cache.prospect('a', 'x'), 'doubtful')
    await clock.advance(1)
    t.equal(cache.prospect('a', 'x'), 'known')
  }
  await clock.advance(limits.dnsDoubtMsMax)
  t.equal(cache.note('a', 'x', 'silent'), 1, 'it begins anew')
})

t.test('who asks for many silent names is not believed, until they are forgotten', async (t) => {
  const { cache, clock } = start(1_000)
  const hear = (manner: Manner, count: number) => {
    for (let i = 0; i < count; i++) {
      cache.set('a', `${manner}${i}`, i, keepMs)
      cache.note('a', `${manner}${i}`, manner)
    }
  }
  const prospect = () => cache.prospect('a', 'other')
  hear('answered', 1)
  t.equal(prospect(), 'likely')
  hear('silent', limits.dnsSilentNamesMax - 1)
  t.equal(prospect(), 'new')
  hear('silent', limits.dnsSilentNamesMax)
  t.equal(prospect(), 'doubtful')
  t.equal(cache.prospect('b', 'other'), 'new')
  hear('answered', 500)
  t.equal(prospect(), 'likely', 'few of very many are not many')
  hear('silent', 50)
  t.equal(prospect(), 'doubtful')
  await clock.advance(limits.dnsDoubtMsMax)
  t.equal(prospect(), 'new')
})
