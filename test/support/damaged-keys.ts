// Tables by the bytes of their keys, to change these as a failing disk would.
import type { Database } from 'lmdb'
import type { Env } from '../../src/store/engine/env.ts'

/** The same table, with keys as they lie on the disk. */
export function rawTable({ lmdb }: Pick<Env, 'lmdb'>, name: string): Database<Buffer, Buffer> {
  return lmdb.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary' })
}
