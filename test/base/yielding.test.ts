// Long work lets other work run in between.
import t from 'tap'
import { onBehalfOf } from '../../src/base/waiting/behalf.ts'
import { createYielder, laterTurn } from '../../src/base/yielding.ts'
import { FakeClock } from '../support/fake-clock.ts'

t.test('a pause is due after the time, and the next slice begins', async (t) => {
  const clock = new FakeClock()
  const yielder = createYielder(clock, 20)
  t.notOk(yielder.isDue())
  await clock.advance(20)
  t.ok(yielder.isDue())
  let hasOther = false
  setImmediate(() => {
    hasOther = true
  })
  await yielder.pause()
  t.ok(hasOther, 'other work ran')
  t.notOk(yielder.isDue())
})

t.test('of many loops one goes on in each turn, and owners take turns', async (t) => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const wentOn: number[] = []
  async function loop(): Promise<void> {
    for (let slice = 0; slice < 3; slice += 1) {
      await laterTurn()
      wentOn.push(turn)
    }
  }
  const many = Array.from({ length: 20 }, () => onBehalfOf('a', loop))
  await Promise.all([onBehalfOf('b', loop), loop()])
  t.ok(wentOn.length <= 14, 'they did not wait for all twenty')
  await Promise.all(many)
  isOver = true
  t.equal(new Set(wentOn).size, 66)
})
