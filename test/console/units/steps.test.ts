// The steps of a form: their order, the values that they may name, their keys, and when they run by themselves.
import t from 'tap'
import { createAutoRun } from '../../../src/console/pages/monitors/editor/steps/auto-run.ts'
import { createStepKeys } from '../../../src/console/pages/monitors/editor/steps/step-keys.ts'
import {
  captureFor,
  type FormStep,
  freeName,
  isHarmless,
  jsonState,
  leadsElsewhere,
  namesFor,
  runOrder,
} from '../../../src/console/pages/monitors/editor/steps/step-model.ts'

const step = (name: string, more: Partial<FormStep> = {}): FormStep => ({
  name,
  url: name,
  ...more,
})
const takes = (...names: string[]) =>
  names.map((name) => ({ name, source: 'json' as const, path: `$.${name}` }))

t.test('a step is offered what runs before it, and nothing else', async (t) => {
  const steps = [
    step('remove', { isCleanUp: true, captures: takes('gone') }),
    step('sign in', { captures: takes('token', '') }),
    step('order', { captures: takes('id') }),
  ]
  t.same(runOrder(steps), [1, 2, 0])
  const namesAt = (place: number) =>
    namesFor(place, steps, { password: 'x' }).map(({ name, from }) => [name, from])
  t.same(namesAt(1), [['password', undefined]])
  t.same(namesAt(2), [
    ['password', undefined],
    ['token', 'sign in'],
  ])
  t.same(
    namesAt(0).map(([name]) => name),
    ['password', 'token', 'id'],
  )
})

t.test('only what reads runs by itself at first', async (t) => {
  t.ok(isHarmless([step('a'), step('b', { method: 'HEAD' }), step('c', { method: null })]))
  t.notOk(isHarmless([step('a'), step('b', { method: 'POST' })]))
})

t.test('what is taken has a name that no other value has', async (t) => {
  t.same(captureFor(['order', 'id'], []), { name: 'id', source: 'json', path: '$.order.id' })
  t.match(captureFor(['items', 0], ['items']), { name: 'items_2', path: '$.items[0]' })
  t.equal(freeName('X-Request-Id', []), 'X_Request_Id')
  t.equal(freeName('2fa', []), '_2fa')
  t.equal(freeName('日本', []), 'value')
  t.match(freeName('a'.repeat(200), []), /^a{1,64}$/)
})

t.test('a body with placeholders is JSON if it is with their values', async (t) => {
  t.equal(jsonState('{"id": {{id}}, "name": "{{name|json}}"}'), 'valid')
  t.equal(jsonState('[{{id}},'), 'broken')
  t.equal(jsonState('user={{name}}'), undefined)
})

t.test('variables are asked for again only where a step leads to a new server', async (t) => {
  const stored = { url: 'https://shop.test/', steps: [step('https://pay.test/a')] }
  const now = (url: string) => leadsElsewhere(stored, { ...stored, steps: [step(url)] })
  t.notOk(now('orders'))
  t.notOk(now('https://pay.test/b'))
  t.ok(now('https://evil.test/'))
  t.ok(now('http://shop.test/'))
})

t.test('a card keeps its step while that is edited, moved and taken away', async (t) => {
  const keys = createStepKeys()
  const [a, b, c] = [step('a'), step('b'), step('c')]
  const before = [a, b, c]
  const first = keys.of(before)
  t.equal(new Set(first).size, 3)
  t.same(keys.of([a, step('edited'), c]), first)
  const after = [c, a]
  keys.name(after, [first[2] ?? 0, first[0] ?? 0])
  t.same(keys.of(after), [first[2], first[0]])
  t.same(keys.shown(before), first, 'a trial of before still knows its steps')
  t.not(keys.of([a, b, c, step('d')])[0], first[0], 'a list from elsewhere has cards of its own')
})

t.test('it runs once after the last change, and never twice at once', async (t) => {
  let nowMs = 0
  let timer: { readonly atMs: number; readonly work: () => void } | undefined
  let end: (waitMs?: number) => void = () => {}
  const began: number[] = []
  const auto = createAutoRun({
    quietMs: 1_000,
    nowMs: () => nowMs,
    setTimer: (work, ms) => {
      timer = { atMs: nowMs + ms, work }
    },
    clearTimer: () => {
      timer = undefined
    },
    run: () => {
      began.push(nowMs)
      return new Promise((resolve) => {
        end = resolve
      })
    },
  })
  const pass = async (ms: number) => {
    const untilMs = nowMs + ms
    while (timer !== undefined && timer.atMs <= untilMs) {
      const { atMs, work } = timer
      timer = undefined
      nowMs = atMs
      work()
      await Promise.resolve()
    }
    nowMs = untilMs
  }
  const ended = async (waitMs?: number) => {
    end(waitMs)
    await new Promise(setImmediate)
  }
  auto.want()
  await pass(900)
  auto.want()
  await pass(900)
  t.same(began, [], 'somebody still types')
  await pass(100)
  t.same(began, [1_900])
  auto.want()
  await pass(5_000)
  t.equal(began.length, 1, 'it still runs')
  await ended()
  await pass(1_000)
  t.same(began, [1_900, 7_900])
  await ended(20_000)
  auto.want()
  await pass(19_999)
  t.equal(began.length, 2, 'the service takes none yet')
  await pass(1)
  t.same(began.at(-1), 27_900)
  auto.stop()
  await ended(1_000)
  await pass(60_000)
  t.equal(began.length, 3, 'nobody waits for it any more')
})
