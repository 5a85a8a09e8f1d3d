// A remote probe: checks what the daemon assigns to it, from where it stands, and sends what it found.
// It has no store, and nothing connects to it.
import { availableParallelism } from 'node:os'
import { getCACertificates } from 'node:tls'
import { startObserver, trustingObserver } from '../actors/observer.ts'
import type { RunningClock } from '../base/clock.ts'
import { createGate } from '../base/gate.ts'
import type { MonitorId } from '../base/ids.ts'
import type { Log } from '../base/log/log.ts'
import { giveMemoryBack } from '../base/memory/give-back.ts'
import { saveMemory } from '../base/memory/v8-flags.ts'
import { openFilesMax } from '../base/open-files.ts'
import { randomUnit } from '../base/random.ts'
import { isRecord } from '../base/schema/pick.ts'
import { createStack, type Stack } from '../base/stack.ts'
import type { Settings } from '../config/settings.ts'
import type { BrowserAction } from '../domain/browser/action.ts'
import { poolSize } from '../domain/checks/pool-size.ts'
import { type Reading, setAside } from '../domain/checks/reading.ts'
import { type Assignment, probeProtocol } from '../domain/locations/protocol.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { emptyRequest, type MonitorAuth } from '../domain/monitors/monitor-fields.ts'
import type { UsableSecret } from '../domain/secrets/org-secret.ts'
import type { Step } from '../domain/steps/step.ts'
import { checksBeside } from '../domain/system/file-shares.ts'
import { isPublicAddress } from '../net/address.ts'
import { createWire, type ProxySettings } from '../net/daemon-wire.ts'
import { createResolver, type Resolver } from '../net/dns/resolver.ts'
import { createGuard } from '../net/egress-policy.ts'
import { addedAuthorities } from '../net/http-client/authorities.ts'
import { machineRules } from '../net/machine-policy.ts'
import { createSentinels } from '../net/sentinels/sentinels.ts'
import { createChecks } from '../probes/checks.ts'
import { createPinger } from '../probes/ping/ping-command.ts'
import type { PoolRules } from '../probes/pool/messages.ts'
import { createPool } from '../probes/pool/pool.ts'
import { createProbes, probedKinds } from '../probes/registry.ts'
import type { Box } from '../seal/box.ts'
import { probeBox, probeSecrets } from '../seal/probe-token.ts'
import { type HealthPlace, probeHealth, startHealthServer } from '../uplink/health-server.ts'
import { createRounds } from '../uplink/rounds.ts'
import { startUplink } from '../uplink/uplink.ts'

export interface ProbeInputs {
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
  readonly settings: Pick<Settings, 'checks' | 'dns' | 'observer'>
  readonly token: string
  /** The addresses of the daemon, without a slash at the end. */
  readonly urls: readonly string[]
  readonly proxy: ProxySettings
  /** A file of authorities, besides Node's, that the daemon may be certified by. */
  readonly caFile: string | undefined
  /** Where it tells supervisors how it is; undefined: nowhere. */
  readonly health: HealthPlace | undefined
}

/** Domain registries count questions by who asks, so the daemon alone asks them. */
const kindsAtHome = ['domain']
const pingTrialMs = 2_000
/** Connections besides those of checks: to the daemon, and of supervisors. */
const connectionsMax = 10
const stopMs = 6_000
const startUnwindsMs = 5_000
const heapGivenBackBytesMax = 32 * 1024 * 1024

/** Starts it. Throws StartFailure if a file cannot be read, or the port for `health` is taken. */
export async function startProbe(inputs: ProbeInputs): Promise<{ stop(): Promise<unknown> }> {
  const stack = createStack(inputs)
  try {
    await start(inputs, stack)
  } catch (error) {
    await stack.stop()
    throw error
  }
  return stack
}

async function start(inputs: ProbeInputs, stack: Stack): Promise<void> {
  const { clock, log, version, settings, urls } = inputs
  const secrets = probeSecrets(inputs.token)
  const box = probeBox(secrets.sealKey)
  const resolver = createResolver({ clock, servers: settings.dns.servers })
  const checks = startChecks(inputs, stack, resolver, () => rounds.size())
  const observer = startObserving(inputs, stack, resolver, () => rounds)
  const { concurrency, perHost } = settings.checks
  const total = checksBeside(openFilesMax(), concurrency, connectionsMax)

  async function check(
    assignment: Assignment,
    signal: AbortSignal,
    mustCount: boolean,
  ): Promise<Reading> {
    const target = targetOf(box, assignment)
    if (!target) return unopened(clock.nowMs())
    const { reading, stalledMs } = await checks.check(target, { signal, keepsAnswer: false })
    if (stalledMs > 0 && !mustCount) return setAside(reading, stalledMs)
    return observer.believe(reading, { id: assignment.monitorId })
  }

  const rounds = createRounds({
    clock,
    nowMs: () => uplink.nowMs(),
    gate: createGate({ total, perKey: perHost }),
    hostOf: ({ checkType, url, connectTo }) => checks.hostOf(checkType, url, connectTo),
    check,
    hold: (made) => uplink.hold(made),
  })
  const kinds = await kindsHere(inputs)
  const added = inputs.caFile === undefined ? undefined : addedAuthorities(inputs.caFile, '--ca')
  const uplink = startUplink({
    clock,
    log,
    random: randomUnit,
    wire: createWire({
      auth: secrets.auth,
      agent: `stillup-probe/${version}`,
      proxy: inputs.proxy,
      ca: added && [...getCACertificates('default'), ...added],
    }),
    urls,
    hello: { protocol: probeProtocol, version, kinds },
    onPlan: rounds.apply,
    onTime: rounds.retime,
    onRefused: rounds.forget,
    load: rounds.load,
  })
  stack.push('uplink', uplink.stop, stopMs)
  stack.push('rounds', rounds.forget)
  if (inputs.health) {
    const server = await startHealthServer(inputs.health, probeHealth(uplink.isConnected))
    stack.push('health', server.stop)
  }
  saveMemory()
  const unwinding = clock.setTimeout(() => giveMemoryBack(heapGivenBackBytesMax), startUnwindsMs)
  stack.push('memory', () => clock.clearTimeout(unwinding))
}

/** Its own settings decide what it may reach: private addresses only where they allow it. */
function startChecks(
  { clock, log, settings, health }: ProbeInputs,
  stack: Stack,
  resolver: Resolver,
  monitors: () => number,
) {
  const { targets, allow, deniedPorts, caFile, workers } = settings.checks
  const ownListeners = health ? [{ address: health.host, port: health.port }] : []
  const addedCa = caFile === null ? undefined : addedAuthorities(caFile, 'checks.caFile')
  const rules: PoolRules = {
    targets: {
      targets: targets === 'any' ? 'any' : 'public',
      allow,
      deniedPorts,
      isProbe: true,
      machine: machineRules(settings.checks),
    },
    ownListeners,
    nameServers: settings.dns.servers,
    addedCa,
  }
  const stopping = new AbortController()
  stack.push('checks', () => stopping.abort())
  const hidesPrivate = () => settings.checks.keepPrivateAnswers !== 'always'
  const shared = {
    clock,
    clockWatch: {
      doubted: () => log.warn('the clock of this machine seems to be wrong'),
      confirmed() {},
    },
    hidesPrivate,
    onBug: (error: unknown) => log.error('a check failed because of a bug', { error }),
  }
  const probes = createProbes({
    ...shared,
    guard: createGuard({
      ...rules.targets,
      ownListeners: () => ownListeners,
      isShared: hidesPrivate,
    }),
    resolver,
    addedCa: () => addedCa,
    signal: stopping.signal,
  })
  const cores = availableParallelism()
  const pool = createPool({
    ...shared,
    local: createChecks(probes, clock),
    threadsWanted: () => poolSize(workers, cores, monitors()),
    start: { refreshesRegistries: false, pastMs: undefined },
    rules: () => rules,
    onDeath: (error, restartMs) =>
      log.error('a thread of checks ended: another one starts', { error, restartMs }),
  })
  stack.push('threads of checks', pool.stop)
  return pool
}

/** Notices when our own network fails, so that no target is blamed for it. */
function startObserving(
  { clock, log, settings }: ProbeInputs,
  stack: Stack,
  resolver: Resolver,
  rounds: () => ReturnType<typeof createRounds>,
) {
  const places = settings.observer.sentinels
  if (places.length === 0 || places.includes('off')) return trustingObserver
  const sentinels = createSentinels({
    ...{ clock, resolver, places, random: randomUnit, proven: [] },
    onProven() {},
  })
  const observer = startObserver({
    clock,
    log,
    look: sentinels.look,
    isPublic: isPublicAddress,
    isRunning: (monitorId) => rounds().isRunning(monitorId),
    isDown: ({ id }: { readonly id: MonitorId }) => rounds().isDown(id),
    onBack: (_episode, held) => rounds().checkSoon(held),
    onLong: () => log.error('the sentinels have been silent for an hour: are they the right ones?'),
  })
  stack.push('observer', () => {
    observer.stop()
    sentinels.stop()
  })
  return observer
}

async function kindsHere({ clock, log }: ProbeInputs): Promise<string[]> {
  const types = probedKinds.map(({ type }) => type).filter((type) => !kindsAtHome.includes(type))
  const trouble = await createPinger({ clock }).trouble(pingTrialMs)
  if (trouble === null) return types
  log.warn(`ping does not work here (${trouble}), so ping monitors are not checked from here`)
  return types.filter((type) => type !== 'ping')
}

/** With its request; undefined if that was sealed for another token. */
function targetOf(box: Box, assignment: Assignment): EndpointTarget | undefined {
  if (assignment.sealed === null) return { ...assignment, ...emptyRequest }
  const text = box.openOrUndefined(assignment.sealed)
  const opened: unknown = text === undefined ? undefined : JSON.parse(text)
  if (!isRecord(opened)) return undefined
  const { headers, auth, steps, variables, secrets, actions, ...texts } = opened
  return {
    ...assignment,
    ...emptyRequest,
    ...textsIn(texts),
    headers: isRecord(headers) ? textsIn(headers) : {},
    auth: isRecord(auth) ? (textsIn(auth) as unknown as MonitorAuth) : null,
    // Our own supervisor made and sealed them, of what it had judged.
    steps: Array.isArray(steps) ? (steps as readonly Step[]) : [],
    actions: Array.isArray(actions) ? (actions as readonly BrowserAction[]) : [],
    variables: isRecord(variables) ? textsIn(variables) : {},
    ...(isRecord(secrets) ? { secrets: secrets as Record<string, UsableSecret> } : {}),
  }
}

function textsIn(record: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(record).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string'
  })
  return Object.fromEntries(texts)
}

function unopened(atMs: number): Reading {
  const message = 'the headers and body of this monitor cannot be decrypted at this probe'
  return { atMs, durationMs: 0, result: 'unknown', error: { kind: 'blocked', message } }
}
