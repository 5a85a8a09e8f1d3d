// Locks of status pages for tests: real ones, whose passwords cost little.
import type { Clock } from '../../src/base/clock.ts'
import { createLimiter } from '../../src/base/limiter.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { createPageKeys } from '../../src/seal/page-key.ts'
import { createPasswords } from '../../src/seal/passwords.ts'
import { createPageLocks } from '../../src/services/pages/page-locks.ts'

export function openPageLocks(clock: Pick<Clock, 'nowMs'>) {
  return createPageLocks({
    clock,
    passwords: createPasswords({ memoryKiB: 64, passes: 1, parallelism: 1 }),
    keys: createPageKeys(Buffer.alloc(32, 1)),
    limiter: (_name, policy) => createLimiter(policy, limits.rateKeysMax),
  })
}
