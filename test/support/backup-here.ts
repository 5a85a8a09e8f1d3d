// Makes the file of a backup without the thread, whose start takes most of the time that a small one needs.
import { rmSync } from 'node:fs'
import type { makeFile } from '../../src/store/backup/make.ts'
import { packFile } from '../../src/store/backup/pack.ts'
import { contentsOf, noPace, unpackVerified } from '../../src/store/backup/verify.ts'
import { holdSnapshot } from '../../src/store/data-file/background.ts'

export const makeFileHere: typeof makeFile = async (lmdb, file, { to, scratch }, nowMs) => {
  const { snapshot, release } = holdSnapshot(lmdb, file)
  try {
    const { isUsed, ...contents } = contentsOf(snapshot)
    const packed = { ...(await packFile(snapshot, isUsed, to, noPace)), ...contents }
    await unpackVerified(to, scratch, packed, noPace)
    rmSync(scratch)
    return { ...packed, takenAtMs: nowMs }
  } finally {
    release()
  }
}
