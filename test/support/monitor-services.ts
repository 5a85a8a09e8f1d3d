// The services of monitors, results and incidents, over an engine whose targets a test scripts.
import type { Test } from 'tap'
import { createJanitor } from '../../src/actors/tasks/janitor.ts'
import { Fault } from '../../src/base/fault.ts'
import type { ChannelId, KeyId, OrgId } from '../../src/base/ids.ts'
import type { Role } from '../../src/domain/access.ts'
import { incidentEvent, type LiveEvent } from '../../src/domain/live-events/live-event.ts'
import type { Quotas } from '../../src/domain/orgs/org.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createReadings } from '../../src/services/checks/readings.ts'
import { createRunLimits } from '../../src/services/checks/run-limits.ts'
import type { OrgScope } from '../../src/services/context.ts'
import { createIncidents } from '../../src/services/incidents/incidents.ts'
import { createFailingFrom } from '../../src/services/monitors/failing-from.ts'
import { createMonitorBulk } from '../../src/services/monitors/monitor-bulk.ts'
import { createTrials } from '../../src/services/monitors/monitor-trial.ts'
import { createMonitors } from '../../src/services/monitors/monitors.ts'
import { createPingKeys } from '../../src/services/monitors/ping-keys.ts'
import { createPush } from '../../src/services/monitors/push.ts'
import { createRuns } from '../../src/services/monitors/runs.ts'
import { placeNames } from '../../src/store/place-names.ts'
import { callerOf } from './access.ts'
import { openCore } from './core.ts'
import { orgA } from './make-incident.ts'
import { orgTwo } from './make-page.ts'
import { noKeys } from './make-push.ts'
import { settled, startMonitorWorld, type WorldOptions } from './monitor-world.ts'
import { targetRules } from './target-rules.ts'

export interface ServicesOptions extends WorldOptions {
  readonly targets?: 'any' | 'public'
  /** The quotas that differ from the usual ones, and from 100 monitors. */
  readonly quotas?: Partial<Quotas>
  /** Whether checks by hand are limited, as they are by default. */
  readonly hasRunLimits?: boolean
}

/** Alice administers organization A, bob may look at it, charlie owns another one. */
export function startMonitorServices(t: Test, options: ServicesOptions = {}) {
  const world = startMonitorWorld(t, { inMemory: true, ...options })
  const core = openCore(t, { over: world, quotas: { monitors: 100, ...options.quotas } })
  const { store, clock, box } = core
  const { commit, fleet, enqueue } = world
  const guard = createGuard({ targets: options.targets ?? 'any' })
  const judgeTarget = targetRules(guard).judgeUrl
  const changedOrgs: OrgId[] = []
  const published: { orgId: OrgId; event: LiveEvent }[] = []
  const readings = createReadings(core, { found: world.found })
  const incidents = createIncidents(core, { enqueue, fleet })
  const { signals } = store
  signals.pagesChanged.listen((orgId) => changedOrgs.push(orgId))
  signals.incidentChanged.listen((change) =>
    published.push({ orgId: change.incident.orgId, event: incidentEvent(change) }),
  )
  const failingFrom = createFailingFrom(
    core,
    placeNames(store, () => null),
  )
  const approval = { isGiven: true }
  const common = {
    commit,
    fleet,
    incidents,
    readings,
    judgeTarget,
    unknownChannel(orgId: OrgId, channelIds: readonly ChannelId[]) {
      const index = channelIds.findIndex((id) => store.channels.get(orgId, id) === undefined)
      return index < 0 ? null : index
    },
    publish: (orgId: OrgId, event: LiveEvent) => void published.push({ orgId, event }),
    mustBeApproved() {
      if (!approval.isGiven) throw new Fault('kyc_required')
    },
    failingFrom,
    runLimits: createRunLimits({ clock, isOn: () => options.hasRunLimits ?? false }),
  }
  const pushUrl = (token: string) => `https://up.test/api/v1/push/${token}`
  const monitors = createMonitors(core, { ...common, pushUrl })
  const janitor = createJanitor({ store, clock })
  signals.tombstoneAdded.listen(() => void janitor.sweep())
  const monitorBulk = createMonitorBulk(core, common)
  const trials = createTrials(core, { ...common, looking: world.looking })
  const push = createPush(core, { commit, fleet, identity: noKeys })
  const pingKeys = createPingKeys(core, { ...common, mayCreate: () => true })
  const runs = createRuns(core)
  const scopeOf = (orgId: OrgId, role: Role): OrgScope => ({
    orgId,
    role,
    caller: callerOf({ kind: 'key', keyId: 'key_alice' as KeyId, orgId, role: 'admin' }),
  })
  return {
    ...world,
    world,
    core,
    box,
    readings,
    failingFrom,
    incidents,
    monitors,
    push,
    pingKeys,
    runs,
    changedOrgs,
    published,
    monitorBulk,
    trials,
    approval,
    janitor,
    /** The incidents of organization A, oldest first. */
    allIncidents: world.incidents,
    alice: scopeOf(orgA, 'admin'),
    bob: scopeOf(orgA, 'viewer'),
    charlie: scopeOf(orgTwo, 'owner'),
    /** The promise's value, once the store has written what it waits for. */
    done: <T>(promise: Promise<T>) => settled(store, promise),
  }
}

export type MonitorServices = ReturnType<typeof startMonitorServices>
