// What a leader answers to its standbys.
import type { RoleAnswer } from '../../domain/standby/protocol.ts'
import type { Store } from '../../store/store.ts'
import type { Followers } from './followers.ts'
import type { Snapshots } from './snapshots.ts'

export interface StandbyLinkDeps {
  readonly store: Pick<Store, 'logPosition' | 'leadership' | 'write'>
  /** Undefined: a cluster has its own log, and nobody asks for records here. */
  readonly followers: Followers | undefined
  readonly snapshots: Snapshots
  /** Whether this is what a standby authenticates with. */
  readonly isSecret: (text: string) => boolean
  /** Another machine leads with a higher epoch: this one must end. */
  readonly onDeposed: (url: string | null) => void
}

export type StandbyLink = ReturnType<typeof createStandbyLink>

export function createStandbyLink(deps: StandbyLinkDeps) {
  const { store, followers, snapshots, isSecret, onDeposed } = deps
  function role(): RoleAnswer {
    const { epoch = 0, origin = '' } = store.logPosition() ?? {}
    return { role: 'leader', epoch, origin }
  }

  return {
    isSecret,
    role,
    records: followers?.records,
    snapshot: snapshots.state,
    piece: snapshots.piece,

    /** A machine says that it leads. If its epoch is higher, this one never leads again as it is. */
    async heardOf(epoch: number, url: string | null): Promise<RoleAnswer> {
      const own = role()
      if (epoch <= own.epoch) return own
      await store.write((tx) => store.leadership.put(tx, { role: 'deposed', url, epoch }))
      onDeposed(url)
      return { ...own, role: 'standby' }
    },

    stop(): void {
      followers?.stop()
      snapshots.stop()
    },
  }
}
