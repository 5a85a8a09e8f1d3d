// The occurrences of maintenance windows: once, recurring, and where the clock changes.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { coverage, coverageAt, nextTurnAtMs } from '../../../src/domain/maintenance/coverage.ts'
import { contains, type Interval, without } from '../../../src/domain/maintenance/interval.ts'
import {
  isEndless,
  lastOccurrencesIn,
  occurrencesFrom,
  occurrencesIn,
  type WindowTimes,
} from '../../../src/domain/maintenance/occurrences.ts'
import {
  cancelledWindow,
  coveringOf,
  endedWindow,
  extendedWindow,
  formerOf,
  nextOccurrences,
  windowState,
} from '../../../src/domain/maintenance/window.ts'
import { runs } from '../../support/depth.ts'
import { monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Recurring = Extract<WindowTimes, { kind: 'recurring' }>

function recurring(cron: string, durationMinutes: number, timezone = 'UTC'): Recurring {
  return { kind: 'recurring', cron, durationMinutes, timezone, extras: [], cuts: [] }
}

const text = ({ fromMs, toMs }: Interval) =>
  `${new Date(fromMs).toISOString().slice(0, 16)} ${(toMs - fromMs) / minuteMs}`

function next(times: WindowTimes, fromIso: string, most: number): string[] {
  return nextOccurrences(times, Date.parse(fromIso), most).map(text)
}

t.test('each occurrence begins by the clock of its zone, and lasts its time', async (t) => {
  // Berlin: 02:00 becomes 03:00 on 29 March 2026, and 03:00 becomes 02:00 on 25 October.
  const nightly = recurring('30 2 * * *', 90, 'Europe/Berlin')
  t.same(next(nightly, '2026-03-27T12:00Z', 3), [
    '2026-03-28T01:30 90',
    // 02:30 does not exist: right after the gap, at 03:00 or 03:30 in summer time.
    text(nextOccurrences(nightly, Date.parse('2026-03-28T12:00Z'), 1)[0] ?? { fromMs: 0, toMs: 0 }),
    '2026-03-30T00:30 90',
  ])
  const [inGap] = nextOccurrences(nightly, Date.parse('2026-03-28T12:00Z'), 1)
  t.ok(inGap && inGap.fromMs >= Date.parse('2026-03-29T01:00Z'))
  t.ok(inGap && inGap.fromMs <= Date.parse('2026-03-29T01:30Z'))
  t.equal(inGap && inGap.toMs - inGap.fromMs, 90 * minuteMs)
  const autumn = next(nightly, '2026-10-24T12:00Z', 2)
  t.match(autumn[0], /^2026-10-25T0[01]:30 90$/, 'the repeated hour has one occurrence')
  t.equal(autumn[1], '2026-10-26T01:30 90')

  // A window over the change lasts its own time, so it ends at another hour.
  const over = recurring('0 1 * * *', 180, 'Europe/Berlin')
  t.same(next(over, '2026-03-28T12:00Z', 1), ['2026-03-29T00:00 180'])
  t.same(next(over, '2026-10-24T12:00Z', 1), ['2026-10-24T23:00 180'])

  // New York changes on other days, and Lord Howe by half an hour.
  const york = recurring('30 1 * * 0', 60, 'America/New_York')
  t.same(next(york, '2026-10-31T12:00Z', 2), ['2026-11-01T05:30 60', '2026-11-08T06:30 60'])
  t.same(next(york, '2026-03-07T12:00Z', 2), ['2026-03-08T06:30 60', '2026-03-15T05:30 60'])
  const howe = recurring('0 12 * * *', 30, 'Australia/Lord_Howe')
  t.same(next(howe, '2026-04-04T00:00Z', 2), ['2026-04-04T01:00 30', '2026-04-05T01:30 30'])
  t.same(next(howe, '2026-10-03T00:00Z', 2), ['2026-10-03T01:30 30', '2026-10-04T01:00 30'])
})

t.test('occurrences that touch are one; those without an end are none', async (t) => {
  const joined = recurring('0 1,2,3 * * *', 90)
  t.same(next(joined, '2026-01-01T02:10Z', 2), ['2026-01-01T01:00 210', '2026-01-02T01:00 210'])
  t.notOk(isEndless(joined, 0))
  t.ok(isEndless(recurring('0 * * * *', 60), 0))
  t.notOk(isEndless(recurring('0 * * * *', 59), 0))
  t.ok(isEndless(recurring('0 0 * * 0', 10_080), 0))
})

t.test('what is known of the occurrences does not depend on what was asked before', async () => {
  const crons = ['15 * * * *', '30 2 * * *', '0 1,2,3 * * *', '0 4 * * 0', '0 0 1 * *']
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']
  const startMs = Date.parse('2026-03-01T00:00Z')
  const place = fc.integer({ min: 0, max: 60 * 24 * 60 })
  fc.assert(
    fc.property(
      fc.constantFrom(...crons),
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.tuple(place, fc.integer({ min: 1, max: 10_000 })), { maxLength: 6 }),
      fc.array(fc.tuple(place, fc.integer({ min: 1, max: 500 })), { maxLength: 3 }),
      (cron, zone, minutes, questions, cutPlaces) => {
        const cuts = cutPlaces.map(([at, length]) => ({
          fromMs: startMs + at * minuteMs,
          toMs: startMs + (at + length) * minuteMs,
        }))
        const times = { ...recurring(cron, minutes, zone), cuts }
        let asked = 0
        if (isEndless(times, startMs)) return true
        return questions.every(([at, length]) => {
          const fromMs = startMs + at * minuteMs
          const toMs = fromMs + length * minuteMs
          const expected: string[] = []
          // Nothing is remembered of a schedule that differs.
          asked += 1
          const unknown = { ...times, asked }
          for (const one of occurrencesFrom(unknown, fromMs)) {
            if (one.fromMs >= toMs) break
            expected.push(text(one))
          }
          const found = occurrencesIn(times, fromMs, toMs)
          const sorted = found.every((one, n) => one.fromMs > (found[n - 1]?.toMs ?? -1))
          return sorted && found.map(text).join() === expected.join()
        })
      },
    ),
    runs(60),
  )
})

t.test('a window that is on for months is computed once for each hour', async (t) => {
  const times = recurring('15 * * * *', 30)
  const startMs = Date.parse('2026-03-01T00:00Z')
  const hours = 10 * 24
  const found = new Set<number>()
  // Whatever is computed again is another object.
  const computed = new Set<Interval>()
  for (let hour = 0; hour < hours; hour += 1) {
    const nowMs = startMs + hour * hourMs
    // As the checks of a monitor ask, and the actor that waits for the next begin or end.
    for (const [fromMs, toMs] of [
      [nowMs - 2 * hourMs, nowMs],
      [nowMs, nowMs + dayMs],
    ] as const) {
      const asked = occurrencesIn(times, fromMs, toMs)
      found.add(asked.length)
      for (const one of asked) computed.add(one)
    }
  }
  t.same([...found], [2, 24])
  t.ok(computed.size < hours + 30, `${computed.size} occurrences in ${hours} hours`)
})

t.test('a schedule that is read from the store again is not computed again', async (t) => {
  const times = recurring('7 0-22 29 2 +1', 60, 'America/Aruba')
  const nowMs = Date.parse('2026-03-01T00:00Z')
  const before = nextOccurrences(times, nowMs, 5)
  const again = nextOccurrences({ ...times }, nowMs, 5)
  t.same(again, before)
  t.ok(again.every((one, n) => one === before[n]))
  t.same(occurrencesIn({ ...times }, nowMs, nowMs + 30 * dayMs), [])
})

/** How often the system is asked what a clock shows, which is most of the work. */
function clocksRead(t: Test): () => number {
  const { prototype } = Intl.DateTimeFormat
  const calls = t.capture(prototype, 'formatToParts', prototype.formatToParts)
  return () => calls().length
}

t.test('a question about a far time costs as little as one about today', async (t) => {
  const window = makeWindow({ times: recurring('15 * * * *', 30), coversFromMs: 0 })
  const { times } = window
  const nowMs = Date.parse('2026-03-01T00:20Z')
  const today = occurrencesIn(times, nowMs, nowMs + dayMs)
  const read = clocksRead(t)
  for (const far of ['2100-01-01T00:20Z', '1970-01-02T00:20Z', '2199-12-31T00:20Z']) {
    const atMs = Date.parse(far)
    t.same(occurrencesIn(times, atMs, atMs + 1).map(text), [`${far.slice(0, 14)}15 30`])
    const around = coverageAt([coveringOf(window)], { id: monitorNo(1), tags: [] }, atMs)
    t.equal(around && text(around), `${far.slice(0, 14)}15 30`)
  }
  const lateMs = Date.parse('2200-01-01T00:15Z')
  t.equal(cancelledWindow(window, lateMs, nowMs).times.kind, 'recurring')
  const asked = read()
  t.ok(asked < 100, `${asked} clocks`)
  const again = occurrencesIn(times, nowMs, nowMs + dayMs)
  t.ok(
    again.every((one, n) => one === today[n]),
    'what checks ask is still known',
  )
})

/** Coverings that count how often they are asked when they are on. */
function asked(windows: readonly WindowTimes[]) {
  let questions = 0
  const coverings = windows.map((times) =>
    Object.defineProperty({ ...coveringOf(makeWindow({ times, coversFromMs: 0 })) }, 'times', {
      get() {
        questions += 1
        return times
      },
    }),
  )
  return { coverings, questions: () => questions }
}

t.test('a window that was on for years is changed as fast as a new one', async (t) => {
  const nowMs = Date.parse('2026-03-01T00:20Z')
  const coversFromMs = Date.parse('1990-01-01T00:00Z')
  const window = makeWindow({ times: recurring('15 * * * *', 30), coversFromMs })
  const read = clocksRead(t)
  const former = formerOf(window, nowMs)
  t.match(former, { coversFromMs, coversToMs: nowMs })
  const next = nextTurnAtMs([coveringOf(window), ...(former ? [former] : [])], nowMs)
  t.equal(next, Date.parse('2026-03-01T00:45Z'))
  const asked = read()
  t.ok(asked < 100, `${asked} clocks`)
})

t.test('windows that together never end are looked at a few times each', async (t) => {
  const nowMs = Date.parse('2026-01-10T12:00Z')
  const overlapping = Array.from({ length: 50 }, (_, minute) =>
    recurring(`${minute} ${minute % 2 === 0 ? '0-22' : '1-23'} * * *`, 60),
  )
  const oneAfterTheOther = Array.from({ length: 60 }, (_, minute) =>
    recurring(`${minute} * * * *`, 1),
  )
  for (const windows of [overlapping, oneAfterTheOther]) {
    const { coverings, questions } = asked(windows)
    const around = coverageAt(coverings, { id: monitorNo(1), tags: [] }, nowMs)
    t.ok(around && around.toMs >= nowMs + dayMs, 'it is on for a day')
    t.ok(questions() <= 5 * windows.length, `${questions()} questions`)
  }
})

t.test(
  'windows that follow each other are joined once for all monitors that they cover',
  async (t) => {
    const nowMs = Date.parse('2026-01-10T12:00Z')
    const windows = Array.from({ length: 60 }, (_, minute) => recurring(`${minute} * * * *`, 1))
    const { coverings, questions } = asked(windows)
    const first = coverageAt(coverings, { id: monitorNo(1), tags: [] }, nowMs)
    const before = questions()
    for (let no = 2; no < 12; no += 1) {
      t.same(coverageAt(coverings, { id: monitorNo(no), tags: [] }, nowMs + no), first)
    }
    t.ok(questions() - before <= 10 * windows.length, `${questions() - before} questions`)
  },
)

t.test('a long time under many windows is counted from its end', async (t) => {
  const coverings = Array.from({ length: 200 }, (_, n) =>
    coveringOf(makeWindow({ times: recurring(`${n % 60} * * * *`, 1), coversFromMs: 0 })),
  )
  const nowMs = Date.parse('2026-06-01T00:00Z')
  const monitor = { id: monitorNo(1), tags: [] }
  const covered = coverage(coverings, monitor, nowMs - 400 * dayMs, nowMs)
  t.same(covered, [{ fromMs: nowMs - 10 * dayMs, toMs: nowMs }])
  const few = coverings.slice(0, 5)
  const hours = coverage(few, monitor, nowMs - 400 * dayMs, nowMs)
  t.equal(hours.length, 400 * 24)
})

t.test('the newest occurrences of a long time are those at its end', async (t) => {
  const untilMs = Date.parse('2026-06-01T00:00Z')
  const range = { fromMs: untilMs - 300 * dayMs, toMs: untilMs }
  for (const times of [recurring('15 * * * *', 30), recurring('0 4 1 * *', 60)]) {
    const all = occurrencesIn(times, range.fromMs, range.toMs)
    t.same(lastOccurrencesIn(times, range, 7), all.slice(-7))
    t.same(lastOccurrencesIn(times, range, 10_000), all)
  }
})

t.test('an occurrence can be ended, extended and cancelled; others stay', async (t) => {
  const atMs = Date.parse('2026-01-01T02:15Z')
  const window = makeWindow({ times: recurring('0 2 * * *', 60), coversFromMs: 0 })
  t.equal(windowState(window, atMs), 'active')
  t.equal(windowState(window, atMs + hourMs), 'scheduled')
  const of = ({ times }: typeof window) => nextOccurrences(times, atMs - minuteMs, 2).map(text)

  const ended = endedWindow(window, atMs)
  t.same(of(ended), ['2026-01-01T02:00 15', '2026-01-02T02:00 60'])
  t.throws(() => endedWindow(ended, atMs), /is not on/)

  const longer = extendedWindow(window, 30, atMs)
  t.same(of(longer), ['2026-01-01T02:00 90', '2026-01-02T02:00 60'])
  const more = extendedWindow(longer, 30, atMs + 80 * minuteMs - 15 * minuteMs)
  t.same(of(more), ['2026-01-01T02:00 120', '2026-01-02T02:00 60'])
  t.same(of(endedWindow(more, atMs + 100 * minuteMs - 15 * minuteMs)), [
    '2026-01-01T02:00 100',
    '2026-01-02T02:00 60',
  ])

  const tomorrowMs = Date.parse('2026-01-02T02:00Z')
  const cancelled = cancelledWindow(window, tomorrowMs, atMs)
  t.same(of(cancelled), ['2026-01-01T02:00 60', '2026-01-03T02:00 60'])
  t.throws(() => cancelledWindow(cancelled, tomorrowMs, atMs), /No occurrence/)
  t.throws(() => cancelledWindow(window, tomorrowMs + 1, atMs), /No occurrence/)
  t.throws(() => cancelledWindow(window, atMs - 15 * minuteMs, atMs), /Only a coming/)

  const once = makeWindow({
    times: { kind: 'once', startsAtMs: atMs - hourMs, endsAtMs: atMs + hourMs },
  })
  t.same(of(endedWindow(once, atMs)), ['2026-01-01T01:15 60'])
  t.equal(windowState(endedWindow(once, atMs), atMs), 'ended')
  t.same(of(extendedWindow(once, 60, atMs)), ['2026-01-01T01:15 180'])
  t.throws(() => cancelledWindow(once, atMs, atMs), /only once/)
})

t.test('coverage is the union of all windows for a monitor, to the millisecond', async () => {
  const monitor = { id: monitorNo(1), tags: ['db'] }
  const times = fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 50 }), fc.nat(300), fc.nat(300))
  const some = fc.record({ times, scope: fc.constantFrom('all', 'id', 'tag', 'other') })
  fc.assert(
    fc.property(
      fc.array(some, { maxLength: 5 }),
      fc.nat(250),
      fc.integer({ min: 1, max: 100 }),
      (made, from, length) => {
        const coverings = made.map(({ times: [start, lasts, coversFromMs, covers], scope }) => ({
          times: { kind: 'once', startsAtMs: start, endsAtMs: start + lasts } as const,
          monitorIds: scope === 'id' ? [monitor.id] : scope === 'other' ? [monitorNo(2)] : [],
          tags: scope === 'tag' ? ['db'] : [],
          coversFromMs,
          coversToMs: coversFromMs + covers,
          isFor: scope !== 'other',
        }))
        const isCovered = (atMs: number) =>
          coverings.some(
            ({ times: { startsAtMs, endsAtMs }, ...one }) =>
              one.isFor &&
              contains({ fromMs: startsAtMs, toMs: endsAtMs }, atMs) &&
              contains({ fromMs: one.coversFromMs, toMs: one.coversToMs }, atMs),
          )
        const found = coverage(coverings, monitor, from, from + length)
        for (let atMs = from; atMs < from + length; atMs += 1) {
          if (found.some((one) => contains(one, atMs)) !== isCovered(atMs)) return false
          const around = coverageAt(coverings, monitor, atMs)
          if ((around !== null) !== isCovered(atMs)) return false
          if (around && (isCovered(around.fromMs - 1) || isCovered(around.toMs))) return false
        }
        return without({ fromMs: from, toMs: from + length }, found).every(
          ({ fromMs }) => !isCovered(fromMs),
        )
      },
    ),
    runs(200),
  )
})

t.test('a window that changes keeps what it covered', async (t) => {
  const monitor = { id: monitorNo(1), tags: [] }
  const startMs = Date.parse('2026-01-01T00:00Z')
  const window = makeWindow({ times: recurring('0 2 * * *', 60), coversFromMs: startMs })
  const nowMs = startMs + dayMs + 2.5 * hourMs
  const former = formerOf(window, nowMs)
  t.ok(former)
  t.equal(formerOf(window, startMs + hourMs), undefined, 'it has covered nothing yet')
  const moved = { ...window, times: recurring('0 20 * * *', 60), coversFromMs: nowMs }
  const coverings = [coveringOf(moved), ...(former ? [former] : [])]
  t.same(coverage(coverings, monitor, 0, startMs + 2 * dayMs).map(text), [
    '2026-01-01T02:00 60',
    '2026-01-02T02:00 30',
    '2026-01-02T20:00 60',
  ])
})
