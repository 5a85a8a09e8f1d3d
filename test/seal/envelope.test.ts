// Envelopes: a key for each record, bound to its place; gone for good after a rotation.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SealBroken } from '../../src/seal/box.ts'
import { createEnvelopes, type SealedEnvelope } from '../../src/seal/envelope.ts'
import { openKeyring } from '../../src/seal/keyring.ts'

const keyLine = () => randomBytes(32).toString('hex')

function envelopesOf(dir: string, lines: readonly string[]) {
  const file = join(dir, 'master.key')
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return createEnvelopes(openKeyring({ file, create: false, random: randomBytes }))
}

t.test('a sealed text opens again, and reveals nothing', (t) => {
  const { seal, open } = envelopesOf(t.testdir(), [keyLine()])
  for (const text of ['', 'Ada Lovelace', 'grün 🟢\n\n', 'x'.repeat(64 * 1024)]) {
    const envelope = seal('kyc|v1|usr_1|kyc_1', text)
    t.equal(open('kyc|v1|usr_1|kyc_1', envelope), text)
    if (text) t.notOk(Buffer.from(envelope.content).includes(text))
  }
  t.end()
})

t.test('two envelopes of the same text have nothing in common', (t) => {
  const { seal } = envelopesOf(t.testdir(), [keyLine()])
  const [one, two] = [seal('place', 'same'), seal('place', 'same')]
  t.notOk(Buffer.from(one.content).equals(two.content))
  t.notOk(Buffer.from(one.wrappedKey).equals(two.wrappedKey))
  t.end()
})

t.test('a record does not open in the place of another', (t) => {
  const { seal, open } = envelopesOf(t.testdir(), [keyLine()])
  const envelope = seal('kyc|v1|usr_1|kyc_1', 'Ada')
  for (const place of ['kyc|v1|usr_1|kyc_2', 'kyc|v1|usr_2|kyc_1', '', 'kyc|v1|usr_1|kyc_']) {
    t.throws(() => open(place, envelope), SealBroken, place)
  }
  t.end()
})

t.test('neither half of an envelope fits another, and no byte of it can be changed', (t) => {
  const { seal, open } = envelopesOf(t.testdir(), [keyLine()])
  const [mine, other] = [seal('place', 'Ada'), seal('place', 'Eve')]
  t.throws(() => open('place', { ...mine, content: other.content }), SealBroken)
  t.throws(() => open('place', { ...mine, wrappedKey: other.wrappedKey }), SealBroken)
  for (const part of ['content', 'wrappedKey'] as const) {
    for (let at = 0; at < mine[part].length; at += 1) {
      const bytes = Buffer.from(mine[part])
      bytes[at] = (bytes[at] ?? 0) ^ 1
      t.throws(() => open('place', { ...mine, [part]: bytes }), SealBroken)
    }
    t.throws(() => open('place', { ...mine, [part]: mine[part].subarray(0, 30) }), SealBroken)
  }
  t.throws(() => open('place', { ...mine, keyId: '00000000' }), SealBroken)
  t.end()
})

t.test('after erasure and a rotation an old copy opens with no key that is left', (t) => {
  const dir = t.testdir()
  const [old, fresh] = [keyLine(), keyLine()]
  const before = envelopesOf(dir, [old])
  const erased = before.seal('erased', 'Eve')
  const kept = before.seal('kept', 'Ada')
  const backup: SealedEnvelope = structuredClone(erased)

  const during = envelopesOf(dir, [old, fresh])
  t.equal(during.open('kept', kept), 'Ada', 'both keys open while both are there')
  const rewrapped = during.rewrap(kept)
  t.equal(rewrapped.keyId, during.newestKeyId)
  t.not(rewrapped.keyId, kept.keyId)
  t.same(rewrapped.content, kept.content, 'only the data key is wrapped anew')

  const after = envelopesOf(dir, [fresh])
  t.equal(after.open('kept', rewrapped), 'Ada')
  t.throws(() => after.open('erased', backup), SealBroken)
  t.throws(() => after.rewrap(backup), SealBroken)
  t.throws(() => after.open('erased', { ...backup, keyId: after.newestKeyId }), SealBroken)
  t.throws(() => after.open('kept', kept), SealBroken, 'nor does the live one as it was before')
  t.end()
})
