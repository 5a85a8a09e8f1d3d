// Where the build reads and writes, and for which machines it builds.
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }

export const root = join(import.meta.dirname, '../..')
export const dist = join(root, 'dist')
export const { version } = packageFile

export const archs = ['x64', 'arm64'] as const
export type Arch = (typeof archs)[number]

/** The version of Node's interface to addons: 137 is Node 24. */
export const nodeAbi = '137'

/** The architecture of this machine. */
export function ownArch(): Arch {
  const own = archs.find((arch) => arch === process.arch)
  if (!own || process.platform !== 'linux') {
    throw new Error(`there is no binary for ${process.platform} ${process.arch}`)
  }
  return own
}
