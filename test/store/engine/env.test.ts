// The data directory: any name of it opens.
import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openEnv } from '../../../src/store/engine/env.ts'

t.test('a directory with a dot in its name opens like any other', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'stillup-env-'))
  t.teardown(() => rm(parent, { recursive: true, force: true }))
  for (const name of ['data', 'data.v1', 'tmp.Mfg3']) {
    const dir = join(parent, name)
    const env = openEnv(dir)
    await env.lmdb.put(['a'], Buffer.from('b'))
    await env.close()
    t.ok(existsSync(join(dir, 'data.mdb')), name)
  }
})
