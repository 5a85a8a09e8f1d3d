// The memory of names: bounded, and fair between organizations.
import t from 'tap'
import {
  createDnsCache,
  dnsDoubtMs,
  dnsUnusedMsMax,
  type LookupOutcome,
} from '../../../src/net/dns/dns-cache.ts'
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

t.test('an answer is valid for its TTL', async (t) => {
  const { clock, cache } = start(10)
  cache.set('a', 'x', 1, 1_000)
  await clock.advance(999)
  t.equal(cache.get('a', 'x'), 1)
  await clock.advance(1)
  t.equal(cache.get('a', 'x'), undefined)
  cache.set('a', 'x', 2, 1_000)
  t.equal(cache.get('a', 'x'), 2)
})

t.test('an organization with very many names pushes out no other', (t) => {
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

t.test('within an organization, the least recently used names are dropped', (t) => {
  const { add, cache } = start(3)
  add('a', 3)
  cache.get('a', '0')
  add('a', 1, 3)
  t.equal(cache.get('a', '1'), undefined)
  t.equal(cache.get('a', '0'), 0)
  t.end()
})

t.test('no organization gets what others queried', (t) => {
  const { cache } = start(10)
  cache.set('a', 'x', 1, keepMs)
  t.equal(cache.get('b', 'x'), undefined)
  cache.set('b', 'x', 2, keepMs)
  t.same([cache.get('a', 'x'), cache.get('b', 'x')], [1, 2])
  t.end()
})

t.test('when it is full it holds neither more nor less than it may', (t) => {
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

t.test('a name is trusted once it answered, and doubtful while it is silent', async (t) => {
  const { cache, clock } = start(100)
  t.equal(cache.confidence('a', 'x'), 'doubtful')
  cache.set('a', 'x', 1, 1)
  t.equal(cache.confidence('a', 'x'), 'doubtful', 'it is not known how it was answered')
  cache.note('a', 'x', 'answered')
  await clock.advance(keepMs)
  t.equal(cache.confidence('a', 'x'), 'known', 'although the answer is not good any more')
  t.equal(cache.confidence('a', 'y'), 'likely', 'new names of an organization whose names answer')
  t.equal(cache.confidence('b', 'x'), 'doubtful', 'and not those of others')
  t.equal(cache.note('a', 'x', 'silent'), 1)
  t.equal(cache.note('a', 'x', 'silent'), 2)
  t.equal(cache.confidence('a', 'x'), 'doubtful')
  t.equal(cache.confidence('a', 'y'), 'doubtful', 'no name is left that answers')
  cache.note('a', 'x', 'answered')
  t.equal(cache.confidence('a', 'y'), 'likely')
  await clock.advance(dnsDoubtMs - 1)
  t.equal(cache.confidence('a', 'x'), 'doubtful', 'for a while after a silence')
  await clock.advance(1)
  t.equal(cache.confidence('a', 'x'), 'known')
  t.equal(cache.note('a', 'x', 'silent'), 1, 'silences are counted anew')
})

t.test('many silent names make new ones doubtful, until they are forgotten', async (t) => {
  const { cache, clock } = start(1_000)
  const hear = (outcome: LookupOutcome, count: number) => {
    for (let i = 0; i < count; i++) {
      cache.set('a', `${outcome}${i}`, i, keepMs)
      cache.note('a', `${outcome}${i}`, outcome)
    }
  }
  const confidence = () => cache.confidence('a', 'other')
  hear('answered', 500)
  hear('silent', 10)
  t.equal(confidence(), 'likely', 'few of very many')
  hear('silent', 11)
  t.equal(confidence(), 'doubtful')
  t.equal(cache.confidence('a', 'answered0'), 'known', 'but not those that answered')
  await clock.advance(dnsUnusedMsMax - 1)
  hear('answered', 1)
  t.equal(confidence(), 'doubtful')
  await clock.advance(1)
  t.equal(confidence(), 'likely')
})
