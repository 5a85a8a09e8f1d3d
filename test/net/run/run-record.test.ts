// Phases: how long each took, and what becomes of the one that goes on.
import t from 'tap'
import { RunRecord } from '../../../src/net/run/run-record.ts'
import { FakeClock } from '../../support/fake-clock.ts'

t.test('a phase is noted once: by its timer, or where it is broken off', async (t) => {
  const clock = new FakeClock()
  const times = new RunRecord(clock)
  times.end()
  t.same(times.taken(), {}, 'nothing has begun')
  times.enter('connect')
  await clock.advance(5)
  times.set('connect', 4.126)
  times.end()
  times.enter('tls')
  await clock.advance(7)
  t.same(times.taken(), { connect: 4.13 })
  times.end()
  times.end()
  t.same(times.taken(), { connect: 4.13, tls: 7 })
  t.equal(times.phase, 'tls')
})

t.test('repeated phases are added up', async (t) => {
  const clock = new FakeClock()
  const times = new RunRecord(clock)
  const before = times.taken()
  times.add('dns', 1)
  times.add('dns', 2)
  times.enter('download')
  await clock.advance(3)
  times.end('firstByte')
  t.same(times.taken(), { dns: 3, firstByte: 3 })
  t.same(before, {})
})
