// A change of many monitors, looked at for one of them.
import t from 'tap'
import type { ChannelId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  bulkRefusalsMax,
  bulkUndoMax,
  type ChangedInBulk,
  changedInBulk,
  createUndo,
  refusalsOf,
  saysNothing,
} from '../../../src/domain/monitors/bulk-change.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

const channel = (n: number) => `chn_${String(n).padStart(26, '0')}` as ChannelId

t.test('a change without effect returns the same record', async (t) => {
  const monitor = makeMonitor({ tags: ['a', 'b'] })
  for (const change of [
    { isActive: true },
    { addTags: ['b'] },
    { removeTags: ['c'] },
    { addTags: ['b'], removeTags: ['b'] },
    { fields: { tags: ['a', 'b'] } },
    { removeChannelIds: [channel(1)] },
    {},
  ]) {
    t.equal(changedInBulk(monitor, change), monitor, JSON.stringify(change))
  }
  t.ok([{}, { addTags: [] }, { addChannelIds: [], fields: {} }].every(saysNothing))
  t.notOk(saysNothing({ fields: { timeoutMs: null } }))
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
  t.match(changedInBulk(monitor, { addTags: ['one more'] }), [
    { pointer: '/addTags', message: 'would make more than 20 tags' },
  ])
  t.ok(changedInBulk(monitor, { addTags: ['one more'], removeTags: ['tag 1'] }))
  t.ok(changedInBulk(monitor, { isActive: false }), 'and what has them may be paused')
})

t.test('lists are set, then shortened, then extended', async (t) => {
  const monitor = makeMonitor({ tags: ['a', 'b'], notifyChannelIds: [channel(1), channel(2)] })
  t.match(
    changedInBulk(monitor, {
      fields: { tags: ['x', 'y'], notifyChannelIds: null },
      removeTags: ['y'],
      addTags: ['z'],
      addChannelIds: [channel(3)],
    }),
    { tags: ['x', 'z'], notifyChannelIds: [channel(3)] },
  )
  t.match(changedInBulk(monitor, { removeChannelIds: [channel(1)] }), {
    tags: ['a', 'b'],
    notifyChannelIds: [channel(2)],
  })
  const notifyChannelIds = Array.from({ length: limits.notifyChannelsMax }, (_, n) => channel(n))
  t.match(changedInBulk(makeMonitor({ notifyChannelIds }), { addChannelIds: [channel(99)] }), [
    { pointer: '/addChannelIds', keyword: 'maxItems' },
  ])
})

t.test('refused monitors are told by the rule, the most frequent first', async (t) => {
  const problem = (field: string) => ({ pointer: `/${field}`, keyword: 'k', message: 'rule' })
  const [one, two, three] = [monitorNo(1), monitorNo(2), monitorNo(3)]
  const refusals = refusalsOf([
    [one, [problem('a')]],
    [two, [problem('a'), problem('b')]],
    [three, [problem('b')]],
    [one, [problem('b')]],
  ])
  t.same(
    refusals.map(({ pointer, ids }) => [pointer, ids]),
    [
      ['/b', [two, three, one]],
      ['/a', [one, two]],
    ],
  )
  const many = Array.from({ length: 300 }, (_, n) => [monitorNo(n), [problem(`f${n}`)]] as const)
  t.equal(refusalsOf(many).length, bulkRefusalsMax)
})

function undoOf(changed: readonly ChangedInBulk[]) {
  const undo = createUndo()
  for (const one of changed) undo.add(one)
  return undo.changes()
}

t.test('monitors with the same former values are led back by one change', async (t) => {
  const before = (n: number, intervalSeconds: number) =>
    makeMonitor({ id: monitorNo(n), intervalSeconds, tags: ['a'] })
  const changed = [60, 60, 300].map((seconds, n) => {
    const one = before(n, seconds)
    const monitor = { ...one, intervalSeconds: 30, isActive: false, tags: ['a', 'b'] }
    return { before: one, monitor, fields: ['intervalSeconds'] }
  })
  const back = { isActive: true, removeTags: ['b'] }
  t.same(JSON.parse(JSON.stringify(undoOf(changed))), [
    { ids: [monitorNo(0), monitorNo(1)], ...back, fields: { intervalSeconds: 60 } },
    { ids: [monitorNo(2)], ...back, fields: { intervalSeconds: 300 } },
  ])
  const [one] = changed
  if (!one) throw new Error('there are three')
  t.equal(undoOf([{ ...one, fields: ['headers'] }]), null, 'secrets are not shown')
  const different = Array.from({ length: bulkUndoMax + 1 }, (_, n) => ({
    ...one,
    before: before(n, 60 + n),
  }))
  t.equal(undoOf(different), null)
  t.equal(undoOf(different.slice(1))?.length, bulkUndoMax)
})
