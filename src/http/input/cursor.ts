// Cursors: the last id of a page, signed together with the list that it belongs to.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface Cursors {
  /** `list` identifies the list: its path, organization and filters. */
  seal(list: string, after: string): string
  /** Returns the id. Throws invalid_cursor if it belongs to another list or was not made here. */
  open(list: string, cursor: string): string
}

const macBytes = 16

/** Creates cursors signed with HMAC-SHA256 under a key only for this purpose. */
export function createCursors(key: Uint8Array): Cursors {
  // Passing bytes would create a key object for each cursor, which takes longer than the signing.
  const secretKey = createSecretKey(key)
  const macOf = (list: string, after: string) =>
    createHmac('sha256', secretKey).update(`${list}\n${after}`).digest().subarray(0, macBytes)

  return {
    seal: (list, after) =>
      Buffer.concat([macOf(list, after), Buffer.from(after)]).toString('base64url'),
    open(list, cursor) {
      if (cursor.length > limits.cursorCharsMax || !/^[\w-]+$/.test(cursor)) throw invalid()
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= macBytes) throw invalid()
      const after = bytes.subarray(macBytes).toString()
      if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(list, after))) throw invalid()
      return after
    },
  }
}

function invalid(): Fault {
  return new Fault('invalid_cursor', 'The cursor does not belong to this list')
}
