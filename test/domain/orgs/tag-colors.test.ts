// The colours of tags: one each, and what comes along never replaces what is there.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { tagColorProblems, withMoreColors } from '../../../src/domain/orgs/tag-colors.ts'

const red = '#dc2626'
const blue = '#2563eb'

t.test('a tag has one colour', async (t) => {
  t.same(tagColorProblems(null), [])
  t.same(tagColorProblems([{ tag: 'prod', color: red }]), [])
  const twice = [
    { tag: 'prod', color: red },
    { tag: 'prod', color: blue },
  ]
  t.match(tagColorProblems(twice), [{ pointer: '/tagColors/1/tag', message: /twice/ }])
})

t.test('what comes along is for tags without a colour, and has a bound', async (t) => {
  const own = [{ tag: 'prod', color: red }]
  const more = [
    { tag: 'prod', color: blue },
    { tag: 'constructor', color: blue },
  ]
  t.same(withMoreColors(own, more), [...own, { tag: 'constructor', color: blue }])
  const many = Array.from({ length: limits.tagColorsMax }, (_, at) => ({
    tag: `t${at}`,
    color: red,
  }))
  t.equal(withMoreColors(own, many).length, limits.tagColorsMax)
  t.match(withMoreColors(own, many)[0], { tag: 'prod' })
})
