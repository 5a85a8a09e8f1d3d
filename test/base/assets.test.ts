// Files that belong to the program, read from beside the sources.
import { once } from 'node:events'
import t from 'tap'
import { readAsset, readTextAsset, requireLibrary, startWorker } from '../../src/base/assets.ts'

t.test('a file that belongs to the program is found from any working directory', async (t) => {
  const before = process.cwd()
  process.chdir(t.testdir())
  t.teardown(() => process.chdir(before))
  t.match(readTextAsset('pages/status/look/status-page.css'), /\{/)
  t.equal(
    readAsset('pages/status/look/status-page.js').toString(),
    readTextAsset('pages/status/look/status-page.js'),
  )
  t.throws(() => readAsset('pages/none.css'), { code: 'ENOENT' })
})

t.test('a thread of the program runs with what it was given', async (t) => {
  const file = { path: '/nowhere/data.mdb', meta: null }
  const worker = startWorker('store/data-file/check-thread', { workerData: file })
  t.teardown(() => worker.terminate())
  const failed = await Promise.race([once(worker, 'error'), once(worker, 'message')])
  t.ok(failed[0], 'it answers about a file that is not there')
})

t.test('a library on demand is loaded at once', async (t) => {
  const one: unknown = requireLibrary('markdown-it')
  t.type(one, 'function')
  t.equal(requireLibrary('markdown-it'), one, 'and loaded once')
})
