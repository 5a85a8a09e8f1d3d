// Sessions: started at sign-in, listed and ended by the person, and renewed now and then.
import { Fault } from '../../base/fault.ts'
import { newId, type SessionId, type UserId } from '../../base/ids.ts'
import type { Principal } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isSessionAlive, type Session } from '../../domain/people/person.ts'
import type { SessionSeal } from '../../seal/session.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import {
  type Caller,
  type PageOf,
  type PageRequest,
  pageOf,
  type SignedInCaller,
} from '../context.ts'
import type { Core } from '../core.ts'
import { isValueOld, isValueUnused } from '../identity.ts'

export interface FreshSession {
  readonly session: Session
  readonly token: string
}

export interface SessionsDeps {
  readonly sessionSeal: SessionSeal
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ store, clock, audit }: Core, { sessionSeal }: SessionsDeps) {
  const allOf = (userId: UserId) => store.sessions.listOfUser(userId, listed)

  return {
    /** The caller's own, newest first. */
    list({ principal }: SignedInCaller, { limit, after }: PageRequest): PageOf<Session> {
      const nowMs = clock.nowMs()
      const alive = allOf(principal.userId).filter((session) => isSessionAlive(session, nowMs))
      const rest = alive.toReversed().filter(({ id }) => after === undefined || id < after)
      return pageOf(rest, limit)
    },

    /** Ends a session, from the next request on. Throws not_found. */
    async end(caller: SignedInCaller, sessionId: SessionId): Promise<void> {
      await store.write((tx) => {
        const session = store.sessions.get(caller.principal.userId, sessionId)
        if (!session || !isSessionAlive(session, clock.nowMs())) {
          throw new Fault('not_found', 'You have no such session.')
        }
        store.sessions.remove(tx, session)
        audit.noteIn(tx, 'system', caller, { action: 'session.ended', objectId: sessionId })
      })
    },

    /**
     * The value that the caller used stays valid until a request comes with the new one: a program
     * that takes no cookies keeps the value of its sign-in. Undefined if another request was first.
     */
    renew({
      userId,
      sessionId,
      usesFormer,
    }: Extract<Principal, { kind: 'session' }>): Promise<string | undefined> {
      return store.write((tx) => {
        const nowMs = clock.nowMs()
        const session = store.sessions.get(userId, sessionId)
        if (!session || !isValueOld(session, nowMs)) return undefined
        if (usesFormer && !isValueUnused(session, nowMs)) return undefined
        const { token, tokenHash } = sessionSeal.mint()
        const former = usesFormer
          ? session.former
          : { tokenHash: session.tokenHash, untilMs: session.expiresAtMs }
        const value = { tokenHash, former, mintedAtMs: nowMs, mustRenew: false }
        store.sessions.put(tx, { ...session, ...value })
        return token
      })
    },

    /** The person's rights changed: each session gets a new value at its next request. */
    rotateSoon(tx: Tx, userId: UserId): void {
      for (const session of allOf(userId)) {
        store.sessions.put(tx, { ...session, mustRenew: true })
      }
    },

    /**
     * The sign-in counts from now; the old value stops working at once. Throws unauthenticated if
     * the session is gone.
     */
    freshen(tx: Tx, { principal }: SignedInCaller): FreshSession {
      const nowMs = clock.nowMs()
      const before = store.sessions.get(principal.userId, principal.sessionId)
      if (!before || !isSessionAlive(before, nowMs)) throw new Fault('unauthenticated')
      const { token, tokenHash } = sessionSeal.mint()
      const session: Session = {
        ...before,
        tokenHash,
        former: null,
        mustRenew: false,
        mintedAtMs: nowMs,
        authenticatedAtMs: nowMs,
        lastSeenAtMs: nowMs,
      }
      store.sessions.put(tx, session)
      return { session, token }
    },

    endAll(tx: Tx, userId: UserId, except?: SessionId): void {
      for (const session of allOf(userId)) {
        if (session.id !== except) store.sessions.remove(tx, session)
      }
    },
  }
}

const sessionsPerUserMax = 20

// Includes expired ones, which are deleted only when somebody lists them.
const listed = 2 * sessionsPerUserMax

export interface SessionStart {
  readonly userId: UserId
  /** The hash from the session seal; the token itself goes only to the caller. */
  readonly tokenHash: string
  readonly caller: Caller
  readonly nowMs: number
}

/** Writes a new session and deletes the user's expired ones, then the oldest beyond the limit. */
export function startSession(store: Store, tx: Tx, start: SessionStart): Session {
  const { userId, tokenHash, caller, nowMs } = start
  const kept = store.sessions.listOfUser(userId, listed)
  const dead = kept.filter((session) => !isSessionAlive(session, nowMs))
  const alive = kept.filter((session) => isSessionAlive(session, nowMs))
  const surplus = alive.slice(0, Math.max(0, alive.length + 1 - sessionsPerUserMax))
  for (const session of [...dead, ...surplus]) store.sessions.remove(tx, session)

  const session: Session = {
    id: newId('session', nowMs),
    userId,
    tokenHash,
    mintedAtMs: nowMs,
    mustRenew: false,
    former: null,
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
