// Paths of Unix sockets that are short enough, however long the path of their directory is.
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'

/** The path of a Unix socket must fit in `sun_path`: 108 bytes with the terminator (unix(7)). */
export const socketPathBytesMax = 107

export interface SocketPath {
  readonly path: string
  /** After this the path may no longer be valid. */
  release(): void
}

/** A long path is replaced by one that goes through an open descriptor of the directory. */
export function socketPath(dir: string, name: string): SocketPath {
  const full = join(dir, name)
  if (Buffer.byteLength(full) <= socketPathBytesMax) return { path: full, release() {} }
  const descriptor = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY)
  return {
    path: `/proc/self/fd/${descriptor}/${name}`,
    release: () => closeSync(descriptor),
  }
}
