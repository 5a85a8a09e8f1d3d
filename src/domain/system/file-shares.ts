// Divides the open files that the system allows between checks, callers and the rest.
import { limits } from '../limits/limits.ts'

export interface FileShares {
  /** Checks in flight at once. */
  readonly checks: number
  /** Connections of callers. */
  readonly connections: number
}

/**
 * Divides `filesMax` (undefined: no limit). The reserve is for the database, messages, name
 * look-ups and everything else that must continue when callers or checks take all they can get.
 */
export function shareFiles(filesMax: number | undefined, checksWanted: number): FileShares {
  if (filesMax === undefined) return { checks: checksWanted, connections: limits.connectionsMax }
  const kept = Math.min(limits.filesKept, Math.floor(filesMax / 2))
  const free = filesMax - kept
  const checksMost = Math.floor(free / 2 / limits.filesPerCheck)
  const checks = Math.max(1, Math.min(checksWanted, checksMost))
  const left = free - checks * limits.filesPerCheck
  return { checks, connections: Math.max(1, Math.min(limits.connectionsMax, left)) }
}
