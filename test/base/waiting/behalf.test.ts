// Work belongs to an owner until it has ended, also what it awaits.
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { currentOwner, onBehalfOf } from '../../../src/base/waiting/behalf.ts'

t.test('work and what it awaits is its owner’s, and nothing else is', async (t) => {
  t.equal(currentOwner(), undefined)
  const seen: (string | undefined)[] = []
  const work = onBehalfOf('a', async () => {
    seen.push(currentOwner())
    await nextTurn()
    seen.push(currentOwner())
    return 'result'
  })
  t.equal(currentOwner(), undefined)
  t.equal(await work, 'result')
  t.same(seen, ['a', 'a'])
})

t.test('what work leaves behind is the service’s own, also where it failed', async (t) => {
  const left: Promise<string | undefined>[] = []
  const leave = () => void left.push(nextTurn().then(() => currentOwner()))
  onBehalfOf('a', leave)
  const failing = onBehalfOf('b', async () => {
    leave()
    throw new Error('bang')
  })
  await t.rejects(failing, /bang/)
  t.same(await Promise.all(left), [undefined, undefined])
})
