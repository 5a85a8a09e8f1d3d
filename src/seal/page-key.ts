// The cookie of a reader who knows the password of a status page: `p1.<time>.<mac>`. It names the
// page and the hash of its password, so a new password ends all of them. None of it is stored.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a key is for. */
export interface LockedPage {
  readonly id: string
  readonly passwordHash: string | null
}

const valuePattern = /^p1\.([0-9a-z]{1,11})\.([\w-]{43})$/

export type PageKeys = ReturnType<typeof createPageKeys>

/** Signs values with a key derived only for this purpose. */
export function createPageKeys(key: Buffer) {
  const macOf = ({ id, passwordHash }: LockedPage, time: string) =>
    createHmac('sha256', key).update(`${id}\n${passwordHash}\n${time}`).digest('base64url')

  return {
    mint(page: LockedPage, nowMs: number): string {
      const time = nowMs.toString(36)
      return `p1.${time}.${macOf(page, time)}`
    },

    /** When the key was made; undefined if it is not one of this page and its password. */
    mintedAtMs(value: string, page: LockedPage): number | undefined {
      const [, time, mac] = valuePattern.exec(value) ?? []
      if (time === undefined || mac === undefined) return undefined
      const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(page, time)))
      return isOurs ? Number.parseInt(time, 36) : undefined
    },
  }
}
