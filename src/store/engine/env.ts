// The LMDB environment: every flag is explicit, with its reason.
import { mkdirSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import { createDamage, type Damage, type TableKey } from './damage.ts'
import { createEpochs, type Epochs } from './epochs.ts'
import { type KeyCodec, tolerantKeys } from './keys.ts'

export interface Env {
  readonly lmdb: RootDatabase<Buffer, TableKey>
  /** What every table is opened with. */
  readonly tableOptions: TableOptions
  readonly damage: Damage
  /** By these, tables know which of the records that they read before are still the same. */
  readonly epochs: Epochs
  /** The databases of the tables by name; each table adds its own. */
  readonly databases: Map<string, Database<Buffer, TableKey>>
  /** Whether a record of a table is understood, by the name of the table. */
  readonly readers: Map<string, (key: TableKey, bytes: Buffer) => boolean>
  /** The databases of the tables whose records say something of this machine alone, by name. */
  readonly locals: Map<string, Database<Buffer, TableKey>>
  close(): Promise<void>
}

interface TableOptions {
  readonly encoding: 'binary'
  readonly cache: boolean
  readonly keyEncoder: KeyCodec
}

/** Opens the environment in `dir` and creates the directory if missing (mode 0700). */
export function openEnv(dir: string): Env {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lmdb = open<Buffer, TableKey>({
    path: dir,
    // Else a path with a dot in its last part would be taken for the name of a file.
    noSubdir: false,
    // With overlapping sync a value is visible long before it is durable, and a rejected write
    // stays visible. Without it, visible means durable; the throughput is the same.
    overlappingSync: false,
    // Tables are named databases; the library's default of 12 is too few.
    maxDbs: 192,
    maxReaders: 512,
    // Freed memory may contain another tenant's bytes, so pages are zeroed before they are written.
    noMemInit: false,
    cache: false,
    encoding: 'binary',
  })
  const epochs = createEpochs()
  // The writer tells of its own commits, before anything follows from them.
  lmdb.on('aftercommit', epochs.next)
  return {
    lmdb,
    tableOptions: {
      encoding: 'binary',
      // Each table decodes its own records; a second cache would only return stale ones.
      cache: false,
      keyEncoder: tolerantKeys(codecOf(lmdb)),
    },
    damage: createDamage(),
    epochs,
    databases: new Map(),
    readers: new Map(),
    locals: new Map(),
    close: () => lmdb.close(),
  }
}

/** The library's own codec of keys, whose two functions its types do not declare. */
function codecOf(database: object): KeyCodec<unknown> {
  return database as KeyCodec<unknown>
}
