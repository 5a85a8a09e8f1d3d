// A queue of any kind: a bug of ours at one recipient is logged, tried again, and stops no other.
import t, { type Test } from 'tap'
import type { Choice } from '../../../src/actors/queue/machine.ts'
import { runQueue } from '../../../src/actors/queue/queue.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { until } from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

/** A queue whose next choice the test decides; an error is thrown. */
function start(t: Test, choices: (Choice | Error)[], onError?: () => void) {
  const clock = new FakeClock()
  const looks: string[] = []
  const errors: string[] = []
  const queue = runQueue<string>(
    {
      name: 'toys',
      keyOf: (recipient) => recipient,
      recipients: () => ['a', 'b'],
      drainMs: limits.deliveryDrainMs,
      async choose(recipient) {
        looks.push(recipient)
        const next = recipient === 'a' ? choices.shift() : undefined
        if (next instanceof Error) throw next
        return next ?? { kind: 'done' }
      },
    },
    {
      clock,
      log: {
        ...silentLog,
        error(message) {
          errors.push(message)
          onError?.()
        },
      },
    },
  )
  t.teardown(() => queue.stop())
  return {
    clock,
    queue,
    looks,
    errors,
    looksAt: (recipient: string) => looks.filter((l) => l === recipient),
  }
}

t.test('a step that fails is tried again after five seconds', async (t) => {
  const { clock, queue, looksAt, errors } = start(t, [new Error('a bug')])
  queue.start()
  await until(() => errors.length === 1)
  t.same(errors, ['toys step failed'])
  t.equal(looksAt('b').length, 1, 'the other recipient went on')
  await clock.advance(5_000)
  await until(() => looksAt('a').length === 2)
})

t.test('a crashed actor restarts ever later, without affecting the others', async (t) => {
  let crashes = 2
  const { clock, queue, looksAt, errors } = start(
    t,
    [new Error('one'), new Error('two')],
    // Where even telling of it fails, the actor itself is gone.
    () => {
      if (errors.at(-1) === 'toys step failed' && crashes-- > 0) throw new Error('a worse bug')
    },
  )
  queue.start()
  await until(() => errors.includes('toys actor crashed'))
  await clock.advance(limits.actorRestartMs)
  await until(() => errors.filter((message) => message === 'toys actor crashed').length === 2)
  await clock.advance(limits.actorRestartMs)
  await settle()
  t.equal(looksAt('a').length, 2, 'the second time it waits twice as long')
  await clock.advance(limits.actorRestartMs)
  await until(() => looksAt('a').length === 3)
  t.equal(looksAt('b').length, 1)
})

t.test('a recipient that waits looks again in time, or when it is woken', async (t) => {
  const until9 = { kind: 'wait', untilMs: new FakeClock().nowMs() + 9_000 } as const
  const { clock, queue, looksAt } = start(t, [until9, until9])
  queue.wake('a')
  await settle()
  queue.wake('a')
  await until(() => looksAt('a').length === 2)
  await clock.advance(8_999)
  await settle()
  t.equal(looksAt('a').length, 2)
  await clock.advance(1)
  await until(() => looksAt('a').length === 3)
})

t.test('a stopped queue reads nothing any more', async (t) => {
  const { queue, looks } = start(t, [])
  await queue.stop()
  queue.start()
  await settle()
  t.same(looks, [])
})
