// Users by [user], with look-ups by e-mail address (hashed) and of system administrators.
import { hash } from 'node:crypto'
import type { UserId } from '../../../base/ids.ts'
import { normalizedEmail, type User } from '../../../domain/people/person.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

const adminsToldMax = 20

export function openUsers(env: Env, { accessLost }: Signals) {
  const users = openTable<User>(env, { name: 'users' })
  const byEmail = openTable<{ readonly userId: UserId }>(env, { name: 'userEmails' })
  const admins = openTable<1>(env, { name: 'systemAdmins' })
  const emailKey = (email: string) => [hash('sha256', normalizedEmail(email), 'base64url')]

  return {
    get: (userId: UserId) => users.recall([userId]),

    readable: (userId: UserId) => users.recallReadable([userId]),

    isDamaged: (userId: UserId) => users.isDamaged([userId]),

    isEmpty: () => users.keys({ prefix: [], limit: 1 }).length === 0,

    /** The number, counted up to `limit`. */
    count: (limit: number) => users.count([], limit),

    isEmailTaken: (email: string) => byEmail.has(emailKey(email)),

    /** The user with this address, in any case. */
    findByEmail(email: string): User | undefined {
      const found = byEmail.get(emailKey(email))
      return found && users.get([found.userId])
    },

    /** Whom the address leads to: undefined if there is nobody, or a record on the way is damaged. */
    readableByEmail(email: string): User | undefined {
      const found = byEmail.readable(emailKey(email))
      return found && users.recallReadable([found.userId])
    },

    /** Whether it cannot be known whom the address leads to. */
    isEmailDamaged: (email: string) => byEmail.isDamaged(emailKey(email)),

    /** Newest first; `after` is the last id of the previous page. */
    list: (limit: number, after?: UserId): User[] =>
      users.range({ prefix: [], reverse: true, limit, after }),

    /** Whether there is a system administrator who is not switched off. */
    hasAdmin: () => admins.keys({ prefix: [], limit: 1 }).length > 0,

    /** System administrators who are not switched off; at most a bounded number. */
    admins: (): User[] =>
      admins
        .keys({ prefix: [], limit: adminsToldMax })
        .flatMap(([adminId = '']) => users.readable([adminId]) ?? []),

    /** Whether there is another system administrator who is not switched off. */
    hasOtherAdmin: (userId: UserId) =>
      admins.keys({ prefix: [], limit: 2 }).some(([adminId]) => adminId !== userId),

    /** Writes the record and updates both look-ups. */
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
      const place = emailKey(email)
      const isOwn = byEmail.readable(place)?.userId === id || byEmail.isDamaged(place)
      if (isOwn) byEmail.remove(tx, place)
      admins.remove(tx, [id])
      users.remove(tx, [id])
      accessLost.raise(tx)
    },
  }
}
