// A change of many monitors, looked at for one of them.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { changedInBulk, saysNothing } from '../../../src/domain/monitors/bulk-change.ts'
import { makeMonitor } from '../../support/make-page.ts'

t.test('a change without effect returns the same record', async (t) => {
  const monitor = makeMonitor({ tags: ['a', 'b'] })
  for (const change of [
    { isActive: true },
    { addTags: ['b'] },
    { removeTags: ['c'] },
    { addTags: ['b'], removeTags: ['b'] },
    {},
  ]) {
    t.equal(changedInBulk(monitor, change), monitor, JSON.stringify(change))
  }
  t.ok([{}, { addTags: [] }].every(saysNothing))
  t.notOk(saysNothing({ isActive: false }))
})

t.test('tags are removed before others are added, each at most once', async (t) => {
  const monitor = makeMonitor({ tags: ['a', 'b'] })
  const change = { addTags: ['c', 'c', 'a'], removeTags: ['b', 'a'], isActive: false }
  t.match(changedInBulk(monitor, change), { tags: ['c', 'a'], isActive: false })
})

t.test('nobody gets more tags than a monitor may have', async (t) => {
  const tags = Array.from({ length: limits.tagsMax }, (_, n) => `tag ${n}`)
  const monitor = makeMonitor({ tags })
  t.equal(changedInBulk(monitor, { addTags: ['one more'] }), undefined)
  t.ok(changedInBulk(monitor, { addTags: ['one more'], removeTags: ['tag 1'] }))
  t.ok(changedInBulk(monitor, { isActive: false }), 'and what has them may be paused')
})
