// A block of rows as former versions stored it, under any time.
import type { MonitorId, OrgId } from '../../src/base/ids.ts'
import { type Codec, openTable } from '../../src/store/engine/table.ts'
import type { Tx } from '../../src/store/engine/write.ts'
import type { Store } from '../../src/store/store.ts'

const bytes: Codec<Uint8Array> = {
  encode: (rows) => rows,
  decode: (stored) => Uint8Array.from(stored),
}

export interface FormerBlock {
  readonly orgId: OrgId
  readonly id: MonitorId
  readonly fromMs: number
  /** Appended one by one. */
  readonly rows: Uint8Array
}

export function putFormerBlock(store: Store, tx: Tx, { orgId, id, fromMs, rows }: FormerBlock) {
  openTable(store, { name: 'checks', codec: bytes }).put(tx, [orgId, id, fromMs], rows)
}
