// An organization: the tenant that owns monitors, channels, pages and keys.
import type { OrgId } from '../../base/ids.ts'
import type { QuotaNoun } from '../../base/nouns.ts'

/** How many of each an organization may have. */
export type Quotas = Readonly<Record<QuotaNoun, number>>

export interface Organization {
  readonly id: OrgId
  readonly name: string
  /** What the operator set in place of the usual quotas. */
  readonly quotas?: Partial<Quotas>
  /** Switched off by the operator: nobody reaches it, nothing of it is checked. */
  readonly isDisabled?: boolean
  /** Since when; nothing could be reported to its monitors meanwhile. */
  readonly disabledAtMs?: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}
