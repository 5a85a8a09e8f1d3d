// Bounds how often an organization gives its status pages other addresses: each wants a certificate, and
// the name that it leaves is blocked for others.
import { Fault, rateLimited } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'

export type AddressChanges = ReturnType<typeof createAddressChanges>

export function createAddressChanges(limiter: Limiter) {
  return {
    /** Counts one of the organization. Throws rate_limited, which names the field. */
    take(orgId: OrgId, field: 'hostname' | 'slug' | 'subdomain', nowMs: number): void {
      const { isAllowed, retryMs } = limiter.take(orgId, nowMs)
      if (isAllowed) return
      const { quota, windowSeconds } = limits.pageAddressChanges
      const hours = windowSeconds / 3_600
      const rule = `is an address too many: an organization may change addresses of status pages ${quota} times in ${hours} hours`
      const { message, headers } = rateLimited(
        retryMs,
        (seconds) => `${field} ${rule}; try again in ${seconds} s.`,
      )
      const errors = [{ pointer: `/${field}`, keyword: 'rate', message: rule }]
      throw new Fault('rate_limited', message, { errors, headers })
    },
  }
}
