// The limit of open files, as whoever starts the daemon has set it.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { openFilesMax } from '../../src/base/open-files.ts'

const file = join(import.meta.dirname, '../../src/base/open-files.ts')
const say = `const { openFilesMax } = await import('${file}'); console.log(openFilesMax())`

t.test('the limit of this process is reported, even a low one', async (t) => {
  t.ok((openFilesMax() ?? Number.POSITIVE_INFINITY) > 0)
  const command = 'ulimit -n 128 && exec "$0" --input-type=module -e "$1"'
  const args = ['-c', command, process.execPath, say]
  const { stdout } = await promisify(execFile)('/bin/sh', args)
  t.equal(stdout.trim(), '128')
})

t.test('a limit that Node can raise by itself is reported as raised', async (t) => {
  const command = 'ulimit -n 256 && ulimit -Sn 128 && exec "$0" --input-type=module -e "$1"'
  const args = ['-c', command, process.execPath, say]
  const { stdout } = await promisify(execFile)('/bin/sh', args)
  t.equal(stdout.trim(), '256')
})
