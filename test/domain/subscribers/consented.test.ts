// Subscribers who confirmed elsewhere: what is read, and what is refused by field and rule.
import t from 'tap'
import { readConsented } from '../../../src/domain/subscribers/consented.ts'

const nowMs = Date.UTC(2026, 10, 30)
const consent = { source: ' status.acme.test ', confirmedAt: '2025-03-01T09:30:00+01:00' }
const read = (value: unknown) =>
  readConsented(value, {
    nowMs,
    sections: new Set(['Shop']),
    normalized: (_, text) => (text.includes('.') ? text.trim().toLowerCase() : null),
  })

t.test('an address with a source and a time comes as it is stored', async (t) => {
  t.same(read({ address: ' Ann@r.test', sectionNames: ['Shop', 'Shop'], consent }), {
    kind: 'email',
    address: 'ann@r.test',
    sectionNames: ['Shop'],
    language: null,
    consent: { source: 'status.acme.test', confirmedAtMs: Date.UTC(2025, 2, 1, 8, 30) },
  })
  const day = { source: 'x', confirmedAt: '2025-03-01' }
  t.match(read({ address: 'a@r.test', consent: day }), {
    consent: { confirmedAtMs: Date.UTC(2025, 2, 1) },
  })
})

t.test('each thing that is wrong is named with its field and its rule', async (t) => {
  const pointers = (value: unknown) => {
    const found = read(value)
    return 'address' in found ? [] : found.map(({ pointer, message }) => `${pointer} ${message}`)
  }
  t.same(pointers('ann@r.test'), [' must be an object'])
  t.same(pointers({ address: 'ann@r.test' }), [
    '/consent must say where and when the address confirmed',
  ])
  t.same(pointers({ address: 'ann@r.test', consent: {} }), [
    '/consent/source must say where the address confirmed',
    '/consent/confirmedAt must be a time such as 2026-03-29T02:30:00Z',
  ])
  const given = { address: 'nobody', kind: 'pager', sectionNames: ['Else'], consent, state: 'new' }
  t.same(pointers(given), [
    '/state is not a known field',
    '/kind must be email or webhook or slack',
    '/sectionNames/0 must be a section of the page',
  ])
  t.same(pointers({ address: 'nobody', consent }), ['/address must be an e-mail address'])
  t.same(pointers({ kind: 'webhook', address: 'x', consent }), [
    '/address must be a URL to which messages may be sent',
  ])
  const later = { ...consent, confirmedAt: '2026-12-01' }
  t.same(pointers({ address: 'ann@r.test', consent: later }), [
    '/consent/confirmedAt must not be in the future',
  ])
  const long = { ...consent, source: 'x'.repeat(201) }
  t.match(pointers({ address: 'ann@r.test', language: 'xx', consent: long }), [
    '/consent/source must have at most 200 characters',
    /^\/language must be one of /,
  ])
})
