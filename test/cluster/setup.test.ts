// What a cluster keeps in NATS: made by the operator, compared by everybody, and whether it is put on disk.
import t from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { connectCluster } from '../../src/cluster/connect.ts'
import type { JetStream } from '../../src/cluster/jetstream.ts'
import { LogUnanswered } from '../../src/cluster/log.ts'
import { inboxOf, isClusterName, wantedStreams } from '../../src/cluster/objects.ts'
import { serverProblem } from '../../src/cluster/server-address.ts'
import { differences, initialize } from '../../src/cluster/setup.ts'
import { syncProblems } from '../../src/cluster/sync.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { natsCell, patience, startNatsServers } from '../support/nats-servers.ts'

const skip = skipWithoutNats()

t.test('the operator makes what a cluster needs, and members compare', { skip }, async (t) => {
  const servers = await startNatsServers(t, { initialized: false })
  const operator = await servers.connectAs('operator')
  const a = await servers.connectAs('a')
  const options = { ...servers.objects, settleMs: 0 }
  const compared = (by: JetStream, more = {}) =>
    differences(by, { ...options, ...more, signal: patience() })
  const [log = '', lease = '', members = ''] = wantedStreams(options).map(({ name }) => name)
  const missing = (stream: string) => ({
    stream,
    name: 'stream',
    wanted: 'exists',
    found: 'missing',
  })
  t.same(await compared(a), [missing(log), missing(lease), missing(members)])
  await t.rejects(
    initialize(a, { ...options, signal: AbortSignal.timeout(500) }),
    LogUnanswered,
    'a member makes nothing',
  )
  const made = await initialize(operator, { ...options, signal: patience() })
  t.same(made, { made: [log, lease, members], widened: [] })
  t.same(
    await initialize(operator, { ...options, signal: patience() }),
    { made: [], widened: [] },
    'once',
  )
  t.same(await compared(a), [])
  t.same(await compared(a, { leaseMs: 5_000 }), [
    { stream: lease, name: 'duplicate_window', wanted: '5000000000', found: '15000000000' },
  ])
  t.same(await compared(a, { replicas: 3 }), [
    { stream: log, name: 'num_replicas', wanted: '3', found: '1' },
    { stream: lease, name: 'num_replicas', wanted: '3', found: '1' },
    { stream: members, name: 'num_replicas', wanted: '3', found: '1' },
  ])

  /** Makes the log anew, in another way. */
  async function remake(changes: object): Promise<void> {
    await operator.asked(`STREAM.DELETE.${log}`, null)
    const [{ config = {} } = {}] = wantedStreams(options)
    await operator.asked(`STREAM.CREATE.${log}`, { name: log, ...config, ...changes })
  }
  await remake({
    max_bytes: -1,
    max_age: 0,
    deny_purge: false,
    allow_direct: true,
    max_msg_size: 1,
  })
  t.same(await compared(a), [
    { stream: log, name: 'deny_purge', wanted: 'true', found: 'false' },
    { stream: log, name: 'allow_direct', wanted: 'false', found: 'true' },
    { stream: log, name: 'max_msg_size', wanted: '8388608', found: '1' },
  ])
  const republish = { src: 'stillup.>', dest: 'copy.>' }
  await remake({ republish, storage: 'memory', max_bytes: 1024 })
  t.match(await compared(a), [
    { name: 'storage', wanted: '"file"', found: '"memory"' },
    { name: 'max_bytes' },
    { name: 'republish', wanted: 'none' },
  ])
})

t.test('a server that acknowledges what is not on disk is told', { skip }, async (t) => {
  const [safe, unsafe, empty, three] = [
    await startNatsServers(t),
    await startNatsServers(t, { sync: '2m', initialized: false }),
    await startNatsServers(t, { jetstream: false, initialized: false }),
    await startNatsServers(t, { count: 3, initialized: false }),
  ]
  t.same(await syncProblems(safe.monitorUrls, undefined, patience()), [])
  t.same(await syncProblems(three.monitorUrls, undefined, patience()), [])
  const [first = '', second = '', third = '', fourth = ''] = [
    ...[safe, unsafe, empty].flatMap(({ monitorUrls }) => monitorUrls),
    ...three.monitorUrls,
  ]
  const closed = 'http://127.0.0.1:1/'
  t.match(await syncProblems([first, second, third, fourth, closed], undefined, patience()), [
    { url: second, kind: 'notSynced', detail: 'every 120 s' },
    { url: third, kind: 'noJetStream' },
    { url: fourth, kind: 'otherCluster', detail: 'test, not ' },
    { url: closed, kind: 'unreadable' },
  ])
  t.match(await syncProblems([`${first}/streamz`], undefined, patience()), [{ kind: 'unreadable' }])
})

t.test('addresses outside of this machine need TLS, and none has a password in it', async (t) => {
  for (const good of [
    'nats://127.0.0.1:4222',
    'nats://localhost',
    'nats://[::1]:4222',
    'tls://n.example',
  ]) {
    t.equal(serverProblem(good), undefined, good)
  }
  for (const bad of [
    'nats://10.0.0.1:4222',
    'nats://n.example',
    'http://127.0.0.1',
    'n.example:4222',
    '',
  ]) {
    t.type(serverProblem(bad), 'string', bad)
  }
  const clock = startClock()
  t.teardown(() => clock.stop())
  const secret = 'tls://user:hidden@n.example'
  t.notMatch(serverProblem(secret), /hidden/)
  const connected = (servers: string[]) =>
    connectCluster({ servers, name: 'test', clock, requestMs: 200 }, AbortSignal.timeout(500))
  await t.rejects(connected(['nats://n.example:4222']), /must begin with tls:/)
  await t.rejects(connected(['tls://127.0.0.1', 'nats://127.0.0.1']), /Either all/)
  await t.rejects(connected(['nats://127.0.0.1:1']), LogUnanswered)
  t.same(['c0', 'a-b_C', '', 'a.b', 'a b', '>'].map(isClusterName), [
    ...[true, true, false, false, false, false],
  ])
})

t.test('a server is trusted by its authority, and knows us by our key', { skip }, async (t) => {
  const servers = await startNatsServers(t, { tls: testCertificates.good, initialized: false })
  const { clock, urls, seeds } = servers
  const usual = { servers: urls, name: 'test', clock, requestMs: 1_000 }
  const soon = () => AbortSignal.timeout(500)
  const inbox = inboxOf(natsCell, 'a')
  const a = await connectCluster({ ...usual, seed: seeds.a, inbox, ca: [testCa] }, patience())
  t.teardown(() => a.close())
  t.match(await differences(a, { ...servers.objects, signal: patience(), settleMs: 0 }), [
    { found: 'missing' },
  ])
  await t.rejects(connectCluster({ ...usual, seed: seeds.a, inbox }, soon()), LogUnanswered)
  const plain = urls.map((url) => url.replace('tls:', 'nats:'))
  await t.rejects(
    connectCluster({ ...usual, servers: plain, seed: seeds.a }, soon()),
    LogUnanswered,
  )
  const stranger = await startNatsServers(t, { initialized: false })
  await t.rejects(
    connectCluster({ ...usual, servers: stranger.urls, seed: seeds.a }, patience()),
    /do not know this key/,
  )
  await t.rejects(
    connectCluster({ ...usual, servers: plain.slice(0, 0).concat(stranger.urls) }, patience()),
    /do not know this key/,
    'nor whoever has none',
  )
})
