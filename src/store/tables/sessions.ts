// Sessions by [hash of the cookie's random part], and by [user, session] for lists and limits.
import type { SessionId, UserId } from '../../base/ids.ts'
import type { Session } from '../../domain/person.ts'
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export type SessionsTable = ReturnType<typeof openSessions>

export function openSessions(env: Env) {
  const sessions = openTable<Session>(env, { name: 'sessions', version: 1 })
  const byUser = openTable<{ readonly tokenHash: string }>(env, {
    name: 'userSessions',
    version: 1,
  })

  return {
    findByToken: (tokenHash: string) => sessions.get([tokenHash]),

    get(userId: UserId, sessionId: SessionId): Session | undefined {
      const found = byUser.get([userId, sessionId])
      return found && sessions.get([found.tokenHash])
    },

    /** Oldest first. */
    listOfUser: (userId: UserId, limit: number): Session[] =>
      byUser
        .range({ prefix: [userId], limit })
        .flatMap(({ tokenHash }) => sessions.get([tokenHash]) ?? []),

    put(tx: Tx, session: Session): void {
      byUser.put(tx, [session.userId, session.id], { tokenHash: session.tokenHash })
      sessions.put(tx, [session.tokenHash], session)
    },

    remove(tx: Tx, session: Session): void {
      byUser.remove(tx, [session.userId, session.id])
      sessions.remove(tx, [session.tokenHash])
    },
  }
}
