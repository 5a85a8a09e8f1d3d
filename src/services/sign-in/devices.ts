// Known devices: sign-ins from a known device have their own count, apart from strangers' guesses.
import type { UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { DeviceSeal } from '../../seal/device.ts'
import type { Core } from '../core.ts'

export interface DevicesDeps {
  readonly deviceSeal: DeviceSeal
}

export type Devices = ReturnType<typeof createDevices>

export function createDevices({ store, clock }: Core, { deviceSeal }: DevicesDeps) {
  return {
    mint: (userId: UserId) => deviceSeal.mint(userId, clock.nowMs()),
    /** The key that attempts count for; undefined if the device is not known for this account. */
    keyFor(value: string | undefined, email: string): string | undefined {
      const claim = value ? deviceSeal.read(value) : undefined
      if (!claim || clock.nowMs() - claim.mintedAtMs >= limits.knownDeviceMs) return undefined
      if (store.users.findByEmail(email)?.id !== claim.userId) return undefined
      return `device ${claim.nonce}`
    },
  }
}
