// The requests of a multistep script become steps, in order.
import t from 'tap'
import { multistepOf } from '../../../../src/domain/imports/checkly/multistep.ts'

t.test('twenty requests come, and long scripts are read in no time', async (t) => {
  const lines: string[] = []
  const one = (index: number) => `await request.get('https://a.test/${index}')\n`
  const script = Array.from({ length: 25 }, (_, index) => one(index)).join('')
  t.match(
    multistepOf({ script }, (line) => lines.push(line)),
    { steps: { length: 20 } },
  )
  t.match(lines, [/20 of its 25 requests/])
  const long = 'request.get('.repeat(400_000)
  t.equal(
    multistepOf({ script: long }, () => {}),
    undefined,
  )
  t.equal(
    multistepOf({ script: 7 }, () => {}),
    undefined,
  )
})
