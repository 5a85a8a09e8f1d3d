// An organization: the tenant that owns monitors, channels, pages and keys.
import type { OrgId } from '../base/ids.ts'

export interface Organization {
  readonly id: OrgId
  readonly name: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}
