// Loads the native addons of the bundle and of the binary, each only if it is the file that was
// built. From the sources, the libraries load their addons themselves.

import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { assetPath, readAsset, readTextAsset } from '../assets.ts'
import { exitCodes, StartFailure } from '../exit.ts'
import { errorText } from '../log/error-text.ts'
import {
  type Addon,
  checkFile,
  findAddon,
  placeAddon,
  privateModes,
  publicModes,
  removeFormerAddons,
  repairAddon,
} from './place.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What `scripts/build/` recorded of an addon: name and SHA-256. */
function recordedSums(): Readonly<Record<string, string>> {
  // scripts/build/natives.ts wrote it.
  return JSON.parse(readTextAsset('native/sha256.json')) as Record<string, string>
}

function addonOf(name: string, sha256: string): Addon {
  return { name, sha256, bytes: () => readAsset(`native/${name}`) }
}

/** Where the package or the install script puts addons: root's, so the daemon cannot change them. */
export function installedPlace(execPath: string): string {
  return join(dirname(execPath), '../lib/stillup/native')
}

export interface AddonFolder {
  readonly dir: string
  readonly mayWrite: boolean
}

/** Where addons may lie, the best place first. */
export function placesOf(env: Environment, execPath: string, uid: number): AddonFolder[] {
  if (env.STILLUP_NATIVE_DIR) return [{ dir: env.STILLUP_NATIVE_DIR, mayWrite: true }]
  const ofSystemd = [env.CACHE_DIRECTORY, env.STATE_DIRECTORY].map((list) => list?.split(':')[0])
  const ofUser = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'))
  const writable = [
    ...ofSystemd.map((dir) => dir && join(dir, 'native')),
    ofUser && join(ofUser, 'stillup/native'),
    join(env.TMPDIR || '/tmp', `stillup-native-${uid}`),
  ].filter((dir): dir is string => Boolean(dir))
  return [
    { dir: installedPlace(execPath), mayWrite: false },
    ...writable.map((dir) => ({ dir, mayWrite: true })),
  ]
}

/** What the libraries get instead of their own way to find their addon. */
export function loadAddon(name: string): unknown {
  const sha256 = recordedSums()[name]
  if (sha256 === undefined) throw new Error(`${name} is not a part of this program`)
  const addon = addonOf(name, sha256)
  if (!isSea()) {
    const path = assetPath(`native/${name}`)
    checkFile(path, addon)
    return opened(path)
  }
  const uid = process.getuid?.() ?? 0
  const problems = new Set<string>()
  for (const { dir, mayWrite } of placesOf(process.env, process.execPath, uid)) {
    try {
      const found = findAddon(dir, addon, uid)
      const file = found ?? (mayWrite ? placeAddon(dir, addon, uid, privateModes) : undefined)
      if (file !== undefined) return opened(file)
    } catch (error) {
      problems.add(`${dir}: ${problemOf(error)}`)
    }
  }
  throw new StartFailure(
    exitCodes.config,
    `cannot load native code (${name}): ${[...problems].join('; ')}`,
    {
      hint: `set STILLUP_NATIVE_DIR to a directory that only root or this user can write to and that is not mounted noexec, or run as root: ${process.execPath} native-extract`,
    },
  )
}

function opened(file: string): unknown {
  const target: { exports: unknown } = { exports: {} }
  process.dlopen(target, file, constants.dlopen.RTLD_NOW)
  return target.exports
}

function problemOf(error: unknown): string {
  const message = errorText(error)
  if (/failed to map segment|Operation not permitted/.test(message)) {
    return 'it is mounted noexec, or a security policy forbids to run code from it'
  }
  return message
}

/** Puts every addon into the directory, for a daemon of any user; returns the paths. */
export function extractAddons(dir: string): string[] {
  const uid = process.getuid?.() ?? 0
  const addons = Object.entries(recordedSums()).map(([name, sum]) => addonOf(name, sum))
  const placed = addons.map((addon) => repairAddon(dir, addon, uid, publicModes))
  removeFormerAddons(dir, addons)
  return placed
}
