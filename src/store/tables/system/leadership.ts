// leadership: ['role'] → what this copy of the data is to another machine's, if there is one.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export const leadershipName = 'leadership'
/** The key of its only record. */
export const leadershipRole = 'role'

export interface Leadership {
  /**
   * `leader`: it was a standby, and was promoted. `standby`: it follows. `deposed`: it led, until a
   * standby was promoted elsewhere; it must not lead again as it is. `founder`: the log of a cluster begins
   * with it. `member`: it is in the log of a cluster.
   */
  readonly role: 'leader' | 'standby' | 'deposed' | 'founder' | 'member'
  /** The other machine's address; null if it is not known. */
  readonly url: string | null
  /** How often the leader has changed, as far as this machine knows. */
  readonly epoch: number
}

export function openLeadership(env: Env) {
  const roles = openTable<Leadership>(env, { name: leadershipName, isLocal: true })
  const key = [leadershipRole]
  return {
    /** Undefined: there has been no other machine. */
    get: () => roles.get(key),
    put: (tx: Tx, leadership: Leadership) => roles.put(tx, key, leadership),
  }
}
