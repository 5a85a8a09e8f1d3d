// What a daemon and its standby tell each other, over the daemon's own port.
//
// The standby asks for what follows the record that it has reached, which also says that it has everything up
// to there. So one held question is both, and nothing connects to the standby.

/** A record of the log, sealed. */
export interface SealedRecord {
  readonly sequence: number
  readonly sealed: Uint8Array
}

/** A packed copy of the data that a standby begins with. */
export interface SnapshotFile {
  readonly id: string
  readonly bytes: number
  readonly sha256: string
  readonly dataBytes: number
  readonly dataSha256: string
  readonly records: number
  readonly damagedRecords: number
  /** It has this record of the log, and perhaps later ones. */
  readonly sequence: number
  /** Which history that record is of. */
  readonly origin: string
}

export type SnapshotState =
  | { readonly state: 'making' }
  | { readonly state: 'ready'; readonly file: SnapshotFile }

/** What a machine says of itself. */
export interface RoleAnswer {
  readonly role: 'leader' | 'standby'
  readonly epoch: number
  /** The history that its records are of. */
  readonly origin: string
}

export const standbyPath = '/api/v1/standby'
/** How long a question waits for the next record. */
export const recordsHoldMs = 20_000
/** The bytes of the records in one answer; a larger record comes alone. */
export const recordsBytesMax = 4 * 1024 * 1024
export const snapshotPieceBytes = 4 * 1024 * 1024

const sequenceBytes = 6
const headBytes = sequenceBytes + 4

/** One after the other: 6 bytes of sequence and 4 of length, both big-endian, and the record. */
export function packRecords(records: readonly SealedRecord[]): Buffer {
  return Buffer.concat(
    records.flatMap(({ sequence, sealed }) => {
      const head = Buffer.alloc(headBytes)
      head.writeUIntBE(sequence, 0, sequenceBytes)
      head.writeUInt32BE(sealed.length, sequenceBytes)
      return [head, sealed]
    }),
  )
}

/** Undefined if the bytes are cut short. */
export function unpackRecords(bytes: Buffer): SealedRecord[] | undefined {
  const records: SealedRecord[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + headBytes > bytes.length) return undefined
    const sequence = bytes.readUIntBE(at, sequenceBytes)
    const length = bytes.readUInt32BE(at + sequenceBytes)
    const start = at + headBytes
    at = start + length
    if (at > bytes.length) return undefined
    records.push({ sequence, sealed: bytes.subarray(start, at) })
  }
  return records
}
