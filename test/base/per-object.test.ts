// What follows from an object is made once for it, and anew for another one.
import t from 'tap'
import { perObject } from '../../src/base/per-object.ts'

t.test('the same object has the same value, an equal one a value of its own', async (t) => {
  let made = 0
  const doubled = perObject(({ size }: { size: number }, unit: string) => {
    made += 1
    return `${size * 2} ${unit}`
  })
  const first = { size: 1 }
  t.equal(doubled(first, 'm'), '2 m')
  t.equal(doubled(first, 'm'), '2 m')
  t.equal(made, 1)
  t.equal(doubled({ size: 1 }, 'm'), '2 m')
  t.equal(made, 2)
})

t.test('nothing is also a value', async (t) => {
  let made = 0
  const none = perObject((_: object): undefined => {
    made += 1
  })
  const key = {}
  t.equal(none(key), undefined)
  t.equal(none(key), undefined)
  t.equal(made, 1)
})
