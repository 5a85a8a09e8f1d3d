// Two versions of the same thing.
import t from 'tap'
import { differences, merged } from '../../../src/console/parts/form/merge.ts'

t.test('only what was changed here goes over what others changed', async (t) => {
  interface Body {
    readonly name: string
    readonly tags: readonly string[]
    readonly note?: string
  }
  const base: Body = { name: 'Shop', tags: ['web'], note: 'old' }
  const mine: Body = { name: 'Our shop', tags: ['web'] }
  const theirs: Body = { name: 'The shop', tags: ['web', 'paid'], note: 'old' }
  t.same(differences(base, mine), ['name', 'note'])
  t.same(merged(base, mine, theirs), { name: 'Our shop', tags: ['web', 'paid'] })
  t.same(merged(base, base, theirs), theirs)
})
