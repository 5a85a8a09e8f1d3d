// The end of the process: not under native work, and yet certainly.
import t from 'tap'
import { holdExit, leave } from '../../src/base/exit.ts'

function watch() {
  const seen: (number | 'killed')[] = []
  const how = {
    exit: (code: number) => void seen.push(code),
    kill: () => void seen.push('killed'),
  }
  return { seen, how }
}

t.test('nothing holds it: it ends at once', async (t) => {
  const { seen, how } = watch()
  leave(74, how)
  t.same(seen, [74])
})

t.test('it ends when the last work is done, with the first code', async (t) => {
  const { seen, how } = watch()
  const [first, second] = [holdExit(), holdExit()]
  leave(70, how)
  leave(1, how)
  first()
  const third = holdExit()
  second()
  t.same(seen, [])
  third()
  t.same(seen, [70])
})
