// Owners that share something take turns, however much one of them asks for.
import t from 'tap'
import { createFairQueue } from '../../../src/base/waiting/fair-queue.ts'

function taken(queue: ReturnType<typeof createFairQueue<string>>): string[] {
  const all: string[] = []
  for (let next = queue.take(); next !== undefined; next = queue.take()) all.push(next)
  return all
}

t.test("owners take turns, and each one's work keeps its order", async (t) => {
  const queue = createFairQueue<string>()
  for (const work of ['a1', 'a2', 'a3']) queue.add('a', work)
  queue.add('b', 'b1')
  t.same(queue.take(), 'a1')
  queue.add('c', 'c1')
  queue.addFirst('a', 'a1 again')
  t.same(taken(queue), ['b1', 'a1 again', 'c1', 'a2', 'a3'])
  t.ok(queue.isEmpty)
})

t.test("every other turn is the service's own while it has work", async (t) => {
  const queue = createFairQueue<string>()
  for (const owner of ['a', 'b', 'c', 'd']) queue.add(owner, owner)
  for (const work of ['own1', 'own2']) queue.add(undefined, work)
  t.same(taken(queue), ['own1', 'a', 'own2', 'b', 'c', 'd'])
  queue.add(undefined, 'own3')
  queue.add(undefined, 'own4')
  t.same(taken(queue), ['own3', 'own4'], 'alone it does not wait')
})
