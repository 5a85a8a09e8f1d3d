// The gate between organizations: who hangs, or has very much to do, delays nobody else.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createGate, type Gate, type GateBounds } from '../../src/base/gate.ts'
import { runs } from '../support/depth.ts'
import { FakeClock } from '../support/fake-clock.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const p99 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN

interface Check {
  readonly party: string
  readonly host: string
  readonly dueAtMs: number
  readonly takesMs: number
}

/** Runs the checks, each begun when it is due; their lateness by party. */
async function run(t: Test, bounds: GateBounds, checks: readonly Check[], forMs: number) {
  const clock = new FakeClock(0)
  const gate = createGate(bounds)
  const lateness = new Map<string, number[]>()
  let most = 0
  async function check({ party, host, dueAtMs, takesMs }: Check): Promise<void> {
    await gate.enter(host, dueAtMs, party)
    most = Math.max(most, gate.load().inside)
    const late = lateness.get(party) ?? []
    lateness.set(party, late)
    late.push(clock.nowMs() - dueAtMs)
    clock.setTimeout(() => gate.leave(host, party), takesMs)
  }
  // One timer for all that are due at once, and none for what is due now.
  const byTime = Map.groupBy(checks, ({ dueAtMs }) => dueAtMs)
  for (const [dueAtMs, due] of byTime) {
    clock.setTimeout(() => {
      for (const one of due) void check(one)
    }, dueAtMs)
  }
  await clock.advance(forMs)
  t.ok(most <= bounds.total, `never more inside than ${bounds.total}`)
  return { lateness, gate, most }
}

const kept = { places: 125, share: 1 / 8 }
const bounds = { total: 1_000, perKey: 10, kept }
const hanging = (party: string, count: number, hosts: number): Check[] =>
  Array.from({ length: count }, (_, n) => ({
    party,
    host: `${party} ${n % hosts}`,
    dueAtMs: 0,
    takesMs: 60_000,
  }))
const quick = (everyMs: number, host = 'quick'): Check[] =>
  Array.from({ length: 100 }, (_, n) => ({
    party: 'B',
    host: `${host} ${n % 20}`,
    dueAtMs: 500 + n * everyMs,
    takesMs: 50,
  }))

t.test('10,000 checks that hang delay no check of another organization', async (t) => {
  const checks = [...hanging('A', 10_000, 2_000), ...quick(100)]
  const { lateness, most } = await run(t, bounds, checks, 20_000)
  t.equal(lateness.get('B')?.length, 100)
  t.equal(p99(lateness.get('B') ?? []), 0)
  t.ok(most < 900)
})

t.test('nor do 10,000 that all become due at once', async (t) => {
  const checks = [...hanging('A', 10_000, 2_000), ...quick(0)]
  const { lateness } = await run(t, bounds, checks, 20_000)
  t.equal(lateness.get('B')?.length, 100)
  t.ok(p99(lateness.get('B') ?? []) < 1_000, `p99 is ${p99(lateness.get('B') ?? [])} ms`)
})

t.test('nor do twenty organizations that hang', async (t) => {
  const names = Array.from({ length: 20 }, (_, n) => `A${n}`)
  const all = names.flatMap((name) => hanging(name, 500, 100))
  const { lateness } = await run(t, bounds, [...all, ...quick(100)], 20_000)
  t.equal(lateness.get('B')?.length, 100)
  t.ok(p99(lateness.get('B') ?? []) < 1_000, `p99 is ${p99(lateness.get('B') ?? [])} ms`)
})

t.test('nor do checks that hang at the other organization’s hosts', async (t) => {
  const checks = [
    ...hanging('A', 10_000, 20).map((one, n) => ({ ...one, host: `shared ${n % 20}` })),
    ...quick(100, 'shared'),
  ]
  const { lateness } = await run(t, bounds, checks, 20_000)
  t.equal(lateness.get('B')?.length, 100)
  t.ok(p99(lateness.get('B') ?? []) < 1_000, `p99 is ${p99(lateness.get('B') ?? [])} ms`)
})

t.test('when all have much to do, each has its share', async (t) => {
  const many = (party: string, count: number): Check[] =>
    Array.from({ length: count }, (_, n) => ({
      party,
      host: `${party} ${n}`,
      dueAtMs: 0,
      takesMs: 100,
    }))
  const checks = [...many('A', 5_000), ...many('B', 100), ...many('C', 100)]
  const few = { total: 30, perKey: 10, kept: { places: 3, share: 1 / 8 } }
  const { lateness } = await run(t, few, checks, 1_500)
  t.ok(Math.max(...(lateness.get('B') ?? [])) <= 1_200, 'a hundred at ten at once')
  t.ok(Math.max(...(lateness.get('C') ?? [])) <= 1_200)
  t.ok((lateness.get('A')?.length ?? 0) > 100, 'and the places of who is through are used')
})

t.test('a single party can use everything except the reserve', async (t) => {
  const gate = createGate({ ...bounds, perKey: 1_000 })
  for (let n = 0; n < 1_000; n++) void gate.enter('host', n, 'A')
  t.same(gate.load(), { inside: 875, waiting: 125 })
  for (let n = 0; n < 100; n++) void gate.enter('other', n, 'B')
  t.same(gate.load(), { inside: 875 + 14, waiting: 125 + 86 })
})

t.test('within an organization the earliest due comes first, over all its hosts', async (t) => {
  const gate = createGate({ total: 1, perKey: 1 })
  const entered: string[] = []
  void gate.enter('x', 0, 'B')
  for (const [name, host, dueAtMs] of [
    ['third', 'a', 30],
    ['first', 'b', 10],
    ['second', 'a', 20],
    ['asked for', 'c', 0],
  ] as const) {
    void gate.enter(host, dueAtMs, 'A')?.then(() => {
      entered.push(name)
      gate.leave(host, 'A')
    })
  }
  gate.leave('x', 'B')
  for (let n = 0; n < 5; n++) await turn()
  t.same(entered, ['asked for', 'first', 'second', 'third'])
  t.same(gate.load(), { inside: 0, waiting: 0 })
})

t.test('leaving without having entered is a bug', async (t) => {
  const gate = createGate(bounds)
  t.throws(() => gate.leave('host', 'A'))
  void gate.enter('host', 0, 'A')
  t.throws(() => gate.leave('host', 'B'))
})

type Who = readonly [party: string, key: string]

/** What no gate may do, told from outside: it knows who is inside and who waits, nothing else. */
function mistake(inside: readonly Who[], waiting: readonly Who[], bounds: GateBounds): string {
  const { total, perKey, kept = { places: 0, share: 0 } } = bounds
  const ofParty = (party: string) => inside.filter((one) => one[0] === party).length
  const ofKey = (key: string) => inside.filter((one) => one[1] === key)
  if (inside.length > total) return 'too many inside'
  for (const key of new Set(inside.map((one) => one[1]))) {
    const most = perKey + new Set(ofKey(key).map((one) => one[0])).size - 1
    if (ofKey(key).length > most) return 'too many for a key'
  }
  const couldEnter = waiting.some(([party, key]) => {
    const free = total - inside.length
    const hasRoom = ofKey(key).length < perKey || !ofKey(key).some((one) => one[0] === party)
    const isLet = free > kept.places || ofParty(party) < kept.share * free
    return free > 0 && isLet && hasRoom
  })
  return couldEnter ? 'somebody waits for nothing' : ''
}

function createPlayer(gate: Gate) {
  const inside: Who[] = []
  const waiting: Who[] = []
  return {
    inside,
    waiting,
    come([party, key]: Who, dueAtMs: number): void {
      const who: Who = [party, key]
      const turn = gate.enter(key, dueAtMs, party)
      if (!turn) return void inside.push(who)
      waiting.push(who)
      void turn.then(() => inside.push(...waiting.splice(waiting.indexOf(who), 1)))
    },
    go(which: number): void {
      const [left] = inside.splice(which % inside.length, 1)
      if (left) gate.leave(left[1], left[0])
    },
  }
}

t.test('in any sequence no bound is broken, and nobody waits needlessly or forever', async () => {
  const arrival = fc.record({
    party: fc.constantFrom('A', 'B', 'C'),
    key: fc.constantFrom('x', 'y', 'z'),
    dueAtMs: fc.nat({ max: 5 }),
  })
  const leaving = fc.record({ which: fc.nat({ max: 20 }) })
  const steps = fc.array(fc.oneof(arrival, leaving), { maxLength: 100 })
  const anyBounds = fc.record({
    total: fc.integer({ min: 1, max: 12 }),
    perKey: fc.integer({ min: 1, max: 3 }),
    kept: fc.record({ places: fc.nat({ max: 6 }), share: fc.constantFrom(0.125, 0.5, 1) }),
  })
  const property = fc.asyncProperty(anyBounds, steps, async (bounds, steps) => {
    const gate = createGate(bounds)
    const { inside, waiting, come, go } = createPlayer(gate)
    const look = async () => {
      await turn()
      const found = mistake(inside, waiting, bounds)
      if (found) throw new Error(found)
      const { inside: counted, waiting: queued } = gate.load()
      if (counted !== inside.length || queued !== waiting.length) throw new Error('it miscounts')
    }
    for (const step of steps) {
      if ('party' in step) come([step.party, step.key], step.dueAtMs)
      else go(step.which)
      await look()
    }
    while (inside.length > 0) {
      go(0)
      await look()
    }
    if (waiting.length > 0) throw new Error('somebody waits for ever')
  })
  await fc.assert(property, runs(200))
})
