// Known devices: whoever signed in from one before is counted apart from those who guess.
import type { Clock } from '../../base/clock.ts'
import type { UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { DeviceSeal } from '../../seal/device.ts'
import type { Store } from '../../store/store.ts'

export interface Devices {
  /** The value for a device on which somebody has just signed in. */
  mint(userId: UserId): string
  /**
   * What tries from this device on this account are counted by, or undefined where the device is
   * not known to it. It says nothing about who sits there.
   */
  keyFor(value: string | undefined, email: string): string | undefined
}

export interface DevicesDeps {
  readonly store: Store
  readonly clock: Clock
  readonly deviceSeal: DeviceSeal
}

export function createDevices({ store, clock, deviceSeal }: DevicesDeps): Devices {
  return {
    mint: (userId) => deviceSeal.mint(userId, clock.nowMs()),
    keyFor(value, email) {
      const claim = value ? deviceSeal.read(value) : undefined
      if (!claim || clock.nowMs() - claim.mintedAtMs >= limits.knownDeviceMs) return undefined
      if (store.users.findByEmail(email)?.id !== claim.userId) return undefined
      return `device ${claim.nonce}`
    },
  }
}
