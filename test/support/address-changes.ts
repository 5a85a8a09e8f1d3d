// How often addresses of status pages may change: as in the daemon, or as a test says.
import { createLimiter, type RatePolicy } from '../../src/base/limiter.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createAddressChanges } from '../../src/services/pages/address-changes.ts'

export const openAddressChanges = (policy: RatePolicy = limits.pageAddressChanges) =>
  createAddressChanges(createLimiter(policy, 100))
