// Says why a data directory cannot be used, and what to do about it.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { exitCodes, StartFailure } from '../base/exit.ts'
import { fullDisk } from './space.ts'

/** The failure of the start after the system refused something in the directory. */
export function unusableDirectory(dir: string, cause: unknown): StartFailure {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return fullDisk(dir, cause)
  const [why, hint] = reason(dir, code, message)
  return new StartFailure(exitCodes.config, `the data directory ${dir} ${why}`, { hint, cause })
}

function reason(dir: string, code: string | undefined, message: string): [string, string] {
  switch (code) {
    case 'EROFS':
      return [
        'is on a read-only file system',
        'Make it writable, or name another directory in data.dir; in a container, mount a volume there.',
      ]
    case 'EACCES':
    case 'EPERM':
      return forbidden(dir)
    case 'ENOTDIR':
    case 'EEXIST':
      return ['is a file, or below one', 'Name a directory in data.dir.']
    default:
      return [
        `cannot be used: ${message}`,
        'It must be a directory that this user may read and write (data.dir).',
      ]
  }
}

function forbidden(dir: string): [string, string] {
  const { path, uid } = nearestVisible(dir)
  const us = process.geteuid?.() ?? 0
  const group = process.getegid?.() ?? 0
  if (path !== dir) {
    return [
      `cannot be created: ${path} belongs to another user (uid ${uid})`,
      `Run: install -d -m 700 -o ${us} -g ${group} ${dir}`,
    ]
  }
  // A security module, such as SELinux, may also refuse what belongs to us.
  if (uid === us) {
    return [
      'may not be read and written by this user, its owner',
      `Run: chmod 700 ${dir}; under SELinux, mount a volume of a container with :Z`,
    ]
  }
  return [
    `belongs to another user (uid ${uid}), and the daemon runs as uid ${us}`,
    `Run: chown -R ${us}:${group} ${dir}`,
  ]
}

/** Whether the system refused it because of whose process this is. */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(`${error.code}`)
}

/** The directory, or the nearest one above it that this user can see. */
export function nearestVisible(dir: string): { readonly path: string; readonly uid: number } {
  for (let path = dir; ; path = dirname(path)) {
    try {
      return { path, uid: statSync(path).uid }
    } catch {
      if (path === dirname(path)) return { path, uid: 0 }
    }
  }
}
