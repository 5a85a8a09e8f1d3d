// The keys that sign reports: stored encrypted; their public halves are published.

import { required } from '../../base/assert.ts'
import { mintReportSeed, type ReportSigner, reportSigner } from '../../seal/report-signature.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Core } from '../core.ts'

export interface PublishedKey {
  readonly keyId: string
  readonly publicKey: string
  readonly createdAtMs: number
  /** When another key took its place; null: it signs. */
  readonly retiredAtMs: number | null
}

/** The text of the secret. Of a former key only the public half is left. */
interface KeyRecord {
  readonly seed: string
  readonly createdAtMs: number
  readonly former: readonly PublishedKey[]
}

interface OpenedKeys {
  readonly sealed: string
  readonly record: KeyRecord
  readonly signer: ReportSigner
}

export type ReportKeys = ReturnType<typeof createReportKeys>

export function createReportKeys({ store, clock, box }: Core) {
  let opened: OpenedKeys | undefined

  function current(): OpenedKeys {
    const { sealed } = required(store.secrets.get('report-key'), 'the key of reports')
    if (opened?.sealed === sealed) return opened
    // Our own JSON, so its shape is known.
    const record = JSON.parse(box.open(sealed)) as KeyRecord
    const keys = { sealed, record, signer: reportSigner(record.seed) }
    opened = keys
    return keys
  }

  function put(tx: Tx, record: KeyRecord): void {
    const text = JSON.stringify(record)
    const { createdAtMs } = record
    store.secrets.put(tx, 'report-key', {
      sealed: box.seal(text),
      hash: hashToken(text),
      createdAtMs,
    })
  }

  return {
    /** Makes a key at the start of the daemon, so that reading a report later writes nothing. */
    async ensure(): Promise<void> {
      if (store.secrets.get('report-key')) return
      const record = { seed: mintReportSeed(), createdAtMs: clock.nowMs(), former: [] }
      await store.write((tx) => put(tx, record))
    },

    /** The key that signs. */
    signer: (): ReportSigner => current().signer,

    /** Newest first. */
    published(): readonly PublishedKey[] {
      const { record, signer } = current()
      const { keyId, publicKey } = signer
      const { createdAtMs, former } = record
      return [{ keyId, publicKey, createdAtMs, retiredAtMs: null }, ...former]
    },
  }
}
