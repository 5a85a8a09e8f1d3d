// A bucket whose content is sealed: the same promises, and nothing readable in it.
import { Buffer } from 'node:buffer'
import t from 'tap'
import { sealedRemote } from '../../../src/services/backups/sealed-remote.ts'
import { remoteContract } from '../../contracts/remote.contract.ts'
import { createMemoryRemote } from '../../support/memory-remote.ts'

const key = { id: 'aaaaaaaa', bytes: Buffer.alloc(32, 1) }
const keyring = {
  newest: key,
  oldest: key,
  hasOlder: false,
  find: (id: string) => (id === key.id ? key : undefined),
}

async function* content(text: string) {
  yield Buffer.from(text)
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

t.test('it promises what every place for copies does', (t) =>
  remoteContract(t, sealedRemote(createMemoryRemote(), { keyring, seals: true })),
)

t.test('so does one that seals nothing', (t) =>
  remoteContract(t, sealedRemote(createMemoryRemote(), { keyring, seals: false })),
)

t.test('the bucket sees neither the content nor, without the key, can anybody', async (t) => {
  const memory = createMemoryRemote()
  const remote = sealedRemote(memory, { keyring, seals: true })
  await remote.put('a/data', content('the names of people'), 19)
  t.same([...memory.objects.keys()], ['a/data.sealed'])
  t.notMatch(String(memory.objects.get('a/data.sealed')), 'people')
  const other = sealedRemote(memory, {
    keyring: { ...keyring, find: () => undefined },
    seals: true,
  })
  await t.rejects(other.get('a/data').then(textOf), /master key aaaaaaaa, which is not in the key/)
})

t.test('what was stored under the other setting is found, too', async (t) => {
  const memory = createMemoryRemote()
  const plain = sealedRemote(memory, { keyring, seals: false })
  const sealed = sealedRemote(memory, { keyring, seals: true })
  await plain.put('a/data', content('first'), 5)
  await sealed.put('b/data', content('second'), 6)
  for (const remote of [plain, sealed]) {
    t.equal(await textOf(await remote.get('a/data')), 'first')
    t.equal(await textOf(await remote.get('b/data')), 'second')
    t.same(await remote.list(''), [
      { name: 'a/data', bytes: 5 },
      { name: 'b/data', bytes: 6 },
    ])
  }
  await sealed.put('a/data', content('again'), 5)
  t.same((await sealed.list('a/')).length, 1)
  await plain.remove('a/data')
  t.same(await plain.list('a/'), [])
})
