// Referral codes: what one may look like, and whose it is.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import {
  codeProblem,
  firstCode,
  normalizedCode,
  ownerOfFirstCode,
  withCode,
} from '../../../src/domain/people/referral.ts'

t.test('a code is short, plain and not confusable with the operator', async (t) => {
  for (const code of ['abcd', 'my-code', '2026', 'a-b-c-d', 'x'.repeat(32), 'stillup-fan']) {
    t.equal(codeProblem(code), null, code)
  }
  const malformed = ['', 'abc', 'x'.repeat(33), '-abc', 'abc-', 'a--b', 'Abcd', 'a b c', 'a_bc']
  for (const code of [...malformed, 'abc\n', 'caf\u00e9', 'abcd.', '../x', 'a%20b', '\uff41bcd']) {
    t.match(codeProblem(code), { keyword: 'pattern' }, JSON.stringify(code))
  }
  for (const code of ['admin', 'support', 'stillup', 'login']) {
    t.match(codeProblem(code), { keyword: 'reserved' }, code)
  }
  t.equal(normalizedCode('  My-Code\n'), 'my-code')
})

t.test('the first code of a person leads back to them and cannot be chosen', async (t) => {
  const userId = newId('user', Date.UTC(2026, 0, 1))
  t.equal(ownerOfFirstCode(firstCode(userId)), userId)
  t.match(codeProblem(firstCode(userId)), { keyword: 'reserved' })
  t.equal(ownerOfFirstCode('my-code'), undefined)
})

t.test('former codes are kept from others, up to a bound', async (t) => {
  const userId = newId('user', 1)
  let codes = { userId, code: 'code-0', retired: [] as readonly string[] }
  for (let n = 1; n <= 20; n += 1) codes = withCode(codes, `code-${n}`)
  t.equal(codes.code, 'code-20')
  t.same(
    codes.retired,
    Array.from({ length: 10 }, (_, n) => `code-${19 - n}`),
  )
  t.same(withCode(codes, 'code-15').retired.includes('code-15'), false, 'one may be taken back')
})
