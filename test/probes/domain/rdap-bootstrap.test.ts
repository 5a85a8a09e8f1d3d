// The list of registries: which of them is asked about a domain, and how the list stays fresh.
import t from 'tap'
import type { JsonAnswer } from '../../../src/net/http-client/get-json.ts'
import { createRdapBootstrap, rdapProblem } from '../../../src/probes/domain/rdap-bootstrap.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { rdapList } from '../../support/rdap.ts'

const dayMs = 86_400_000

t.test('the shipped list knows the registries', async (t) => {
  const shipped = createRdapBootstrap()
  t.equal(shipped.baseFor('example.com'), 'https://rdap.verisign.com/com/v1/')
  t.equal(shipped.baseFor('www.example.co.uk'), 'https://rdap.nominet.uk/uk/')
  t.match(shipped.published(), /^20\d\d-/)
  t.equal(rdapProblem('example.com'), null)
  t.equal(shipped.baseFor('com'), undefined, 'a suffix is no domain')
})

t.test('a domain without a registry to query is refused with the reason', async (t) => {
  const reason =
    'names a domain below .invalid, whose registry cannot be queried (it offers no RDAP)'
  t.equal(rdapProblem('www.example.invalid'), reason)
  t.match(rdapProblem('example.kg'), /below \.kg/, 'http alone: anybody could answer')
  t.equal(
    rdapProblem('a.kg', createRdapBootstrap({ list: rdapList({ kg: 'https://a.kg' }) })),
    null,
  )
})

t.test('the longest suffix decides', async (t) => {
  const list = rdapList({ test: 'https://a.test/rdap', 'co.test': 'https://b.test/' })
  const { baseFor } = createRdapBootstrap({ list })
  t.equal(baseFor('a.test'), 'https://a.test/rdap/')
  t.equal(baseFor('co.test'), 'https://a.test/rdap/')
  t.equal(baseFor('www.a.co.test'), 'https://b.test/')
  t.equal(baseFor('a.com'), undefined)
})

t.test('the list is fetched once a day at most', async (t) => {
  const clock = new FakeClock()
  const urls: string[] = []
  const document = rdapList({ test: 'https://new.test/' }, '2026-02-01')
  const client = {
    async get(url: string): Promise<JsonAnswer> {
      urls.push(url)
      return { status: 200, document }
    },
  }
  const list = rdapList({ test: 'https://old.test/' })
  const bootstrap = createRdapBootstrap({ client, clock, list })
  t.equal(bootstrap.baseFor('a.test'), 'https://old.test/')
  await Promise.all([bootstrap.freshen(), bootstrap.freshen()])
  t.equal(bootstrap.baseFor('a.test'), 'https://new.test/')
  t.equal(bootstrap.published(), '2026-02-01T00:00:00.000Z')
  await clock.advance(dayMs - 1)
  await bootstrap.freshen()
  t.same(urls, ['https://data.iana.org/rdap/dns.json'])
  await clock.advance(1)
  await bootstrap.freshen()
  t.equal(urls.length, 2)
})

t.test('the current list stays if a fetched one is not better', async (t) => {
  const old = { a: 'https://a.test/', b: 'https://b.test/', c: 'https://c.test/' }
  const answers: JsonAnswer[] = [
    { failure: { result: 'unknown', kind: 'connect', message: 'no route' } },
    { status: 503 },
    { status: 200 },
    { status: 200, document: 'text' },
    { status: 200, document: { publication: '2027-01-01', services: [['a', 'b']] } },
    { status: 200, document: { publication: '2027-01-01', services: [[[1], [2]]] } },
    { status: 200, document: { publication: 'x', services: [] } },
    { status: 200, document: { publication: '2027-01-01', services: [] } },
    { status: 200, document: rdapList({ a: 'https://new.test/' }, '2027-01-01') },
    { status: 200, document: rdapList({ ...old, a: 'https://new.test/' }, '2025-12-31') },
    { status: 200, document: rdapList({ a: 'http://x/', b: 'ftp://x/', c: 'x' }, '2027-01-01') },
  ]
  for (const answer of answers) {
    const clock = new FakeClock()
    const client = { get: async () => answer }
    const bootstrap = createRdapBootstrap({ client, clock, list: rdapList(old) })
    await bootstrap.freshen()
    t.equal(bootstrap.baseFor('x.a'), 'https://a.test/', JSON.stringify(answer))
  }
})
