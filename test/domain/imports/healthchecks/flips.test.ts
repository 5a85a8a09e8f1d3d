// Status changes become outages and days; pauses become neither.
import t from 'tap'
import { historiesOf } from '../../../../src/domain/imports/healthchecks/flips.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const flip = (text: string, up: number) => ({ timestamp: `${text}+00:00`, up })
const hourMs = 3_600_000
const readAtMs = at('2026-11-03T12:00:00')
const origin = 'check/a'

/** Newest first, as they are told. */
const changes = [
  flip('2026-11-03T06:00:00', 0),
  flip('2026-11-02T01:00:00', 1),
  flip('2026-11-01T22:00:00', 0),
  flip('2026-11-01T20:00:00', 1),
]

t.test('the time between two changes is up or down on its days', async (t) => {
  const flips = { flips: changes }
  const [history] = historiesOf([{ origin, flips, status: 'down' }], readAtMs)
  t.match(history, {
    origin,
    outages: [
      { fromMs: at('2026-11-01T22:00:00'), toMs: at('2026-11-02T01:00:00') },
      { fromMs: at('2026-11-03T06:00:00'), toMs: null },
    ],
    days: [
      { startMs: at('2026-11-01T00:00:00'), upMs: 2 * hourMs, downMs: 2 * hourMs },
      { startMs: at('2026-11-02T00:00:00'), upMs: 23 * hourMs, downMs: hourMs },
      { startMs: at('2026-11-03T00:00:00'), upMs: 6 * hourMs, downMs: 6 * hourMs },
    ],
    hours: [],
  })
})

t.test('a pause is no outage', async (t) => {
  const [paused] = historiesOf([{ origin, flips: changes, status: 'paused' }], readAtMs)
  t.equal(paused?.outages.length, 1)
  t.match(paused?.days.at(-1), { upMs: 6 * hourMs, downMs: 0 })
  const resumed = [flip('2026-11-03T08:00:00', 0), ...changes]
  const [history] = historiesOf([{ origin, flips: resumed, status: 'new' }], readAtMs)
  t.match(history?.outages.at(-1), { toMs: at('2026-11-03T08:00:00') })
})

t.test('a check without changes has no past, and nonsense is none', async (t) => {
  const nothing = [[], {}, null, 'x', [{}], [flip('never', 1)], [flip('2027-01-01T00:00:00', 0)]]
  for (const flips of nothing) t.same(historiesOf([{ origin, flips, status: 'up' }], readAtMs), [])
})

t.test('a long past is cut to its newest days, and to fewer of many checks', async (t) => {
  const old = { origin, flips: [flip('2001-01-01T00:00:00', 1)], status: 'up' }
  t.equal(historiesOf([old], readAtMs)[0]?.days.length, 366)
  const many = historiesOf(Array<typeof old>(4_000).fill(old), readAtMs)
  t.equal(many[0]?.days.length, 10)
  t.match(many[0]?.days.at(-1), { startMs: at('2026-11-03T00:00:00'), upMs: 12 * hourMs })
})
