// The end of the process: not under native work.
import t from 'tap'
import { holdExit, leave } from '../../src/base/exit.ts'

t.test('nothing delays the exit: it happens at once', async (t) => {
  const ends: string[] = []
  leave(() => ends.push('now'))
  t.same(ends, ['now'])
})

t.test('the process exits when the last work is done, as the first call said', async (t) => {
  const ends: string[] = []
  const [first, second] = [holdExit(), holdExit()]
  leave(() => ends.push('first'))
  leave(() => ends.push('second'))
  first()
  const third = holdExit()
  second()
  t.same(ends, [])
  third()
  t.same(ends, ['first'])
})
