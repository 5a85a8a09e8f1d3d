// What is unpacked for a while stays no longer than the process that needs it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeScratchFolder, sweepScratchFolders } from '../../../src/base/apart/scratch-folder.ts'
import { testFolder } from '../../support/test-folder.ts'

t.test('the folder of a process that was killed goes with the next one', async (t) => {
  const parent = testFolder(t)
  const { pid } = spawnSync('true')
  for (const name of [`stillup-import-${pid}-abc`, `stillup-import-${process.ppid}-abc`, 'other']) {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'kuma.db'), 'a copy')
  }
  const scratch = await makeScratchFolder(parent)
  t.same(readdirSync(parent).length, 3, 'that of a process that runs stays, as what others made')
  t.notOk(existsSync(join(parent, `stillup-import-${pid}-abc`)))
  await scratch.remove()
  t.notOk(existsSync(scratch.path))
  t.doesNotThrow(() => sweepScratchFolders(join(parent, 'missing')))
})

t.test('a process that ends takes its folder along', async (t) => {
  const parent = testFolder(t)
  const script = `
    import { makeScratchFolder } from ${JSON.stringify(join(import.meta.dirname, '../../../src/base/apart/scratch-folder.ts'))}
    const { path } = await makeScratchFolder(${JSON.stringify(parent)})
    console.log(path)
    process.exit(1)`
  const args = ['--input-type=module-typescript', '-e', script]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
  t.match(stdout, /stillup-import-\d+-/)
  t.same(readdirSync(parent), [])
})
