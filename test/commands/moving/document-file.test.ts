// Documents are files: those that are too long are refused, also if they do not say how long they are.
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { readDocument } from '../../../src/commands/moving/document-file.ts'

t.test('a file is read up to its bound, whatever it is', async (t) => {
  const folder = t.testdir({ whole: 'äb', empty: '' })
  t.equal(await readDocument(join(folder, 'whole'), 3), 'äb')
  t.equal(await readDocument(join(folder, 'empty'), 0), '')
  await t.rejects(readDocument(join(folder, 'whole'), 2), { message: /is larger than/ })
  await t.rejects(readDocument('/dev/zero', 1_000), { message: /is larger than/ })
  await t.rejects(readDocument(folder, 1_000), { message: /cannot be read/ })
  await t.rejects(readDocument(join(folder, 'none'), 1_000), { message: /cannot be read: ENOENT/ })
})

t.test('a pipe is read to its end', async (t) => {
  const path = join(t.testdir(), 'pipe')
  execFileSync('mkfifo', [path])
  const reading = readDocument(path, 10)
  spawn('sh', ['-c', 'printf hello > "$0"', path])
  t.equal(await reading, 'hello')
})
