// Sealed text: unreadable without the key, refused once changed, readable after a key rotation.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createBox, SealBroken } from '../../src/seal/box.ts'
import { deriveKey, openKeyring } from '../../src/seal/keyring.ts'

const keyLine = () => randomBytes(32).toString('hex')

function ringOf(file: string, lines?: string[]) {
  if (lines) writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return openKeyring({ file, create: !lines, random: randomBytes })
}

t.test('a sealed value opens again, and reveals nothing', async (t) => {
  const box = createBox(ringOf(join(t.testdir(), 'master.key')))
  for (const text of ['', 'Bearer s3cr3t-token', 'grün 🟢', 'x'.repeat(64 * 1024)]) {
    const sealed = box.seal(text)
    t.equal(box.open(sealed), text)
    if (text) {
      const bytes = Buffer.from(sealed.split('.')[1] ?? '', 'base64url')
      t.notOk(sealed.includes(text) || bytes.includes(text), 'no plain text inside')
    }
  }
})

t.test('the same text never seals to the same value twice', async (t) => {
  const box = createBox(ringOf(join(t.testdir(), 'master.key')))
  t.equal(new Set(Array.from({ length: 100 }, () => box.seal('same'))).size, 100)
})

t.test('a changed, cut or invented sealed value is refused', async (t) => {
  const box = createBox(ringOf(join(t.testdir(), 'master.key')))
  const sealed = box.seal('twelve words of recovery')
  for (let at = 0; at < sealed.length; at += 1) {
    const swapped = sealed[at] === 'A' ? 'B' : 'A'
    const changed = sealed.slice(0, at) + swapped + sealed.slice(at + 1)
    const same = Buffer.from(changed.slice(9), 'base64url').equals(
      Buffer.from(sealed.slice(9), 'base64url'),
    )
    // The last character has bits that stand for nothing.
    if (at < 9 || !same) t.throws(() => box.open(changed), SealBroken)
  }
  for (const wrong of [
    '',
    'x',
    sealed.slice(0, 20),
    sealed.slice(0, -4),
    `${sealed}=`,
    '.',
    'a.b',
  ]) {
    t.throws(() => box.open(wrong), SealBroken)
    t.equal(box.openOrUndefined(wrong), undefined)
  }
  t.equal(box.openOrUndefined(sealed), 'twelve words of recovery')
})

t.test('after a rotation the newest key seals and the older ones still open', async (t) => {
  const file = join(t.testdir(), 'master.key')
  const [old, fresh] = [keyLine(), keyLine()]
  const before = createBox(ringOf(file, [old]))
  const sealed = before.seal('kept')
  const after = createBox(ringOf(file, ['# rotated in spring', old, '', fresh]))
  t.equal(after.open(sealed), 'kept')
  const resealed = after.seal('kept')
  t.not(resealed.split('.')[0], sealed.split('.')[0], 'another key id')
  t.throws(() => before.open(resealed), SealBroken)
  t.same([sealed, resealed, '', 'torn'].map(after.isCurrent), [false, true, false, false])
  t.same([sealed, resealed].map(before.isCurrent), [true, false])
  t.throws(() => createBox(ringOf(file, [fresh])).open(sealed), SealBroken)
})

t.test('keys for different purposes differ, and stay when a key is added', async (t) => {
  const file = join(t.testdir(), 'master.key')
  const old = keyLine()
  const ring = ringOf(file, [old])
  const session = deriveKey(ring, 'session')
  t.equal(session.length, 32)
  t.notSame(session, deriveKey(ring, 'cursor'))
  t.notSame(session, ring.newest.bytes)
  t.same(session, deriveKey(ringOf(file, [old, keyLine()]), 'session'))
})

t.test('the ring knows whether there are older keys, not only lines', async (t) => {
  const file = join(t.testdir(), 'master.key')
  const [old, fresh] = [keyLine(), keyLine()]
  t.equal(ringOf(file, [old]).hasOlder, false)
  t.equal(ringOf(file, [old, old.toUpperCase()]).hasOlder, false)
  t.equal(ringOf(file, [old, fresh]).hasOlder, true)
  t.equal(ringOf(file, [old, fresh, old]).hasOlder, true)
})

t.test('the key file is made once, private, in a private folder', async (t) => {
  const dir = join(t.testdir(), 'keys')
  const file = join(dir, 'master.key')
  const first = ringOf(file)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(dir).mode & 0o777, 0o700)
  t.same(ringOf(file).newest, first.newest, 'the second start finds the same key')
  t.same(readdirSync(dir), ['master.key'], 'no draft is left behind')
  t.notOk(first.newest.bytes.toString('hex').startsWith(first.newest.id))
})

t.test('a key file that others can read is refused, with how to repair it', async (t) => {
  const file = join(t.testdir(), 'master.key')
  ringOf(file)
  if (process.getuid?.() === 0) chownSync(file, 0, 1)
  for (const mode of [0o640, 0o604, 0o644, 0o620, 0o602, 0o660, 0o666]) {
    chmodSync(file, mode)
    t.throws(() => ringOf(file), { name: 'KeyringError', message: /chmod 600/ })
  }
  chmodSync(file, 0o400)
  t.ok(ringOf(file), 'read-only is fine')
})

t.test('a missing or malformed key file is refused without showing its text', async (t) => {
  const dir = t.testdir()
  const missing = join(dir, 'none.key')
  t.throws(() => openKeyring({ file: missing, create: false, random: randomBytes }), {
    name: 'KeyringError',
    message: `${missing}: the master key file is missing, and there is data`,
  })
  const file = join(dir, 'bad.key')
  const almost = keyLine().slice(1)
  t.throws(() => ringOf(file, ['# only a comment']), { message: /holds no key/ })
  try {
    ringOf(file, [almost])
    t.fail('a short key was taken')
  } catch (error) {
    t.match(String(error), /bad\.key:1: expected 64/)
    t.notMatch(String(error), almost)
  }
  t.equal(readFileSync(file, 'utf8').trim(), almost, 'nothing was overwritten')
})

t.test('a key file that cannot be made or read says so, with what to run', async (t) => {
  const open = (file: string) => () => openKeyring({ file, create: true, random: randomBytes })
  const refused = (message: string | RegExp) => ({ name: 'KeyringError', message })
  t.throws(open(t.testdir()), refused(/this is a directory, not the file with the master key/))
  t.throws(open('/proc/none.key'), refused(/missing and cannot be created.*openssl rand -hex 32/))
  const empty = join(t.testdir({ key: '' }), 'key')
  chmodSync(empty, 0o600)
  t.throws(open(empty), refused(/holds no key/))
  t.equal(readFileSync(empty, 'utf8'), '', 'an empty file is nothing that may be replaced')
  const lent = join(t.testdir({ credentials: { 'stillup.service': {} } }), 'credentials')
  t.throws(() => ringOf(join(lent, 'stillup.service/master-key'), ['']), {
    name: 'KeyringError',
    message: /stillup\.service loads as the credential master-key .*\/etc\/stillup\/master\.key/,
  })
  if (process.getuid?.() !== 0) return
  const dir = mkdtempSync(join(tmpdir(), 'stillup-key-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  chmodSync(dir, 0o755)
  const file = join(dir, 'key')
  writeFileSync(file, keyLine(), { mode: 0o600 })
  process.seteuid?.(65_534)
  t.teardown(() => process.seteuid?.(0))
  t.throws(open(file), refused(`${file}: the user of the daemon (uid 65534) may not read`))
  t.throws(open(join(dir, 'new')), refused(/cannot be created here \(EACCES\)/))
  process.seteuid?.(0)
})
