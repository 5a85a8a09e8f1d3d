// Regular expressions of users: RE2 syntax, bounded in size and work.
import t from 'tap'
import { GivenUp } from '../../../src/domain/assertions/budget.ts'
import { regexProblem, searchFor } from '../../../src/domain/assertions/pattern.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { leastMs } from '../../support/starvation.ts'

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
  const tookMs = leastMs(500, () => {
    t.equal(searchFor('(a+)+$')?.find(`${'a'.repeat(50_000)}b`), false)
    t.equal(searchFor('(a|aa)*b')?.find('a'.repeat(50_000)), false)
  })
  t.ok(tookMs < 500, `${tookMs} ms`)
})

t.test('the cost of a search is reported in advance, and more if it is hard', async (t) => {
  const text = 'a'.repeat(10_000)
  const costOf = (pattern: string): number => {
    let sum = 0
    searchFor(pattern)?.find(text, (steps) => (sum += steps))
    return sum
  }
  const easy = costOf('(?:ok|up)[.!]')
  t.ok(easy >= text.length && easy < 2 * text.length, `${easy}`)
  t.ok(costOf('[ab]a{200}[bc]') > easy + 10_000, 'an automaton of many states')
  const poor = () => {
    throw new GivenUp('no money')
  }
  t.throws(() => searchFor('[ab]+c')?.find(text, poor), { message: 'no money' })
})

t.test('a search with a too large automaton is abandoned, whatever came before', async (t) => {
  const random = seededRandom(1)
  const noise = Array.from({ length: 65_536 }, () => (random() < 0.5 ? 'a' : 'b')).join('')
  for (const pattern of ['a.{20}[cd]', '(a|b)*a(a|b){30}[cd]', '[^c]*a[^c]{60}[cd]']) {
    const search = searchFor(pattern)
    for (const _ of [1, 2]) t.throws(() => search?.find(noise), { name: 'GivenUp' }, pattern)
    t.equal(search?.find(`ab${'a'.repeat(400)}c`), true, 'it still finds what is easy to find')
  }
  t.equal(searchFor('.{200}')?.find(noise), true)
})
