// A wrong clock is told once, at once if it is certain, and so is its end.
import t, { type Test } from 'tap'
import { clockUnprovenMs, createClockNotices } from '../../../src/services/letters/clock-notices.ts'
import { createSystemNotices } from '../../../src/services/letters/system-notices.ts'
import { startMonitorWorld } from '../../support/monitor-world.ts'

async function begin(t: Test) {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store, clock, log } = world
  const { orgId, id: channelId } = await world.addChannel()
  await store.write((tx) => {
    store.meta.putNotices(tx, { ...store.meta.notices(), channels: [{ orgId, channelId }] })
  })
  const systemNotices = createSystemNotices({ store, clock, wake: () => {} })
  const start = () => {
    const notices = createClockNotices({
      store,
      clock,
      log,
      systemNotices,
      baseUrl: 'https://up.test',
    })
    t.teardown(() => notices.stop())
    return notices
  }
  const told = async () => {
    await world.run(0)
    return store.deliveries
      .list(orgId, channelId, { limit: 100 })
      .toReversed()
      .map(({ payloadJson }) => JSON.parse(payloadJson).data.notice)
  }
  return { world, start, told }
}

const wrong = { kind: 'clock', isOver: false }
const over = { kind: 'clock', isOver: true, title: 'The clock is right again' }

t.test('a clock that is behind is told once, whatever many checks see, and its end', async (t) => {
  const { start, told } = await begin(t)
  const notices = start()
  notices.confirmed()
  for (let check = 0; check < 1_000; check++) notices.doubted('behind')
  t.match(await told(), [{ ...wrong, text: /a time that has certainly passed/ }])
  const restarted = start()
  restarted.doubted('behind')
  t.equal((await told()).length, 1, 'a restart does not tell it again')
  for (let check = 0; check < 10; check++) restarted.confirmed()
  t.match(await told(), [wrong, over])
  restarted.doubted('behind')
  t.match(await told(), [wrong, over, wrong], 'another time of trouble')
})

t.test('expired certificates are told only if none is valid for a while', async (t) => {
  const { world, start, told } = await begin(t)
  const notices = start()
  notices.doubted('unproven')
  await world.run(clockUnprovenMs - 1)
  notices.confirmed()
  await world.run(clockUnprovenMs)
  t.same(await told(), [], 'one target had really expired')
  notices.doubted('unproven')
  await world.run(clockUnprovenMs / 2)
  notices.doubted('unproven')
  await world.run(clockUnprovenMs / 2)
  t.match(await told(), [{ ...wrong, title: 'The clock of this service may be wrong' }])
  notices.confirmed()
  t.match(await told(), [wrong, over])
})
