// The memory of creating requests.
import t from 'tap'
import { Fault } from '../../src/base/fault.ts'
import { createReplays } from '../../src/services/replays.ts'
import { openTempStore } from '../support/temp-store.ts'

const hourMs = 3_600_000
const claim = { owner: 'usr_alice', keyHash: 'hash', bodyHash: 'body' }
const sealed = (text: string) => Buffer.from(text).toString('base64')
const box = { seal: sealed, open: (text: string) => Buffer.from(text, 'base64').toString() }

t.test('the first response is repeated for a day, and stored encrypted', async (t) => {
  const { store, clock } = openTempStore(t)
  const replays = createReplays({ store, box })
  const nowMs = clock.nowMs()
  t.equal(replays.begin(claim, nowMs), undefined)
  await replays.finish(claim, { body: '{"key":"secret"}', etag: '"1"' }, nowMs)
  t.same(replays.begin(claim, nowMs + 23 * hourMs), { body: '{"key":"secret"}', etag: '"1"' })
  t.notMatch(JSON.stringify(store.replays.get(claim.owner, claim.keyHash)), /secret/)
  t.equal(replays.begin(claim, nowMs + 24 * hourMs), undefined, 'forgotten after a day')
})

t.test('another owner, another key: another request', async (t) => {
  const { store, clock } = openTempStore(t)
  const replays = createReplays({ store, box })
  replays.begin(claim, clock.nowMs())
  await replays.finish(claim, { body: 'x' }, clock.nowMs())
  t.equal(replays.begin({ ...claim, owner: 'usr_bob' }, clock.nowMs()), undefined)
  t.equal(replays.begin({ ...claim, keyHash: 'other' }, clock.nowMs()), undefined)
})

t.test('a key in progress, and one with another body, are refused', async (t) => {
  const { store, clock } = openTempStore(t)
  const replays = createReplays({ store, box })
  const codeOf = (bodyHash: string) => {
    try {
      replays.begin({ ...claim, bodyHash }, clock.nowMs())
      return undefined
    } catch (error) {
      return error instanceof Fault ? error.code : error
    }
  }
  replays.begin(claim, clock.nowMs())
  t.equal(codeOf('body'), 'conflict')
  t.equal(codeOf('other'), 'idempotency_key_reused')
  await replays.finish(claim, { body: 'x' }, clock.nowMs())
  t.equal(codeOf('other'), 'idempotency_key_reused')
  replays.begin({ ...claim, keyHash: 'second' }, clock.nowMs())
  replays.abandon({ ...claim, keyHash: 'second' })
  t.equal(replays.begin({ ...claim, keyHash: 'second' }, clock.nowMs()), undefined)
})

t.test('sweeping deletes expired responses and nothing else', async (t) => {
  const { store, clock } = openTempStore(t)
  const replays = createReplays({ store, box })
  const sweep = (atMs: number, limit: number) =>
    store.write((tx) => store.replays.removeExpired(tx, atMs, limit))
  const nowMs = clock.nowMs()
  for (const [at, keyHash] of ['a', 'b', 'c'].entries()) {
    replays.begin({ ...claim, keyHash }, nowMs)
    await replays.finish({ ...claim, keyHash }, { body: keyHash }, nowMs + at * hourMs)
  }
  t.equal(await sweep(nowMs + 25 * hourMs, 1), 1)
  t.equal(await sweep(nowMs + 25 * hourMs, 10), 1)
  t.equal(await sweep(nowMs + 25 * hourMs, 10), 0)
  t.same(replays.begin({ ...claim, keyHash: 'c' }, nowMs), { body: 'c' })
})
