// What services have in common.
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import type { Box } from '../seal/box.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from './audit.ts'
import type { Mailer } from './mailer.ts'
import type { QuotaChecks } from './quotas.ts'

/**
 * The first argument of the makers of services. It stays as small as it is: what only some of them
 * need is a member of their `deps`.
 */
export interface Core {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly box: Box
  readonly audit: Audit
  readonly quotas: QuotaChecks
  readonly mailer: Mailer
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
}
