// Wires operations on monitors: single, bulk, and trials.

import type { Channels } from '../alerts/channels.ts'
import { createHistories } from '../checks/histories.ts'
import { createMonitorPlaces } from '../checks/monitor-places.ts'
import { createRunLimits } from '../checks/run-limits.ts'
import { createSimulations } from '../checks/simulations.ts'
import type { Core } from '../core.ts'
import { createMonitorBulk } from '../monitors/monitor-bulk.ts'
import { createMonitorMetrics } from '../monitors/monitor-metrics.ts'
import { createMonitorOverviews } from '../monitors/monitor-overviews.ts'
import { createTrials } from '../monitors/monitor-trial.ts'
import { createMonitors, type MonitorsDeps } from '../monitors/monitors.ts'
import { createPingKeys } from '../monitors/ping-keys.ts'
import { createPush, type PushDeps } from '../monitors/push.ts'
import { createResumptions } from '../monitors/resumptions.ts'
import { createRuns } from '../monitors/runs.ts'
import type { Engine } from './engine.ts'

export interface MonitoringDeps
  extends Pick<MonitorsDeps, 'incidents' | 'readings' | 'mustBeApproved' | 'publish'> {
  readonly engine: Pick<
    Engine,
    'fleet' | 'commit' | 'looking' | 'judgeTarget' | 'placeName' | 'failingFrom'
  >
  readonly channels: Pick<Channels, 'channelIdsProblem'>
  readonly identity: PushDeps['identity']
  /** Whether ping keys of Healthchecks make monitors. */
  readonly mayCreateByPingKey: () => boolean
  /** Whether the API's limits are on. */
  readonly isLimited: () => boolean
}

export function createMonitoring(core: Core, deps: MonitoringDeps) {
  const { engine, readings, isLimited } = deps
  const { fleet, commit, looking, judgeTarget, placeName, failingFrom } = engine
  const pushUrl = (token: string) => `${core.baseUrl}/api/v1/push/${token}`
  const unknownChannel = deps.channels.channelIdsProblem
  const runLimits = createRunLimits({ clock: core.clock, isOn: isLimited })
  const changing = { ...deps, commit, fleet, judgeTarget, unknownChannel, runLimits, failingFrom }
  return {
    monitors: createMonitors(core, { ...changing, pushUrl }),
    monitorOverviews: createMonitorOverviews(core, { readings, failingFrom }),
    monitorMetrics: createMonitorMetrics(core, { readings }),
    monitorBulk: createMonitorBulk(core, changing),
    trials: createTrials(core, { ...changing, looking }),
    simulations: createSimulations(core, { isLimited }),
    histories: createHistories(core),
    monitorPlaces: createMonitorPlaces(core, placeName),
    push: createPush(core, { commit, fleet, identity: deps.identity }),
    pingKeys: createPingKeys(core, { ...changing, mayCreate: deps.mayCreateByPingKey }),
    resumptions: createResumptions(core, changing),
    runs: createRuns(core),
  }
}
