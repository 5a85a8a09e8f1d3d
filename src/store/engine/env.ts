// The LMDB environment: every flag spelled out, with its reason.
import { mkdirSync } from 'node:fs'
import { open, type RootDatabase } from 'lmdb'

export type Env = RootDatabase<Buffer, (string | number)[]>

/** Opens the environment in `dir`, which is made where it is missing (mode 0700). */
export function openEnv(dir: string): Env {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return open<Buffer, (string | number)[]>({
    path: dir,
    // With overlapping sync a value is visible long before it is durable, and a rejected write
    // stays visible. Without it, visible is durable; throughput is the same.
    overlappingSync: false,
    // Tables are named databases; the library's default of 12 is too few.
    maxDbs: 128,
    maxReaders: 512,
    // Freed memory may hold another tenant's bytes: pages are zeroed before they reach the file.
    noMemInit: false,
    // Records are decoded by their own table; a second cache would only serve stale ones.
    cache: false,
    encoding: 'binary',
  })
}
