// The files of this machine, as the checks of `stillup doctor` see them: it only reads, each read
// bounded.
import { constants, type Stats } from 'node:fs'
import { open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../base/clock.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { codeOf } from '../../../net/failure.ts'
import type { FileFacts, FilesPort, WriteTrial } from '../model/world.ts'

const doctorListMax = 10_000

export function createFilesPort(clock: Pick<Clock, 'monoMs'>): FilesPort {
  return {
    async read(path) {
      try {
        const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
        try {
          // Files of /proc have no size, so they are read until a read returns nothing.
          const bytes = Buffer.alloc(limits.doctorFileBytesMax)
          let length = 0
          for (;;) {
            const { bytesRead } = await file.read(bytes, length, bytes.length - length)
            length += bytesRead
            if (bytesRead === 0 || length === bytes.length) break
          }
          return bytes.toString('utf8', 0, length)
        } finally {
          await file.close()
        }
      } catch {
        return undefined
      }
    },
    async look(path) {
      try {
        return factsOf(await stat(path))
      } catch (error) {
        const code = codeOf(error)
        return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'missing'
      }
    },
    async list(dir) {
      const names = await readdir(dir).catch(() => [])
      return names.slice(0, doctorListMax)
    },
    async disk(dir) {
      try {
        const { bavail, blocks, bsize, files, ffree } = await statfs(dir)
        return {
          freeBytes: bavail * bsize,
          totalBytes: blocks * bsize,
          freeFiles: ffree,
          totalFiles: files,
        }
      } catch {
        return undefined
      }
    },
    async tryWrite(dir) {
      try {
        return await nameless(dir, clock)
      } catch (error) {
        const code = codeOf(error)
        // Some file systems have no files without a name.
        return noNameless.has(code) ? named(dir, clock) : { code }
      }
    },
  }
}

function factsOf(found: Stats): FileFacts {
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other'
  const { mode, uid, gid, size, mtimeMs } = found
  return { kind, mode: mode & 0o7777, uid, gid, bytes: size, changedAtMs: mtimeMs }
}

/** O_TMPFILE (open(2)): the file has no name, and is gone when it is closed or the process ends. */
const tmpFile = 0o20_000_000 | constants.O_DIRECTORY
const noNameless: ReadonlySet<string> = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EISDIR', 'EINVAL'])

async function nameless(dir: string, clock: Pick<Clock, 'monoMs'>): Promise<WriteTrial> {
  const file = await open(dir, tmpFile | constants.O_RDWR, 0o600)
  return timed(file, clock)
}

async function named(dir: string, clock: Pick<Clock, 'monoMs'>): Promise<WriteTrial> {
  const path = join(dir, `doctor.${process.pid}.tmp`)
  try {
    return await timed(await open(path, 'wx', 0o600), clock)
  } catch (error) {
    return { code: codeOf(error) }
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

const doctorWrites = 3
const doctorWriteBytes = 64 * 1024

async function timed(
  file: Awaited<ReturnType<typeof open>>,
  clock: Pick<Clock, 'monoMs'>,
): Promise<WriteTrial> {
  try {
    const bytes = Buffer.alloc(doctorWriteBytes, 1)
    let slowestMs = 0
    for (let count = 0; count < doctorWrites; count += 1) {
      const sinceMs = clock.monoMs()
      await file.write(bytes)
      await file.datasync()
      slowestMs = Math.max(slowestMs, clock.monoMs() - sinceMs)
    }
    return { slowestMs }
  } catch (error) {
    return { code: codeOf(error) }
  } finally {
    await file.close()
  }
}
