// Status pages with a password: who may read them, and how a reader opens one.
import type { Clock } from '../../base/clock.ts'
import { rateLimited } from '../../base/fault.ts'
import type { Limiter, RatePolicy } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type { PageKeys } from '../../seal/page-key.ts'
import type { Passwords } from '../../seal/passwords.ts'

export interface PageLocksDeps {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>
  readonly keys: PageKeys
  /** Makes a limiter that survives a restart. */
  readonly limiter: (name: string, policy: RatePolicy) => Limiter
}

type Locked = Pick<StatusPage, 'id' | 'passwordHash'>

/** Cookies of page passwords that are looked at. */
const pageKeysRead = 10
/** Wrong passwords for one page: from one address, and from all of them. */
export const wrongPagePasswords = { quota: 20, windowSeconds: 3_600 } as const
const wrongPagePasswordsInAll = { quota: 1_000, windowSeconds: 3_600 } as const

export function createPageLocks({ clock, passwords, keys, limiter }: PageLocksDeps) {
  const ofCaller = limiter('page passwords of a caller', wrongPagePasswords)
  const ofPage = limiter('page passwords', wrongPagePasswordsInAll)

  /** Counted before the password is looked at, so that many at once are counted too. */
  function count(one: Limiter, key: string, nowMs: number): void {
    const { isAllowed, retryMs } = one.take(key, nowMs)
    if (isAllowed) return
    throw rateLimited(retryMs, (seconds) => `Too many wrong passwords; try again in ${seconds} s`)
  }

  return {
    /** What is stored of a password: undefined keeps it, null or '' removes it. */
    async hashOf(password: string | null | undefined): Promise<string | null | undefined> {
      if (password === undefined) return undefined
      return password === null || password === '' ? null : passwords.hash(password)
    },

    /** Whether a reader who brings these keys may read the page. */
    isOpenTo(page: Locked, broughtKeys: readonly string[]): boolean {
      if (page.passwordHash === null) return true
      const nowMs = clock.nowMs()
      return broughtKeys.slice(0, pageKeysRead).some((value) => {
        const mintedAtMs = keys.mintedAtMs(value, page)
        return mintedAtMs !== undefined && nowMs - mintedAtMs < limits.pageKeyMs
      })
    },

    /**
     * A key for a reader who knows the password; undefined if it is wrong. Throws rate_limited after many
     * wrong ones, and unavailable if too many are being looked at.
     */
    async unlock(page: Locked, password: string, address: string): Promise<string | undefined> {
      const nowMs = clock.nowMs()
      const caller = `${page.id} ${countedAddress(address)}`
      count(ofCaller, caller, nowMs)
      count(ofPage, page.id, nowMs)
      const { isRight } = await passwords.verify(password, page.passwordHash)
      if (!isRight) return undefined
      ofCaller.giveBack(caller, nowMs)
      ofPage.giveBack(page.id, nowMs)
      return keys.mint(page, clock.nowMs())
    },
  }
}
