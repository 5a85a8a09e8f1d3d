// What every place for copies of backups promises.
import { Buffer } from 'node:buffer'
import type { Test } from 'tap'
import type { BackupRemote } from '../../src/services/backups/remote.ts'

async function* chunksOf(text: string) {
  for (const part of text.match(/.{1,3}/gs) ?? []) yield Buffer.from(part)
}

async function textOf(remote: BackupRemote, name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await remote.get(name)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** `remote` has nothing in it. */
export async function remoteContract(t: Test, remote: BackupRemote): Promise<void> {
  t.same(await remote.list(''), [])
  await remote.put('a/data', chunksOf('first content'), 13)
  await remote.put('a/manifest.json', chunksOf('{}'), 2)
  await remote.put('b/data', chunksOf(''), 0)
  t.equal(await textOf(remote, 'a/data'), 'first content')
  t.equal(await textOf(remote, 'b/data'), '')
  const named = (await remote.list('a/')).toSorted((x, y) => x.name.localeCompare(y.name))
  t.same(named, [
    { name: 'a/data', bytes: 13 },
    { name: 'a/manifest.json', bytes: 2 },
  ])
  await remote.put('a/data', chunksOf('other'), 5)
  t.equal(await textOf(remote, 'a/data'), 'other', 'an object is replaced')
  await t.rejects(remote.put('c/data', chunksOf('too long'), 3), 'the number of bytes is exact')
  t.same(await remote.list('c/'), [], 'and there is no half of it')
  await t.rejects(remote.get('c/data'), Error, 'what is missing cannot be read')
  await remote.remove('a/data')
  await remote.remove('a/data')
  t.same(
    (await remote.list('a/')).map(({ name }) => name),
    ['a/manifest.json'],
  )
}
