// Sessions by [hash of the cookie's random part], and by [user, session] for lists and limits.
import type { SessionId, UserId } from '../../../base/ids.ts'
import type { Session } from '../../../domain/people/person.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface SessionOwner {
  readonly userId: UserId
  readonly sessionId: SessionId
}

export function openSessions(env: Env, { accessLost }: Signals) {
  const sessions = openTable<Session>(env, {
    name: 'sessions',
    version: 2,
    upgrade: (record) => upgraded(record as Session),
  })
  const byUser = openTable<{ readonly tokenHash: string }>(env, { name: 'userSessions' })
  const byFormer = openTable<SessionOwner>(env, { name: 'formerSessions' })

  // A damaged session is over: the person signs in again.
  function get(userId: UserId, sessionId: SessionId): Session | undefined {
    const found = byUser.readable([userId, sessionId])
    return found && sessions.readable([found.tokenHash])
  }

  function erase(tx: Tx, { userId, id, tokenHash, former }: Session): void {
    byUser.remove(tx, [userId, id])
    sessions.remove(tx, [tokenHash])
    if (former) byFormer.remove(tx, [former.tokenHash])
  }

  return {
    findByToken: (tokenHash: string) => sessions.readable([tokenHash]),

    /** The session that had this value before its current one. */
    findByFormer(tokenHash: string): Session | undefined {
      const owner = byFormer.readable([tokenHash])
      const session = owner && get(owner.userId, owner.sessionId)
      return session?.former?.tokenHash === tokenHash ? session : undefined
    },

    get,

    /** Oldest first. */
    listOfUser: (userId: UserId, limit: number): Session[] =>
      byUser
        .range({ prefix: [userId], limit })
        .flatMap(({ tokenHash }) => sessions.readable([tokenHash]) ?? []),

    /** Writes the session; look-ups by its earlier values are deleted. */
    put(tx: Tx, session: Session): void {
      const { userId, id, tokenHash, former } = session
      const before = get(userId, id)
      if (before) erase(tx, before)
      byUser.put(tx, [userId, id], { tokenHash })
      if (former) byFormer.put(tx, [former.tokenHash], { userId, sessionId: id })
      sessions.put(tx, [tokenHash], session)
    },

    remove(tx: Tx, session: Session): void {
      erase(tx, session)
      accessLost.raise(tx)
    },

    /** Deletes the sessions of a deleted user, also damaged ones. */
    forgetUser(tx: Tx, userId: UserId): void {
      for (const place of byUser.keys({ prefix: [userId], limit: Number.MAX_SAFE_INTEGER })) {
        const tokenHash = byUser.readable(place)?.tokenHash
        const session = tokenHash === undefined ? undefined : sessions.readable([tokenHash])
        if (session) erase(tx, session)
        else if (tokenHash !== undefined) sessions.remove(tx, [tokenHash])
        byUser.remove(tx, place)
      }
      accessLost.raise(tx)
    },

    /** The sessions in the order of their hashes; `after` is the last hash of the previous slice. */
    slice: (limit: number, after?: string): Session[] =>
      sessions.range({ prefix: [], limit, after }),
  }
}

/** Version 1 had a single value per session. */
function upgraded(session: Session): Session {
  return { ...session, mintedAtMs: session.createdAtMs, mustRenew: false, former: null }
}
