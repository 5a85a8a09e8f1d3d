// Known devices: sign-ins from a known device have their own count, apart from strangers' guesses.
import type { UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { DeviceSeal } from '../../seal/device.ts'
import type { ServiceDeps } from '../context.ts'

export interface DevicesDeps extends ServiceDeps {
  readonly deviceSeal: DeviceSeal
}

export type Devices = ReturnType<typeof createDevices>

export function createDevices({ store, clock, deviceSeal }: DevicesDeps) {
  return {
    /** The cookie for a device after a sign-in. */
    mint: (userId: UserId) => deviceSeal.mint(userId, clock.nowMs()),
    /**
     * The key for counting attempts from this device on this account, or undefined if the device is
     * not known for it. It does not prove who uses the device.
     */
    keyFor(value: string | undefined, email: string): string | undefined {
      const claim = value ? deviceSeal.read(value) : undefined
      if (!claim || clock.nowMs() - claim.mintedAtMs >= limits.knownDeviceMs) return undefined
      if (store.users.findByEmail(email)?.id !== claim.userId) return undefined
      return `device ${claim.nonce}`
    },
  }
}
