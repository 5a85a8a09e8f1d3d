// The name of a caller in the timeline of an incident.
import type { Principal } from '../../domain/access.ts'

/** An id, never a credential. */
export function actorName(principal: Principal): string {
  switch (principal.kind) {
    case 'session':
      return principal.userId
    case 'key':
      return principal.keyId
    default:
      return principal.kind
  }
}
