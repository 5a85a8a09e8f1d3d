// Sealed files: they open as they were, or not at all.
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import t from 'tap'
import type { Keyring } from '../../src/seal/keyring.ts'
import {
  openedLength,
  openedStream,
  sealedLength,
  sealedStream,
} from '../../src/seal/sealed-stream.ts'

function ring(...ids: readonly string[]): Keyring {
  const keys = ids.map((id) => ({ id, bytes: Buffer.alloc(32, id) }))
  const [oldest = none, newest = oldest] = [keys[0], keys.at(-1)]
  return {
    oldest,
    newest,
    hasOlder: ids.length > 1,
    find: (id) => keys.find((one) => one.id === id),
  }
}
const none = { id: '', bytes: Buffer.alloc(32) }
const keys = ring('aaaaaaaa')

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const seal = (bytes: Buffer, size = 100_000) => all(sealedStream(keys, inPieces(bytes, size)))
const open = (sealed: Buffer, size = 70_001, keyring = keys) =>
  all(openedStream(keyring, inPieces(sealed, size)))

const chunk = 65_536

t.test('files of every length open as they were, and their lengths are known', async (t) => {
  for (const bytes of [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 17]) {
    const content = randomBytes(bytes)
    const sealed = await seal(content)
    t.equal(sealed.length, sealedLength(bytes))
    t.equal(openedLength(sealed.length), bytes)
    for (const size of [13, chunk, 1_000_000]) {
      if (size === 13 && bytes > chunk) continue
      t.ok((await open(sealed, size)).equals(content), `${bytes} bytes in pieces of ${size}`)
    }
  }
  t.equal(openedLength(10), undefined)
  t.equal(openedLength(sealedLength(chunk) + 1), undefined)
  t.notOk((await seal(Buffer.from('a'))).equals(await seal(Buffer.from('a'))), 'never alike')
})

t.test('no change goes unnoticed', async (t) => {
  const sealed = await seal(randomBytes(3 * chunk))
  const head = 56
  const frame = chunk + 16
  const changed = [
    ...[0, 20, 30, head, head + frame, sealed.length - 1].map((at) => {
      const copy = Buffer.from(sealed)
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy
    }),
    sealed.subarray(0, head + 2 * frame),
    sealed.subarray(0, head + frame + 5),
    sealed.subarray(0, head),
    sealed.subarray(0, 10),
    Buffer.concat([sealed.subarray(0, head), sealed.subarray(head + frame)]),
    Buffer.concat([sealed.subarray(0, head + frame), sealed.subarray(head)]),
    Buffer.concat([sealed, Buffer.from('x')]),
    Buffer.concat([
      sealed.subarray(0, head),
      sealed.subarray(head + frame, head + 2 * frame),
      sealed.subarray(head, head + frame),
      sealed.subarray(head + 2 * frame),
    ]),
  ]
  for (const [index, copy] of changed.entries()) {
    await t.rejects(open(copy), { name: 'SealBroken' }, `change ${index}`)
  }
})

t.test('a key that was added later changes nothing; a missing one is named', async (t) => {
  const sealed = await seal(Buffer.from('content'))
  t.equal((await open(sealed, 9, ring('aaaaaaaa', 'bbbbbbbb'))).toString(), 'content')
  await t.rejects(open(sealed, 9, ring('bbbbbbbb')), {
    message: 'it was sealed with the master key aaaaaaaa, which is not in the key file',
  })
})

t.test('the format is the documented one', async (t) => {
  const salt = Buffer.alloc(32, 7)
  const head = Buffer.concat([Buffer.from('stillup sealed 1aaaaaaaa'), salt])
  const key = Buffer.from(
    hkdfSync('sha256', Buffer.alloc(32, 'aaaaaaaa'), salt, 'stillup sealed file', 32),
  )
  const frames = [Buffer.alloc(chunk, 'x'), Buffer.from('end')].map((bytes, index) => {
    const cipher = createCipheriv(
      'aes-256-gcm',
      key,
      Buffer.from([...Array(10).fill(0), index, index]),
    )
    cipher.setAAD(head)
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  })
  t.equal((await open(Buffer.concat([head, ...frames]))).toString(), `${'x'.repeat(chunk)}end`)
})
