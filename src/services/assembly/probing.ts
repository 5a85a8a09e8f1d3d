// How the daemon checks targets and calls receivers: through one guard and one resolver, and in as many
// threads as there should be.
import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { createGate } from '../../base/gate.ts'
import type { LiveSettings } from '../../config/settings.ts'
import { poolSize } from '../../domain/checks/pool-size.ts'
import { createGuardedMailer } from '../../mail/single-letter.ts'
import type { ClockWatch } from '../../net/connection/clock-trust.ts'
import { createResolver, type Resolver } from '../../net/dns/resolver.ts'
import { createGuard } from '../../net/egress-policy.ts'
import { createEgress } from '../../net/http-client/guarded-client.ts'
import { machineRules } from '../../net/machine-policy.ts'
import { createChecks } from '../../probes/checks.ts'
import type { PoolRules } from '../../probes/pool/messages.ts'
import { createPool } from '../../probes/pool/pool.ts'
import { createProbes } from '../../probes/registry.ts'
import { createPrivateAnswers } from '../checks/private-answers.ts'
import { foreignAnswerBytesMax } from '../orgs/foreign-fetch.ts'
import { createAuthorities } from './authorities.ts'
import type { EngineDeps } from './engine-deps.ts'

/** `monitors`: how many are watched by now. */
export function createProbing(
  { settings, live, listen, clock, log, metrics, store, stack }: EngineDeps,
  clockWatch: ClockWatch,
  monitors: () => number,
) {
  const { tlsListen } = settings.http
  const ownListeners = [
    { address: listen.host, port: listen.port },
    ...(tlsListen ? [{ address: tlsListen.host ?? '::', port: tlsListen.port }] : []),
  ]
  const privateAnswers = createPrivateAnswers({ store, live })
  const hidesPrivate = () => privateAnswers.state() === 'not_kept'
  const guard = createGuard({
    ...targetRules(live.now()),
    ownListeners: () => ownListeners,
    isShared: hidesPrivate,
  })
  live.listen((now) => guard.setRules(targetRules(now)))
  const resolver = createLiveResolver({ clock, live })
  const authorities = createAuthorities({ live, log })
  const gate = createGate(boundsOf(live.now()))
  live.listen((now) => gate.setBounds(boundsOf(now)))
  const stopping = new AbortController()
  stack.push('probes', () => stopping.abort())
  const pastMs = store.meta.lastAliveMs()
  const { workers, refreshRegistries: refreshesRegistries } = settings.checks
  const shared = {
    clock,
    clockWatch,
    hidesPrivate,
    onBug: (error: unknown) => log.error('a check failed because of a bug', { error }),
  }
  const probes = createProbes({
    ...shared,
    guard,
    resolver,
    addedCa: authorities.ofChecks,
    refreshesRegistries,
    signal: stopping.signal,
    ...(pastMs === undefined ? {} : { pastMs }),
  })
  const rulesNow = (): PoolRules => {
    const now = live.now()
    const { servers: nameServers } = now.dns
    return { targets: targetRules(now), ownListeners, nameServers, addedCa: authorities.ofChecks() }
  }
  let rules = rulesNow()
  const cores = availableParallelism()
  const checks = createPool({
    ...shared,
    local: createChecks(probes, clock),
    threadsWanted: () => poolSize(workers, cores, monitors()),
    start: { refreshesRegistries, pastMs },
    rules: () => rules,
    onDeath: (error, restartMs) =>
      log.error('a thread of checks ended: another one starts', { error, restartMs }),
  })
  function changeRules(): void {
    const next = rulesNow()
    if (isDeepStrictEqual(rules, next)) return
    rules = next
    checks.tellRules()
  }
  live.listen(changeRules)
  stack.push('threads of checks', checks.stop)
  const help = 'Threads that make checks; 0: the main thread makes them.'
  metrics.gauge({ name: 'check_threads', help }, (gauge) => gauge.set(checks.threads()))
  return {
    guard,
    resolver,
    checks,
    gate,
    /** Reads the authorities that checks trust again. */
    readAuthorities(): void {
      authorities.read()
      changeRules()
    },
    /** The guarded HTTP client for messages. */
    request: createEgress({ clock, guard, resolver }),
    /** The same for whole answers of other products. */
    requestWhole: createEgress({ clock, guard, resolver }, { bodyBytesMax: foreignAnswerBytesMax }),
    sendThrough: createGuardedMailer({ clock, guard, resolver }),
  }
}

function targetRules({ auth, checks }: LiveSettings) {
  const { targets, allow, deniedPorts } = checks
  const chosen = auth.registration === 'open' ? 'public' : 'any'
  const machine = machineRules(checks)
  return { targets: targets === 'auto' ? chosen : targets, allow, deniedPorts, machine } as const
}

/** A resolver that asks the name servers of the present settings. */
export function createLiveResolver({ clock, live }: Pick<EngineDeps, 'clock' | 'live'>): Resolver {
  let { servers } = live.now().dns
  const resolver = createResolver({ clock, servers })
  live.listen(({ dns }) => {
    if (isDeepStrictEqual(dns.servers, servers)) return
    servers = dns.servers
    resolver.setServers(servers)
  })
  return resolver
}

/** The share of all slots reserved for organizations with less than it of the free ones. */
const gateKeptShare = 1 / 8

/** With slots reserved for organizations that have few checks in progress. */
function boundsOf({ checks: { concurrency, perHost } }: LiveSettings) {
  const places = Math.floor(concurrency * gateKeptShare)
  return { total: concurrency, perKey: perHost, kept: { places, share: gateKeptShare } }
}
