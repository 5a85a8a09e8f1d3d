// What a look notes on its way, told as a reading.
import t from 'tap'
import { limits } from '../../src/domain/limits.ts'
import { failure } from '../../src/probes/failure.ts'
import { Notes } from '../../src/probes/look-notes.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeTarget } from '../support/make-target.ts'

t.test('a reading has its time, its length and only what was noted', async (t) => {
  const clock = new FakeClock()
  const notes = new Notes(makeTarget(), clock)
  const atMs = clock.nowMs()
  notes.took('connect', 1.23456)
  await clock.advance(250)
  const phases = { connect: 1.23 }
  t.same(notes.judged({}), { atMs, outcome: 'good', phases, durationMs: 250 })
  notes.address = '127.0.0.1'
  t.match(notes.judged({}), { address: '127.0.0.1' })
})

t.test('what is noted afterwards does not change a reading', async (t) => {
  const notes = new Notes(makeTarget(), new FakeClock())
  const reading = notes.judged({})
  notes.took('dns', 5)
  t.same(reading.phases, {})
})

t.test('a long sentence is cut, and trouble of our own has no evidence', async (t) => {
  const notes = new Notes(makeTarget(), new FakeClock())
  const long = notes.failed(failure('reset', 'x'.repeat(1_000)), 'connect', 'heard')
  t.equal(long.error?.message.length, limits.errorMessageCharsMax)
  t.match(long, { error: { phase: 'connect' }, evidence: { body: 'heard' } })
  const own = { outcome: 'unknown', kind: 'connect', message: 'no route' } as const
  t.equal(notes.failed(own, 'connect', 'heard').evidence, undefined)
})
