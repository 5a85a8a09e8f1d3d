// The bounds of a timeline.
import t from 'tap'
import {
  extended,
  type TimelineEntry,
  timelineCharsMax,
} from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'

const entry = (message: string): TimelineEntry => ({
  atMs: 0,
  kind: 'update',
  message,
  isPublic: true,
})

t.test('an entry is added at the end, and earlier ones stay', async (t) => {
  const before = [entry('a')]
  t.same(extended(before, entry('b')), [entry('a'), entry('b')])
  t.same(before, [entry('a')])
})

t.test('a long message is cut', async (t) => {
  const [added] = extended([], entry('x'.repeat(limits.incidentMessageCharsMax + 1)))
  t.equal(added?.message.length, limits.incidentMessageCharsMax)
})

t.test('a full timeline loses its second entry', async (t) => {
  const full = Array.from({ length: limits.timelineEntriesMax }, (_, at) => entry(`${at}`))
  const after = extended(full, entry('new'))
  t.equal(after.length, limits.timelineEntriesMax)
  t.same([after[0]?.message, after[1]?.message, after.at(-1)?.message], ['0', '2', 'new'])
})

t.test('many long messages leave the beginning and the newest, within one bound', async (t) => {
  let timeline: readonly TimelineEntry[] = [entry('opened')]
  for (let at = 0; at < 30; at += 1)
    timeline = extended(timeline, entry(`${at} `.padEnd(4_000, 'x')))
  const chars = timeline.reduce((sum, { message }) => sum + message.length, 0)
  t.ok(chars <= timelineCharsMax)
  t.equal(timeline.length, 1 + Math.floor(timelineCharsMax / 4_000))
  t.same([timeline[0]?.message, timeline.at(-1)?.message.slice(0, 3)], ['opened', '29 '])
})
