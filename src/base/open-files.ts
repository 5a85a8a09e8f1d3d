// How many files and sockets the system lets this process have open at once.
import { readFileSync } from 'node:fs'

/** Undefined without a limit, or a /proc to tell of it. Node raises its own to the hard one. */
export function openFilesMax(): number | undefined {
  try {
    const text = readFileSync('/proc/self/limits', 'latin1')
    const [, soft] = /^Max open files +(\d+)/m.exec(text) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
