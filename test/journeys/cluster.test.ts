// A cluster of real processes and a real NATS server: who leads dies, stands still or steps down, and nothing that
// was acknowledged is lost.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLease } from '../../src/cluster/lease.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import type { Owner } from '../support/cast.ts'
import { type DaemonProcess, startProcess } from '../support/daemon-process.ts'
import { isDeep } from '../support/depth.ts'
import {
  addMember,
  addMonitor,
  heard,
  isStandby,
  namesAt,
  startFirst,
} from '../support/machines.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { natsCell, patience, startNatsServers } from '../support/nats-servers.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

t.jobs = 2

const skip = skipWithoutNats()
const skipDeep = skip || (isDeep ? false : 'each takes half a minute, most of it a wait')
const leaseSeconds = 5

/** Two members; the first leads. */
async function startCluster(t: Test, count: 1 | 3 = 1) {
  const root = testFolder(t, { a: {}, b: {} })
  const leaseMs = leaseSeconds * 1_000
  const nats = await startNatsServers(t, { count, leaseMs, initialized: false })
  const [a, b] = [
    await addMember(t, nats, root, 'a', leaseSeconds),
    await addMember(t, nats, root, 'b', leaseSeconds),
  ]
  const early = await a.run('serve')
  t.match(early, { code: 78, said: /stream: missing instead of exists.*stillup cluster init/s })
  t.match(await a.run('cluster', 'init', '--operator', 'operator.nk'), {
    code: 0,
    said: /made STILLUP_c0, .*begins with the data of this machine/,
  })
  const { first, owner, key } = await startFirst(a, b)
  const second = b.start()
  await heard(second, 'begins with a copy of all data')
  return { a, b, nats, first, second, owner, key }
}

/** Adds monitors until a request has no answer; returns the names of those that were acknowledged. */
function startLoad(daemon: DaemonProcess, owner: Owner, key: string, word: string) {
  const acknowledged: string[] = []
  const running = [1, 2].map(async (sender) => {
    for (let number = 0; ; number += 1) {
      const name = `${word} ${sender} ${number}`
      try {
        await addMonitor(daemon, owner, key, name)
      } catch {
        return
      }
      acknowledged.push(name)
    }
  })
  return { acknowledged, ended: Promise.all(running) }
}

t.test('a leader that is killed or steps down loses nothing', { skip }, async (t) => {
  const { a, b, first, second, owner, key } = await startCluster(t)
  t.match(await b.run('cluster', 'check'), { code: 1, said: /fewer than three servers/ })
  await isStandby(a, 'b')
  t.match(await b.run('cluster', 'reseed', '--operator', 'operator.nk'), {
    code: 1,
    said: /a leads: a new log would end it/,
  })
  t.equal(await fetch(`${b.url}/healthz`).then((answer) => answer.text()), 'alive\nrole: standby\n')

  // Killed.
  const load = startLoad(first, owner, key, 'one')
  await until(() => load.acknowledged.length > 20)
  await first.stop('SIGKILL')
  await load.ended
  await second.ready()
  const before = await namesAt(second, owner, key)
  for (const name of load.acknowledged) t.ok(before.includes(name), `${name} is there`)
  const former = a.start()
  await isStandby(b, 'a')

  // It steps down.
  const more = startLoad(second, owner, key, 'two')
  await until(() => more.acknowledged.length > 20)
  t.match(await b.run('cluster', 'step-down'), { code: 0 })
  t.match(await second.ended, { code: 75 })
  await more.ended
  await former.ready()
  const found = await namesAt(former, owner, key)
  for (const name of [...before, ...more.acknowledged])
    t.ok(found.includes(name), `${name} is there`)

  // A leader that is stopped gives its place back at once.
  const again = b.start()
  await isStandby(a, 'b')
  t.notMatch(again.err, /begins with a copy/, 'it stepped down in order')
  const sinceMs = Date.now()
  t.match(await former.stop(), { code: 0 })
  await again.ready()
  t.ok(Date.now() - sinceMs < leaseSeconds * 1_000, 'nobody waits for the lease')
  t.match(await again.stop(), { code: 0 })

  // A log that begins with nothing would be taken over by all others.
  for (const file of ['data.mdb', 'lock.mdb']) rmSync(join(b.dir, file), { force: true })
  t.match(await b.run('cluster', 'reseed', '--operator', 'operator.nk'), {
    code: 78,
    said: /has no data/,
  })
  const last = a.start()
  await last.ready()
  t.same((await namesAt(last, owner, key)).toSorted(), found.toSorted())
})

t.test(
  'a leader whose last record is not in the log leads again',
  { skip: skipDeep },
  async (t) => {
    const { a, nats, first, second, owner, key } = await startCluster(t)
    await isStandby(a, 'b')
    await second.stop()
    const load = startLoad(first, owner, key, 'one')
    await until(() => load.acknowledged.length > 20)
    await nats.kill(0)
    t.match(await first.ended, { code: 75 })
    await load.ended
    await nats.restart(0)
    const again = a.start()
    await again.ready()
    const found = await namesAt(again, owner, key)
    for (const name of load.acknowledged) t.ok(found.includes(name), `${name} is there`)
  },
)

t.test(
  'damaged data of a member: a copy of whoever leads, or the end',
  { skip: skipDeep },
  async (t) => {
    const { a, b, first, second, owner, key } = await startCluster(t)
    await isStandby(a, 'b')
    await addMonitor(first, owner, key, 'kept')
    t.match(await second.stop(), { code: 0 })
    const file = join(b.dir, 'data.mdb')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0))

    const again = b.start()
    await isStandby(a, 'b')
    t.match(again.err, /THE DATA IS DAMAGED.*THE DAMAGED DATA WAS SET ASIDE/s)
    const [kept = ''] = readdirSync(b.dir).filter((name) => name.startsWith('damaged-'))
    t.same(readFileSync(join(b.dir, kept, 'data.mdb')), bytes)
    t.match(await first.stop(), { code: 0 })
    await again.ready()
    t.same(await namesAt(again, owner, key), ['kept'])
    t.match(await again.stop(), { code: 0 })

    // Nobody leads: there is nothing to take a copy of, and no backup takes the place of what the log has.
    writeFileSync(join(a.dir, 'data.mdb'), bytes)
    t.match(await a.run('serve'), { code: 78, said: /nobody leads: the file stays where it is/ })
    t.same(readFileSync(join(a.dir, 'data.mdb')), bytes)
  },
)

t.test('a leader that stood still acknowledges nothing any more', { skip }, async (t) => {
  const { a, b, first, second, owner, key } = await startCluster(t)
  await isStandby(a, 'b')
  const load = startLoad(first, owner, key, 'one')
  await until(() => load.acknowledged.length > 20)
  first.child.kill('SIGSTOP')
  await second.ready()
  await addMonitor(second, owner, key, 'meanwhile')
  first.child.kill('SIGCONT')
  t.match(await first.ended, { code: 75 })
  await load.ended
  const found = await namesAt(second, owner, key)
  for (const name of [...load.acknowledged, 'meanwhile'])
    t.ok(found.includes(name), `${name} is there`)
  // What it stored alone is nowhere: it begins with a copy of the leader's.
  const former = a.start()
  await isStandby(b, 'a')
  t.match(await second.stop(), { code: 0 })
  await former.ready()
  t.same((await namesAt(former, owner, key)).toSorted(), found.toSorted())
})

t.test(
  'a member that led alone begins anew, and what it had is kept',
  { skip: skipDeep },
  async (t) => {
    const { a, b, first, second, owner, key } = await startCluster(t)
    await isStandby(a, 'b')
    t.match(await second.stop(), { code: 0 })
    t.match(await first.stop(), { code: 0 })
    const alone = a.startAlone()
    await alone.ready()
    await addMonitor(alone, owner, key, 'of one alone')
    t.match(await alone.stop(), { code: 0 })
    const leading = b.start()
    await leading.ready()
    await addMonitor(leading, owner, key, 'of the cluster')
    const former = a.start()
    await heard(former, 'the data that was here is kept')
    await isStandby(b, 'a')
    t.match(await leading.stop(), { code: 0 })
    await former.ready()
    t.same(await namesAt(former, owner, key), ['of the cluster'])
  },
)

t.test('nobody without the master key is asked for a copy', { skip }, async (t) => {
  const asked: (string | undefined)[] = []
  const stranger = createServer(({ headers }, answer) => {
    asked.push(headers.authorization)
    answer.end('{}')
  })
  stranger.listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  t.teardown(() => void stranger.close())
  const { port } = stranger.address() as AddressInfo
  const root = testFolder(t, { a: {}, b: {} })
  const leaseMs = leaseSeconds * 1_000
  const nats = await startNatsServers(t, { leaseMs })
  const b = await addMember(t, nats, root, 'b', leaseSeconds)
  openKeyring({ file: join(b.dir, 'master.key'), create: true, random: randomBytes })
  // Whoever runs NATS, or has the key of a member, says that he leads.
  const lease = createLease(await nats.connectAs('a'), {
    ...{ cell: natsCell, leaseMs, clock: nats.clock },
  })
  const claim = { member: 'a', role: 'leader', url: `http://127.0.0.1:${port}`, sequence: 9 }
  const member = b.start()
  await heard(member, 'nobody leads, and the log does not show that this member has everything')
  for (const word of [JSON.stringify(claim), 'no JSON']) {
    await until(() => lease.take(word, patience()))
    const before = member.err.length
    await until(async () => {
      await lease.take(word, patience())
      return member.err.slice(before).includes('who has the lease has another master key')
    })
  }
  t.same(asked, [])
  t.match(await member.stop(), { code: 0 })
})

t.test('a member that others cannot reach, or would overhear, says so', { skip }, async (t) => {
  const cwd = testFolder(t)
  writeFileSync(join(cwd, 'member.nk'), '', { mode: 0o600 })
  const env = {
    STILLUP_CLUSTER_SERVERS: 'tls://192.0.2.1:4222',
    STILLUP_CLUSTER_NKEY_FILE: 'member.nk',
    STILLUP_CLUSTER_MEMBER: 'a',
  }
  for (const url of [undefined, 'http://192.0.2.2:8080']) {
    const daemon = startProcess(t, cwd, { ...env, STILLUP_CLUSTER_MEMBER_URL: url ?? '' })
    t.match(await daemon.ended, { code: 78 })
    t.match(daemon.err, /the other members cannot reach this one at http:.*https address/s)
  }
})
