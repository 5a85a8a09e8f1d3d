// Failed results of Checkly become outages, and all else the time up.
import t from 'tap'
import { pastOf } from '../../../../src/domain/imports/checkly/past.ts'
import { createNotes } from '../../../../src/domain/imports/foreign.ts'

const minuteMs = 60_000
const readAtMs = Date.UTC(2026, 0, 31)
const at = (minutes: number, more: object = {}) => ({
  startedAt: new Date(readAtMs - 86_400_000 + minutes * minuteMs).toISOString(),
  hasFailures: true,
  ...more,
})
const watched = (there: string, fields: object = {}) => ({
  ...{ there, origin: `check/${there}`, fields: { ...fields }, intervalSeconds: 300 },
})

t.test(
  'failures that follow each other are one outage, until the next check was due',
  async (t) => {
    const notes = createNotes()
    const results = {
      a: [at(5.2), at(0), at(60, { isCancelled: true }), at(90, { hasFailures: false }), at(100)],
      b: [],
      paused: [at(0)],
    }
    const past = pastOf(
      results,
      [
        watched('a'),
        watched('b', { created_at: '2026-01-30T12:00:00Z' }),
        watched('unread'),
        watched('paused', { activated: false }),
      ],
      readAtMs,
      notes.of(null),
    )
    const beginMs = readAtMs - 86_400_000
    t.match(past, [
      {
        origin: 'check/a',
        days: { length: 30 },
        outages: [
          { fromMs: beginMs, toMs: beginMs + 10.2 * minuteMs, text: 'failed in Checkly' },
          { fromMs: beginMs + 100 * minuteMs, toMs: beginMs + 105 * minuteMs },
        ],
      },
      { origin: 'check/b', days: [{ upMs: 12 * 60 * minuteMs, downMs: 0 }], outages: [] },
    ])
    t.equal(past.length, 2)
    t.equal(notes.all().length, 1)
  },
)

t.test('without a time of reading there is no past', async (t) => {
  const notes = createNotes()
  t.same(pastOf({ a: [at(0)] }, [watched('a')], 0, notes.of(null)), [])
  t.same(pastOf({ a: 'x' }, [watched('a')], readAtMs, notes.of(null)), [])
  t.same(notes.all(), [])
})
