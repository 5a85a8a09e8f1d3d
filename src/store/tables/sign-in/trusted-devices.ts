// Devices that need no code of the second factor for a while, by [user, hash of the cookie's token].
import type { DeviceId, UserId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface TrustedDevice {
  readonly id: DeviceId
  readonly userId: UserId
  /** SHA-256 of the token in the cookie. */
  readonly tokenHash: string
  readonly createdAtMs: number
  readonly lastUsedAtMs: number
  readonly expiresAtMs: number
  readonly address: string
  readonly userAgent: string
}

export function openTrustedDevices(env: Env) {
  const devices = openTable<TrustedDevice>(env, { name: 'trustedDevices' })

  return {
    // A damaged one is over: the person enters a code again.
    find: (userId: UserId, tokenHash: string) => devices.readable([userId, tokenHash]),

    /** The devices of all people; `after` is the last one of the previous slice. */
    slice: (limit: number, after?: TrustedDevice) =>
      devices.range({ prefix: [], limit, after: after && [after.userId, after.tokenHash] }),

    listOfUser: (userId: UserId, limit: number) => devices.range({ prefix: [userId], limit }),

    put: (tx: Tx, device: TrustedDevice) =>
      devices.put(tx, [device.userId, device.tokenHash], device),

    remove: (tx: Tx, { userId, tokenHash }: Pick<TrustedDevice, 'userId' | 'tokenHash'>) =>
      devices.remove(tx, [userId, tokenHash]),

    /** Deletes all of a person, also damaged ones. */
    forgetUser(tx: Tx, userId: UserId): void {
      for (const key of devices.keys({ prefix: [userId], limit: Number.MAX_SAFE_INTEGER })) {
        devices.remove(tx, key)
      }
    },
  }
}
