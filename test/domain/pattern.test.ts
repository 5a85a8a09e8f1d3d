// Regular expressions of users: RE2 syntax, bounded in size and work.
import t from 'tap'
import { limits } from '../../src/domain/limits.ts'
import { regexProblem, searchFor } from '../../src/domain/pattern.ts'

t.test('a pattern that cannot be used is refused when it is written', async (t) => {
  for (const pattern of ['', 'a|b', '^[a-z]+$', '(?i)ok', 'x{1,100}']) {
    t.equal(regexProblem(pattern), null, pattern)
    t.ok(searchFor(pattern))
  }
  for (const pattern of ['(', '(?=a)', '\\1', 'x'.repeat(600), 'a{1000}'.repeat(50), 'a{1001}']) {
    t.match(regexProblem(pattern), /^(is not a valid RE2|must be at most 512|repeats too)/, pattern)
    t.equal(searchFor(pattern), undefined)
  }
  t.equal(regexProblem('(?:\\pL{30}){30}'.repeat(10)), 'is too large when compiled')
})

t.test('a pattern is searched for anywhere, or must be the whole', async (t) => {
  const search = searchFor('b+')
  t.equal(search?.find('abbc'), true)
  t.equal(search?.whole('abbc'), false)
  t.equal(search?.whole('bb'), true)
})

t.test('the evil patterns of backtracking engines take no time', async (t) => {
  const startedMs = performance.now()
  t.equal(searchFor('(a+)+$')?.find(`${'a'.repeat(50_000)}b`), false)
  t.equal(searchFor('(a|aa)*b')?.find('a'.repeat(50_000)), false)
  t.ok(performance.now() - startedMs < 500)
})

t.test('the work of a search is known before it begins', async (t) => {
  const large = searchFor('\\pL{900}x')
  t.ok((large?.stepsFor(1_000_000) ?? 0) > limits.regexStepsMax)
  t.ok((searchFor('ok|up')?.stepsFor(1_000_000) ?? 0) < limits.regexStepsMax)
})
