// What the machine that leads knows of the standbys that follow it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import { createMetrics } from '../../../src/base/metrics.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { createLogSeal } from '../../../src/seal/log-seal.ts'
import { createClusterView } from '../../../src/services/standby/cluster-view.ts'
import { createFollowers } from '../../../src/services/standby/followers.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { testFolder } from '../../support/test-folder.ts'

function openView(t: Test) {
  const clock = new FakeClock()
  const metrics = createMetrics()
  const file = join(testFolder(t), 'master.key')
  const seal = createLogSeal(openKeyring({ file, create: true, random: randomBytes }))
  const followers = createFollowers({ clock, log: silentLog, metrics, seal })
  followers.begin({ epoch: 3, sequence: 10, hash: 'h10', origin: 'h0' }, undefined)
  let newest = 10
  const write = () => {
    newest += 1
    return followers.redoLog.append({
      sequence: newest,
      after: newest - 1,
      hash: `h${newest}`,
      bytes: Buffer.from('record'),
    })
  }
  const ask = (after: number) =>
    followers.records({
      ...{ member: 'two', address: '192.0.2.2', version: '1.2.4' },
      ...{ after, hash: `h${after}`, isHeld: false },
    })
  const view = createClusterView({
    ...{ clock, metrics, followers, name: 'one', version: '1.2.3' },
    store: {
      logPosition: () => ({ epoch: 3, sequence: newest, hash: `h${newest}`, origin: 'h0' }),
    },
  })
  const standby = () => view()?.members[1]
  return { clock, metrics, write, ask, view, standby }
}

t.test('a daemon without standbys is no cluster', async (t) => {
  const metrics = createMetrics()
  const clock = new FakeClock()
  const store = { logPosition: () => undefined }
  const view = createClusterView({
    ...{ clock, metrics, store, followers: undefined, name: 'one', version: '1.2.3' },
  })
  t.equal(view(), null)
  t.notMatch(await metrics.text(), 'cluster_role')
})

t.test('the machine that leads is the first, and sees how far each standby is', async (t) => {
  const { clock, metrics, write, ask, view, standby } = openView(t)
  t.match(view(), {
    epoch: 3,
    members: [{ name: 'one', role: 'leader', version: '1.2.3', address: null, isThis: true }],
  })
  t.match(
    await metrics.text(),
    /cluster_role\{role="leader"\} 1\n.*cluster_role\{role="standby"\} 0/,
  )

  await ask(10)
  t.same(standby(), {
    name: 'two',
    role: 'standby',
    version: '1.2.4',
    address: '192.0.2.2',
    heardAtMs: clock.nowMs(),
    behind: 0,
    isInStep: true,
    behindSinceMs: null,
    isThis: false,
  })
  const heardAtMs = clock.nowMs()
  const written = write()
  t.match(standby(), { behind: 1, isInStep: true }, 'the change waits for it')
  await clock.advance(2_000)
  await written
  await clock.advance(60_000)
  t.match(
    standby(),
    { behind: 1, isInStep: false, heardAtMs, behindSinceMs: heardAtMs },
    'it has been away since it was heard last',
  )
  await ask(10)
  t.match(standby(), { behind: 1, isInStep: false, heardAtMs: clock.nowMs() }, 'it catches up')
  await ask(11)
  t.match(standby(), { behind: 0, isInStep: true, behindSinceMs: null })
})
