// Sensitive actions require a sign-in within the last minutes.
import { Fault } from '../base/fault.ts'
import type { Principal } from '../domain/access.ts'
import { limits } from '../domain/limits/limits.ts'

/** Throws reauthentication_required if the sign-in is too long ago. */
export function needRecentSignIn(principal: Principal, nowMs: number): void {
  if (principal.kind === 'system' || principal.kind === 'command_line') return
  const isRecent =
    principal.kind === 'session' && nowMs - principal.authenticatedAtMs <= limits.sudoMs
  if (isRecent) return
  throw new Fault('reauthentication_required', 'Confirm your password, then try again')
}
