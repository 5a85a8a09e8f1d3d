// Two machines without a third: a standby follows, the leader dies, a person promotes, and nothing that was
// acknowledged is lost. The former leader does not lead again.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { mintKey, register } from '../support/cast.ts'
import { amount, isDeep } from '../support/depth.ts'
import { addMonitor, addStandbyMachine, heard, namesAt } from '../support/machines.ts'
import { startReceiver } from '../support/receiver.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

t.jobs = 2

/** Most of them is to start processes and to wait for them. */
const skip = !isDeep && 'a matter of quantity: in deep runs'

/** Two of them with the same master key; the second follows the first, and has everything. */
async function pair(t: Test) {
  const root = testFolder(t)
  const [a, b] = [await addStandbyMachine(t, root, 'a'), await addStandbyMachine(t, root, 'b')]
  const leader = a.start()
  await leader.ready()
  const owner = await register(leader, 'alice', await leader.setupToken())
  const key = await mintKey(leader, owner)
  copyFileSync(join(a.dir, 'master.key'), join(b.dir, 'master.key'))
  const standby = b.start('standby', '--of', a.url)
  await heard(standby, 'this standby has everything')
  return { a, b, leader, standby, owner, key }
}

t.test(
  'the leader is killed under load: all that it acknowledged is on the promoted standby',
  async (t) => {
    const { a, b, leader, standby, owner, key } = await pair(t)
    t.match(await standby.ask('GET', '/x').catch(() => null), null)
    const health = await fetch(`${b.url}/healthz`)
    t.equal(await health.text(), 'alive\nrole: standby\n')
    const ready = await fetch(`${b.url}/readyz`)
    t.equal(ready.status, 503)
    t.equal(ready.headers.get('retry-after'), '5')
    t.equal(
      await fetch(`${a.url}/healthz`).then((answer) => answer.text()),
      'alive\nrole: leader\n',
    )
    t.match(await b.run('promote'), { code: 1, said: /answers: stop it first/ })
    t.match(await b.run('backup', 'create'), { code: 1, said: /it is a standby/ })
    t.match(await b.run('healthcheck'), { code: 0, said: /is a standby of .*has everything/s })

    const acknowledged: string[] = []
    const refused: string[] = []
    let isOver = false
    const load = [1, 2, 3].map(async (sender) => {
      for (let number = 0; !isOver; number += 1) {
        const name = `load ${sender} ${number}`
        await addMonitor(leader, owner, key, name).then(
          () => acknowledged.push(name),
          () => {
            refused.push(name)
            isOver = true
          },
        )
      }
    })
    await until(() => acknowledged.length > 60)
    await leader.stop('SIGKILL')
    await Promise.all(load)

    await heard(standby, 'the leader does not answer')
    t.match(await b.run('healthcheck'), { code: 1, said: /its leader does not answer/ })
    const promoted = await b.run('promote')
    t.equal(promoted.code, 0, promoted.said)
    t.match(promoted.said, /this machine leads now, with everything until \d{4}-/)
    await standby.ready()
    const found = await namesAt(standby, owner, key)
    for (const name of acknowledged) t.ok(found.includes(name), `${name} is there`)
    t.ok(found.length <= acknowledged.length + refused.length, 'and nothing else')
    t.match(await b.run('promote'), { code: 1 }, 'it leads already')

    // The former leader comes back, hears of it, and ends; then it does not even start.
    const again = a.start()
    t.match(await again.ended, { code: 78 })
    t.match(again.err, /leads now: a standby was promoted there/)
    const refusedStart = a.start()
    t.match(await refusedStart.ended, { code: 78 })
    t.match(refusedStart.err, new RegExp(`stillup standby --of ${b.url}`))

    // As a standby it is welcome, and has what was written meanwhile.
    const back = a.start('standby', '--of', b.url)
    await heard(back, 'this standby has everything')
    await addMonitor(standby, owner, key, 'after')
    t.match(await standby.stop(), { code: 0 })
    t.match(await a.run('promote'), { code: 0 })
    await back.ready()
    const kept = await namesAt(back, owner, key)
    t.same(kept.toSorted(), [...found, 'after'].toSorted())

    // A planned change takes a stop and two commands, each time: nothing is copied anew, nothing kept aside.
    let [former, next] = [b, a]
    let leads = back
    for (const name of isDeep ? ['third', 'fourth'] : ['third']) {
      const follows = former.start('standby', '--of', next.url)
      await heard(follows, 'this standby has everything')
      t.notMatch(follows.err, /begins with a copy|leads/, name)
      await addMonitor(leads, owner, key, name)
      t.match(await leads.stop(), { code: 0 })
      t.notMatch(leads.err, /the standby does not answer/, 'it had everything until the end')
      t.match(await former.run('promote'), { code: 0 })
      await follows.ready()
      const has = await namesAt(follows, owner, key)
      t.ok(has.includes(name), name)
      leads = follows
      ;[former, next] = [next, former]
    }
    t.match(await leads.stop(), { code: 0 })
  },
)

t.test(
  'a shadow run goes on at the promoted standby: silent until it goes live, then told once',
  { skip },
  async (t) => {
    const { b, leader, standby, owner, key } = await pair(t)
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    const hook = 'chn_01arz3ndektsv4rrffq69g5fav'
    const json = {
      ...{ format: 'stillup/1', source: { product: 'kuma', installation: 'of a test' } },
      channels: [
        { id: hook, origin: 'n/1', name: 'Hook', type: 'webhook', config: { url: receiver.url } },
      ],
      monitors: ['Lift', 'Door'].map((name, at) => ({
        ...{ origin: `monitor/${at}`, name, checkType: 'manual', notifyChannelIds: [hook] },
      })),
    }
    const { importId } = await leader.need('POST', `${owner.org}/import?isShadow=true`, {
      key,
      json,
    })
    const monitors = await leader.need('GET', `${owner.org}/monitors`, { key })
    const [lift] = monitors.filter(({ name }: { name: string }) => name === 'Lift')
    const state = { key, json: { state: 'down' } }
    await leader.need('POST', `${owner.org}/monitors/${lift.id}/state`, state)
    const path = `${owner.org}/imports/${importId}`
    const { reportUrl } = await leader.need('GET', `${path}/shadow`, { key })
    await leader.stop('SIGKILL')

    t.match(await b.run('promote'), { code: 0 })
    await standby.ready()
    t.match(await standby.need('GET', `${path}/shadow`, { key }), { monitors: 2, live: 0 })
    const told = { json: { name: 'Lift', status: 'down' } }
    const address = new URL(reportUrl).pathname.replace('/api/v1', '')
    t.match(await standby.need('POST', address, told), { taken: 1 }, 'at the address of before')
    t.equal(receiver.requests.length, 0)
    const live = await standby.need('POST', `${path}/go-live`, { key, json: {} })
    t.same(live, { live: 2, toldNow: 1 })
    await receiver.received(1)
    t.match(await standby.stop(), { code: 0 })
    const again = b.start()
    await again.ready()
    t.same(await again.need('POST', `${path}/go-live`, { key, json: {} }), { live: 0, toldNow: 0 })
    await again.need('POST', `${owner.org}/monitors/${lift.id}/state`, {
      key,
      json: { state: 'up' },
    })
    const all = await receiver.received(2)
    t.match(
      all.map(({ body }) => body),
      [/incident.opened/, /incident.resolved/],
    )
  },
)

t.test('a standby that is restarted goes on, one that missed too much begins anew', async (t) => {
  const { a, b, leader, standby, owner, key } = await pair(t)
  t.match(await standby.stop(), { code: 0 })
  await addMonitor(leader, owner, key, 'alone')
  const second = b.start('standby', '--of', a.url)
  await heard(second, 'this standby has everything')
  t.notMatch(second.err, /begins with a copy/, 'the leader held what it missed')
  t.match(await second.stop(), { code: 0 })
  // What a restarted leader has not sent is held no more.
  await addMonitor(leader, owner, key, 'before the restart')
  t.match(await leader.stop(), { code: 0 })
  const restarted = a.start()
  await restarted.ready()
  const third = b.start('standby', '--of', a.url)
  await heard(third, 'this standby has everything')
  t.match(third.err, /begins with a copy of all data/)
  t.same(
    readdirSync(b.dir).filter((name) => name.startsWith('replaced')),
    [],
    'an old copy is not kept',
  )
  // A copy is no daemon by itself.
  t.match(await third.stop(), { code: 0 })
  const wrong = b.start()
  t.match(await wrong.ended, { code: 78 })
  t.match(wrong.err, /the data is a copy of that of/)
  // A leader that lost its disk and begins with an empty directory: the copy is all that is left.
  t.match(await restarted.stop(), { code: 0 })
  const copied = readFileSync(join(b.dir, 'data.mdb'))
  for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(a.dir, name))
  const empty = a.start()
  await empty.ready()
  const fourth = b.start('standby', '--of', a.url)
  await heard(fourth, 'this standby has everything')
  t.match(fourth.err, /the data that was here is kept/)
  const [kept = ''] = readdirSync(b.dir).filter((name) => /^replaced-/.test(name))
  t.ok(copied.equals(readFileSync(join(b.dir, kept, 'data.mdb'))))
})

t.test(
  'a copy that a command wrote to is promoted above its leader, and once',
  { skip },
  async (t) => {
    const { a, b, leader, standby } = await pair(t)
    t.match(await standby.stop(), { code: 0 })
    t.match(await b.run('backup', 'create'), { code: 0 })
    await leader.stop('SIGKILL')
    const next = b.start('standby', '--of', a.url)
    await heard(next, 'the leader does not answer')
    const promoted = await Promise.all([b.run('promote'), b.run('promote')])
    t.ok(
      promoted.some(({ code }) => code === 0),
      'asked twice at once',
    )
    for (const { said } of promoted) t.match(said, /this machine leads now|it leads already/)
    await next.ready()
    const former = a.start()
    t.match(await former.ended, { code: 78 })
    t.match(former.err, /leads now: a standby was promoted there/)
    t.match(await next.stop(), { code: 0 })
  },
)

t.test('what a standby cannot do without a person is said in one line', async (t) => {
  const root = testFolder(t)
  const [a, b] = [await addStandbyMachine(t, root, 'a'), await addStandbyMachine(t, root, 'b')]
  t.match(await b.run('standby'), { code: 64, said: /--of https:/ })
  t.match(await b.run('standby', '--of', 'http://up.example.com'), {
    code: 78,
    said: /master key file is missing/,
  })
  t.match(await b.run('promote'), { code: 1, said: /no daemon runs/ })
  const leader = a.start()
  await leader.ready()
  const other = b.start()
  await other.ready()
  t.match(await b.run('backup', 'create'), { code: 0 })
  t.match(await other.stop(), { code: 0 })
  const c = await addStandbyMachine(t, root, 'c')
  copyFileSync(join(a.dir, 'master.key'), join(c.dir, 'master.key'))
  for (let time = 0; time < amount(1, 2); time += 1) {
    const early = c.start('standby', '--of', 'http://127.0.0.1:9')
    await heard(early, 'the leader does not answer')
    t.match(await early.stop(), { code: 0 }, 'it has nothing yet, and may begin again')
  }
  t.match(await b.run('standby', '--of', 'http://up.example.com', '--replace'), {
    code: 78,
    said: /would travel in the open/,
  })
  t.match(await b.run('standby', '--of', a.url), { code: 78, said: /has another master key/ })
  const [own, foreign] = [join(b.dir, 'master.key'), join(a.dir, 'master.key')]
  const kept = readFileSync(own)
  copyFileSync(foreign, own)
  t.match(await b.run('standby', '--of', a.url), { code: 78, said: /data that is no copy of/ })
  writeFileSync(own, kept)
  t.match(await b.run('restore', 'latest', '--replace'), { code: 0 })
  t.match(
    await b.run('standby', '--of', 'http://127.0.0.1:9'),
    { code: 78, said: /data that is no copy of/ },
    'a backup is no copy, also where nobody answers',
  )
  for (const path of ['records?after=0&hash=&member=x&version=1', 'snapshot', 'role']) {
    const answer = await fetch(`${a.url}/api/v1/standby/${path}`, {
      headers: { authorization: 'Bearer wrong' },
    })
    t.equal(answer.status, 401, path)
  }
  t.match(await leader.stop(), { code: 0 })
})
