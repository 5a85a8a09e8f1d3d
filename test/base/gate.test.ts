// The gate: how many at once, in which order, and that a full host holds up nobody else.
import fc from 'fast-check'
import t from 'tap'
import { acquireWithin, createGate, type Gate } from '../../src/base/gate.ts'
import { runs } from '../support/depth.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** Enters, and notes in `entered` when it was let in. */
function enter(gate: Gate, entered: string[], name: string, key: string, dueAtMs: number): void {
  const turn = gate.enter(key, dueAtMs)
  if (turn === undefined) entered.push(name)
  else void turn.then(() => entered.push(name))
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

t.test('the total number inside is bounded', async (t) => {
  const gate = createGate({ total: 2, perKey: 2 })
  const entered: string[] = []
  for (const key of ['a', 'b', 'c']) enter(gate, entered, key, key, 0)
  await turn()
  t.same(entered, ['a', 'b'])
  t.same(gate.load(), { inside: 2, waiting: 1 })
  gate.leave('b')
  await turn()
  t.same(entered, ['a', 'b', 'c'])
  for (const key of ['a', 'c']) gate.leave(key)
  t.same(gate.load(), { inside: 0, waiting: 0 })
})

t.test('a full host does not block another', async (t) => {
  const gate = createGate({ total: 10, perKey: 1 })
  const entered: string[] = []
  for (let number = 0; number < 5; number++) enter(gate, entered, `slow ${number}`, 'slow', number)
  enter(gate, entered, 'other', 'other', 1_000)
  await turn()
  t.same(entered, ['slow 0', 'other'])
  gate.leave('slow')
  await turn()
  t.same(entered, ['slow 0', 'other', 'slow 1'])
})

t.test('waiters enter by due time, then in the order of arrival', async (t) => {
  const gate = createGate({ total: 1, perKey: 1 })
  const entered: string[] = []
  enter(gate, entered, 'first', 'a', 0)
  enter(gate, entered, 'late', 'a', 30)
  enter(gate, entered, 'elsewhere', 'b', 20)
  enter(gate, entered, 'early', 'a', 10)
  enter(gate, entered, 'early too', 'a', 10)
  for (const key of ['a', 'a', 'a', 'b', 'a']) {
    gate.leave(key)
    await turn()
  }
  t.same(entered, ['first', 'early', 'early too', 'elsewhere', 'late'])
})

t.test('a newcomer does not overtake waiters for the same host', async (t) => {
  const gate = createGate({ total: 2, perKey: 1 })
  const entered: string[] = []
  enter(gate, entered, 'one', 'a', 0)
  enter(gate, entered, 'two', 'a', 1)
  gate.leave('a')
  enter(gate, entered, 'three', 'a', 0)
  await turn()
  t.same(entered, ['one', 'two'])
})

t.test('in any sequence no bound is broken, no slot stays empty, everybody gets in', async () => {
  const arrival = fc.record({ key: fc.nat({ max: 3 }), dueAtMs: fc.nat({ max: 5 }) })
  const steps = fc.array(fc.oneof(arrival, fc.constant('leave' as const)), { maxLength: 60 })
  const property = fc.asyncProperty(steps, async (steps) => {
    const gate = createGate({ total: 3, perKey: 2 })
    const inside: string[] = []
    let waiting: string[] = []
    const come = (key: string, dueAtMs: number) => {
      const turn = gate.enter(key, dueAtMs)
      if (turn === undefined) return inside.push(key)
      waiting.push(key)
      return turn.then(() => {
        waiting = waiting.toSpliced(waiting.indexOf(key), 1)
        inside.push(key)
      })
    }
    const check = () => {
      const insideOf = (key: string) => inside.filter((one) => one === key).length
      if (inside.length > 3) throw new Error('too many')
      for (const key of inside) if (insideOf(key) > 2) throw new Error('too many of a host')
      const couldEnter = waiting.some((key) => inside.length < 3 && insideOf(key) < 2)
      if (couldEnter) throw new Error('somebody waits for nothing')
    }
    for (const step of steps) {
      if (step !== 'leave') void come(`host ${step.key}`, step.dueAtMs)
      else if (inside.length > 0) gate.leave(inside.shift() ?? '')
      await turn()
      check()
    }
    while (inside.length > 0) {
      gate.leave(inside.shift() ?? '')
      await turn()
    }
    if (waiting.length > 0) throw new Error('somebody waits for ever')
  })
  await fc.assert(property, runs(50))
})

t.test('an admission that comes too late is given back', async (t) => {
  const clock = new FakeClock()
  const gate = createGate({ total: 1, perKey: 1 })
  const acquire = () => acquireWithin(gate, { key: 'a', dueAtMs: 0 }, clock, 10)
  t.equal(await acquire(), true)
  const inTime = acquire()
  await clock.advance(9)
  gate.leave('a')
  t.equal(await inTime, true)
  const late = acquire()
  await clock.advance(10)
  t.equal(await late, false)
  gate.leave('a')
  await turn()
  t.same(gate.load(), { inside: 0, waiting: 0 })
  t.equal(clock.pending, 0)
})
