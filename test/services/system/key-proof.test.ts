// A daemon notices that its master key is another one than the stored secrets were sealed with.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createBox } from '../../../src/seal/box.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { proveKey, resealProof } from '../../../src/services/system/key-proof.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { openTempStore } from '../../support/temp-store.ts'

t.test('the key of the first start is the key of every start', async (t) => {
  const clock = new FakeClock()
  const { store } = openTempStore(t, { clock })
  const dir = t.testdir()
  const boxOf = (name: string) =>
    createBox(openKeyring({ file: join(dir, name), create: true, random: randomBytes }))
  const first = boxOf('first.key')
  await proveKey(store, first, clock)
  await proveKey(store, boxOf('first.key'), clock)
  await t.rejects(proveKey(store, boxOf('other.key'), clock), /does not belong to this data/)
})

t.test('an older key may go after the proof was sealed again, and not before', async (t) => {
  const clock = new FakeClock()
  const { store } = openTempStore(t, { clock })
  const file = join(t.testdir(), 'master.key')
  const [old, fresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const boxOf = (...lines: readonly string[]) => {
    writeFileSync(file, lines.join('\n'), { mode: 0o600 })
    return createBox(openKeyring({ file, create: false, random: randomBytes }))
  }
  await resealProof(store, boxOf(old))
  t.equal(store.secrets.get('key-proof'), undefined, 'none is made where there is none')
  await proveKey(store, boxOf(old), clock)
  const proof = store.secrets.get('key-proof')
  await resealProof(store, boxOf(old))
  t.same(store.secrets.get('key-proof'), proof, 'the newest key sealed it already')
  await t.rejects(proveKey(store, boxOf(fresh), clock), {
    message: /does not belong to this data/,
    hint: /sealed with the newest key/,
  })
  await resealProof(store, boxOf(old, fresh))
  await proveKey(store, boxOf(fresh), clock)
  await t.rejects(proveKey(store, boxOf(old), clock), /does not belong to this data/)
})
