// The input of every service: the caller, the organization, and shared types.
import type { OrgId } from '../base/ids.ts'
import type { Principal, Role } from '../domain/access.ts'
import type { Language } from '../texts/languages.ts'

export interface Caller {
  readonly principal: Principal
  readonly requestId: string
  /** The normalized address of the peer, after resolving trusted proxies. */
  readonly address: string
  readonly userAgent: string
  /** What the caller's browser asks for; the default of the service if it names none of ours. */
  readonly language: Language
}

export type SignedInCaller = Caller & {
  readonly principal: Extract<Principal, { kind: 'session' }>
}

/** Only services/identity creates it, after reading the membership. */
export interface OrgScope {
  readonly caller: Caller
  readonly orgId: OrgId
  readonly role: Role
}

/** One page of a list, newest first. */
export interface PageRequest {
  readonly limit: number
  /** The last id of the previous page, already extracted from its signed cursor. */
  readonly after?: string
}

/** The first `limit` of the items, where one more was read to see whether there is more. */
export function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): PageOf<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return found.length > limit && last ? { items, nextAfter: last.id } : { items }
}

export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly nextAfter?: string
}
