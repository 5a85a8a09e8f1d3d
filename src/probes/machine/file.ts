// The check of a file on this machine, or of the newest of several: its age and its size. Nothing is opened.
import { lstat, opendir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { countText } from '../../base/sizes.ts'
import { codeOf, failure } from '../../net/failure.ts'
import { fitsStars } from '../../net/machine-policy.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import { readOptions, type UrlFault } from '../run/place-url.ts'
import { badState, cannotLook, createTurns, shownAnswer } from './found.ts'

const entriesMax = 20_000

export const file = defineKind({
  type: 'file',
  family: 'machine',
  fields: ['machine'],
  sources: [],
  textName: 'answer',
  schemes: ['file'],
  icon: 'file-clock',
  example: 'file:///var/backups/db.dump?maxAge=26h',
  urlForm:
    '`file:///var/backups/db-*.dump?maxAge=26h&minBytes=1000000`, a file on the machine of the daemon or the probe, ' +
    'in a folder that its operator lists (`checks.files`), or of several whose names fit a pattern the newest one. It is ' +
    'down if there is none, if it is older than `maxAge` (`s`, `m`, `h`, `d`), or smaller than `minBytes`. The answer is ' +
    'JSON with `value` (the age in seconds), `name`, `bytes`, `modifiedAt` and `matches`',
  finds: 'json',
  ownsQuery: true,
  typed: { isNamedByPath: true },
  parse: parseFileUrl,
  machine: ({ path }) => ({
    what: 'a file of this machine',
    settings: 'checks.files',
    isListed: ({ files }) => isWithin(dirname(path), files),
  }),
  open({ guard }) {
    const turns = createTurns()
    return {
      async look({ path, maxAge, minBytes }, _target, run) {
        const { files: folders } = guard.machine()
        const newest = await turns.take(run, dirname(path), () => newestOf(path, folders))
        if (newest === undefined) throw badState('there is no such file')
        const { name, bytes, modifiedAtMs, matches } = newest
        const value = Math.max(0, Math.round((run.clock.wallMs() - modifiedAtMs) / 1_000))
        const modifiedAt = new Date(modifiedAtMs).toISOString()
        const answer = shownAnswer(run, { value, name, bytes, modifiedAt, matches })
        if (maxAge !== undefined && value > secondsOf(maxAge)) {
          throw new RunError(failure('assertion', `the file is older than ${maxAge}`))
        }
        if (bytes < minBytes) {
          const least = countText(minBytes)
          throw new RunError(failure('assertion', `the file is smaller than ${least} bytes`))
        }
        return answer
      },
    }
  },
})

interface FileUrl {
  readonly path: string
  readonly maxAge: string | undefined
  readonly minBytes: number
  readonly problem?: never
}

function parseFileUrl(text: string): FileUrl | UrlFault {
  const [, encoded = '', query = ''] =
    /^file:\/\/(\/[^?#\0-\x20\x7f\\]*)(?:\?([^#]*))?$/.exec(text) ?? []
  const path = decoded(encoded)
  if (text.length > 2_048 || path === undefined || path === '' || path.endsWith('/')) {
    return {
      problem: 'must be file:// and the whole path of a file, such as file:///var/backups/db.dump',
    }
  }
  if (/\/\.{0,2}(\/|$)/.test(path) || path.includes('\0')) {
    return { problem: 'must be a path without //, . and ..' }
  }
  if (dirname(path).includes('*')) return { problem: 'must have * in the name of the file only' }
  const options = readOptions(query, { maxAge: null, minBytes: null })
  if ('problem' in options && typeof options.problem === 'string')
    return { problem: options.problem }
  const { maxAge, minBytes = '0' } = options as { maxAge?: string; minBytes?: string }
  if (maxAge !== undefined && !/^\d{1,6}[smhd]$/.test(maxAge)) {
    return { problem: 'must have as maxAge a number with s, m, h or d, such as 26h' }
  }
  if (!/^\d{1,15}$/.test(minBytes)) return { problem: 'must have as minBytes a whole number' }
  return { path, maxAge, minBytes: Number(minBytes) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

function secondsOf(age: string): number {
  return Number(age.slice(0, -1)) * (unitSeconds[age.slice(-1)] ?? 1)
}

function isWithin(folder: string, folders: readonly string[]): boolean {
  return folders.some((one) => `${folder}/`.startsWith(one === '/' ? one : `${one}/`))
}

/** The newest file at the path, or of those whose names fit it; undefined if there is none. */
async function newestOf(path: string, folders: readonly string[]) {
  const pattern = basename(path)
  try {
    const listed = await Promise.all(folders.map((one) => realpath(one).catch(() => one)))
    // Where links lead out of what is listed, nothing is looked at.
    const mayLook = (real: string) => isWithin(dirname(real), listed)
    if (!pattern.includes('*')) {
      const real = await realpath(path)
      if (!mayLook(real)) throw cannotLook('a link leads out of the folders that are listed')
      return foundFile(pattern, await stat(real), 1)
    }
    const folder = await realpath(dirname(path))
    if (!mayLook(join(folder, pattern))) {
      throw cannotLook('a link leads out of the folders that are listed')
    }
    let newest: ReturnType<typeof foundFile> | undefined
    let [entries, matches] = [0, 0]
    for await (const entry of await opendir(folder)) {
      if (++entries > entriesMax) throw cannotLook('the folder has too many files')
      if (!entry.isFile() || !fitsStars(entry.name, pattern)) continue
      const one = foundFile(entry.name, await lstat(join(folder, entry.name)), ++matches)
      if (one.modifiedAtMs >= (newest?.modifiedAtMs ?? 0)) newest = one
    }
    return newest && { ...newest, matches }
  } catch (cause) {
    if (cause instanceof RunError) throw cause
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined
    throw cannotLook('the file cannot be looked at')
  }
}

interface StatFacts {
  readonly size: number
  readonly mtimeMs: number
  isFile(): boolean
}

function foundFile(name: string, facts: StatFacts, matches: number) {
  if (!facts.isFile()) throw badState('it is not a file')
  return { name, bytes: facts.size, modifiedAtMs: facts.mtimeMs, matches }
}
