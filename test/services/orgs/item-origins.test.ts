// The origins of items: each once in its list, and with the installation that it is of.
import t from 'tap'
import { createItemOrigins, withoutOrigin } from '../../../src/services/orgs/item-origins.ts'

const source = { product: 'kuma', installation: 'a' }

t.test('an origin is one item of its list, and may be in another list', async (t) => {
  const origins = createItemOrigins(source)
  t.equal(origins.of('monitors', { origin: 'monitor/1' }), 'monitor/1')
  t.equal(origins.of('monitors', { origin: '__proto__' }), '__proto__')
  t.equal(origins.of('channels', { origin: 'monitor/1' }), 'monitor/1')
  t.equal(origins.of('monitors', {}), undefined)
  t.throws(() => origins.of('monitors', { origin: 'monitor/1' }), {
    errors: [{ pointer: '/origin', keyword: 'uniqueItems' }],
  })
})

t.test('an origin without an installation is refused', async (t) => {
  t.throws(() => createItemOrigins(undefined).of('monitors', { origin: 'monitor/1' }), {
    errors: [{ pointer: '/origin', keyword: 'source' }],
  })
})

t.test('services get the item without its origin', async (t) => {
  const plain = { name: 'Site' }
  t.equal(withoutOrigin(plain), plain)
  t.same(withoutOrigin({ name: 'Site', origin: 'monitor/1' }), plain)
})
