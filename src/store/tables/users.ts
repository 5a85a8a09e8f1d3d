// Users by [user], and the hash of the e-mail address that leads to one.
import { hash } from 'node:crypto'
import type { UserId } from '../../base/ids.ts'
import { normalizedEmail, type User } from '../../domain/person.ts'
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export type UsersTable = ReturnType<typeof openUsers>

export function openUsers(env: Env) {
  const users = openTable<User>(env, { name: 'users', version: 1 })
  const byEmail = openTable<{ readonly userId: UserId }>(env, { name: 'userEmails', version: 1 })
  const emailKey = (email: string) => [hash('sha256', normalizedEmail(email), 'base64url')]

  return {
    get: (userId: UserId) => users.get([userId]),

    isEmpty: () => users.keys({ prefix: [], limit: 1 }).length === 0,

    isEmailTaken: (email: string) => byEmail.has(emailKey(email)),

    /** Whoever has this address, in whatever case it is written. */
    findByEmail(email: string): User | undefined {
      const found = byEmail.get(emailKey(email))
      return found && users.get([found.userId])
    },

    /** Writes the record and keeps the address's look-up in step with it. */
    put(tx: Tx, user: User): void {
      const before = users.get([user.id])
      if (before) byEmail.remove(tx, emailKey(before.email))
      byEmail.put(tx, emailKey(user.email), { userId: user.id })
      users.put(tx, [user.id], user)
    },
  }
}
