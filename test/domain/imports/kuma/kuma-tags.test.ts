// Tags of Uptime Kuma, with their values and colours.
import t from 'tap'
import { tagColorsOf, tagTextOf } from '../../../../src/domain/imports/kuma/kuma-tags.ts'

t.test('a tag has its value and its colour', async (t) => {
  t.equal(tagTextOf({ name: 'prod', value: '' }), 'prod')
  t.equal(tagTextOf({ name: 'team', value: 'web' }), 'team: web')
  const items = [
    {
      tags: [
        { name: 'prod', color: '#059669', value: '' },
        { name: 'team', color: '#7C3AED', value: 'web' },
        { name: 'odd', color: 'var(--x)' },
      ],
    },
    { tags: [{ name: 'prod', color: '#059669' }] },
    {},
  ]
  t.same(tagColorsOf(items), [
    { tag: 'prod', color: '#059669' },
    { tag: 'team: web', color: '#7C3AED' },
  ])
})
