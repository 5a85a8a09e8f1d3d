// The value of the known-device cookie: `d1.<user>.<time>.<nonce>.<mac>`. None of it is stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const nonceBytes = 16
const valuePattern = /^(d1\.(usr_[0-9a-z]{26})\.([0-9a-z]{1,11})\.([\w-]{22}))\.([\w-]{43})$/

/** What a device that signed in before presents. It does not sign anyone in. */
export interface DeviceClaim {
  readonly userId: string
  readonly mintedAtMs: number
  /** Different for each sign-in that set a cookie on a device. */
  readonly nonce: string
}

export type DeviceSeal = ReturnType<typeof createDeviceSeal>

/** Signs values with a key derived only for this purpose. */
export function createDeviceSeal(key: Buffer) {
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    mint(userId: string, nowMs: number): string {
      const nonce = randomBytes(nonceBytes).toString('base64url')
      const text = `d1.${userId}.${nowMs.toString(36)}.${nonce}`
      return `${text}.${macOf(text)}`
    },

    /** Parses the value; undefined if it is not one of ours. */
    read(value: string): DeviceClaim | undefined {
      const [, text, userId, time, nonce, mac] = valuePattern.exec(value) ?? []
      if (!text || !userId || !time || !nonce || !mac) return undefined
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(text)))) return undefined
      return { userId, mintedAtMs: Number.parseInt(time, 36), nonce }
    },
  }
}
