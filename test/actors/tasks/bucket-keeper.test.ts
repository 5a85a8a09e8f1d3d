// Quotas over a restart: what was used up stays so, and what is kept names nobody.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  bucketsSavedMax,
  bucketsSavedMs,
  startBucketKeeper,
} from '../../../src/actors/tasks/bucket-keeper.ts'
import { openTempStore } from '../../support/temp-store.ts'

const policy = { quota: 3, windowSeconds: 600 }

t.test('a quota that was used up is still so after a restart', async (t) => {
  const { store, clock, dir } = openTempStore(t)
  const first = startBucketKeeper({ store, clock })
  const before = first.limiter('sign-in', policy)
  for (let n = 0; n < 3; n += 1) before.take('alice@example.com', clock.nowMs())
  before.take('bob@example.com', clock.nowMs())
  const stopped = first.stop()
  await clock.advance(0)
  await stopped
  t.equal(clock.pending, 0)

  const second = startBucketKeeper({ store, clock })
  const after = second.limiter('sign-in', policy)
  t.equal(after.take('alice@example.com', clock.nowMs()).isAllowed, false)
  t.equal(after.take('bob@example.com', clock.nowMs()).remaining, 1)
  t.equal(second.limiter('other', policy).take('alice@example.com', clock.nowMs()).remaining, 2)
  await clock.advance(200_000)
  t.equal(after.take('alice@example.com', clock.nowMs()).isAllowed, true, 'and grows back')
  const bytes = readFileSync(join(dir, 'data.mdb')).toString('latin1')
  t.notOk(bytes.includes('alice@example.com'))
})

t.test('a crash loses at most the last minute', async (t) => {
  const { store, clock } = openTempStore(t)
  const crashed = startBucketKeeper({ store, clock })
  const limiter = crashed.limiter('sign-in', policy)
  for (let n = 0; n < 2; n += 1) limiter.take('alice', clock.nowMs())
  await clock.advance(bucketsSavedMs)
  await clock.advance(0)
  await store.flush()
  limiter.take('alice', clock.nowMs())
  const next = startBucketKeeper({ store, clock }).limiter('sign-in', policy)
  t.equal(next.take('alice', clock.nowMs()).isAllowed, true)
  t.equal(next.take('alice', clock.nowMs()).isAllowed, false)
})

t.test('full quotas are not stored, and an idle daemon writes nothing', async (t) => {
  const { store, clock } = openTempStore(t)
  const keeper = startBucketKeeper({ store, clock })
  const limiter = keeper.limiter('sign-in', policy)
  const minute = async () => {
    await clock.advance(bucketsSavedMs)
    await clock.advance(0)
    await store.flush()
  }
  limiter.take('alice', clock.nowMs())
  await minute()
  t.equal(store.buckets.of('sign-in').length, 1)
  for (let n = 0; n < 4; n += 1) await minute()
  t.same(store.buckets.of('sign-in'), [])
})

t.test('a clock that was set back blocks nobody longer than a window', async (t) => {
  const { store, clock } = openTempStore(t)
  const first = startBucketKeeper({ store, clock })
  const limiter = first.limiter('sign-in', policy)
  for (let n = 0; n < 3; n += 1) limiter.take('alice', clock.nowMs())
  const stopped = first.stop()
  await clock.advance(0)
  await stopped
  clock.jump(-30 * 86_400_000)
  const next = startBucketKeeper({ store, clock }).limiter('sign-in', policy)
  t.ok(next.take('alice', clock.nowMs()).retryMs <= 200_000)
})

t.test('of very many quotas those that take longest to recover are stored', async (t) => {
  const { store, clock } = openTempStore(t)
  const keeper = startBucketKeeper({ store, clock })
  const limiter = keeper.limiter('sign-in', policy)
  for (let n = 0; n < bucketsSavedMax + 500; n += 1) limiter.take(`u${n}`, clock.nowMs())
  limiter.take('u7', clock.nowMs())
  const stopped = keeper.stop()
  await clock.advance(0)
  await stopped
  t.equal(store.buckets.of('sign-in').length, bucketsSavedMax)
  const next = startBucketKeeper({ store, clock }).limiter('sign-in', policy)
  t.equal(next.take('u7', clock.nowMs()).remaining, 0)
})
