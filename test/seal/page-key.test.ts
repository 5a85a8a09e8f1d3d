// Keys of status pages with a password.
import t from 'tap'
import { createPageKeys } from '../../src/seal/page-key.ts'

const page = { id: 'pag_01k0000000000000000000000a', passwordHash: '$argon2id$one' }

t.test('a key names its page, its password and its time, and only our own counts', async (t) => {
  const keys = createPageKeys(Buffer.alloc(32, 1))
  const nowMs = Date.UTC(2026, 0, 1)
  const key = keys.mint(page, nowMs)
  t.equal(keys.mintedAtMs(key, page), nowMs)
  t.equal(keys.mintedAtMs(key, { ...page, passwordHash: '$argon2id$two' }), undefined)
  t.equal(keys.mintedAtMs(key, { ...page, id: 'pag_01k0000000000000000000000b' }), undefined)
  t.equal(createPageKeys(Buffer.alloc(32, 2)).mintedAtMs(key, page), undefined)
  for (const text of ['', 'p1', key.slice(1), `${key}\n`, key.replace('p1.', 'p1.1')]) {
    t.equal(keys.mintedAtMs(text, page), undefined, JSON.stringify(text))
  }
})
