// Verifications: who may submit, how a case moves on, and what of a person is ever shown.
import t from 'tap'
import type { UserId, VerificationId } from '../../../src/base/ids.ts'
import {
  afterFailedSending,
  erased,
  type KycState,
  kycStates,
  maskedFields,
  movedTo,
  newVerification,
  normalizedFields,
  type PersonalFields,
  storedFieldsOf,
  submissionProblems,
} from '../../../src/domain/identity-verification/kyc.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { fullFields, person } from '../../support/kyc-person.ts'

const nowMs = Date.UTC(2026, 2, 1, 11)
const ids = { id: 'kyc_1' as VerificationId, userId: 'usr_1' as UserId }
const fresh = newVerification(ids, 'http', nowMs)
const problemsOf = (fields: Partial<PersonalFields>, atMs = nowMs) =>
  submissionProblems({ ...person, ...fields }, atMs).map(({ pointer, keyword }) => [
    pointer,
    keyword,
  ])

t.test('a date of birth is a valid day, 13 to 120 years ago', (t) => {
  const answers: Record<string, string | null> = {
    '1990-01-31': null,
    '2008-02-29': null,
    '1906-03-01': null,
    '1906-02-28': null,
    '1906-02-27': 'minimum',
    '2013-03-01': null,
    '2013-03-03': 'maximum',
    '2026-03-01': 'maximum',
    '9999-12-31': 'maximum',
    '0001-01-01': 'minimum',
    '2007-02-29': 'date',
    '1990-02-31': 'date',
    '1990-13-01': 'date',
    '1990-00-10': 'date',
    '1990-1-1': 'date',
    '19900101': 'date',
    '1990-01-01T00:00:00Z': 'date',
    '+01990-01-01': 'date',
  }
  for (const [dateOfBirth, keyword] of Object.entries(answers)) {
    t.same(problemsOf({ dateOfBirth }), keyword ? [['/dateOfBirth', keyword]] : [], dateOfBirth)
  }
  t.end()
})

t.test('nobody is refused on a birthday because of where they live', (t) => {
  // In Kiribati it is 2 March already, in American Samoa still 28 February.
  t.same(problemsOf({ dateOfBirth: '2013-03-02' }), [])
  t.same(problemsOf({ dateOfBirth: '2013-03-02' }, nowMs - 2 * 3_600_000), [
    ['/dateOfBirth', 'maximum'],
  ])
  t.same(problemsOf({ dateOfBirth: '1906-02-28' }, nowMs - 2 * 3_600_000), [])
  t.same(problemsOf({ dateOfBirth: '2012-02-29' }, Date.UTC(2025, 1, 27)), [
    ['/dateOfBirth', 'maximum'],
  ])
  t.same(problemsOf({ dateOfBirth: '2012-02-29' }, Date.UTC(2025, 1, 28, 10)), [])
  t.end()
})

t.test('countries are known, and every problem is reported at once', (t) => {
  t.same(problemsOf({ country: 'XX', dateOfBirth: '2020-01-01' }), [
    ['/dateOfBirth', 'maximum'],
    ['/country', 'country'],
  ])
  for (const name of ['', '  ', 'x'.repeat(41)]) {
    const fields = { ...person, identityNumbers: { [name]: '12345' } }
    t.match(submissionProblems(fields, nowMs), [{ pointer: '/identityNumbers' }])
  }
  t.end()
})

t.test('one form is stored: texts trimmed, two letters for the country', (t) => {
  const given = { ...person, firstName: ' Ada ', country: 'gbr', address: { city: ' London ' } }
  t.match(normalizedFields(given), { firstName: 'Ada', country: 'GB', address: { city: 'London' } })
  t.end()
})

t.test('an empty text in an optional field means none', (t) => {
  const none = { street: '', street2: ' ', city: '', state: '', postalCode: '', country: '' }
  const empty = { phone: '', gender: '', identityNumbers: { passport: '' }, address: none } as const
  t.same(normalizedFields({ ...person, ...empty }), person)
  const some = normalizedFields({ ...person, address: { ...none, city: 'London' } })
  t.same(some, { ...person, address: { city: 'London' } })
  t.end()
})

t.test('a case only moves forward, and is decided once', (t) => {
  const allowed: Record<KycState, KycState[]> = {
    pending: ['in_review', 'approved', 'rejected', 'expired'],
    in_review: ['approved', 'rejected', 'expired'],
    approved: [],
    rejected: [],
    expired: [],
  }
  for (const from of kycStates) {
    for (const to of kycStates) {
      const move = () => movedTo({ ...fresh, state: from }, to, nowMs + 5)
      if (!allowed[from].includes(to)) {
        t.throws(move, { code: 'conflict' }, `${from} to ${to}`)
        continue
      }
      const decidedAtMs = to === 'in_review' ? null : nowMs + 5
      t.match(move(), { state: to, decidedAtMs, sending: null, revision: 2 }, `${from} to ${to}`)
    }
  }
  t.end()
})

t.test('a case erased while open expires; a decision stays a fact', (t) => {
  t.match(erased(fresh, 7), { state: 'expired', decidedAtMs: 7, erasedAtMs: 7, sending: null })
  const approved = movedTo(fresh, 'approved', 5)
  t.match(erased(approved, 9), { state: 'approved', decidedAtMs: 5, erasedAtMs: 9 })
  t.end()
})

t.test('the provider is tried ever later, for a day, then a person decides', (t) => {
  let verification = fresh
  let atMs = nowMs
  let attempts = 0
  while (verification.sending?.dueAtMs != null && attempts < 100) {
    t.ok(verification.sending.dueAtMs >= atMs)
    atMs = verification.sending.dueAtMs
    const at = { nowMs: atMs, random: 0.5 }
    verification = afterFailedSending(verification, verification.sending, 'It is down.', at)
    attempts += 1
  }
  t.equal(atMs, nowMs + limits.deliveryAgeMsMax, 'the last attempt is after a day')
  t.ok(attempts > 20 && attempts < 40, `${attempts} attempts`)
  t.match(verification, { state: 'pending', sending: { dueAtMs: null, problem: 'It is down.' } })
  t.end()
})

t.test('a case for a person is not sent to a provider', (t) => {
  t.equal(newVerification(ids, 'manual', nowMs).sending, null)
  t.end()
})

t.test('masked values show at most four characters, and only of long enough values', (t) => {
  const fields = {
    ...fullFields,
    email: 'ada@lovelace.example',
    phone: '+44 20 7946 0958',
    identityNumbers: { passport: 'X123456789', short: '1234567', emoji: '🔒🔒🔒🔒🔒🔒🔒🔒🔒' },
  }
  t.same(
    maskedFields(fields).map(({ name }) => name),
    storedFieldsOf(fields).map(({ name }) => name),
  )
  const shown = Object.fromEntries(maskedFields(fields).map(({ name, value }) => [name, value]))
  t.match(shown, {
    firstName: '•••',
    dateOfBirth: '•••',
    country: '•••',
    email: 'a•••@lovelace.example',
    phone: '•••0958',
    'identityNumbers.passport': '•••6789',
    'identityNumbers.short': '•••',
    'identityNumbers.emoji': '•••🔒🔒🔒🔒',
    'address.street': '•••',
  })
  t.end()
})

t.test('a field that was not given is not stored', (t) => {
  const names = storedFieldsOf({ ...person, phone: undefined, address: { city: 'London' } })
  t.same(
    names.map(({ name }) => name).toSorted(),
    ['address.city', 'country', 'dateOfBirth', 'email', 'firstName', 'lastName'].toSorted(),
  )
  t.end()
})
