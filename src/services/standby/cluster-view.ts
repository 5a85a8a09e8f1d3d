// The machines of a cluster: this one, which leads, and the standbys that follow it over HTTPS.
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import {
  type ClusterMachine,
  type ClusterView,
  clusterRoles,
} from '../../domain/standby/members.ts'
import type { Store } from '../../store/store.ts'
import type { Followers } from './followers.ts'

export interface ClusterViewDeps {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly metrics: Metrics
  readonly store: Pick<Store, 'logPosition'>
  /** Undefined: the daemon is alone. */
  readonly followers: Pick<Followers, 'list' | 'newest'> | undefined
  /** What this machine is called. */
  readonly name: string
  readonly version: string
}

/** Returns a reader of the view, which is null where the daemon is alone. */
export function createClusterView(deps: ClusterViewDeps): () => ClusterView | null {
  const { clock, metrics, store, followers, name, version } = deps
  if (!followers) return () => null

  function members(): ClusterMachine[] {
    const newest = followers?.newest() ?? 0
    const standbys = followers?.list() ?? []
    return [
      {
        ...{ name, version, role: 'leader', isThis: true },
        address: null,
        heardAtMs: clock.nowMs(),
        behind: 0,
        isInStep: true,
        behindSinceMs: null,
      },
      ...standbys.map(
        ({ member, reached, ...more }): ClusterMachine => ({
          ...more,
          name: member,
          role: 'standby',
          behind: Math.max(0, newest - reached),
          isThis: false,
        }),
      ),
    ]
  }

  metrics.gauge(
    {
      name: 'cluster_role',
      help: '1 for the role that this machine has in its cluster, 0 for others.',
      labels: ['role'],
    },
    (gauge) => {
      const own = members().find(({ isThis }) => isThis)
      for (const role of clusterRoles) gauge.set({ role }, own?.role === role ? 1 : 0)
    },
  )
  const states = ['in_step', 'behind'] as const
  metrics.gauge(
    {
      name: 'cluster_standbys',
      help: 'Standbys: those in step would lead with whatever is acknowledged.',
      labels: ['state'],
    },
    (gauge) => {
      const standbys = members().filter(({ role }) => role === 'standby')
      for (const state of states) {
        const count = standbys.filter(({ isInStep }) => isInStep === (state === 'in_step')).length
        gauge.set({ state }, count)
      }
    },
  )
  return () => ({ epoch: store.logPosition()?.epoch ?? 0, members: members() })
}
