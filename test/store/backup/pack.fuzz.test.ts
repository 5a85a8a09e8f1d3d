// Backups under fire: bytes that were changed unpack to what the manifest says, or are refused before
// they take more than that.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { parseManifest } from '../../../src/domain/backups/backup.ts'
import { unpackFile } from '../../../src/store/backup/pack.ts'
import { BackupDamage, noPace, unpackVerified } from '../../../src/store/backup/verify.ts'
import { amount } from '../../support/depth.ts'
import { createDice, mutated, mutatedBytes } from '../../support/fuzz.ts'
import { testFolder } from '../../support/test-folder.ts'

const dice = createDice()
const params = { [constants.ZSTD_c_checksumFlag]: 1 }

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 4_096) yield bytes.subarray(at, at + 4_096)
}

t.test('no bytes unpack to more than was named', async (t) => {
  const scratch = join(testFolder(t), 'scratch')
  const data = Buffer.concat([
    dice.bytes(20_000),
    Buffer.alloc(200_000),
    Buffer.from('x'.repeat(9)),
  ])
  const packed = zstdCompressSync(data, { params })
  const bomb = zstdCompressSync(Buffer.alloc(4 * 1024 * 1024), { params })
  for (let left = amount(100, 20_000); left > 0; left -= 1) {
    const bytes = mutatedBytes(dice, dice.pick([packed, bomb, Buffer.concat([packed, bomb])]))
    const most = { bytes: packed.length, dataBytes: dice.pick([data.length, 1, 100_000]) }
    let movedBytes = 0
    const pace = (more: number) => {
      movedBytes += more
    }
    const error = await unpackFile(chunksOf(bytes), scratch, pace, most).then(
      ({ dataBytes }) => t.equal(dataBytes, movedBytes) && undefined,
      (cause: unknown) => cause,
    )
    t.ok(error === undefined || error instanceof Error)
    t.ok(movedBytes <= most.dataBytes, `${movedBytes} of ${most.dataBytes}`)
    rmSync(scratch, { force: true })
    const expected = { ...most, sha256: '', dataSha256: '', records: 1, damagedRecords: 0 }
    await t.rejects(unpackVerified(chunksOf(bytes), scratch, expected, noPace), BackupDamage)
  }
})

t.test('no text is taken for a manifest that lacks something', async (t) => {
  const manifest = JSON.stringify({
    format: 1,
    name: '20261001T030000Z',
    instance: 'abc',
    version: '1.0.0',
    schema: { version: 7, minReader: 7 },
    ...{ takenAtMs: 1, verifiedAtMs: 1, durationMs: 1, records: 4, damagedRecords: 0 },
    ...{ bytes: 2, sha256: 'a', dataBytes: 3, dataSha256: 'b', keyId: '01234567' },
  })
  const pieces = ['"', '{', '}', '-', 'null', '1e99', '[', ',', '"__proto__":', '\\u0000', '0.5']
  for (let left = amount(1_000, 100_000); left > 0; left -= 1) {
    const found = parseManifest(mutated(dice, manifest, pieces))
    if (found) t.ok(found.dataBytes >= 0 && found.bytes >= 0 && found.schema.version !== undefined)
  }
})
