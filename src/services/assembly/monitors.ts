// Wires operations on monitors: single, bulk, and trials.

import type { Channels } from '../alerts/channels.ts'
import { createRunLimits } from '../checks/run-limits.ts'
import { createSimulations } from '../checks/simulations.ts'
import { createMonitorBulk } from '../monitors/monitor-bulk.ts'
import { createMonitorOverviews } from '../monitors/monitor-overviews.ts'
import { createTrials } from '../monitors/monitor-trial.ts'
import { createMonitors, type MonitorsDeps } from '../monitors/monitors.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface MonitoringDeps
  extends EngineDeps,
    Pick<MonitorsDeps, 'incidents' | 'readings' | 'mustBeApproved'> {
  readonly engine: Engine
  readonly channels: Channels
}

export function createMonitoring(deps: MonitoringDeps) {
  const { live, baseUrl, clock, engine, channels } = deps
  const { fleet, looking, judgeTarget } = engine
  const isOn = () => live.now().http.rateApiPerMinute > 0
  const all = {
    ...deps,
    fleet,
    judgeTarget,
    unknownChannel: channels.channelIdsProblem,
    publish: deps.events.publish,
    runLimits: createRunLimits({ clock, isOn }),
  }
  return {
    monitors: createMonitors({ ...all, pushUrl: (token) => `${baseUrl}/api/v1/push/${token}` }),
    monitorOverviews: createMonitorOverviews(deps),
    monitorBulk: createMonitorBulk(all),
    trials: createTrials({ ...all, looking }),
    simulations: createSimulations(deps.core, { isLimited: isOn }),
  }
}
