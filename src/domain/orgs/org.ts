// An organization: the tenant that owns monitors, channels, pages and keys.
import type { OrgId } from '../../base/ids.ts'
import type { QuotaNoun } from '../../base/nouns.ts'
import type { Language } from '../language.ts'

/** The maximum numbers of objects of an organization. */
export type Quotas = Readonly<Record<QuotaNoun, number>>

export interface Organization {
  readonly id: OrgId
  readonly name: string
  /** How its people read messages; absent: the default. */
  readonly language?: Language
  readonly timezone?: string
  /** The operator's values, which replace the default quotas. */
  readonly quotas?: Partial<Quotas>
  /** Switched off by the operator: nobody can access it, and nothing in it is checked. */
  readonly isDisabled?: boolean
  /** When it was switched off; since then its monitors received no reports. */
  readonly disabledAtMs?: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}
