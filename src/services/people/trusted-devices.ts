// Trusted devices: after the second factor, a browser may be remembered, which then needs no code for a
// while. The cookie alone signs nobody in.
import { Fault } from '../../base/fault.ts'
import { type DeviceId, newId, type UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import { hashToken, isLinkTokenShaped, mintLinkToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { TrustedDevice } from '../../store/tables/sign-in/trusted-devices.ts'
import {
  type Caller,
  type PageOf,
  type PageRequest,
  pageOf,
  type SignedInCaller,
} from '../context.ts'
import type { Core } from '../core.ts'

const devicesPerUserMax = 20

// Includes expired ones, which are deleted with the next device.
const listedMax = 2 * devicesPerUserMax

export interface TrustedDevicesDeps {
  /** For how many days a device is remembered; 0: none is. */
  readonly days: () => number
}

export type TrustedDevices = ReturnType<typeof createTrustedDevices>

export function createTrustedDevices({ store, clock, audit }: Core, { days }: TrustedDevicesDeps) {
  // The operator may have shortened the time since.
  const lifeMs = () => days() * limits.dailyMs
  const isAlive = ({ createdAtMs, expiresAtMs }: TrustedDevice, nowMs: number) =>
    nowMs < Math.min(expiresAtMs, createdAtMs + lifeMs())

  function aliveOf(userId: UserId): TrustedDevice[] {
    const nowMs = clock.nowMs()
    return store.trustedDevices
      .listOfUser(userId, listedMax)
      .filter((device) => isAlive(device, nowMs))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  function found(userId: UserId, token: string | undefined): TrustedDevice | undefined {
    if (token === undefined || !isLinkTokenShaped(token)) return undefined
    const device = store.trustedDevices.find(userId, hashToken(token))
    return device && isAlive(device, clock.nowMs()) ? device : undefined
  }

  return {
    /** For how many days a device is remembered; 0: none is. */
    days,

    /** Whether the token is that of a device of this person. */
    isTrusted: (userId: UserId, token: string | undefined) => found(userId, token) !== undefined,

    /** Notes that a sign-in needed no code. */
    noteUse(tx: Tx, userId: UserId, token: string | undefined): void {
      const device = found(userId, token)
      if (device) store.trustedDevices.put(tx, { ...device, lastUsedAtMs: clock.nowMs() })
    },

    /** Remembers the caller's device; undefined where the operator does not allow it. */
    remember(tx: Tx, caller: Caller, userId: UserId): string | undefined {
      if (days() === 0) return undefined
      const nowMs = clock.nowMs()
      const kept = aliveOf(userId).slice(0, devicesPerUserMax - 1)
      const hashes = new Set(kept.map(({ tokenHash }) => tokenHash))
      for (const device of store.trustedDevices.listOfUser(userId, listedMax)) {
        if (!hashes.has(device.tokenHash)) store.trustedDevices.remove(tx, device)
      }
      const token = mintLinkToken()
      const device: TrustedDevice = {
        id: newId('device', nowMs),
        userId,
        tokenHash: hashToken(token),
        createdAtMs: nowMs,
        lastUsedAtMs: nowMs,
        expiresAtMs: nowMs + lifeMs(),
        address: caller.address,
        userAgent: caller.userAgent.slice(0, limits.userAgentCharsMax),
      }
      store.trustedDevices.put(tx, device)
      audit.noteIn(tx, 'system', caller, { action: 'device.trusted', objectId: device.id })
      return token
    },

    /** The caller's own, newest first. */
    list({ principal }: SignedInCaller, { limit, after }: PageRequest): PageOf<TrustedDevice> {
      const rest = aliveOf(principal.userId).filter(({ id }) => after === undefined || id < after)
      return pageOf(rest, limit)
    },

    /** The device needs a code again, from the next sign-in on. Throws not_found. */
    async forget(caller: SignedInCaller, deviceId: DeviceId): Promise<void> {
      const { userId } = caller.principal
      await store.write((tx) => {
        const device = aliveOf(userId).find(({ id }) => id === deviceId)
        if (!device) throw new Fault('not_found', 'You have no such device.')
        store.trustedDevices.remove(tx, device)
        audit.noteIn(tx, 'system', caller, { action: 'device.forgotten', objectId: deviceId })
      })
    },
  }
}
