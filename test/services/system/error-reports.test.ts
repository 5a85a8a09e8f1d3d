// Error reports: counted by kind, bounded in every direction, and without secrets.
import t, { type Test } from 'tap'
import { mintToken } from '../../../src/seal/tokens.ts'
import {
  createErrorReports,
  errorFlushMs,
  errorKindsMax,
} from '../../../src/services/system/error-reports.ts'
import { callerOf } from '../../support/access.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

const operator = callerOf({ kind: 'system' })

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  let writes = 0
  const counting = {
    ...store,
    writeSoon: ((body) => {
      writes += 1
      return store.writeSoon(body)
    }) as typeof store.writeSoon,
  }
  const start = () => createErrorReports({ store: counting, clock })
  const reports = start()
  const send = (message: string, more: object = {}, caller = operator) =>
    settled(store, reports.report(caller, { source: 'agent', message, ...more }))
  const flush = () => settled(store, reports.flush())
  return { store, clock, start, reports, send, flush, writes: () => writes }
}

const all = { limit: 200 }

t.test('the same error is one kind, with its count, its times and its last sample', async (t) => {
  const { reports, send, clock, start, flush } = open(t)
  const firstMs = clock.nowMs()
  const first = await send('timeout after 30 ms', { context: { version: '1.2' } })
  await clock.advance(60_000)
  const again = await send('timeout after 45 ms', { context: { version: '1.3' } })
  t.equal(again.fingerprint, first.fingerprint)
  const { items } = reports.list(all)
  t.equal(items.length, 1)
  const kind = {
    id: first.id,
    count: 2,
    firstSeenAtMs: firstMs,
    lastSeenAtMs: firstMs + 60_000,
    message: 'timeout after 45 ms',
    context: { version: '1.3' },
    source: 'agent',
  }
  t.match(items[0], kind)
  await flush()
  t.match(start().list(all).items, [kind], 'it is there after a restart')
})

t.test('secrets are removed from every part before anything is stored', async (t) => {
  const { reports, send } = open(t)
  const key = mintToken('sup')
  await send(`refused: ${key}, auth-token=s3ss10n; /callback?state=1&token=l1nk`, {
    stack: `Error: x\n    at get (https://user:hunter22@up.test/app.js:1:1)`,
    context: {
      password: 'hunter22',
      deep: { authorization: `Bearer ${key}`, url: `/push/${key}` },
    },
  })
  const kept = JSON.stringify(reports.list(all))
  t.notMatch(kept, new RegExp(`${key}|hunter22|s3ss10n|l1nk`))
  t.match(kept, /\[hidden\]/)
})

t.test('a flood of one error costs next to nothing', async (t) => {
  const { reports, send, clock, flush, store, writes } = open(t)
  await send('boom')
  const before = writes()
  for (let n = 0; n < 1_000; n += 1) reports.own({ message: `boom ${n}`, stack: '' })
  for (let n = 0; n < 200; n += 1) await send(`boom`)
  await clock.advance(errorFlushMs)
  await flush()
  t.ok(writes() - before <= 2, `${writes() - before} writes`)
  t.same(
    store.errors
      .all(10)
      .map(({ source, count }) => [source, count])
      .toSorted(),
    [
      ['agent', 201],
      ['daemon', 1_000],
    ],
  )
})

t.test('there are at most 1,000 kinds; the least recently seen one is dropped', async (t) => {
  const { reports, send, clock, flush, store } = open(t)
  const word = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  await send('first')
  for (let n = 0; n < errorKindsMax - 1; n += 1) reports.own({ message: word(n) })
  await clock.advance(1)
  await send('first')
  reports.own({ message: 'one too many' })
  await flush()
  const messages = new Set(store.errors.all(2_000).map(({ message }) => message))
  t.equal(messages.size, errorKindsMax)
  t.ok(messages.has('first') && messages.has('one too many'))
  t.notOk(messages.has(word(0)), 'the oldest that did not come again')
})

t.test('without a credential ten a minute are accepted from one address', async (t) => {
  const { send, clock } = open(t)
  const from = (address: string) => ({ ...callerOf(), address })
  for (let n = 0; n < 10; n += 1) await send('x', {}, from('203.0.113.7'))
  await t.rejects(send('x', {}, from('203.0.113.7')), { code: 'rate_limited' })
  await send('x', {}, from('203.0.113.8'))
  for (let n = 0; n < 50; n += 1) await send('x')
  await clock.advance(60_000)
  await send('x', {}, from('203.0.113.7'))
})

t.test('reports cannot use the service’s own source', async (t) => {
  const { send } = open(t)
  await t.rejects(send('x', { source: 'daemon' }), {
    code: 'validation_failed',
    message: 'source must not be daemon, which is this service',
  })
})

t.test('the list is most recent first, page by page', async (t) => {
  const { reports, send, clock } = open(t)
  for (const message of ['one', 'two', 'three', 'four', 'two']) {
    await send(message)
    await clock.advance(10)
  }
  const first = reports.list({ limit: 2 })
  const second = reports.list({ limit: 2, after: first.nextAfter ?? '' })
  const messages = [...first.items, ...second.items].map(({ message }) => message)
  t.same(messages, ['two', 'four', 'three', 'one'])
  t.equal(second.nextAfter, undefined)
})
