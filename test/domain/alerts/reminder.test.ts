// When an incident that nobody takes care of is announced again.
import t from 'tap'
import { nextReminderAtMs, reminderAtMs } from '../../../src/domain/alerts/reminder.ts'
import { makeIncident } from '../../support/make-incident.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The first reminders after an opening at 0, in minutes. */
function schedule(minutes: number, count: number): number[] {
  const times: number[] = []
  for (let atMs = 0; times.length < count; times.push(atMs / minuteMs)) {
    atMs = reminderAtMs(0, minutes, atMs)
  }
  return times
}

t.test('the wait doubles up to a day', async (t) => {
  t.same(schedule(30, 4), [30, 90, 210, 450])
  const waits = schedule(30, 12).map((at, index, all) => at - (all[index - 1] ?? 0))
  t.same(waits.slice(4), [480, 960, 1440, 1440, 1440, 1440, 1440, 1440])
})

t.test('a first wait of more than a day stays as long as it is', async (t) => {
  t.same(schedule(10_080, 3), [10_080, 20_160, 30_240])
})

t.test('the next time follows from the opening, however long nobody looked', async (t) => {
  for (const minutes of [1, 30, 1_440, 10_080]) {
    const times = schedule(minutes, 60)
    for (const [index, at] of times.slice(0, -1).entries()) {
      const next = (times[index + 1] ?? 0) * minuteMs
      t.equal(reminderAtMs(0, minutes, at * minuteMs), next)
      t.equal(reminderAtMs(0, minutes, next - 1), next)
    }
  }
})

t.test('only an open incident that somebody wants to be reminded of is due', async (t) => {
  const incident = makeIncident({ confirmedAtMs: hourMs })
  t.equal(nextReminderAtMs(incident, [30]), hourMs + 30 * minuteMs)
  t.equal(nextReminderAtMs(incident, [0, 60, 30]), hourMs + 30 * minuteMs, 'the shortest counts')
  t.equal(nextReminderAtMs(incident, [0]), null)
  t.equal(nextReminderAtMs(incident, []), null, 'no monitor of it is bad any more')
  t.equal(nextReminderAtMs({ ...incident, state: 'acknowledged' }, [30]), null)
  t.equal(nextReminderAtMs({ ...incident, state: 'resolved' }, [30]), null)
  t.equal(nextReminderAtMs({ ...incident, flapping: true }, [30]), null)
})

t.test('a reopened incident counts from its new opening', async (t) => {
  const incident = makeIncident({ confirmedAtMs: 10 * hourMs, remindedAtMs: 2 * hourMs })
  t.equal(nextReminderAtMs(incident, [30]), 10 * hourMs + 30 * minuteMs)
})
