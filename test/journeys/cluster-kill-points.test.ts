// The points at which a member of a cluster may die, each met on purpose: between its disk and the log, between the
// log and its answer, while it applies a record, and while it begins to lead.
//
// The way to NATS is held in one direction, or the disk is; what is on the disk is read from a copy of it.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { required } from '../../src/base/assert.ts'
import type { OrgId } from '../../src/base/ids.ts'
import { logSubject } from '../../src/cluster/objects.ts'
import type { LogPosition } from '../../src/store/engine/redo.ts'
import { amount, isDeep, testSeed } from '../support/depth.ts'
import { buildShim, skipWithoutShim } from '../support/durability/disk-shim.ts'
import { createApi, type Reply } from '../support/kill-loop/api.ts'
import type { Direction } from '../support/kill-loop/cut.ts'
import {
  type DaemonProcess,
  type Household,
  need,
  settleIn,
} from '../support/kill-loop/daemon-process.ts'
import { startHooks } from '../support/kill-loop/hooks.ts'
import { createLogChain, type LogChain } from '../support/kill-loop/log-chain.ts'
import { type MemberPlace, prepareMembers } from '../support/kill-loop/members.ts'
import { createSeeded } from '../support/kill-loop/seeded.ts'
import {
  copyData,
  readRecords,
  readSnapshot,
  type Snapshot,
} from '../support/kill-loop/snapshot.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { natsCell, startNatsServers } from '../support/nats-servers.ts'
import { testFolder } from '../support/test-folder.ts'
import { patienceMs, until } from '../support/until.ts'

t.jobs = 4

const seed = testSeed(Date.now() % 1_000_000)
const skip = skipWithoutNats()
const skipDisk = skip || skipWithoutShim()
const skipDeep = skipDisk || (!isDeep && 'a matter of quantity: in deep runs')
const leaseSeconds = 5
const tookCopy = 'this member begins with a copy of all data'
const leads = 'this member leads now'
/** What a member sends first when it appends to the log. */
const append = `PUB ${logSubject(natsCell)} `
/** What it sends with the second part of a record. */
const secondPart = 'Stillup-Part: 2/'
const killsInApply = amount(2, 60)
/** A cut member keeps its lease for longer. */
const metMsMax = 1_500
/** A look at a disk copies it and opens the copy, while its member stands still. */
const lookEveryMs = amount(100, 15)

type Cluster = Awaited<ReturnType<typeof startCluster>>
type Machine = ReturnType<typeof createMachine>

interface MachineParts {
  readonly place: MemberPlace
  readonly start: () => DaemonProcess
  readonly copyDir: string
  readonly household: Household
}

/** A member without a supervisor. */
function createMachine(
  t: Test,
  { place, start, copyDir, household: { org, key } }: MachineParts,
  begun = start(),
) {
  const orgId = org.split('/').at(-1) as OrgId
  const api = createApi(place.port, { 'x-api-key': key })
  t.teardown(() => api.close())
  let life = begun

  /** Whether there was a process to get it. */
  function send(signal: NodeJS.Signals): boolean {
    try {
      return process.kill(life.pid, signal)
    } catch {
      return false
    }
  }

  /** Copies what is on its disk now; it stands still meanwhile. */
  function copy(): void {
    const isStopped = send('SIGSTOP')
    copyData(place.dir, copyDir)
    if (isStopped) send('SIGCONT')
  }

  return {
    name: place.name,
    cable: required(place.cables[0]),
    api,
    copy,
    copyDir,
    get life() {
      return life
    },
    start() {
      life = start()
    },
    kill: () => life.kill('SIGKILL'),
    has: (message: string) => life.lines.some((line) => line.includes(message)),
    async onDisk(): Promise<Snapshot> {
      copy()
      return readSnapshot(copyDir, orgId)
    },
  }
}

interface ClusterOptions {
  /** The other member has a disk that can be held. */
  readonly hasShim?: boolean
  readonly maxPayload?: number
}

/** Two members; the first leads, and the other one has everything. */
async function startCluster(t: Test, { hasShim = false, maxPayload }: ClusterOptions = {}) {
  const base = testFolder(t)
  // It empties the folder.
  const nats = await startNatsServers(t, {
    ...{ leaseMs: leaseSeconds * 1_000, initialized: false },
    ...(maxPayload && { maxPayload }),
  })
  const shim = hasShim ? buildShim(base) : undefined
  const hooks = await startHooks(t, createSeeded(seed))
  hooks.behave()
  const places = await prepareMembers(t, { nats, base, leaseSeconds, env: {} })
  const first = places.a.start()
  await first.ready
  const household = await settleIn(places.a.port)
  const { org } = household
  const partsOf = (place: MemberPlace, start: () => DaemonProcess) => {
    return { place, start, copyDir: join(base, `copy of ${place.name}`), household }
  }
  const a = createMachine(t, partsOf(places.a, places.a.start), first)
  const hook = { name: 'quick-one', type: 'webhook', config: { url: hooks.url('quick-one') } }
  await need(a.api, 'POST', `${org}/alert-channels`, { ...hook, isDefault: true })
  const monitor = await addPushMonitor(a, org)
  const b = createMachine(
    t,
    partsOf(places.b, () => places.b.start(shim?.env)),
  )
  const chain = createLogChain(await nats.connectAs('operator'), places.masterKeyFile)
  const cluster = { a, b, shim, org, monitor, hooks, chain }
  await follows(cluster, b)
  return cluster
}

const addPushMonitor = ({ api }: Machine, org: string) =>
  need(api, 'POST', `${org}/monitors`, {
    ...{ name: 'push', checkType: 'push', intervalSeconds: 3_600, failureThreshold: 1 },
  })

/** Resolves once it has all that is in the log now. */
async function follows({ chain }: { readonly chain: LogChain }, member: Machine): Promise<void> {
  await until(() => member.has('standing by'))
  const last = await chain.last()
  await until(
    async () => {
      const { position } = await member.onDisk().catch(() => ({ position: undefined }))
      return position && position.sequence >= last && chain.has(position)
    },
    patienceMs,
    lookEveryMs,
  )
}

/** A request that changes something, by what it can be recognized. */
interface Act {
  /** Also on its second way. */
  ask(member: Machine): Promise<Reply>
  /** Ids of the incidents that it opened. */
  found(snapshot: Snapshot): readonly string[]
  /** Webhook ids of the alerts that it caused, as often as they came. */
  alerts(): readonly string[]
}

let declared = 0

/** An incident, the stored answer to its key, and its alert: all in one transaction. */
async function declaration({ org, monitor, hooks }: Cluster): Promise<Act> {
  const title = `outage ${++declared}.`
  const headers = { 'idempotency-key': title }
  const json = { title, monitorIds: [monitor.id] }
  return {
    ask: ({ api }) => api.ask('POST', `${org}/incidents`, json, headers),
    found: ({ incidents }) =>
      [...incidents.values()].filter((incident) => incident.title === title).map(({ id }) => id),
    alerts: () => hooks.arrivals.filter(({ body }) => body.includes(title)).map(({ name }) => name),
  }
}

/** The report of a failure, which opens an incident. */
async function failure({ org, hooks }: Cluster, member: Machine): Promise<Act> {
  const { id, pushToken } = await addPushMonitor(member, org)
  return {
    ask: ({ api }) => api.ask('POST', `/push/${pushToken}`, { status: 'error' }),
    found: ({ incidents }) =>
      [...incidents.values()]
        .filter(({ monitorIds }) => monitorIds.some((one) => one === id))
        .map((incident) => incident.id),
    alerts: () => hooks.arrivals.filter(({ body }) => body.includes(id)).map(({ name }) => name),
  }
}

/**
 * Kills the leader when the act is on its disk. Where it is cut on the way out, the log does not have it; on
 * the way in, it does. `words`: it is cut once it sends these.
 */
async function killDuring(
  t: Test,
  cluster: Cluster,
  leader: Machine,
  direction: Direction,
  plan: typeof declaration | typeof failure,
  words?: string,
): Promise<Act & { readonly position: LogPosition }> {
  const { cable } = leader
  for (;;) {
    const act = await plan(cluster, leader)
    const before = await cluster.chain.last()
    const isCut = words === undefined ? cable.cut(direction) : cable.cutAt(words, direction)
    const asked = act.ask(leader)
    asked.catch(() => {})
    const sinceMs = Date.now()
    const met = await until(
      async () => {
        const snapshot = await leader.onDisk()
        if (act.found(snapshot).length > 0) return snapshot.position
        return Date.now() - sinceMs > metMsMax && 'late'
      },
      patienceMs,
      lookEveryMs,
    )
    if (met === 'late') {
      // Another transaction was on its way before.
      cable.mend(true)
      await asked
      continue
    }
    if (direction === 'in') await until(() => cluster.chain.has(met))
    await isCut
    if (words !== undefined) t.ok((await cluster.chain.last()) > before, 'a part is in the log')
    await leader.kill()
    cable.mend(false)
    await t.rejects(asked, 'nobody was answered')
    t.equal(await cluster.chain.has(met), direction === 'in', 'whether it is in the log')
    t.same(act.alerts(), [], 'no alert went out')
    return { ...act, position: met }
  }
}

/** It has come to pass once: on the disk, for whoever asks, and for whoever is told. */
async function isOnce(t: Test, { org }: Cluster, member: Machine, act: Act): Promise<void> {
  const found = act.found(await member.onDisk())
  t.equal(found.length, 1, `it is there once on ${member.name}`)
  const shown = await need(member.api, 'GET', `${org}/incidents?limit=200`)
  t.same(
    shown.map(({ id }: { id: string }) => id).filter((id: string) => found.includes(id)),
    found,
  )
  await until(() => act.alerts().length > 0)
  t.equal(new Set(act.alerts()).size, 1, 'its alert has one id')
}

/** Whoever repeats the request gets the answer that nobody heard, and changes nothing. */
async function isRepeated(t: Test, member: Machine, act: Act): Promise<void> {
  const [id] = act.found(await member.onDisk())
  const again = { status: 200, data: { id }, headers: { 'idempotency-replayed': 'true' } }
  t.match(await act.ask(member), again)
  t.same(act.found(await member.onDisk()), [id])
}

async function isOneHistory(t: Test, { chain }: Cluster): Promise<void> {
  t.same(await chain.problems(), [], 'the log is one history')
  t.comment(`${chain.records()} records, ${chain.epoch()} epochs`)
}

t.test('what died between disk and log is there once, or nowhere', { skip }, async (t) => {
  // So small that records have several parts.
  const cluster = await startCluster(t, { maxPayload: 2_048 })
  const { a, b, chain } = cluster
  const acts: Act[] = []

  // Nobody else is there: the same member appends it, or the rest of it, when it comes back.
  await b.kill()
  for (const words of isDeep ? [undefined, secondPart] : [secondPart]) {
    const kept = await killDuring(t, cluster, a, 'out', declaration, words)
    acts.push(kept)
    a.start()
    await a.life.ready
    t.ok(await chain.has(kept.position), 'it is in the log')
    await isOnce(t, cluster, a, kept)
    await isRepeated(t, a, kept)
  }

  // The other one leads first: it never was.
  for (const words of isDeep ? [undefined, secondPart] : [undefined]) {
    b.start()
    await follows(cluster, b)
    t.notOk(b.has(tookCopy))
    const lost = await killDuring(t, cluster, a, 'out', declaration, words)
    acts.push(lost)
    await b.life.ready
    t.same(lost.found(await b.onDisk()), [])
    a.start()
    await until(() => a.has(tookCopy))
    await follows(cluster, a)
    t.same(lost.found(await a.onDisk()), [])
    t.notOk(a.has(leads))
    t.same(lost.alerts(), [])
    t.match(await lost.ask(b), { status: 200 })
    await isOnce(t, cluster, b, lost)
    await isRepeated(t, b, lost)
    await b.life.kill('SIGTERM')
    await a.life.ready
    for (const act of acts) {
      await isOnce(t, cluster, a, act)
      await isRepeated(t, a, act)
    }
  }
  await isOneHistory(t, cluster)
})

t.test('what died between the log and its answer is there once', { skip }, async (t) => {
  const cluster = await startCluster(t)
  const { a, b } = cluster
  const said = await killDuring(t, cluster, a, 'in', declaration)
  await b.life.ready
  await isOnce(t, cluster, b, said)
  await isRepeated(t, b, said)
  a.start()
  await follows(cluster, a)
  t.notOk(a.has(tookCopy), 'it has what the log has')
  t.notOk(a.has(leads))

  const failed = await killDuring(t, cluster, b, 'in', failure)
  await a.life.ready
  await isOnce(t, cluster, a, failed)
  await isOnce(t, cluster, a, said)
  await isRepeated(t, a, said)
  await isOneHistory(t, cluster)
})

/** Changes something again and again: in a deep run as soon as the last change is acknowledged. */
async function keepChanging({ a: { api }, org, monitor }: Cluster, signal: AbortSignal) {
  for (let number = 1; !signal.aborted; number += 1) {
    await need(api, 'PATCH', `${org}/monitors/${monitor.id}`, { name: `change ${number}` })
    if (!isDeep) await sleep(20)
  }
}

t.test('a standby that dies while it applies goes on from there', { skip: skipDisk }, async (t) => {
  const cluster = await startCluster(t, { hasShim: true })
  const { a, b, chain } = cluster
  const shim = required(cluster.shim)
  const random = createSeeded(seed)
  const over = new AbortController()
  const load = keepChanging(cluster, over.signal)
  const positionOf = async (member: Machine) => (await member.onDisk()).position?.sequence ?? 0

  /** Returns where in the log it died. */
  async function diesAndGoesOn(): Promise<number> {
    await b.kill()
    const at = await positionOf(b)
    shim.behave()
    b.start()
    await follows(cluster, b)
    t.notOk(b.has(tookCopy))
    return at
  }

  // A record is in the file, and not yet on disk.
  await shim.hold('sync')
  const at = await positionOf(b)
  t.ok(at < (await chain.last()))
  t.equal(await diesAndGoesOn(), at)

  // It is on disk, and the standby does not know.
  await shim.hold('sync')
  const before = await positionOf(b)
  await shim.hold('meta')
  t.ok((await diesAndGoesOn()) > before)

  // At any moment behind the arrival of a record.
  let applied = 0
  for (let kill = 0; kill < killsInApply; kill += 1) {
    b.cable.cut('in')
    const last = await chain.last()
    await until(async () => (await chain.last()) > last)
    const known = await positionOf(b)
    b.cable.mend(true)
    await sleep(random.between(0, 40))
    if ((await diesAndGoesOn()) > known) applied += 1
  }
  t.comment(`${applied} of ${killsInApply} had applied something of what arrived last`)

  over.abort()
  await load
  const [leading, standing] = await until(
    async () => {
      for (const member of [a, b]) member.copy()
      const [own, other] = await Promise.all([a, b].map(({ copyDir }) => readRecords(copyDir)))
      return own && other && own.position?.hash === other.position?.hash && [own, other]
    },
    patienceMs,
    lookEveryMs,
  )
  t.ok(leading.records.length > 10)
  t.same(standing, leading)
  t.notOk(b.has(leads))
  await isOneHistory(t, cluster)
})

t.test('who dies while it begins to lead leaves no gap', { skip: skipDeep }, async (t) => {
  const cluster = await startCluster(t, { hasShim: true })
  const { a, b, chain } = cluster
  const shim = required(cluster.shim)
  const problems = await chain.problems()
  // Its mark is in the log: it does not know, it does not have it, or it has just stored it.
  for (const point of ['answer', 'sync', 'meta'] as const) {
    const epoch = chain.epoch()
    const isCut = b.cable.cutAt(append, 'in')
    t.match(await a.life.kill('SIGTERM'), { code: 0 })
    await isCut
    await until(async () => {
      problems.push(...(await chain.problems()))
      return chain.epoch() > epoch
    })
    if (point !== 'answer') {
      const held = shim.hold('sync')
      b.cable.mend(true)
      await held
      if (point === 'meta') await shim.hold('meta')
    }
    await b.kill()
    shim.behave()
    b.cable.mend(false)
    t.notOk(b.has(leads))
    t.equal(chain.epoch(), epoch + 1)
    t.equal((await b.onDisk()).position?.epoch, epoch + (point === 'meta' ? 1 : 0), point)

    a.start()
    await a.life.ready
    problems.push(...(await chain.problems()))
    t.equal(chain.epoch(), epoch + 2, 'the next one leads with the next epoch')
    b.start()
    await follows(cluster, b)
    t.notOk(b.has(tookCopy))
    t.notOk(b.has(leads))
    t.equal((await b.onDisk()).position?.epoch, epoch + 2)
  }
  t.same(problems, [])
  const act = await declaration(cluster)
  t.match(await act.ask(a), { status: 200 })
  await isOnce(t, cluster, a, act)
  await follows(cluster, b)
  t.equal(act.found(await b.onDisk()).length, 1)
  await isOneHistory(t, cluster)
})
