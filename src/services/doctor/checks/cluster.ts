// What `stillup cluster check` looks at, where this machine is a member of a cluster.
import { StartFailure } from '../../../base/exit.ts'
import { fine, problem, skipped } from '../model/finding.ts'
import type { DoctorCheck } from '../model/world.ts'

export const clusterCheck: DoctorCheck = {
  name: 'cluster',
  async run(world) {
    const { servers } = world.settings.cluster
    if (servers.length === 0) return [skipped('member', 'this machine is a member of no cluster')]
    try {
      const problems = await world.cluster()
      if (problems.length === 0) return [fine('streams', 'the cluster is as it must be')]
      return problems.map(({ seen, advice }) => problem('streams', seen, advice))
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error
      const advice = error.hint ?? 'See cluster.servers and cluster.nkeyFile.'
      return [problem('access', error.message, advice)]
    }
  },
}
