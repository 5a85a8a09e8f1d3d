// Puts a native addon from the binary into a directory from which the system can load it, so that
// nobody else can put other code in its place.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export interface Addon {
  /** The name, such as `lmdb.node`. */
  readonly name: string
  /** What the build recorded. */
  readonly sha256: string
  /** Reads the bytes out of the binary: only needed where the file is not there yet. */
  readonly bytes: () => Buffer
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Others may write to a place with these bits. */
const writableByOthers = 0o022
const sticky = 0o1000

/** The name has the hash, so several versions of the program can use one directory. */
export function addonFile(dir: string, { name, sha256 }: Addon): string {
  return join(dir, `${name.replace(/\.node$/, '')}-${sha256.slice(0, 16)}.node`)
}

function refuse(place: string): never {
  throw new Error(`${place} is not the file that was built: its SHA-256 is another one`)
}

const chunkBytes = 64 * 1024

/** Reads pieces: the whole file would stay in memory until the next collection of garbage. */
function sha256Of(descriptor: number): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (;;) {
    const count = readSync(descriptor, chunk)
    if (count === 0) return hash.digest('hex')
    hash.update(chunk.subarray(0, count))
  }
}

/** Throws unless the open file is the one that the build recorded. */
function checkOpenFile(descriptor: number, addon: Addon, path: string): void {
  if (sha256Of(descriptor) !== addon.sha256) refuse(path)
}

/** Throws unless the file is the one that the build recorded. */
export function checkFile(path: string, addon: Addon): void {
  const descriptor = openSync(path, 'r')
  try {
    checkOpenFile(descriptor, addon, path)
  } finally {
    closeSync(descriptor)
  }
}

/** Throws unless only root and the user of this process can change what is in the directory. */
function checkDirectory(dir: string, uid: number): void {
  // Symbolic links are resolved once, so that the directories checked are the ones used.
  for (let path = realpathSync(dir); ; path = dirname(path)) {
    const { uid: owner, mode } = lstatSync(path)
    if (owner !== 0 && owner !== uid) throw new Error(`${path} belongs to another user`)
    // In a sticky directory such as /tmp, a user can replace only their own files.
    const isShared = (mode & writableByOthers) !== 0
    if (isShared && (path === realpathSync(dir) || (mode & sticky) === 0)) {
      throw new Error(`others may write to ${path}`)
    }
    if (path === dirname(path)) return
  }
}

/**
 * The path of the addon in the directory if it is there, whole and safe; undefined if it is not
 * there. Throws where somebody else could have written it.
 */
export function findAddon(dir: string, addon: Addon, uid: number): string | undefined {
  const file = addonFile(dir, addon)
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    checkDirectory(dir, uid)
    const { uid: owner, mode } = fstatSync(descriptor)
    if (owner !== 0 && owner !== uid) throw new Error(`${file} belongs to another user`)
    if ((mode & writableByOthers) !== 0) throw new Error(`others may write to ${file}`)
    checkOpenFile(descriptor, addon, file)
    return file
  } finally {
    closeSync(descriptor)
  }
}

export interface Modes {
  readonly directory: number
  readonly file: number
}

/** The modes for the user of this process only. */
export const privateModes: Modes = { directory: 0o700, file: 0o500 }
/** The modes for a directory of root, from which a daemon of any user loads. */
export const publicModes: Modes = { directory: 0o755, file: 0o555 }

/** Writes the addon, whole or not at all, over whatever lies there. Returns its path. */
export function placeAddon(dir: string, addon: Addon, uid: number, modes: Modes): string {
  makeDirectory(dir, modes.directory)
  checkDirectory(dir, uid)
  const bytes = addon.bytes()
  if (sha256(bytes) !== addon.sha256) refuse(`${addon.name} in this program`)
  const file = addonFile(dir, addon)
  const temporary = `${file}.${process.pid}.tmp`
  // A process that ended in between may have left it, with the same number.
  rmSync(temporary, { force: true })
  const descriptor = openSync(temporary, 'wx', modes.file)
  try {
    // Whatever the mask of the process: a daemon of another user loads what root has placed.
    fchmodSync(descriptor, modes.file)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
  return file
}

/** Leaves the addon if it is there, and places it if it is not, or if what lies there is another. */
export function repairAddon(dir: string, addon: Addon, uid: number, modes: Modes): string {
  try {
    const found = findAddon(dir, addon, uid)
    if (found !== undefined) return found
  } catch {
    // A directory that cannot be trusted is refused again.
  }
  return placeAddon(dir, addon, uid, modes)
}

/** Makes it with its parents, and with this mode whatever the mask of the process. */
function makeDirectory(dir: string, mode: number): void {
  const first = mkdirSync(dir, { recursive: true, mode })
  if (first === undefined) return
  for (let path = dir; path.length >= first.length; path = dirname(path)) chmodSync(path, mode)
}

/** Removes the addons of other versions. A process that has loaded one keeps it. */
export function removeFormerAddons(dir: string, addons: readonly Addon[]): void {
  const current = new Set(addons.map((addon) => addonFile('', addon)))
  const isAddon = /^[\w-]+-[0-9a-f]{16}\.node(\.\d+\.tmp)?$/
  for (const name of readdirSync(dir)) {
    if (isAddon.test(name) && !current.has(name)) rmSync(join(dir, name), { force: true })
  }
}
