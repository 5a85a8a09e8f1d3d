// The engine and the server of the probes' protocol in a process of its own: what a result costs that a
// remote probe sends, beside the same result of a check that was made here.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startClock } from '../../../src/base/clock.ts'
import { type LocationId, type MonitorId, newId, type OrgId } from '../../../src/base/ids.ts'
import { createLog } from '../../../src/base/log/log.ts'
import { createMetrics } from '../../../src/base/metrics.ts'
import { createStack } from '../../../src/base/stack.ts'
import { createLive } from '../../../src/config/live.ts'
import { loadSettings, problemLine } from '../../../src/config/load.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { probeProtocol } from '../../../src/domain/locations/protocol.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { probeRoutes } from '../../../src/http/api/probe/probe.ts'
import { startHttp } from '../../../src/http/start.ts'
import { createBox } from '../../../src/seal/box.ts'
import { createAlertLinks } from '../../../src/seal/id-token.ts'
import { deriveKey, openKeyring } from '../../../src/seal/keyring.ts'
import { probeSecrets } from '../../../src/seal/probe-token.ts'
import { createSessionSeal } from '../../../src/seal/session.ts'
import { createSubscriptionLinks } from '../../../src/seal/subscription-link.ts'
import { createUnsubscribeLinks } from '../../../src/seal/unsubscribe-link.ts'
import { startEngine } from '../../../src/services/assembly/engine.ts'
import { startLocations } from '../../../src/services/assembly/locations.ts'
import { startMail } from '../../../src/services/assembly/mail.ts'
import type { Services } from '../../../src/services/assembly/services.ts'
import { createAudit } from '../../../src/services/audit.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createIdentity } from '../../../src/services/identity.ts'
import { createEvents } from '../../../src/services/live-events/events.ts'
import { createQuotaChecks } from '../../../src/services/quotas.ts'
import { openStore } from '../../../src/store/store.ts'
import { callerOf } from '../../../test/support/access.ts'
import { makeOrg } from '../../../test/support/make-org.ts'
import { makeMonitor } from '../../../test/support/make-page.ts'
import { usualQuotas } from '../../../test/support/quotas.ts'

export interface ReadingsInput {
  readonly dataDir: string
  /** How many results come at once. */
  readonly batch: number
  /** How many monitors are checked here, and as many from a location. */
  readonly monitors: number
  readonly probes: number
}

/** What whoever plays the probes needs. */
export interface ReadingsReady {
  readonly port: number
  readonly protocol: number
  /** What each of the probes authenticates with. */
  readonly bearers: readonly string[]
  /** The monitors of the location. */
  readonly ids: readonly MonitorId[]
  readonly revision: number
  /** What each check finds. */
  readonly finding: typeof usualFinding
}

/** What the parent asks for: readings without a probe, batch by batch, or the processor time until now. */
export type ReadingsAsk =
  | { readonly kind: 'home' | 'placed'; readonly from: number; readonly batches: number }
  | { readonly kind: 'spent' }

export interface ReadingsSpent {
  readonly microseconds: number
}

const usualFinding = {
  durationMs: 83,
  result: 'good',
  status: 200,
  phases: { dns: 2, connect: 11, tls: 25, firstByte: 44, download: 1 },
  address: '192.0.2.80',
  certificate: {
    expiresAtMs: Date.UTC(2040, 0),
    issuer: 'Bench authority',
    fingerprint: 'a0'.repeat(32),
  },
} as const

const perTransaction = 1_000
const intervalSeconds = 20

function fail(error: unknown): never {
  throw error
}

async function start({ dataDir, batch, monitors: count, probes }: ReadingsInput) {
  const clock = startClock()
  const log = createLog({ level: 'warn', format: 'json', write: (line) => console.error(line) })
  const loaded = loadSettings({
    env: {
      STILLUP_DATA_DIR: dataDir,
      STILLUP_OBSERVER_SENTINELS: 'off',
      STILLUP_DATA_COMMIT_DELAY_MS: '5',
    },
    cwd: dataDir,
    isTerminal: false,
  })
  if ('problems' in loaded) throw new Error(loaded.problems.map(problemLine).join('\n'))
  const { settings } = loaded
  const store = openStore({
    ...{ dir: dataDir, clock, commitDelayMs: settings.data.commitDelayMs },
    ...{ onFatal: fail, onError: fail },
  })
  const keyring = openKeyring({
    file: join(dataDir, 'master.key'),
    create: true,
    random: randomBytes,
  })
  const box = createBox(keyring)
  const live = createLive(settings)
  const metrics = createMetrics()
  const baseUrl = 'https://up.test'
  const audit = createAudit({ store, clock })
  const quotas = createQuotaChecks({ store, usual: () => usualQuotas })
  const unsubscribeLinks = createUnsubscribeLinks(deriveKey(keyring, 'unsubscribe links'))
  const shared = { store, clock, log, box, baseUrl, settings, live, metrics, unsubscribeLinks }
  const mail = startMail(shared)
  const identity = createIdentity({
    store,
    sessionSeal: createSessionSeal(deriveKey(keyring, 'sessions')),
  })
  const deps = {
    ...{ ...shared, audit, quotas, mailer: mail.mailer, mail, version: '1.0.0' },
    listen: settings.http.listen,
    alertLinks: createAlertLinks(deriveKey(keyring, 'alert links')),
    subscriptionLinks: createSubscriptionLinks(deriveKey(keyring, 'subscriptions')),
    stack: createStack({ clock, log }),
    events: createEvents({ clock, identity }),
  }
  const engine = startEngine(deps)
  const { locations, probeLink } = startLocations({ ...deps, engine })

  const orgId: OrgId = makeOrg().id
  await store.write((tx) => store.orgs.put(tx, makeOrg()))
  const scope: OrgScope = { caller: callerOf(), orgId, role: 'owner' }
  const { id: locationId } = await locations.create(scope, { name: 'Elsewhere' })
  const bearers: string[] = []
  for (let number = 0; number < probes; number += 1) {
    const made = await locations.probes.create(scope, locationId, { name: `${number}` })
    bearers.push(probeSecrets(made.token).auth)
  }
  const here = await added([])
  const placed = await added([locationId])
  for (const monitor of placed) engine.fleet.start(monitor, 'start')

  /** As monitors that were there before. */
  async function added(places: readonly LocationId[]): Promise<readonly Monitor[]> {
    const nowMs = clock.nowMs()
    const made = Array.from({ length: count }, () =>
      makeMonitor({
        ...{ id: newId('monitor', nowMs), orgId, locations: places, intervalSeconds },
        ...{ createdAtMs: nowMs, updatedAtMs: nowMs },
      }),
    )
    for (let from = 0; from < count; from += perTransaction) {
      await store.write((tx) => {
        for (const monitor of made.slice(from, from + perTransaction)) {
          store.monitors.put(tx, monitor)
          store.monitorStates.put(tx, orgId, monitor.id, initialMonitorState(nowMs))
        }
      })
    }
    return made
  }

  const http = await startHttp({
    settings: {
      ...{ host: '127.0.0.1', port: 0, baseUrl, isBaseGuessed: false, version: '1.0.0' },
      ...{ connectionsMax: limits.connectionsMax, trustedProxies: [], systemToken: undefined },
      rates: { api: null, auth: null, push: null, page: null },
    },
    ...{ routes: [], innerRoutes: probeRoutes, rawRoutes: [], clock, log, metrics },
    site: { routes: [], isOwnHost: () => true, isPageHost: () => false, elsewhere: fail },
    services: servicesFor({ probeLink, identity, baseUrl }),
    mayHaveCertificate: () => false,
    ...{ isReady: () => true, hasRoom: () => true },
    cursorKey: deriveKey(keyring, 'cursors'),
  })

  /** A batch of what a probe would send, without one. */
  async function commit(kind: 'home' | 'placed', from: number): Promise<void> {
    const nowMs = clock.nowMs()
    const readingOf = (): Reading => ({ atMs: nowMs, ...usualFinding })
    const slot = { dueAtMs: nowMs, try: 0 }
    const some = (kind === 'home' ? here : placed).slice(from, from + batch)
    await Promise.all(
      some.map((monitor) => {
        const reading = readingOf()
        return kind === 'home'
          ? engine.commit.reading(monitor, reading, { steady: 'up' })
          : engine.commit.placed(monitor, locationId, [{ reading, slot }])
      }),
    )
  }

  process.on('message', async (ask: ReadingsAsk) => {
    if (ask.kind !== 'spent') {
      for (let at = 0; at < ask.batches; at += 1) await commit(ask.kind, ask.from + at * batch)
    }
    const { user, system } = process.cpuUsage()
    const spent: ReadingsSpent = { microseconds: user + system }
    process.send?.(spent)
  })
  const ready: ReadingsReady = {
    ...{ port: http.port, protocol: probeProtocol, bearers },
    ...{ ids: placed.map(({ id }) => id), revision: placed[0]?.revision ?? 1 },
    finding: usualFinding,
  }
  process.send?.(ready)
}

/** The services that the routes of probes and the server itself ask. */
function servicesFor(some: Pick<Services, 'probeLink' | 'identity' | 'baseUrl'>): Services {
  return some as Services
}

process.once('disconnect', () => process.exit())
await start(JSON.parse(process.argv[2] ?? '{}') as ReadingsInput)
