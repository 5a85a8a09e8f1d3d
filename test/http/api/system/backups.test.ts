// Backups over the API: made and verified on request, listed, shown and deleted by the operator.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { backups } from '../../../../src/http/api/system/backups.ts'
import { startDaemon } from '../../../support/daemon.ts'

const token = 'the-token-of-the-operator'
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: token } })
const operator = { bearer: token }
const api = (path: string) => `/api/v1/system/backups${path}`

t.test('a backup is made, listed, shown and deleted; the only one stays', async (t) => {
  t.equal(backups.length, 4)
  t.same(await daemon.need('GET', '/system/backups', operator), [])
  const made = await daemon.ask('POST', api(''), operator)
  t.match(made, { status: 200, json: { message: 'Backup made and verified' } })
  const { data: backup } = made.json
  t.match(backup, { name: /^\d{8}T\d{6}Z$/, damagedRecords: 0, schemaVersion: 8, takenAt: /Z$/ })
  const folder = join(daemon.dir, 'backups', backup.name)
  t.ok(existsSync(join(folder, 'manifest.json')))
  t.same(await daemon.need('GET', '/system/backups', operator), [backup])
  t.same(await daemon.need('GET', `/system/backups/${backup.name}`, operator), backup)
  const kept = await daemon.ask('DELETE', api(`/${backup.name}`), operator)
  t.match(kept, { status: 409, json: { code: 'conflict' } })
  const other = await daemon.need('POST', '/system/backups', operator)
  t.same(await daemon.need('GET', '/system/backups', operator), [other, backup])
  t.equal((await daemon.ask('DELETE', api(`/${backup.name}`), operator)).status, 200)
  t.notOk(existsSync(folder))
  t.equal((await daemon.ask('GET', api(`/${backup.name}`), operator)).status, 404)
  t.equal((await daemon.ask('GET', api('/..%2Fmaster.key'), operator)).status, 404)
  const [noted] = await daemon.need('GET', '/system/audit-log?action=backup.deleted', operator)
  t.equal(noted.detail, backup.name)
  const task = await daemon.need('POST', '/system/tasks/backup/run', operator)
  t.match(task, { lastOutcome: 'done', lastDetail: /verified; 0 removed$/ })
})
