// Authorization: principals, roles and the one comparison between roles.
import type { KeyId, OrgId, SessionId, UserId } from '../base/ids.ts'

/** Lowest first. A role includes the rights of the roles before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** The roles an API key can have: never owner. */
export const keyRoles = ['viewer', 'member', 'admin'] as const
export type KeyRole = (typeof keyRoles)[number]

export type Principal =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'session'
      readonly userId: UserId
      readonly sessionId: SessionId
      readonly authenticatedAtMs: number
      readonly isSystemAdmin: boolean
      /** The session's value is too old: the response must carry a new one. */
      readonly mustRenew?: true
      /** It came with the value before the current one, which nobody has used yet. */
      readonly usesFormer?: true
    }
  | { readonly kind: 'key'; readonly keyId: KeyId; readonly orgId: OrgId; readonly role: KeyRole }
  /** With the token of the operator. */
  | { readonly kind: 'system' }
  /** On the machine itself, as root or as the user of the daemon. */
  | { readonly kind: 'command_line' }

/** The key for counting a principal's requests: its credential; undefined if there is none. */
export function credentialId(principal: Principal): string | undefined {
  if (principal.kind === 'key') return principal.keyId
  if (principal.kind === 'session') return principal.sessionId
  return principal.kind === 'system' ? 'system' : undefined
}

/** What an API key may do: its own role, at most that which its maker has now. */
export function keyRoleUnder(maker: Role, own: KeyRole): KeyRole {
  return keyRoles.find((role) => role === maker && !reaches(role, own)) ?? own
}

/** Whether a role includes the one that an operation requires. */
export function reaches(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
