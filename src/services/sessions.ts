// Sessions: started at registration and sign-in, ended by the person or by the newest of too many.
import { newId, type UserId } from '../base/ids.ts'
import { limits } from '../domain/limits.ts'
import type { Session } from '../domain/person.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/write.ts'
import type { Caller } from './context.ts'
import { isAlive } from './identity.ts'

export interface SessionStart {
  readonly userId: UserId
  /** From the session seal; the token itself goes to the caller and nowhere else. */
  readonly tokenHash: string
  readonly caller: Caller
  readonly nowMs: number
}

/** Writes a new session and removes the user's dead ones, then the oldest beyond the limit. */
export function startSession(store: Store, tx: Tx, start: SessionStart): Session {
  const { userId, tokenHash, caller, nowMs } = start
  const kept = store.sessions.listOfUser(userId, 2 * limits.sessionsPerUserMax)
  const dead = kept.filter((session) => !isAlive(session, nowMs))
  const alive = kept.filter((session) => isAlive(session, nowMs))
  const surplus = alive.slice(0, Math.max(0, alive.length + 1 - limits.sessionsPerUserMax))
  for (const session of [...dead, ...surplus]) store.sessions.remove(tx, session)

  const session: Session = {
    id: newId('session', nowMs),
    userId,
    tokenHash,
    createdAtMs: nowMs,
    authenticatedAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + limits.sessionMsMax,
    address: caller.address,
    userAgent: caller.userAgent.slice(0, limits.userAgentCharsMax),
  }
  store.sessions.put(tx, session)
  return session
}
