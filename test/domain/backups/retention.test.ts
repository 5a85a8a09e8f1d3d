// Which backups stay, and how they are named and described.
import t from 'tap'
import { backupName, isBackupName, parseManifest } from '../../../src/domain/backups/backup.ts'
import { supersededBackups } from '../../../src/domain/backups/retention.ts'
import { limits } from '../../../src/domain/limits/limits.ts'

const hourMs = 3_600_000
const startMs = Date.parse('2026-10-01T03:00:00Z')

const every = (hours: number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const takenAtMs = startMs + at * hours * hourMs
    return { name: backupName(takenAtMs), takenAtMs }
  })

const remaining = (
  made: ReturnType<typeof every>,
  rule: Parameters<typeof supersededBackups>[1],
) => {
  const gone = new Set(supersededBackups(made, rule).map(({ name }) => name))
  return made.map(({ name }) => name).filter((name) => !gone.has(name))
}

t.test('seven days and four weeks stay of a daily backup', async (t) => {
  t.same(remaining(every(24, 60), { keepDaily: 7, keepWeekly: 4 }), [
    '20261108T030000Z',
    '20261115T030000Z',
    '20261122T030000Z',
    '20261123T030000Z',
    '20261124T030000Z',
    '20261125T030000Z',
    '20261126T030000Z',
    '20261127T030000Z',
    '20261128T030000Z',
    '20261129T030000Z',
  ])
})

t.test('of several backups of a day the newest stays, and all of the last 24 hours', async (t) => {
  t.same(remaining(every(6, 10), { keepDaily: 3, keepWeekly: 0 }), [
    '20261001T210000Z',
    '20261002T150000Z',
    '20261002T210000Z',
    '20261003T030000Z',
    '20261003T090000Z',
  ])
})

t.test('days without a backup do not push older backups out', async (t) => {
  t.same(remaining(every(24 * 9, 3), { keepDaily: 3, keepWeekly: 0 }).length, 3)
})

t.test('the newest backup always stays', async (t) => {
  t.same(remaining(every(24, 3), { keepDaily: 0, keepWeekly: 0 }), ['20261003T030000Z'])
})

t.test('a manifest is taken only if every field is there', async (t) => {
  const manifest = {
    format: 1,
    name: '20261001T030000Z',
    instance: 'abc',
    version: '1.0.0',
    schema: { version: 7, minReader: 7 },
    takenAtMs: startMs,
    verifiedAtMs: startMs,
    durationMs: 1,
    bytes: 2,
    sha256: 'a',
    dataBytes: 3,
    dataSha256: 'b',
    records: 4,
    damagedRecords: 0,
    keyId: '01234567',
  }
  t.same(parseManifest(JSON.stringify(manifest)), manifest)
  for (const name of Object.keys(manifest)) {
    t.equal(parseManifest(JSON.stringify({ ...manifest, [name]: undefined })), undefined, name)
  }
  t.equal(parseManifest(JSON.stringify({ ...manifest, dataBytes: -1 })), undefined)
  const long = JSON.stringify({ ...manifest, more: 'x'.repeat(limits.manifestBytesMax) })
  t.equal(parseManifest(long), undefined, 'and if it is no longer than one may be')
  t.equal(parseManifest('{"format":'), undefined)
  t.equal(parseManifest('null'), undefined)
  t.equal(parseManifest(JSON.stringify({ ...manifest, name: '../x' })), undefined)
  t.ok(isBackupName(backupName(startMs)))
})
