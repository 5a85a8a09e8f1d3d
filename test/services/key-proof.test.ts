// A daemon notices that its master key is another one than the stored secrets were sealed with.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { createBox } from '../../src/seal/box.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { proveKey } from '../../src/services/key-proof.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { openTempStore } from '../support/temp-store.ts'

t.test('the key of the first start is the key of every start', async (t) => {
  const clock = new FakeClock()
  const { store } = openTempStore(t, { clock })
  const dir = t.testdir()
  const boxOf = (name: string) =>
    createBox(openKeyring({ file: join(dir, name), create: true, random: randomBytes }))
  const first = boxOf('first.key')
  await proveKey(store, first, clock)
  await proveKey(store, boxOf('first.key'), clock)
  await t.rejects(proveKey(store, boxOf('other.key'), clock), /not the one of this data/)
})
