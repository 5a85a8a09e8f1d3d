// Divides the open files that the system allows between checks, callers and the rest.
import { limits } from '../limits/limits.ts'

export interface FileShares {
  /** Checks in flight at once. */
  readonly checks: number
  /** Connections of callers. */
  readonly connections: number
}

/** Files of one check: if an address refuses or delays it, it opens the next one in parallel. */
export const filesPerCheck = 2

/**
 * Divides `filesMax` (undefined: no limit). The reserve is for the database, messages, name
 * look-ups and everything else that must continue when callers or checks take all they can get.
 * `filesPerConnection`: with several listeners, each of which may have as many connections, the sum
 * of theirs.
 */
export function shareFiles(
  filesMax: number | undefined,
  checksWanted: number,
  filesPerConnection = 1,
): FileShares {
  if (filesMax === undefined) return { checks: checksWanted, connections: limits.connectionsMax }
  const free = freeFiles(filesMax)
  const checksMost = Math.floor(free / 2 / filesPerCheck)
  const checks = Math.max(1, Math.min(checksWanted, checksMost))
  const left = Math.floor((free - checks * filesPerCheck) / filesPerConnection)
  return { checks, connections: Math.max(1, Math.min(limits.connectionsMax, left)) }
}

/** The checks in flight at once that a changed setting may have: callers keep their connections. */
export function checksBeside(
  filesMax: number | undefined,
  checksWanted: number,
  connections: number,
  filesPerConnection = 1,
): number {
  if (filesMax === undefined) return checksWanted
  const left = freeFiles(filesMax) - connections * filesPerConnection
  return Math.max(1, Math.min(checksWanted, Math.floor(left / filesPerCheck)))
}

/** Open files reserved for other purposes than callers and checks. */
export const filesKept = 256

function freeFiles(filesMax: number): number {
  return filesMax - Math.min(filesKept, Math.floor(filesMax / 2))
}
