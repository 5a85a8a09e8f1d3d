// Makes directories, and gives what root makes in one to its owner, whose daemon must use it.
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Accessible only to its owner. Returns the topmost directory that was made; undefined if all were
 * there.
 */
// Not mkdir's `recursive`: it never returns if a parent accepts no directories, as in /proc.
export function makeWithParents(dir: string): string | undefined {
  if (existsSync(dir)) return undefined
  const topmost = makeWithParents(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Another process that starts at this moment may have created it.
    if (!existsSync(dir)) throw error
  }
  return topmost ?? dir
}

/**
 * Gives what this process made, as root, to the owner of the directory, whose daemon must read it.
 * `likeDir`: a directory that was made new gets its owner.
 */
export function giveToOwner(dir: string, likeDir = dir): void {
  const { uid, gid } = statSync(likeDir)
  if (process.geteuid?.() !== 0 || uid === 0 || !existsSync(dir)) return
  chownSync(dir, uid, gid)
  giveContent(dir, uid, gid)
}

// Not readdir's `recursive`: it goes through symbolic links to directories, as far as / and /sys.
function giveContent(dir: string, uid: number, gid: number): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    give(path, uid, gid)
    if (entry.isDirectory()) giveContent(path, uid, gid)
  }
}

/**
 * The same for one path that was just made, before anything else happens: a command that is killed
 * must leave nothing that keeps the daemon from its work. What cannot be given is left to
 * `giveToOwner`, which says so.
 */
export function giveNew(path: string, likeDir = dirname(path)): void {
  try {
    const { uid, gid } = statSync(likeDir)
    if (process.geteuid?.() === 0 && uid !== 0) give(path, uid, gid)
  } catch {}
}

/**
 * The owner can put names there that lead elsewhere: neither symbolic links nor files with a second
 * name are given away.
 */
function give(path: string, uid: number, gid: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.uid !== 0) return
  if (found.isDirectory() || found.nlink === 1) lchownSync(path, uid, gid)
}
