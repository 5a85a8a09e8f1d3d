// Two versions of the same thing.
import t from 'tap'
import { changeOf, differences, merged } from '../../../src/console/base/merge.ts'

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

t.test('a change names what was emptied', async (t) => {
  interface Body {
    readonly name: string
    readonly note?: string
    readonly labels: Readonly<Record<string, string>>
  }
  const base: Body = { name: 'Shop', note: 'old', labels: { team: 'web', tier: '1' } }
  const mine: Body = { name: 'Our shop', labels: { team: 'web' } }
  t.same(changeOf(base, mine), { name: 'Our shop', note: null, labels: { team: 'web' } })
  t.same(changeOf(base, mine, { isDeep: true }), {
    ...{ name: 'Our shop', note: null, labels: { team: 'web', tier: null } },
  })
  t.same(changeOf(base, { ...mine, note: 'new' }), { ...mine, note: 'new' })
})
