// The services of monitors, results and incidents, over an engine whose targets a test scripts.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { ChannelId, KeyId, OrgId } from '../../src/base/ids.ts'
import type { Role } from '../../src/domain/access.ts'
import type { LiveEvent } from '../../src/domain/live-event.ts'
import { createGuard } from '../../src/probes/guard.ts'
import { createBox } from '../../src/seal/box.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { createAudit } from '../../src/services/audit.ts'
import type { OrgScope } from '../../src/services/context.ts'
import { createIncidents } from '../../src/services/incidents.ts'
import { createMonitors } from '../../src/services/monitors.ts'
import { createPush } from '../../src/services/push.ts'
import { createReadings } from '../../src/services/readings.ts'
import { callerOf } from './access.ts'
import { orgA } from './make-incident.ts'
import { orgTwo } from './make-page.ts'
import { settled, startMonitorWorld, type WorldOptions } from './monitor-world.ts'
import { openQuotas } from './quotas.ts'

export interface ServicesOptions extends WorldOptions {
  readonly targets?: 'any' | 'public'
}

/** Alice administers organization A, bob may look at it, charlie owns another one. */
export function startMonitorServices(t: Test, options: ServicesOptions = {}) {
  const world = startMonitorWorld(t, { inMemory: true, ...options })
  const { store, clock, commit, fleet, enqueue } = world
  const keyFile = join(t.testdir(), 'key')
  const box = createBox(openKeyring({ file: keyFile, create: true, random: randomBytes }))
  const guard = createGuard({ targets: options.targets ?? 'any' })
  const announced: ChannelId[] = []
  const changedOrgs: OrgId[] = []
  const published: { orgId: OrgId; event: LiveEvent }[] = []
  const readings = createReadings({ store, clock })
  const audit = createAudit({ store, clock })
  const incidents = createIncidents({
    ...{ store, clock, enqueue, audit },
    announce: (_, channelIds) => announced.push(...channelIds),
  })
  const monitors = createMonitors({
    ...{ store, clock, fleet, box, audit, incidents, readings, judgeUrl: guard.judgeUrl },
    quotas: openQuotas(store, { monitors: 100 }),
    unknownChannel(orgId, channelIds) {
      const index = channelIds.findIndex((id) => store.channels.get(orgId, id) === undefined)
      return index < 0 ? null : index
    },
    pushUrl: (token) => `https://up.test/api/v1/push/${token}`,
    changed: (orgId) => changedOrgs.push(orgId),
    publish: (orgId, event) => published.push({ orgId, event }),
    mustBeApproved() {},
  })
  const push = createPush({ store, clock, commit, fleet })
  const scopeOf = (orgId: OrgId, role: Role): OrgScope => ({
    ...{ orgId, role },
    caller: callerOf({ kind: 'key', keyId: 'key_alice' as KeyId, orgId, role: 'admin' }),
  })
  return {
    ...world,
    ...{ world, box, readings, incidents, monitors, push, announced, changedOrgs, published },
    /** Of organization A, oldest first. */
    allIncidents: world.incidents,
    alice: scopeOf(orgA, 'admin'),
    bob: scopeOf(orgA, 'viewer'),
    charlie: scopeOf(orgTwo, 'owner'),
    /** The promise's value, once the store has written what it waits for. */
    done: <T>(promise: Promise<T>) => settled(store, promise),
  }
}

export type MonitorServices = ReturnType<typeof startMonitorServices>
