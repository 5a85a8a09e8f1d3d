// Merge patches: one meaning of absent, null and the empty text for every noun.
import t from 'tap'
import { patched } from '../../src/domain/merge-patch.ts'

interface Fields {
  readonly title: string
  readonly days: number | null
  readonly tags: readonly string[]
}
const defaults: Fields = { title: 'none', days: 7, tags: [] }

t.test('an absent field keeps its value, and has the default where it had none', (t) => {
  t.same(patched(defaults, undefined, {}), defaults)
  t.same(patched(defaults, { title: 'Ours' }, { tags: ['a'] }), {
    title: 'Ours',
    days: 7,
    tags: ['a'],
  })
  t.end()
})

t.test('null and the empty text restore the default', (t) => {
  const before = { title: 'Ours', days: 3, tags: ['a'] }
  t.same(patched(defaults, before, { title: '', days: null, tags: null }), defaults)
  t.end()
})

t.test('a value of null stays where nothing changes it', (t) => {
  t.equal(patched(defaults, { days: null }, {}).days, null)
  t.end()
})

t.test('the fields have the order of the defaults, and no others', (t) => {
  const sent = { tags: ['b'], unknown: 1, title: 'T' }
  t.same(Object.keys(patched(defaults, { ...defaults }, sent)), ['title', 'days', 'tags'])
  t.end()
})
