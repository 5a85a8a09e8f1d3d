// What every service verb is given: who asks, in which organization, and the world it works on.
import type { OrgId } from '../base/ids.ts'
import type { Principal, Role } from '../domain/access.ts'

/** Who asks, as the HTTP edge established it. */
export interface Caller {
  readonly principal: Principal
  readonly requestId: string
  /** The peer's address in one spelling, behind trusted proxies already resolved. */
  readonly address: string
  readonly userAgent: string
}

/** A person with a session. */
export type SignedInCaller = Caller & {
  readonly principal: Extract<Principal, { kind: 'session' }>
}

/** A caller inside one organization: made only by services/identity, after the membership was read. */
export interface OrgScope {
  readonly caller: Caller
  readonly orgId: OrgId
  readonly role: Role
}

/** One page of a list, newest first. */
export interface PageRequest {
  readonly limit: number
  /** The last id of the page before; already taken out of its signed cursor. */
  readonly after?: string
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  /** Present while there is more. */
  readonly nextAfter?: string
}
