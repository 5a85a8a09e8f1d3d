// Forms of words for numbers, by the rules of each language.
import t from 'tap'
import { pluralOf } from '../../src/domain/plural.ts'

t.test('each language has its own forms, and a missing one is the general one', async (t) => {
  const english = pluralOf('en', { one: '# day', other: '# days' })
  t.same([0, 1, 2].map(english), ['0 days', '1 day', '2 days'])
  const polish = pluralOf('pl', { one: '# one', few: '# few', many: '# many', other: '# other' })
  t.same([1, 2, 5, 22, 25].map(polish), ['1 one', '2 few', '5 many', '22 few', '25 many'])
  const french = pluralOf('fr', { one: '# jour', other: '# jours' })
  t.same([0, 1, 2, 1_000_000].map(french), ['0 jour', '1 jour', '2 jours', '1000000 jours'])
})
