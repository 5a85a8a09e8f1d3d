// Registrations: what an RDAP answer says, and what of it is bad news.
import fc from 'fast-check'
import t from 'tap'
import { registrationIn, registrationProblem } from '../../../src/probes/domain/registrations.ts'
import { runs } from '../../support/depth.ts'
import { type RdapFields, rdapDomain } from '../../support/rdap.ts'

const nowMs = Date.UTC(2026, 5, 1)

function problem(fields: RdapFields): string | null {
  const registration = registrationIn(rdapDomain(fields), 'example.test')
  return registration === undefined ? 'none' : registrationProblem(registration, nowMs)
}

t.test('an answer is reduced to the facts of a registration', async (t) => {
  t.same(registrationIn(rdapDomain(), 'www.example.test'), {
    name: 'example.test',
    expiresAtMs: Date.UTC(2027, 0, 1),
    registeredAtMs: Date.UTC(2001, 1, 3, 4, 5, 6),
    changedAtMs: Date.UTC(2025, 5, 7, 8, 9, 10),
    registrar: 'Some Registrar Ltd',
    status: ['active', 'client transfer prohibited'],
    nameServers: ['ns1.example.test', 'ns2.example.test'],
    isSigned: true,
  })
})

t.test('facts that a registry omits are null or empty', async (t) => {
  t.same(registrationIn({ objectClassName: 'domain' }, 'a.test'), {
    name: 'a.test',
    expiresAtMs: null,
    registeredAtMs: null,
    changedAtMs: null,
    registrar: null,
    status: [],
    nameServers: [],
    isSigned: null,
  })
})

t.test('an answer about another domain is rejected', async (t) => {
  const others = [null, 7, 'text', [], {}, { objectClassName: 'entity' }, { errorCode: 404 }]
  for (const other of others) t.equal(registrationIn(other, 'a.test'), undefined)
  t.equal(registrationIn(rdapDomain({ name: 'other.test' }), 'example.test'), undefined)
  t.equal(registrationIn(rdapDomain({ name: 'ample.test' }), 'example.test'), undefined)
})

t.test('bad news is reported in a sentence, however a registry spells it', async (t) => {
  t.equal(problem({}), null)
  t.equal(problem({ expiresAt: null }), null, 'not every registry tells when a domain expires')
  t.equal(problem({ expiresAt: 'some day' }), null)
  const expired = /^the registration of example\.test expired on 2026-05-31$/
  t.match(problem({ expiresAt: '2026-05-31T12:00:00+02:00' }), expired)
  t.match(problem({ expiresAt: '2026-06-01T00:00:00.001Z' }), null)
  t.match(problem({ status: ['active', 'clientHold'] }), /its registrar \(client hold\)/)
  t.match(problem({ status: ['server hold'] }), /its registry \(server hold\)/)
  t.match(problem({ status: ['SERVER_HOLD'] }), /server hold/)
  t.match(problem({ status: ['redemption period', 'pending delete'] }), /about to be deleted/)
  t.match(problem({ status: ['redemptionPeriod'] }), /can only be redeemed/)
  t.equal(problem({ status: ['auto renew period', 'pending renew', 7, null, {}] }), null)
})

t.test('any answer of a registry is read without harm', async (t) => {
  const most = Array.from({ length: 5_000 }, (_, i) => `status ${i} ${'x'.repeat(500)}`)
  const nameservers = most.map((ldhName) => ({ ldhName }))
  const found = registrationIn(rdapDomain({ status: most, more: { nameservers } }), 'example.test')
  t.equal(found?.status.length, 20)
  t.ok(JSON.stringify(found).length < 10_000)
  const keys = ['status', 'events', 'entities', 'nameservers', 'secureDNS', 'ldhName'] as const
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => {
      const registration = registrationIn(rdapDomain({ more: { [key]: value } }), 'example.test')
      if (registration !== undefined) registrationProblem(registration, nowMs)
    }),
    runs(),
  )
})
