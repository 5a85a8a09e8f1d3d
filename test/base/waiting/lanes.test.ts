// Owners that share something take turns, however much one of them asks for.
import t from 'tap'
import { createLanes } from '../../../src/base/waiting/lanes.ts'

function taken(lanes: ReturnType<typeof createLanes<string>>): string[] {
  const all: string[] = []
  for (let next = lanes.take(); next !== undefined; next = lanes.take()) all.push(next)
  return all
}

t.test("owners take turns, and each one's work keeps its order", async (t) => {
  const lanes = createLanes<string>()
  for (const work of ['a1', 'a2', 'a3']) lanes.add('a', work)
  lanes.add('b', 'b1')
  t.same(lanes.take(), 'a1')
  lanes.add('c', 'c1')
  lanes.addFirst('a', 'a1 again')
  t.same(taken(lanes), ['b1', 'a1 again', 'c1', 'a2', 'a3'])
  t.ok(lanes.isEmpty)
})

t.test("every other turn is the service's own while it has work", async (t) => {
  const lanes = createLanes<string>()
  for (const owner of ['a', 'b', 'c', 'd']) lanes.add(owner, owner)
  for (const work of ['own1', 'own2']) lanes.add(undefined, work)
  t.same(taken(lanes), ['own1', 'a', 'own2', 'b', 'c', 'd'])
  lanes.add(undefined, 'own3')
  lanes.add(undefined, 'own4')
  t.same(taken(lanes), ['own3', 'own4'], 'alone it does not wait')
})
