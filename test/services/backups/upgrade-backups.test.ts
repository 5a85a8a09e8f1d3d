// The backup from before an upgrade: made only where there is room, and kept for long enough.
import { join } from 'node:path'
import t from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import {
  backUpBeforeUpgrade,
  removeUpgradeBackups,
} from '../../../src/services/backups/upgrade-backups.ts'
import { listBackups } from '../../../src/store/backup/folder.ts'
import { openTempStore } from '../../support/temp-store.ts'

t.test('it stays until the upgraded data has a backup that is a day younger', async (t) => {
  const { store, clock, dir: dataDir } = openTempStore(t)
  const dir = join(dataDir, 'backups')
  await store.write((tx) => {
    store.meta.putSchema(tx, { version: 6, minReader: 6 })
    store.backupNotes.putInstance(tx, 'abc')
    store.secrets.put(tx, 'key-proof', { sealed: '01234567.x', hash: 'x', createdAtMs: 1 })
  })
  const deps = {
    store,
    clock,
    log: silentLog,
    version: '1.2.3',
    dataDir,
    settings: { dir, keepDaily: 1, keepWeekly: 0 },
    proveKey: () => {},
  }
  await t.rejects(backUpBeforeUpgrade({ ...deps, freeBytes: () => 0 }), {
    exitCode: 74,
    message: /^the data was not upgraded, because of its backup: .* is free$/,
    hint: /backup\.dir/,
  })
  const path = await backUpBeforeUpgrade(deps)
  const { backups } = listBackups(join(dir, 'before-upgrade'))
  t.match(backups, [{ path, schema: { version: 6 } }])
  t.same(listBackups(dir).backups, [], 'the rule for the others does not see it')
  const dayMs = 24 * 3_600_000
  const takenAtMs = clock.nowMs() + dayMs
  t.equal(removeUpgradeBackups(dir, { instance: 'abc', takenAtMs: takenAtMs - 1 }), 0)
  t.equal(removeUpgradeBackups(dir, { instance: 'other', takenAtMs }), 0)
  t.equal(removeUpgradeBackups(dir, { instance: 'abc', takenAtMs }), 1)
  t.same(listBackups(join(dir, 'before-upgrade')).backups, [])
})
