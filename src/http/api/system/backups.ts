// The API of backups, for the operator. A backup cannot be downloaded: it has the data of everybody.

import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import type { StoredBackup } from '../../../store/backup/folder.ts'
import { withTimes } from '../../output/times.ts'
import { answer, del, get, list, post, resource, wirePage } from '../../routing/route.ts'

const who = { system: true } as const
const count = Type.Integer({ minimum: 0 })

const BackupOut = s.object({
  name: s.described(s.anyText, 'The UTC time at which it was taken; its name below `backup.dir`'),
  takenAt: s.described(s.isoTime, 'Everything that was acknowledged before is in it'),
  verifiedAt: s.described(s.isoTime, 'When it was read back and compared with what was taken'),
  durationMs: s.described(count, 'How long it took, with the verification'),
  bytes: s.described(count, 'Its size on the disk'),
  dataBytes: s.described(count, 'The size of the data file that a restore writes'),
  sha256: s.described(s.anyText, 'The checksum of its compressed file'),
  records: s.described(count, 'How many records it has'),
  damagedRecords: s.described(count, 'Records that were damaged when it was taken'),
  version: s.described(s.anyText, 'The version of stillup that made it'),
  schemaVersion: s.described(count, 'The version of the data; a restore upgrades older data'),
  keyId: s.described(
    s.anyText,
    'Which master key opens what is sealed in it. The key itself is not in a backup',
  ),
})

const times = withTimes('takenAt', 'verifiedAt')
const backupToWire = (backup: StoredBackup) => ({
  ...times(backup),
  schemaVersion: backup.schema.version,
})

export const backups = resource('/system/backups', {
  about: 'Backups of all data of the service, for its administrator. Commands restore them.',
  list: list('', {
    who,
    summary: 'The backups of all data, newest first',
    description: 'Those in `backup.dir`. Copies in a bucket are not listed.',
    out: BackupOut,
  }).handledBy(({ page }, { operatorBackups }) =>
    wirePage(operatorBackups.list(page), backupToWire),
  ),
  make: post('', {
    who,
    summary: 'Make a backup now, and verify it',
    description:
      'Waits up to 25 seconds; `data` is null if it is not made by then. Its copy to the bucket may go on. If a backup is being made ' +
      'already, waits for that one. Backups that are not kept any more are removed, as after a ' +
      'scheduled one.',
    out: s.nullable(BackupOut),
    message: 'Backup made and verified',
  }).handledBy(async ({ caller }, { operatorBackups }) => {
    const made = await operatorBackups.make(caller)
    return answer(
      made && backupToWire(made),
      made ? {} : { message: 'The backup is still being made' },
    )
  }),
  get: get('/:backupName', {
    who,
    summary: 'One backup',
    out: BackupOut,
  }).handledBy(({ params }, { operatorBackups }) =>
    backupToWire(operatorBackups.get(params.backupName)),
  ),
  remove: del('/:backupName', {
    who: { system: true, sudo: true },
    summary: 'Delete a backup; the only one is kept',
    description: 'A copy of it in a bucket stays.',
    out: BackupOut,
    message: 'Backup deleted',
  }).handledBy(async ({ caller, params }, { operatorBackups }) =>
    backupToWire(await operatorBackups.remove(caller, params.backupName)),
  ),
})
