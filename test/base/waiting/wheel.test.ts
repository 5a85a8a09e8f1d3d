// The timing wheel fires every timer once, at its tick, in order, whatever is added or removed.
import fc from 'fast-check'
import t from 'tap'
import { createWheel } from '../../../src/base/waiting/wheel.ts'
import { runs } from '../../support/depth.ts'

t.test('timers near and far fire at their own tick and in order', async (t) => {
  const fired: [due: number, at: number][] = []
  let nowTick = 0
  const wheel = createWheel<number>((dueTick) => fired.push([dueTick, nowTick]))
  const dues = [1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 16_777_216, 16_777_300]
  for (const dueTick of dues) wheel.add(dueTick, dueTick)
  for (let next = wheel.nextTick(); next !== undefined; next = wheel.nextTick()) {
    nowTick = next
    wheel.advance(next)
  }
  t.same(
    fired,
    dues.map((due) => [due, due]),
  )
})

t.test('a delay beyond the last wheel still fires at its tick', async (t) => {
  let firedAt = 0
  let nowTick = 0
  const wheel = createWheel<null>(() => {
    firedAt = nowTick
  })
  const dueTick = 2 ** 33 + 12_345
  wheel.add(null, dueTick)
  for (let next = wheel.nextTick(); next !== undefined; next = wheel.nextTick()) {
    nowTick = next
    wheel.advance(next)
  }
  t.equal(firedAt, dueTick)
})

t.test('a timer removed by an earlier one of the same tick does not fire', async (t) => {
  const fired: string[] = []
  const wheel = createWheel<() => void>((run) => run())
  wheel.add(() => {
    fired.push('first')
    wheel.remove(second)
  }, 5)
  const second = wheel.add(() => fired.push('second'), 5)
  wheel.advance(10)
  t.same(fired, ['first'])
  t.equal(wheel.nextTick(), undefined)
})

t.test('a timer added while firing, even one already due, fires at a later tick', async (t) => {
  const fired: number[] = []
  let more = 3
  const wheel = createWheel<number>((dueTick) => {
    fired.push(dueTick)
    if (more-- > 0) wheel.add(dueTick, dueTick)
  })
  wheel.add(7, 7)
  wheel.advance(7)
  t.equal(fired.length, 1)
  wheel.advance(20)
  t.equal(fired.length, 4)
})

t.test('any mix of adding, removing and jumping agrees with a sorted list', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), delay: fc.integer({ min: 0, max: 200_000 }) }),
    fc.record({ kind: fc.constant('remove' as const), index: fc.nat(40) }),
    fc.record({ kind: fc.constant('advance' as const), by: fc.integer({ min: 1, max: 90_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let nowTick = 0
      const fired: number[] = []
      const wheel = createWheel<number>((id) => fired.push(id))
      let model: { id: number; dueTick: number }[] = []
      const handles: { id: number; handle: unknown }[] = []
      const expected: number[] = []
      let nextId = 0
      for (const step of steps) {
        if (step.kind === 'add') {
          const timer = { dueTick: nowTick + step.delay, id: nextId++ }
          handles.push({ id: timer.id, handle: wheel.add(timer.id, timer.dueTick) })
          model.push({ id: timer.id, dueTick: Math.max(timer.dueTick, nowTick + 1) })
        } else if (step.kind === 'remove') {
          const chosen = handles[step.index % Math.max(1, handles.length)]
          if (!chosen) continue
          wheel.remove(chosen.handle)
          model = model.filter((timer) => timer.id !== chosen.id)
        } else {
          nowTick += step.by
          wheel.advance(nowTick)
          const due = model.filter((timer) => timer.dueTick <= nowTick)
          due.sort((a, b) => a.dueTick - b.dueTick || a.id - b.id)
          expected.push(...due.map((timer) => timer.id))
          model = model.filter((timer) => timer.dueTick > nowTick)
        }
      }
      const byTick = (ids: number[]) => ids.slice().sort((a, b) => a - b)
      return JSON.stringify(byTick(fired)) === JSON.stringify(byTick(expected))
    }),
    runs(300),
  )
})
