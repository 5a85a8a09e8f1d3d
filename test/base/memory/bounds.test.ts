// What is remembered is bounded, and costs nothing before there is something to remember.
import { LRUCache } from 'lru-cache'
import t from 'tap'
import { atMostBytes, atMostEntries } from '../../../src/base/memory/bounds.ts'

t.test('beyond the number of entries, the one not used for longest goes', async (t) => {
  const cache = new LRUCache<string, string>(atMostEntries(2))
  cache.set('a', '1').set('b', '2')
  cache.get('a')
  cache.set('c', '3')
  t.same([...cache.keys()].sort(), ['a', 'c'])
})

t.test('both bounds hold: few large entries, or many small ones', async (t) => {
  const bytesOf = (text: string) => text.length
  const cache = new LRUCache<string, string>(atMostBytes({ entriesMax: 4, bytesMax: 100, bytesOf }))
  for (const key of 'abcdef') cache.set(key, 'x')
  t.equal(cache.size, 4, 'small ones are bounded in number')
  cache.set('g', 'x'.repeat(60))
  t.equal(cache.size, 2, 'a large one takes the place of several')
  cache.set('h', 'x'.repeat(101))
  t.notOk(cache.has('h'), 'one above the bound is not kept')
})

t.test('room for a hundred thousand entries takes no memory while there are none', async (t) => {
  const before = process.memoryUsage()
  const caches = Array.from(
    { length: 20 },
    () => new LRUCache<string, object>(atMostEntries(100_000)),
  )
  const after = process.memoryUsage()
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
  t.ok(bytes < 2_000_000, `${caches.length} of them take ${bytes} bytes`)
})
