// The memory of creating requests.
import t, { type Test } from 'tap'
import { Fault } from '../../src/base/fault.ts'
import { createReplays, type ReplayedAnswer } from '../../src/services/replays.ts'
import { openTempStore } from '../support/temp-store.ts'

const hourMs = 3_600_000
const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => undefined,
    (error) => (error instanceof Fault ? error.code : error),
  )
const claim = { owner: 'usr_alice', keyHash: 'hash', bodyHash: 'body' }
const sealed = (text: string) => Buffer.from(text).toString('base64')
const box = { seal: sealed, open: (text: string) => Buffer.from(text, 'base64').toString() }

function setUp(t: Test) {
  const { store, clock } = openTempStore(t)
  const replays = createReplays({ store, box })
  const startMs = clock.nowMs()
  return {
    store,
    startMs,
    replays,
    /** Returns what was answered before, or makes an answer of `body`. */
    ask: (body: string, over: object = {}, nowMs = startMs) =>
      replays.once(
        { ...claim, ...over },
        { work: () => store.write(() => body), answerTo: (made) => ({ body: made, etag: '"1"' }) },
        nowMs,
      ),
  }
}

t.test('the first response is repeated for a day, and stored encrypted', async (t) => {
  const { store, startMs, ask } = setUp(t)
  t.equal(await ask('{"key":"secret"}'), undefined)
  const again = await ask('more', {}, startMs + 23 * hourMs)
  t.same(again, { body: '{"key":"secret"}', etag: '"1"' })
  t.notMatch(JSON.stringify(store.replays.get(claim.owner, claim.keyHash)), /secret/)
  t.equal(await ask('new', {}, startMs + 24 * hourMs), undefined, 'forgotten after a day')
})

t.test('the work and its response are one transaction', async (t) => {
  const { store, startMs, replays } = setUp(t)
  const seen: boolean[] = []
  const storedAnswer = () => store.replays.get(claim.owner, claim.keyHash) !== undefined
  const work = () =>
    store.write((tx) => {
      seen.push(storedAnswer())
      tx.afterCommit(() => seen.push(storedAnswer()))
      return 'made'
    })
  await replays.once(claim, { work, answerTo: (body) => ({ body }) }, startMs)
  t.same(seen, [false, true], 'stored with the work, before anything follows from it')

  const bang = new Error('bang')
  const wrong = { ...claim, keyHash: 'second' }
  const failing = replays.once(
    wrong,
    {
      work: () => store.write((tx) => store.meta.putLastAlive(tx, 77)),
      answerTo: (): ReplayedAnswer => {
        throw bang
      },
    },
    startMs,
  )
  await t.rejects(failing, bang)
  t.not(store.meta.lastAliveMs(), 77, 'without an answer the work is undone')
})

t.test('another owner, another key: another request', async (t) => {
  const { ask } = setUp(t)
  t.equal(await ask('x'), undefined)
  t.equal(await ask('x', { owner: 'usr_bob' }), undefined)
  t.equal(await ask('x', { keyHash: 'other' }), undefined)
})

t.test('a key in progress, and one with another body, are refused', async (t) => {
  const { ask } = setUp(t)
  const first = ask('x')
  t.equal(await codeOf(ask('x')), 'conflict')
  t.equal(await codeOf(ask('x', { bodyHash: 'other' })), 'idempotency_key_reused')
  t.equal(await first, undefined)
  t.equal(await codeOf(ask('x', { bodyHash: 'other' })), 'idempotency_key_reused')
})

t.test('after work that failed the key may be used again', async (t) => {
  const { store, startMs, replays, ask } = setUp(t)
  const bang = new Error('bang')
  const fail = () =>
    store.write((): string => {
      throw bang
    })
  const failing = replays.once(claim, { work: fail, answerTo: (body) => ({ body }) }, startMs)
  await t.rejects(failing, bang)
  t.equal(await ask('x'), undefined)
  t.match(await ask('y'), { body: 'x' })
})

t.test('sweeping deletes expired responses and nothing else', async (t) => {
  const { store, startMs, ask } = setUp(t)
  const sweep = (atMs: number, limit: number) =>
    store.write((tx) => store.replays.removeExpired(tx, atMs, limit))
  for (const [at, keyHash] of ['a', 'b', 'c'].entries()) {
    await ask(keyHash, { keyHash }, startMs + at * hourMs)
  }
  t.equal(await sweep(startMs + 25 * hourMs, 1), 1)
  t.equal(await sweep(startMs + 25 * hourMs, 10), 1)
  t.equal(await sweep(startMs + 25 * hourMs, 10), 0)
  t.match(await ask('x', { keyHash: 'c' }), { body: 'c' })
})
