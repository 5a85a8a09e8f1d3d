// A member of a cluster: follows the log until it may lead, then is the daemon.
//
// The lease elects, the log fences: a member that leads appends the mark of its epoch, and from then on every
// append of the one before it is refused. There is no way back within a process: a member that leads no more ends
// (75), and its supervisor starts it again as a standby.

import { StartFailure } from '../base/exit.ts'
import { createStack, type Stack } from '../base/stack.ts'
import { pause } from '../base/timeout.ts'
import { createLease, type Lease } from '../cluster/lease.ts'
import { createMemberList } from '../cluster/members.ts'
import { createStreamLog } from '../cluster/stream-log.ts'
import type { StartSettings } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { createWire, type ProxySettings } from '../net/daemon-wire.ts'
import { type Keyring, readKeyring } from '../seal/keyring.ts'
import { addressProof, createLogSeal, standbySecret } from '../seal/log-seal.ts'
import { beginAnew } from '../services/cluster/begin-anew.ts'
import {
  authorities,
  type ClusterAccess,
  connectMember,
  mustBeRight,
  replicasOf,
} from '../services/cluster/cluster-access.ts'
import { isPartOfLog } from '../services/cluster/followed-log.ts'
import { type MemberWatch, watchMembers } from '../services/cluster/member-watch.ts'
import { type MemberWord, seenMember } from '../services/cluster/member-word.ts'
import { nextTerm } from '../services/cluster/next-term.ts'
import { beginTerm, leadsNoMore, type Term } from '../services/cluster/term.ts'
import { openDataCopy } from '../services/standby/data-copy.ts'
import { lockDirectory } from '../store/lock.ts'
import { needSpace } from '../store/space.ts'
import { standbyHealth, startHealthServer } from '../uplink/health-server.ts'
import { type App, startApp } from './app.ts'
import { setAsideDamaged } from './restore-damaged.ts'
import type { StandbyInputs } from './standby.ts'

const lookEveryMs = 500
const listMsMax = 4_000
const aloneSettleMs = 1_000
const copyEveryMs = 1_000
/** The answer to a command goes out first. */
const answeredMs = 100

/**
 * Follows until it may lead, then starts the daemon. Throws StartFailure where only a person can help, and the
 * reason of `stopping`.
 */
export async function startMember(
  own: StartSettings,
  world: StandbyInputs,
  proxy: ProxySettings,
): Promise<App> {
  const { settings } = own
  const { dir, masterKeyFile } = settings.data
  const stack = createStack(world)
  try {
    await needSpace(dir)
    const lock = await lockDirectory(dir, world.version)
    stack.push('lock', () => lock.release())
    // From here on senders are told to come again, also while there is no answer from NATS.
    const health = await startHealthServer(settings.http.listen, standbyHealth)
    stack.push('health', () => health.stop())
    const access = await connectMember(settings, world)
    stack.push('cluster', () => access.jetstream.close())
    await mustBeRight(settings, access, world)
    const keyring = readKeyring(masterKeyFile)
    const { term, watch } = await followUntilLeading({
      ...{ settings, world, keyring, access, proxy, stack, health },
    })
    // A start that fails gives the lease back, too.
    stack.push('term', () => term.release(), 1_000 * settings.cluster.leaseSeconds + 1_000)
    stack.push('other members', () => watch.stop())
    const app = await startApp(own, { ...world, lock, redoLog: term.redoLog, machines: watch })
    void app.ready.then(term.hasStarted, () => {})
    async function stop(): Promise<void> {
      await app.stop()
      await stack.stop()
    }
    // In order: what it acknowledged is in the log, and it has nothing else, so it needs no copy to follow.
    async function stepDown(): Promise<void> {
      world.log.info('stepping down')
      await stop()
      world.fail(leadsNoMore('a person asked it to step down'))
    }
    lock.answer('step-down', async () => {
      world.clock.setTimeout(() => void stepDown(), answeredMs)
      return {}
    })
    return { ...app, stop }
  } catch (error) {
    await stack.stop()
    // What it waited for when it was told to stop fails for that reason.
    if (!(error instanceof StartFailure)) world.stopping.throwIfAborted()
    throw error
  }
}

interface Following {
  readonly settings: Settings
  readonly world: StandbyInputs
  readonly keyring: Keyring
  readonly access: ClusterAccess
  readonly proxy: ProxySettings
  readonly stack: Stack
  readonly health: { stop(): void }
}

interface Leading {
  readonly term: Term
  /** The other members. */
  readonly watch: MemberWatch
}

async function followUntilLeading(deps: Following): Promise<Leading> {
  const { settings, world, keyring, access, proxy, stack, health } = deps
  const { clock, log, stopping, version } = world
  const { jetstream, cell, member, url } = access
  const leaseMs = settings.cluster.leaseSeconds * 1_000
  const lease = createLease(jetstream, { cell, leaseMs, clock })
  await setAsideDamaged(settings, world, () => isLedByOther(deps, lease, leaseMs))
  const copy = openDataCopy({ dir: settings.data.dir, keyring, clock, log })
  stack.push('copy', () => copy.close())
  const seal = createLogSeal(keyring)
  // A server alone has no majority to lose.
  const settleMs = replicasOf(settings) === 1 ? aloneSettleMs : undefined
  const replicated = createStreamLog(jetstream, { cell, ...(settleMs && { settleMs }) })
  const followed = { copy, replicated, seal, clock }
  let role: MemberWord['role'] = 'standby'
  let isPart = false
  const urlProof = addressProof(keyring, url)
  const word = (): MemberWord => {
    const position = copy.replica().position()
    const { epoch } = position
    // What is no part of the log counts for nothing: it must begin with a copy.
    const sequence = isPart ? position.sequence : 0
    return { member, role, url, urlProof, version, epoch, sequence, keyId: keyring.oldest.id }
  }
  const members = createMemberList(jetstream, { cell, member })
  const openWire = () =>
    createWire({
      auth: standbySecret(keyring),
      agent: `stillup-standby/${version}`,
      proxy,
      ca: authorities(settings),
    })
  world.standsBy(`Member ${member} of the cluster ${cell}: standby`)
  log.info('standing by', { cell, member })
  let last = word()
  const entry = members.keep(
    () => JSON.stringify(role === 'standby' ? word() : last),
    () =>
      log.error('ANOTHER MACHINE HAS THE NAME OF THIS MEMBER', {
        member,
        hint: 'Give each machine another cluster.member, and start it again.',
      }),
  )
  stack.push('member', entry.end)
  for (let isTold = false; ; ) {
    stopping.throwIfAborted()
    const wasPart: boolean = isPart
    isPart = await isPartOfLog(followed, stopping)
    if (isPart !== wasPart) entry.soon()
    if (!isPart) {
      const outcome = await beginAnew({ ...world, member, keyring, copy, lease, openWire })
      if (outcome === 'nobody leads' && !isTold) {
        log.warn(
          'nobody leads, and the log does not show that this member has everything: it waits',
          {
            hint: 'If no member leads for long, see “The log was lost” in docs/cluster.md.',
          },
        )
      }
      if (outcome !== 'done') await pause(clock, copyEveryMs, stopping)
      isTold ||= outcome === 'nobody leads'
      continue
    }
    await copy.become('member', null)
    const leads = await nextTerm({ ...followed, lease, word, log, version, stopping })
    if (!leads) continue
    role = 'leader'
    last = word()
    entry.soon()
    health.stop()
    const { epoch } = copy.replica().position()
    await copy.close()
    log.info('this member leads now', { cell, member, epoch })
    const onRecord = (sequence: number) => {
      last = { ...last, sequence }
    }
    const term = beginTerm({
      ...{ clock, log, fail: world.fail, lease, leaseMs, replicated, seal, epoch, onRecord },
      word: () => last,
    })
    const watch = watchMembers({
      clock,
      own: member,
      newest: () => last.sequence,
      list: async () => {
        const listed = await members.list(AbortSignal.timeout(listMsMax))
        return listed.map((one) => seenMember(one.member, one.value))
      },
    })
    return { term, watch }
  }
}

/** Whether another member leads, or does so before a lease of somebody who died is over twice. */
async function isLedByOther(
  { world: { clock, stopping }, access: { member } }: Following,
  lease: Lease,
  leaseMs: number,
): Promise<boolean> {
  const sinceMs = clock.monoMs()
  while (clock.monoMs() - sinceMs < 2 * leaseMs) {
    const held = await lease.holder(stopping)
    if (held !== null && seenMember('', held).member !== member) return true
    await pause(clock, lookEveryMs, stopping)
    stopping.throwIfAborted()
  }
  return false
}
