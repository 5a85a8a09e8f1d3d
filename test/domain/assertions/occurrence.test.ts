// Where a text occurs in another, also if both are made to take long.
import t from 'tap'
import { occursIn, placeOf } from '../../../src/domain/assertions/occurrence.ts'
import { createDice } from '../../support/fuzz.ts'

const dice = createDice()

t.test('a long text is found where the engine finds it', async (t) => {
  for (let left = 30; left > 0; left -= 1) {
    const text = dice.text(70_000, ['a', 'b'])
    const at = dice.below(69_000)
    const there = text.slice(at, at + 300)
    t.equal(placeOf(text, there), text.indexOf(there))
    const changed = `${there.slice(0, 200)}c${there.slice(201)}`
    t.equal(placeOf(text, changed), -1)
  }
  const periodic = 'ab'.repeat(50_000)
  t.equal(placeOf(`${periodic}x`, `${'ab'.repeat(400)}x`), 99_200)
  t.equal(placeOf(`x${periodic}`, `b${'ab'.repeat(400)}`), 2)
  t.ok(occursIn('a', ''))
  t.notOk(occursIn('', 'a'))
})
