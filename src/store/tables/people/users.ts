// Users by [user], the hash of the e-mail address that leads to one, and who runs the installation.
import { hash } from 'node:crypto'
import type { UserId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { normalizedEmail, type User } from '../../../domain/people/person.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type UsersTable = ReturnType<typeof openUsers>

export function openUsers(env: Env, { accessLost }: Signals) {
  const users = openTable<User>(env, { name: 'users', version: 1 })
  const byEmail = openTable<{ readonly userId: UserId }>(env, { name: 'userEmails', version: 1 })
  const admins = openTable<1>(env, { name: 'systemAdmins', version: 1 })
  const emailKey = (email: string) => [hash('sha256', normalizedEmail(email), 'base64url')]

  return {
    get: (userId: UserId) => users.get([userId]),

    isEmpty: () => users.keys({ prefix: [], limit: 1 }).length === 0,

    /** How many there are, counted up to `limit`. */
    count: (limit: number) => users.count([], limit),

    isEmailTaken: (email: string) => byEmail.has(emailKey(email)),

    /** Whoever has this address, in whatever case it is written. */
    findByEmail(email: string): User | undefined {
      const found = byEmail.get(emailKey(email))
      return found && users.get([found.userId])
    },

    /** Newest first; `after` is the last id of the page before. */
    list: (limit: number, after?: UserId): User[] =>
      users.range({ prefix: [], reverse: true, limit, ...(after ? { after: [after] } : {}) }),

    /** Whether somebody administers the system and is not switched off. */
    hasAdmin: () => admins.keys({ prefix: [], limit: 1 }).length > 0,

    /** Whoever administers the system and is not switched off; of very many, some. */
    admins: (): User[] =>
      admins
        .keys({ prefix: [], limit: limits.adminsToldMax })
        .flatMap(([adminId = '']) => users.get([adminId]) ?? []),

    /** Whether somebody besides this user administers the system and is not switched off. */
    hasOtherAdmin: (userId: UserId) =>
      admins.keys({ prefix: [], limit: 2 }).some(([adminId]) => adminId !== userId),

    /** Writes the record and keeps both look-ups in step with it. */
    put(tx: Tx, user: User): void {
      const before = users.get([user.id])
      if (before) byEmail.remove(tx, emailKey(before.email))
      byEmail.put(tx, emailKey(user.email), { userId: user.id })
      if (user.isSystemAdmin && !user.isDisabled) admins.put(tx, [user.id], 1)
      else admins.remove(tx, [user.id])
      users.put(tx, [user.id], user)
      if (user.isDisabled) accessLost.raise(tx)
    },

    remove(tx: Tx, { id, email }: User): void {
      if (byEmail.get(emailKey(email))?.userId === id) byEmail.remove(tx, emailKey(email))
      admins.remove(tx, [id])
      users.remove(tx, [id])
      accessLost.raise(tx)
    },
  }
}
