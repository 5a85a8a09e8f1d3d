// Registrations: how rarely the registries are asked, and what holds while they say nothing.
import t from 'tap'
import type { JsonAnswer, JsonClient } from '../../../src/net/http-client/get-json.ts'
import { createRdapBootstrap } from '../../../src/probes/domain/rdap-bootstrap.ts'
import { createRegistrations } from '../../../src/probes/domain/registrations.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { type RdapFields, rdapDomain, rdapList } from '../../support/rdap.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

type Answers = Record<string, JsonAnswer | undefined>

const domain = (fields: RdapFields = {}) =>
  ({ status: 200, document: rdapDomain(fields) }) as JsonAnswer
const down: JsonAnswer = { failure: { result: 'failed', kind: 'connect', message: 'no answer' } }

function start(answers: Answers) {
  const clock = new FakeClock()
  const asked: string[] = []
  const accepts = new Set<string>()
  let atOnce = 0
  let atOnceMax = 0
  const client: JsonClient = {
    async get(url, { accept }) {
      accepts.add(accept)
      const name = url.replace('https://registry.test/domain/', '')
      asked.push(name)
      atOnce += 1
      atOnceMax = Math.max(atOnceMax, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return answers[name] ?? { status: 404 }
    },
  }
  const list = rdapList({ test: 'https://registry.test/' })
  const bootstrap = createRdapBootstrap({ list })
  const { find } = createRegistrations({ client, bootstrap, clock })
  return { clock, asked, accepts, find, answers, most: () => atOnceMax }
}

t.test('a registry is queried once in six hours, however many monitors ask', async (t) => {
  const { clock, asked, accepts, find } = start({ 'example.test': domain() })
  const found = await Promise.all(Array.from({ length: 20 }, () => find('example.test')))
  for (const one of found) t.match(one, { kind: 'registered' })
  for (let i = 0; i < 11; i++) {
    await clock.advance(hourMs / 2)
    t.match(await find('example.test'), { kind: 'registered' })
  }
  t.same(asked, ['example.test'])
  t.same([...accepts], ['application/rdap+json'])
  await clock.advance(hourMs / 2)
  await find('example.test')
  t.equal(asked.length, 2)
})

t.test('an unregistered domain is queried again after minutes', async (t) => {
  const { clock, asked, find, answers } = start({})
  t.same(await find('example.test'), { kind: 'unregistered' })
  await clock.advance(15 * minuteMs - 1)
  t.same(await find('example.test'), { kind: 'unregistered' })
  t.equal(asked.length, 1)
  answers['example.test'] = domain()
  await clock.advance(1)
  t.match(await find('example.test'), { kind: 'registered' })
  answers['example.test'] = { status: 404 }
  await clock.advance(6 * hourMs)
  t.same(await find('example.test'), { kind: 'unregistered' })
})

t.test('a registry in trouble says nothing about the domain', async (t) => {
  const troubles: [answer: JsonAnswer, message: RegExp][] = [
    [down, /^the registry could not be queried: no answer$/],
    [{ status: 500 }, /it answered with status 500/],
    [{ status: 403 }, /it answered with status 403/],
    [{ status: 400 }, /it answered with status 400/],
    [{ status: 429 }, /it limits the rate of queries \(429\)/],
    [{ status: 200, document: undefined }, /its answer is not about this domain/],
    [domain({ name: 'other.test' }), /its answer is not about this domain/],
  ]
  for (const [answer, message] of troubles) {
    const { asked, find } = start({ 'example.test': answer })
    t.match(await find('example.test'), {
      kind: 'unknown',
      failure: { result: 'unknown', message },
    })
    await find('example.test')
    t.equal(asked.length, 1, 'it is left alone for a while')
  }
  const { find } = start({})
  t.match(await find('example.other'), { kind: 'unknown', failure: { message: /offers no RDAP/ } })
})

t.test('an old answer replaces a missing one, for two days', async (t) => {
  const { clock, asked, find, answers } = start({ 'example.test': domain() })
  await find('example.test')
  answers['example.test'] = down
  await clock.advance(6 * hourMs)
  t.match(await find('example.test'), { kind: 'registered' })
  t.match(await find('example.test'), { kind: 'registered' })
  t.equal(asked.length, 2)
  await clock.advance(42 * hourMs)
  t.match(await find('example.test'), { kind: 'registered' })
  await clock.advance(hourMs)
  t.match(await find('example.test'), { kind: 'unknown' })
  answers['example.test'] = domain()
  await clock.advance(hourMs)
  t.match(await find('example.test'), { kind: 'registered' })
})

t.test('a domain that was renewed at the last moment is not reported as expired', async (t) => {
  const expiresAt = '2026-01-01T02:00:00Z'
  const { clock, asked, find, answers } = start({ 'example.test': domain({ expiresAt }) })
  await find('example.test')
  await clock.advance(2 * hourMs - 1)
  await find('example.test')
  t.equal(asked.length, 1)
  answers['example.test'] = down
  await clock.advance(1)
  t.match(await find('example.test'), { kind: 'unknown' }, 'nobody knows')
  answers['example.test'] = domain()
  await clock.advance(15 * minuteMs)
  const { expiresAtMs } = registered(await find('example.test'))
  t.equal(expiresAtMs, Date.UTC(2027, 0, 1))
})

function registered(found: Awaited<ReturnType<ReturnType<typeof start>['find']>>) {
  if (found.kind !== 'registered') throw new Error(found.kind)
  return found.registration
}

t.test('bad news is queried again after an hour', async (t) => {
  const { clock, asked, find } = start({ 'example.test': domain({ status: ['server hold'] }) })
  await find('example.test')
  await clock.advance(hourMs - 1)
  await find('example.test')
  t.equal(asked.length, 1)
  await clock.advance(1)
  await find('example.test')
  t.equal(asked.length, 2)
})

t.test('a registry that answers "too many" is left alone, for all its domains', async (t) => {
  const answers: Answers = { 'example.test': { status: 429, retryAfterMs: 10 * minuteMs } }
  const { clock, asked, find } = start({ ...answers, 'b.test': domain({ name: 'b.test' }) })
  await find('example.test')
  t.match(await find('b.test'), { kind: 'unknown' })
  t.same(asked, ['example.test'])
  await clock.advance(15 * minuteMs)
  t.match(await find('b.test'), { kind: 'registered' })
})

t.test('a fleet of domains does not query a registry all at once', async (t) => {
  const { find, asked, most } = start({})
  await Promise.all(Array.from({ length: 100 }, (_, i) => find(`d${i}.test`)))
  t.equal(asked.length, 100)
  t.equal(most(), 4)
})
