// Shared turns: what callers of the same and of different work get, and in which order.
import t from 'tap'
import { createSharedTurns } from '../../../src/base/waiting/shared-turns.ts'

function openTurns() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const turns = createSharedTurns<string, string>(async (key) => {
    begun.push(key)
    const no = begun.length
    await new Promise<void>((end) => ends.push(end))
    if (key === 'bad') throw new Error('failed')
    return `${key} ${no}`
  })
  const settle = () => new Promise((done) => setImmediate(done))
  async function endOne(): Promise<void> {
    await settle()
    ends.shift()?.()
    await settle()
  }
  return { turns, begun, endOne, settle }
}

t.test('a hundred callers cost two turns: the one that had begun, and the next', async (t) => {
  const { turns, begun, endOne, settle } = openTurns()
  const first = turns('a')
  await settle()
  const others = Array.from({ length: 99 }, () => turns('a'))
  t.same(begun, ['a'])
  await endOne()
  t.equal(await first, 'a 1')
  await endOne()
  t.same(new Set(await Promise.all(others)), new Set(['a 2']), 'it began after they asked')
  t.same(begun, ['a', 'a'])
})

t.test('one turn at a time, in the order of asking', async (t) => {
  const { turns, begun, endOne, settle } = openTurns()
  const all = ['a', 'b', 'a', 'c', 'b'].map((key) => turns(key))
  await settle()
  t.same(begun, ['a'])
  for (let end = 0; end < 3; end += 1) await endOne()
  t.same(begun, ['a', 'b', 'c'])
  t.same(await Promise.all(all), ['a 1', 'b 2', 'a 1', 'c 3', 'b 2'])
})

t.test('a failure is told to its callers, and holds nobody up', async (t) => {
  const { turns, endOne } = openTurns()
  const failing = [turns('bad'), turns('bad')]
  const next = turns('a')
  const outcomes = Promise.allSettled(failing)
  await endOne()
  t.same(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await endOne()
  t.equal(await next, 'a 2')
})
