// The heap: what comes first, whatever was added, moved or taken out before.
import fc from 'fast-check'
import t from 'tap'
import { Heap, type Heaped } from '../../../src/base/waiting/heap.ts'
import { runs } from '../../support/depth.ts'

interface Item extends Heaped {
  weight: number
}

t.test('the first is the least of all, after any change', async (t) => {
  const step = fc.record({
    what: fc.constantFrom('add', 'remove', 'move'),
    which: fc.nat(),
    weight: fc.nat({ max: 20 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new Heap<Item>((one, other) => one.weight < other.weight)
      const items: Item[] = []
      for (const { what, which, weight } of steps) {
        const item = items[which % items.length]
        if (what === 'add') {
          const added = { weight, heapAt: -1 }
          items.push(added)
          heap.put(added)
        } else if (item && what === 'remove') {
          items.splice(items.indexOf(item), 1)
          heap.remove(item)
          if (item.heapAt !== -1) throw new Error('it is out, and says so')
        } else if (item) {
          item.weight = weight
          heap.put(item)
        }
        const least = items.length === 0 ? undefined : Math.min(...items.map((one) => one.weight))
        if (heap.first()?.weight !== least || heap.size !== items.length) throw new Error('wrong')
      }
    }),
    runs(),
  )
  t.pass('held for every order of steps')
})
