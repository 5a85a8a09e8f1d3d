// Reads how many files and sockets this process may have open at once.
import { readFileSync } from 'node:fs'

/** Undefined without a limit or without /proc. Node raises its soft limit to the hard one. */
export function openFilesMax(): number | undefined {
  try {
    const text = readFileSync('/proc/self/limits', 'latin1')
    const [, soft] = /^Max open files +(\d+)/m.exec(text) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
