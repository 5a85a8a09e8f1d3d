// A probe of all kinds as tests open it: in this thread, or with CHECK_THREADS=1 in one of its own. So the
// same tests hold for both (test/probes/pool/again.test.ts).
import type { Test } from 'tap'
import { type Clock, startClock } from '../../src/base/clock.ts'
import type { CheckType } from '../../src/domain/checks/check-type.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard, type TargetPolicyRules } from '../../src/net/egress-policy.ts'
import { type Checks, createChecks } from '../../src/probes/checks.ts'
import { createPool, type Pool } from '../../src/probes/pool/pool.ts'
import { createProbes } from '../../src/probes/registry.ts'
import type { Probe } from '../../src/probes/run/probe-run.ts'
import { makeTarget } from './make-target.ts'
import { startTickingClock } from './ticking-clock.ts'

const isInThreads = process.env.CHECK_THREADS === '1'

/** The clock of such checks. */
export function openClock(t: Pick<Test, 'teardown'>): Clock {
  if (!isInThreads) return startTickingClock(t)
  const clock = startClock()
  t.teardown(() => clock.stop())
  return clock
}

export interface OpenedWith extends Partial<TargetPolicyRules> {
  /** The kind of all its checks. */
  readonly checkType?: CheckType
  readonly nameServers?: readonly string[]
  /** Authorities that are trusted. */
  readonly ca?: readonly string[]
  readonly hidesPrivate?: boolean
}

/** `clock` is that of checks in this thread; another thread has its own. */
export function openProbe(
  t: Pick<Test, 'before' | 'teardown'>,
  clock: Clock,
  { checkType, nameServers = [], ca, hidesPrivate = false, ...rules }: OpenedWith = {},
): Probe {
  const targets = { targets: 'any', ...rules } as const
  const guard = createGuard(targets)
  const resolver = createResolver({ clock, servers: nameServers })
  const shared = { clock, hidesPrivate: () => hidesPrivate }
  const probes = createProbes({ ...shared, guard, resolver, ...(ca ? { ca } : {}) })
  const kind = checkType === undefined ? {} : { checkType }
  if (!isInThreads) return (target, context) => probes.probe({ ...target, ...kind }, context)
  const threads = threadOf(
    t,
    { ca, hidesPrivate, nameServers, targets },
    createChecks(probes, clock),
  )
  return async (target, context) => {
    const { signal = new AbortController().signal, keepsAnswer = false } = context
    // Another thread has no simulated time.
    if (context.clock !== clock) return probes.probe({ ...target, ...kind }, context)
    return (await threads.check({ ...target, ...kind }, { signal, keepsAnswer })).reading
  }
}

interface ThreadWants {
  readonly ca: readonly string[] | undefined
  readonly hidesPrivate: boolean
  readonly nameServers: readonly string[]
  readonly targets: TargetPolicyRules
}

const pools = new Map<string, Pool>()

/** A thread for the same wants is started once in a file, before the next test. */
function threadOf(t: Pick<Test, 'before' | 'teardown'>, wants: ThreadWants, local: Checks): Pool {
  const key = JSON.stringify(wants)
  const known = pools.get(key)
  if (known !== undefined) return known
  const { ca, hidesPrivate, nameServers, targets } = wants
  const clock = startClock()
  const rules = { targets, ownListeners: [], nameServers, addedCa: undefined }
  const pool = createPool({
    clock,
    local,
    hidesPrivate: () => hidesPrivate,
    threadsWanted: () => 1,
    start: { ca, refreshesRegistries: false, pastMs: undefined },
    rules: () => rules,
    clockWatch: { doubted() {}, confirmed() {} },
    onBug() {},
    onDeath(error) {
      throw error
    },
  })
  pools.set(key, pool)
  const { signal } = new AbortController()
  t.before(() => pool.check(makeTarget({ url: 'no url' }), { signal, keepsAnswer: false }))
  t.teardown(async () => {
    pools.delete(key)
    await pool.stop()
    clock.stop()
  })
  return pool
}
