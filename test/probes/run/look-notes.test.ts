// What a look notes on its way, told as a reading.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { failure } from '../../../src/net/failure.ts'
import { Notes } from '../../../src/probes/run/look-notes.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeTarget } from '../../support/make-target.ts'

t.test('a reading has its time, its length and only what was noted', async (t) => {
  const clock = new FakeClock()
  const notes = new Notes(makeTarget(), clock, {})
  const atMs = clock.nowMs()
  notes.took('connect', 1.23456)
  await clock.advance(250)
  const phases = { connect: 1.23 }
  t.same(notes.judged({}), { atMs, outcome: 'good', phases, durationMs: 250 })
  notes.address = '127.0.0.1'
  t.match(notes.judged({}), { address: '127.0.0.1' })
})

t.test('what is noted afterwards does not change a reading', async (t) => {
  const notes = new Notes(makeTarget(), new FakeClock(), {})
  const reading = notes.judged({})
  notes.took('dns', 5)
  t.same(reading.phases, {})
})

t.test('a long sentence is cut, and trouble of our own has no evidence', async (t) => {
  const notes = new Notes(makeTarget(), new FakeClock(), {})
  const long = notes.failed(failure('reset', 'x'.repeat(1_000)), 'connect', 'heard')
  t.equal(long.error?.message.length, limits.errorMessageCharsMax)
  t.match(long, { error: { phase: 'connect' }, evidence: { body: 'heard' } })
  const own = { outcome: 'unknown', kind: 'connect', message: 'no route' } as const
  t.equal(notes.failed(own, 'connect', 'heard').evidence, undefined)
})

t.test('of a private address only what is our own is kept, where that is asked for', async (t) => {
  const expect = { bodyContains: 'ready', checkType: 'tcp' } as const
  const seen = (fields: Partial<Notes>, hidesPrivate?: () => boolean) => {
    const discretion = hidesPrivate === undefined ? {} : { hidesPrivate }
    const notes = new Notes(makeTarget({ expect }), new FakeClock(), discretion)
    return Object.assign(notes, fields).judged({ text: 'marker' }).evidence
  }
  const yes = () => true
  const expected = 'answer to contain "ready"'
  const note = 'not kept: a private address on a shared service'
  const hidden = { failedAssertions: [{ expected, found: `(${note})` }], note }
  t.same(seen({ address: '10.0.0.1' }, yes), hidden)
  t.same(seen({ address: '::ffff:127.0.0.1' }, yes), hidden)
  t.same(seen({ addresses: ['1.1.1.1', 'fd00::1'] }, yes), hidden, 'it may have been that one')
  const shown = { failedAssertions: [{ expected, found: 'marker' }], body: 'marker' }
  t.same(seen({ addresses: ['1.1.1.1', 'fd00::1'], address: '1.1.1.1' }, yes), shown)
  t.same(
    seen({ address: '10.0.0.1' }, () => false),
    shown,
  )
  t.same(seen({ address: '10.0.0.1' }), shown)
  t.same(seen({}, yes), shown, 'nobody was connected to')
})

t.test('what was found is told as an object where it is one in JSON, else as text', async (t) => {
  const found = (text: string) =>
    new Notes(makeTarget(), new FakeClock(), {}).judged({ text }).found
  t.same(found('{"ttl":60,"records":["a"]}'), { ttl: 60, records: ['a'] })
  t.equal(found('220 mx.example ESMTP\r\n'), '220 mx.example ESMTP\r\n')
  for (const text of ['[1,2]', '{"cut":', '"word"', '']) t.equal(found(text), text)
  t.equal(found('a\0b'), 'a\ufffdb')
  const long = `{"a":"${'x'.repeat(limits.foundCharsShownMax)}"}`
  t.equal(found(long), long.slice(0, limits.foundCharsShownMax))
  const deep = '{"a":'.repeat(5_000)
  t.doesNotThrow(() => JSON.stringify(found(`${deep}1${'}'.repeat(5_000)}`)))
  t.notOk('found' in new Notes(makeTarget(), new FakeClock(), {}).judged({}))
})

t.test('it is there where an assertion fails as well, and where we failed it is not', async (t) => {
  const notes = new Notes(makeTarget({ expect: { bodyContains: 'b' } }), new FakeClock(), {})
  t.match(notes.judged({ text: 'a' }), { outcome: 'failed', found: 'a' })
  const own = { outcome: 'unknown', kind: 'connect', message: 'no route' } as const
  t.notOk('found' in notes.failed(own, 'connect', 'heard'))
})

t.test('our secrets are blotted out of it, also behind a long beginning', async (t) => {
  const body = '{"token":"s3cret-s3cret"}'
  const notes = new Notes(makeTarget({ body }), new FakeClock(), {})
  notes.sent.push('LOGIN hunter2-hunter2')
  const before = 'y'.repeat(limits.foundCharsShownMax - 6)
  const all = [`{"echo":"s3cret-s3cret"}`, 'OK hunter2-hunter2', `${before}s3cret-s3cret`]
  for (const text of all) {
    const told = JSON.stringify(notes.judged({ text }).found)
    t.notMatch(told, /s3cret|hunter2/)
    t.match(told, /••••/)
  }
})

t.test('at a private address of a shared service nobody is told', async (t) => {
  const notes = new Notes(makeTarget(), new FakeClock(), { hidesPrivate: () => true })
  notes.address = '10.0.0.1'
  const reading = notes.judged({ text: 'marker' })
  t.equal(reading.found, '(not kept: a private address on a shared service)')
  t.notMatch(JSON.stringify(reading), /marker/)
})

t.test('of the words nothing is made until somebody asks', async (t) => {
  let asked = 0
  const hidesPrivate = () => ++asked > 0
  const notes = new Notes(makeTarget(), new FakeClock(), { hidesPrivate })
  notes.address = '10.0.0.1'
  const reading = notes.judged({ text: 'marker' })
  t.equal(asked, 0)
  t.ok(reading.found)
  t.ok(reading.found)
  t.equal(asked, 1, 'and only once')
})
