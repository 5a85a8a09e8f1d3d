// Problems of many parts: each with its place, none lost, and no more than anybody reads.
import t from 'tap'
import { Fault, invalidField } from '../../../src/base/fault.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { at, createProblems } from '../../../src/services/monitors/part-problems.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const odd = (part: number): number => {
  if (part % 2 === 0) throw invalidField('/n', 'odd', 'must be odd')
  return part
}

t.test('the results of good parts, and the places of the others', async (t) => {
  const problems = createProblems(new FakeClock())
  t.same(await problems.ofMany('/few', [1, 2], odd), [1])
  t.same(await problems.ofMany('/many', [4, 5], odd), [5])
  t.throws(() => problems.throwAny(), {
    code: 'validation_failed',
    message: 'few.1.n must be odd',
    errors: [{ pointer: '/few/1/n' }, { pointer: '/many/0/n' }],
  })
  createProblems(new FakeClock()).throwAny()
})

t.test('very many problems are not all reported, nor even computed', async (t) => {
  const problems = createProblems(new FakeClock())
  let looks = 0
  await problems.ofMany('/n', Array<number>(10_000).fill(2), (part) => {
    looks += 1
    return odd(part)
  })
  t.equal(looks, limits.fieldProblemsMax)
  const error = await Promise.resolve()
    .then(() => problems.throwAny())
    .catch((thrown: unknown) => thrown)
  t.equal(error instanceof Fault && error.errors.length, limits.fieldProblemsMax)
})

t.test('long work yields to other work', async (t) => {
  let nowMs = 0
  const problems = createProblems({ monoMs: () => nowMs })
  let others = 0
  let isOver = false
  const other = (): void => {
    others += 1
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  await problems.ofMany('/n', Array<number>(200).fill(1), (part) => {
    nowMs += limits.turnMs
    return part
  })
  isOver = true
  t.ok(others > 0)
})

t.test('a bug of ours is not reported as a problem of the caller', async (t) => {
  const problems = createProblems(new FakeClock())
  const broken = () => {
    throw new Error('ours')
  }
  await t.rejects(problems.ofMany('/n', [1], broken), /ours/)
  t.throws(() => at('/n', broken), /ours/)
  const conflict = () => {
    throw new Fault('conflict', 'It is taken.')
  }
  t.throws(() => at('/n', conflict, '/slug'), { errors: [{ pointer: '/n/slug' }] })
})
