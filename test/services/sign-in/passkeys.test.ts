// Passkeys and the life of an account: what removes them.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { callerOf, openAccess } from '../../support/access.ts'

const system = callerOf({ kind: 'system' })

t.test('the operator removes the passkeys of a person who lost them', async (t) => {
  const { passkeys, store, clock, enrol, letters } = openAccess(t, { baseUrl: 'https://up.test' })
  const { user } = await enrol('alice')
  const { user: bob } = await enrol('bob')
  const nowMs = clock.nowMs()
  for (const userId of [user.id, user.id, bob.id]) {
    const id = newId('passkey', nowMs)
    const kept = { publicKey: 'AA', counter: 0, transports: [], name: 'Laptop', isSynced: false }
    const times = { createdAtMs: nowMs, lastUsedAtMs: null }
    await store.write((tx) =>
      store.passkeys.put(tx, { id, userId, credentialId: id, ...kept, ...times }),
    )
  }
  letters.length = 0
  t.equal(await store.write((tx) => passkeys.reset(tx, system, user.id)), true)
  t.equal(passkeys.hasAny(user.id), false)
  t.equal(passkeys.hasAny(bob.id), true)
  t.match(letters, [{ to: 'alice@example.com', subject: 'Your passkeys were removed' }])
  t.equal(await store.write((tx) => passkeys.reset(tx, system, user.id)), false)
  t.equal(letters.length, 1)
  const [entry] = store.audit.list('system', 1)
  t.match(entry, { action: 'passkey.reset', objectId: user.id })
})
