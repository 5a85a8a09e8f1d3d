// A member of a cluster: follows the log until it may lead, then is the daemon.
//
// The lease elects, the log fences: a member that leads appends the mark of its epoch, and from then on every
// append of the one before it is refused. There is no way back within a process: who no longer leads ends (75),
// and its supervisor starts it again as a standby.
import { randomUUID } from 'node:crypto'
import { whatEnds } from '../actors/standby/follow.ts'
import { createLeaderLink } from '../actors/standby/leader-link.ts'
import type { RunningClock } from '../base/clock.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import { errorText } from '../base/log/error-text.ts'
import type { Log } from '../base/log/log.ts'
import { createStack, type Stack } from '../base/stack.ts'
import { createLease, type Lease } from '../cluster/lease.ts'
import { LogGap, LogRefused, type ReplicatedLog } from '../cluster/log.ts'
import { createMemberList } from '../cluster/members.ts'
import { createStreamLog } from '../cluster/stream-log.ts'
import type { StartSettings } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { createWire, type ProxySettings } from '../net/daemon-wire.ts'
import { SealBroken } from '../seal/box.ts'
import { type Keyring, readKeyring } from '../seal/keyring.ts'
import { addressProof, createLogSeal, type LogSeal, standbySecret } from '../seal/log-seal.ts'
import {
  authorities,
  type ClusterAccess,
  connectMember,
  mustBeRight,
  replicasOf,
} from '../services/cluster/cluster-access.ts'
import { type MemberWatch, watchMembers } from '../services/cluster/member-watch.ts'
import { type MemberWord, seenMember } from '../services/cluster/member-word.ts'
import { type DataCopy, openDataCopy } from '../services/standby/data-copy.ts'
import { decodeRedo, hashOfRedo, type RedoLog } from '../store/engine/redo.ts'
import { ForeignRedo } from '../store/engine/replica.ts'
import { lockDirectory } from '../store/lock.ts'
import { needSpace } from '../store/space.ts'
import { standbyHealth, startHealthServer } from '../uplink/health-server.ts'
import { type App, startApp } from './app.ts'
import { setAsideDamaged } from './restore-damaged.ts'
import type { StandbyInputs } from './standby.ts'

const takeEveryMs = 500
const listMsMax = 4_000
const aloneSettleMs = 1_000
const snapshotPollMs = 1_000
/** A jump of time by which a lease may be over that looks valid. */
const jumpMsMax = 5_000
/** What sealing adds to a record. */
const sealBytes = 28

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
    const led = await followUntilLeading({ settings, world, keyring, access, proxy, stack, health })
    lock.answer('step-down', () => led.stepDown())
    const app = await startApp(own, { ...world, lock, redoLog: led.redoLog, machines: led.watch })
    void app.ready.then(led.hasStarted, () => {})
    return {
      ...app,
      async stop() {
        await app.stop()
        await led.release()
        await access.jetstream.close()
      },
    }
  } catch (error) {
    await stack.stop()
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
  /** The daemon runs: nothing of its start delays the lease any more. */
  hasStarted(): void
  readonly redoLog: RedoLog
  /** The other members. */
  readonly watch: MemberWatch
  stepDown(): Promise<object>
  /** Gives the place back; after the last append. */
  release(): Promise<void>
}

async function followUntilLeading(deps: Following): Promise<Leading> {
  const { settings, world, keyring, access, stack, health } = deps
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
  let role: MemberWord['role'] = 'standby'
  const urlProof = addressProof(keyring, url)
  const word = (): MemberWord => {
    const { epoch, sequence } = copy.replica().position()
    return { member, role, url, urlProof, version, epoch, sequence, keyId: keyring.oldest.id }
  }
  const members = createMemberList(jetstream, { cell, member })
  world.standsBy(`Member ${member} of the cluster ${cell}: standby`)
  log.info('standing by', { cell, member })
  let last = word()
  const endList = members.keep(() => JSON.stringify(role === 'standby' ? word() : last))
  stack.push('member', endList)

  for (let isTold = false; ; ) {
    stopping.throwIfAborted()
    const isPart =
      (await isInLog(copy, replicated, seal, clock, stopping)) ||
      (await isAppended(copy, replicated, seal, clock, stopping))
    if (!isPart) {
      await beginAnew({ ...deps, copy, lease, isTold })
      isTold = true
      continue
    }
    await copy.become('member', null)
    const term = await nextTerm({
      ...{ copy, replicated, lease, seal, word, clock, log, version, stopping },
    })
    if (!term) continue
    role = 'leader'
    last = word()
    health.stop()
    const { epoch, sequence } = copy.replica().position()
    await copy.close()
    log.info('this member leads now', { cell, member, epoch })
    const onRecord = (at: number) => {
      last = { ...last, sequence: at }
    }
    onRecord(sequence)
    const watch = watchMembers({
      clock,
      own: member,
      newest: () => last.sequence,
      list: async () => {
        const listed = await members.list(AbortSignal.timeout(listMsMax))
        return listed.map((one) => seenMember(one.member, one.value))
      },
    })
    return lead({ ...deps, replicated, lease, seal, word: () => last, epoch, onRecord, watch })
  }
}

/** Whether another member leads, or does so before a lease of somebody who died is over twice. */
async function isLedByOther(
  { world: { clock, stopping }, access: { jetstream, member } }: Following,
  lease: Lease,
  leaseMs: number,
): Promise<boolean> {
  const sinceMs = clock.monoMs()
  while (clock.monoMs() - sinceMs < 2 * leaseMs) {
    const held = await lease.holder(stopping)
    if (held !== null && seenMember('', held).member !== member) return true
    await jetstream.pause(takeEveryMs, stopping)
    stopping.throwIfAborted()
  }
  return false
}

/**
 * Whether the copy is a part of the log: what it has is what the log has at this place. Time goes on from there at
 * the earliest.
 */
async function isInLog(
  copy: DataCopy,
  log: ReplicatedLog,
  seal: LogSeal,
  clock: RunningClock,
  signal: AbortSignal,
): Promise<boolean> {
  const { sequence, hash } = copy.replica().position()
  const role = copy.leadership()?.role
  if (role === 'founder') return (await log.last(signal)) === sequence
  // Else it led alone since, and changed.
  if (role !== 'member') return false
  const record = await log.get(sequence, signal)
  if (!record) return false
  const bytes = opened(seal, record.bytes)
  if (hashOfRedo(bytes) !== hash) return false
  clock.notBefore(decodeRedo(bytes).atMs)
  return true
}

/**
 * Appends what this member stored last when it led, if the log ends before it: nobody has led since. Otherwise all
 * could wait for a copy of somebody who leads, when the leader has ended twice. Nobody was told of it before.
 */
async function isAppended(
  copy: DataCopy,
  log: ReplicatedLog,
  seal: LogSeal,
  clock: RunningClock,
  signal: AbortSignal,
): Promise<boolean> {
  const replica = copy.replica()
  const entry = replica.newest()
  if (!entry || (await log.last(signal)) !== entry.after) return false
  const before = await log.get(entry.after, signal)
  const redo = decodeRedo(entry.bytes)
  if (!before || hashOfRedo(opened(seal, before.bytes)) !== redo.before) return false
  const { after, sequence, bytes } = entry
  const id = recordId(replica.position().epoch, sequence)
  try {
    await log.append({ after, bytes: seal.seal(bytes), id }, signal)
    clock.notBefore(redo.atMs)
    return true
  } catch (error) {
    if (error instanceof LogRefused) return false
    throw error
  }
}

const recordId = (epoch: number, sequence: number) => `${epoch}-${sequence}`

/** Throws StartFailure if another master key sealed it. */
function opened(seal: LogSeal, bytes: Uint8Array): Buffer {
  try {
    return seal.open(bytes)
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause
    throw new StartFailure(exitCodes.config, 'the cluster has another master key', {
      hint: 'All members need the same master key file (data.masterKeyFile).',
      cause,
    })
  }
}

interface BeginAnew extends Following {
  readonly copy: DataCopy
  readonly lease: Lease
  /** The log has said that nobody leads. */
  readonly isTold: boolean
}

/** Takes a copy of whoever leads. Returns without one if nobody does. */
async function beginAnew({
  settings,
  world,
  keyring,
  access,
  proxy,
  copy,
  lease,
  isTold,
}: BeginAnew): Promise<void> {
  const { log, stopping, version } = world
  const { jetstream, member } = access
  const held = await lease.holder(stopping)
  const leader = held === null ? undefined : seenMember('', held)
  if (!leader) {
    if (!isTold) {
      log.warn(
        'nobody leads, and the log does not show that this member has everything: it waits',
        {
          hint: 'If no member leads for long, see “The log was lost” in docs/cluster.md.',
        },
      )
    }
    return jetstream.pause(snapshotPollMs, stopping)
  }
  const { url, urlProof } = leader
  if (urlProof !== addressProof(keyring, url)) {
    log.warn('who has the lease has another master key: no copy is taken', { leader: url })
    return jetstream.pause(snapshotPollMs, stopping)
  }
  const wire = createWire({
    auth: standbySecret(keyring),
    agent: `stillup-standby/${version}`,
    proxy,
    ca: authorities(settings),
  })
  const link = createLeaderLink({ wire, url, member, version })
  try {
    log.info('this member begins with a copy of all data', { leader: url })
    for (;;) {
      const snapshot = await link.snapshot(stopping)
      if (snapshot.state === 'ready') {
        await copy.replace(snapshot.file, link.pieces(snapshot.file, stopping), 'member', url)
        return
      }
      await jetstream.pause(snapshotPollMs, stopping)
    }
  } catch (error) {
    if (error instanceof StartFailure || stopping.aborted) throw error
    log.warn('no copy could be taken', { leader: url, reason: errorText(error) })
    await jetstream.pause(snapshotPollMs, stopping)
  } finally {
    wire.close()
  }
}

interface Term {
  readonly copy: DataCopy
  readonly replicated: ReplicatedLog
  readonly lease: Lease
  readonly seal: LogSeal
  readonly word: () => MemberWord
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
  readonly stopping: AbortSignal
}

/** Follows; resolves with true once it leads, and with false if it must look where it is. */
async function nextTerm(term: Term): Promise<boolean> {
  const { copy, replicated, lease, log, stopping } = term
  const following = new AbortController()
  const signal = AbortSignal.any([stopping, following.signal])
  const applied = follow(term, signal)
  const isForeign = applied.then((isWhole) => !isWhole)
  void isForeign.then(
    (foreign) => foreign && following.abort(),
    () => following.abort(),
  )
  try {
    await takeLease(term, signal)
  } catch (error) {
    if (stopping.aborted) throw stopping.reason
    if (await isForeign) return false
    throw error
  }
  following.abort()
  if (await isForeign) {
    await lease.release(stopping)
    return false
  }
  const held = AbortSignal.any([stopping, AbortSignal.timeout(Math.ceil(lease.msLeft()))])
  try {
    const last = await replicated.last(held)
    await applyUntil(term, last, held)
    if (!canLead(term)) {
      await lease.release(held)
      return false
    }
    term.clock.notBefore(copy.replica().newestAtMs())
    const mark = copy.replica().mark(term.clock.nowMs())
    const sealed = term.seal.seal(mark.bytes)
    const sequence = await replicated.append({ after: last, bytes: sealed, id: randomUUID() }, held)
    await copy.replica().apply([{ sequence, bytes: mark.bytes }])
    await copy.become('member', null)
    return true
  } catch (error) {
    stopping.throwIfAborted()
    if (error instanceof StartFailure) throw error
    log.warn('this member could not begin to lead', { reason: errorText(error) })
    await lease.release(stopping)
    return false
  }
}

/** Applies what comes until the signal; resolves with false if it does not follow from what is here. */
async function follow(term: Term, signal: AbortSignal): Promise<boolean> {
  try {
    await applyUntil(term, Number.POSITIVE_INFINITY, signal)
    return true
  } catch (error) {
    if (signal.aborted) return true
    if (!(error instanceof ForeignRedo || error instanceof LogGap)) throw error
    term.log.warn('the log does not follow what this member has', { reason: error.message })
    return false
  }
}

async function applyUntil(
  { copy, replicated, seal }: Term,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const replica = copy.replica()
  const from = replica.position().sequence + 1
  for await (const { sequence, bytes } of replicated.read({ from, until, signal })) {
    const record = { sequence, bytes: opened(seal, bytes) }
    await replica.apply([record]).catch((error: unknown) => {
      throw error instanceof ForeignRedo ? error : whatEnds(error, 'the leader')
    })
  }
}

/** Resolves once it has the lease; rejects with the signal. */
async function takeLease(term: Term, signal: AbortSignal): Promise<void> {
  const { lease, word, clock } = term
  let isTold = false
  for (;;) {
    signal.throwIfAborted()
    const mayLead = canLead(term, isTold)
    isTold ||= !mayLead
    if (mayLead && (await lease.take(JSON.stringify({ ...word(), role: 'leader' }), signal))) return
    await new Promise<void>((resolve) => clock.setTimeout(resolve, takeEveryMs))
  }
}

/** Whether this program can read the data, which a newer one may have written. */
function canLead({ copy, log, version }: Term, isTold = false): boolean {
  const unreadable = copy.whyUnreadable(version)
  if (unreadable && !isTold) {
    log.warn('this member cannot lead: upgrade it', { reason: unreadable.message })
  }
  return !unreadable
}

interface LeadDeps extends Following {
  readonly replicated: ReplicatedLog
  readonly lease: Lease
  readonly seal: LogSeal
  readonly word: () => MemberWord
  readonly epoch: number
  readonly onRecord: (sequence: number) => void
  readonly watch: MemberWatch
}

/** Keeps the lease, and appends for as long as it lasts. */
function lead({
  settings,
  world,
  access,
  replicated,
  lease,
  seal,
  word,
  epoch,
  onRecord,
  watch,
}: LeadDeps): Leading {
  const { clock, log, fail } = world
  const { jetstream } = access
  const over = new AbortController()
  let isGivenBack = false
  let isStarting = true
  let expiry: unknown

  function end(reason: string): void {
    if (over.signal.aborted) return
    over.abort(new Error(reason))
    clock.clearTimeout(expiry)
    if (isGivenBack) return
    fail(
      new StartFailure(exitCodes.deposed, `this member leads no more: ${reason}`, {
        hint: isStarting
          ? 'It had not started yet: if that takes longer than the lease, raise cluster.leaseSeconds.'
          : 'It is started again as a standby.',
      }),
    )
  }

  function expectRenewal(): void {
    clock.clearTimeout(expiry)
    expiry = clock.setTimeout(() => {
      if (lease.msLeft() === 0) end('its lease is over')
      else expectRenewal()
    }, lease.msLeft())
  }

  async function renew(): Promise<void> {
    const everyMs = (settings.cluster.leaseSeconds * 1_000) / 3
    while (!over.signal.aborted) {
      await jetstream.pause(everyMs, over.signal)
      if (over.signal.aborted) return
      const isKept = await lease
        .renew(over.signal, JSON.stringify(word()))
        .catch((error: unknown) => {
          log.warn('the lease could not be renewed', { reason: errorText(error) })
          return false
        })
      if (isKept) expectRenewal()
      else end('its lease is over, or somebody else’s')
    }
  }

  clock.onJump(({ kind, deltaMs }) => {
    if (kind !== 'setBack' && deltaMs > jumpMsMax && lease.msLeft() === 0) end('it stood still')
  })
  expectRenewal()
  void renew()

  return {
    watch,
    hasStarted() {
      isStarting = false
    },
    redoLog: {
      keepsNewest: true,
      sequenceAfter: (after, bytes) => after + replicated.partsOf(bytes + sealBytes),
      async append({ after, sequence, bytes }) {
        const record = { after, bytes: seal.seal(bytes), id: recordId(epoch, sequence) }
        try {
          await replicated.append(record, over.signal)
        } catch (error) {
          const reason =
            error instanceof LogRefused ? 'another member leads' : 'the log does not answer'
          throw new StartFailure(exitCodes.deposed, `this member leads no more: ${reason}`, {
            hint: 'It is started again as a standby.',
            cause: error,
          })
        }
        onRecord(sequence)
      },
    },
    async stepDown() {
      await lease.release(
        AbortSignal.any([over.signal, AbortSignal.timeout(Math.ceil(lease.msLeft()))]),
      )
      // The answer goes out first.
      clock.setTimeout(() => end('a person asked it to step down'), 100)
      return { epoch }
    },
    async release() {
      isGivenBack = true
      watch.stop()
      const signal = AbortSignal.timeout(Math.ceil(lease.msLeft()) + 1)
      await lease.release(signal).catch(() => {})
      end('it stops')
    },
  }
}
