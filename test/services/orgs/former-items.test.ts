// The origins of items: each once in its list, and with the installation that it is of.
import t from 'tap'
import { readFormerItems, withoutOrigin } from '../../../src/services/orgs/former-items.ts'
import type { ImportedDocument } from '../../../src/services/portable.ts'
import { openCore } from '../../support/core.ts'
import { orgA } from '../../support/make-incident.ts'

const source = { product: 'kuma', installation: 'a' }

async function formerOf(t: Parameters<typeof openCore>[0], document: Partial<ImportedDocument>) {
  const core = openCore(t)
  const deps = { hashOf: (text: string) => text, againOf: () => undefined }
  const whole = { format: 'stillup/1', ...document } as const
  return readFormerItems(core, deps, orgA, whole, ['channels', 'monitors'])
}

t.test('an origin is one item of its list, and may be in another list', async (t) => {
  const [one, two] = [{ origin: 'monitor/1' }, { origin: '__proto__' }]
  const former = await formerOf(t, { source, monitors: [one, two], channels: [one] })
  t.match(former.decide('monitors', one), { action: 'create', origin: 'monitor/1' })
  t.match(former.decide('monitors', two), { action: 'create', origin: '__proto__' })
  t.match(former.decide('channels', { ...one }), { action: 'create' })
  t.match(former.decide('monitors', {}), { action: 'create', origin: undefined })
  t.throws(() => former.decide('monitors', { ...one }), {
    errors: [{ pointer: '/origin', keyword: 'uniqueItems' }],
  })
})

t.test('an origin without an installation is refused', async (t) => {
  const former = await formerOf(t, {})
  t.throws(() => former.decide('monitors', { origin: 'monitor/1' }), {
    errors: [{ pointer: '/origin', keyword: 'source' }],
  })
})

t.test('services get the item without its origin', async (t) => {
  const plain = { name: 'Site' }
  t.equal(withoutOrigin(plain), plain)
  t.same(withoutOrigin({ name: 'Site', origin: 'monitor/1' }), plain)
})
