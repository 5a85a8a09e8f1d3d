// Stopping: last in, first out, bounded in time, whatever a step does.
import t from 'tap'
import { createLog } from '../../src/base/log/log.ts'
import { createStack } from '../../src/base/stack.ts'
import { FakeClock } from '../support/fake-clock.ts'

function make() {
  const clock = new FakeClock()
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json', write: (line) => lines.push(line) })
  return { clock, lines, stack: createStack({ clock, log }) }
}

t.test('the last one started is stopped first, one after the other', async (t) => {
  const { stack, clock } = make()
  const events: string[] = []
  stack.push('store', () => events.push('store'))
  stack.push('http', async () => {
    events.push('http')
    await new Promise((resolve) => setImmediate(resolve))
    events.push('http done')
  })
  t.same(await stack.stop(), [])
  t.same(events, ['http', 'http done', 'store'])
  t.equal(clock.pending, 0, 'no deadline is left running')
})

t.test('a step that fails is logged by name and the others still stop', async (t) => {
  const { stack, lines } = make()
  let stopped = 0
  stack.push('first', () => {
    stopped += 1
  })
  stack.push('throws', () => {
    throw new Error('at once')
  })
  stack.push('rejects', () => Promise.reject(new Error('later')))
  t.same(await stack.stop(), ['rejects', 'throws'])
  t.equal(stopped, 1)
  t.match(lines.join(''), /rejects.*later[\s\S]*throws.*at once/)
})

t.test('a step that hangs is left behind at its deadline', async (t) => {
  const { stack, clock, lines } = make()
  let stopped = false
  stack.push('store', () => {
    stopped = true
  })
  stack.push('stuck', () => new Promise(() => {}), 2_000)
  const done = stack.stop()
  await clock.advance(1_999)
  t.notOk(stopped)
  await clock.advance(1)
  t.same(await done, ['stuck'])
  t.ok(stopped)
  t.match(lines[0], 'not done after 2000 ms')
})

t.test('stopping twice is stopping once', async (t) => {
  const { stack } = make()
  let count = 0
  stack.push('one', () => {
    count += 1
  })
  await Promise.all([stack.stop(), stack.stop()])
  t.same(await stack.stop(), [])
  t.equal(count, 1)
  t.throws(() => stack.push('late', () => {}), /during shutdown/)
})
