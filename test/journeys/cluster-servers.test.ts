// The NATS servers of a cluster are not as they must be: what is wrong and what to do is said, and a cluster that
// began with one server goes on with three.
import t, { type Test } from 'tap'
import { mintKey, register } from '../support/cast.ts'
import { isDeep } from '../support/depth.ts'
import { addMember, addMonitor, heard, type Machine, namesAt } from '../support/machines.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { type NatsOptions, startNatsServers } from '../support/nats-servers.ts'
import { testFolder } from '../support/test-folder.ts'

t.jobs = 2

const skip = skipWithoutNats()
const leaseSeconds = 5
const servers = (t: Test, options: NatsOptions) =>
  startNatsServers(t, { leaseMs: leaseSeconds * 1_000, initialized: false, ...options })
const init = (member: Machine) => member.run('cluster', 'init', '--operator', 'operator.nk')
const reseed = (member: Machine) => member.run('cluster', 'reseed', '--operator', 'operator.nk')

t.test('a cluster that began with one server goes on with three', { skip }, async (t) => {
  const root = testFolder(t)
  const nats = await servers(t, { count: 3 })
  const [first = ''] = nats.urls
  const alone = await addMember(t, { ...nats, urls: [first] }, root, 'a', leaseSeconds)
  t.match(await init(alone), { code: 0 })
  const leader = alone.start()
  await leader.ready()
  const owner = await register(leader, 'alice', await leader.setupToken())
  const key = await mintKey(leader, owner)
  await addMonitor(leader, owner, key, 'in one log')

  const member = await addMember(t, nats, root, 'a', leaseSeconds)
  const advice = /num_replicas: 1 instead of 3.*Let all three keep it: stillup cluster init/s
  t.match(await member.run('cluster', 'check'), { code: 1, said: advice })
  t.match(await init(member), {
    code: 0,
    said: /^more servers keep STILLUP_c0, .*; the log goes on with the records that it has$/m,
  })
  await addMonitor(leader, owner, key, 'while it is copied')
  t.match(await leader.stop(), { code: 0 })

  const again = member.start()
  await again.ready()
  t.match(await member.run('cluster', 'check'), { code: 0 })
  await nats.kill(await nats.leaderOf('STILLUP_c0'))
  await addMonitor(again, owner, key, 'in what two servers keep')
  t.same((await namesAt(again, owner, key)).toSorted(), [
    'in one log',
    'in what two servers keep',
    'while it is copied',
  ])
  t.match(await init(member), { code: 1, said: /has records already/ }, 'once')
})

t.test('one server cannot keep what three shall keep', { skip }, async (t) => {
  const root = testFolder(t)
  const nats = await servers(t, {})
  const [only = ''] = nats.urls
  const alone = await addMember(t, nats, root, 'a', leaseSeconds)
  t.match(await init(alone), { code: 0 })
  const urls = [only, only.replace('127.0.0.1', 'localhost'), only]
  const member = await addMember(t, { ...nats, urls }, root, 'a', leaseSeconds)
  const problem = { code: 78, said: /replicas > 1 not supported.*From one NATS server to three/s }
  t.match(await init(member), problem)
  t.match(await reseed(member), problem)
  t.match(await member.run('serve'), { code: 78, said: /num_replicas: 1 instead of 3/ })
})

for (const [count, said] of [
  [1, /insufficient storage resources.*room for the log on its disk/s],
  [3, /no suitable peers for placement.*room for the log on its disk/s],
] as const) {
  const skipThree = count > 1 && !isDeep && 'a usual run asks one server'
  t.test(`no room for the log, servers: ${count}`, { skip: skip || skipThree }, async (t) => {
    const root = testFolder(t)
    const nats = await servers(t, { count, fileBytesMax: 1e9 })
    const member = await addMember(t, nats, root, 'a', leaseSeconds)
    for (const asked of [init, reseed]) {
      const answer = await asked(member)
      t.match(answer, { code: 78, said })
      t.notMatch(answer.said, /^ +at /m, 'and no stack')
    }
  })
}

t.test('servers without JetStream', { skip }, async (t) => {
  const root = testFolder(t)
  const nats = await servers(t, { jetstream: false })
  const member = await addMember(t, nats, root, 'a', leaseSeconds)
  const problem = { code: 78, said: /JetStream not enabled.*jetstream \{/s }
  const asked = [init(member), reseed(member), member.run('cluster', 'check')]
  for (const answer of await Promise.all(asked)) t.match(answer, problem)
  t.match(await member.run('serve'), { code: 78, said: /has no JetStream/ })
  // Nothing but silence tells one that it may not ask, and it can be stopped meanwhile.
  const unaware = await addMember(t, { ...nats, monitorUrls: [] }, root, 'a', leaseSeconds)
  const waiting = unaware.start()
  await heard(waiting, 'connecting to the cluster')
  t.match(await waiting.stop(), { code: 0 })
})
