// The next five weeks, a cell for each day, with the work that is planned on it.
import { locale, words } from '../../words/words.ts'
import type { MaintenanceWindow } from './maintenance-window.ts'

const weeks = 5

/** Monday of the week of a day, at midnight local time. */
function mondayOf(day: Date): Date {
  const sinceMonday = (day.getDay() + 6) % 7
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - sinceMonday)
}

const addDays = (day: Date, days: number) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + days)

export function MaintenanceCalendar({ windows }: { windows: readonly MaintenanceWindow[] }) {
  const today = new Date()
  const monday = mondayOf(today)
  const days = Array.from({ length: weeks * 7 }, (_, index) => addDays(monday, index))
  const weekday = new Intl.DateTimeFormat(locale.value, { weekday: 'short' })
  const dayMonth = new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'short' })
  const spans = windows.flatMap(({ id, name, occurrences }) =>
    occurrences.map(({ startsAt, endsAt }) => ({
      key: `${id} ${startsAt}`,
      name,
      fromMs: Date.parse(startsAt),
      toMs: Date.parse(endsAt),
    })),
  )
  return (
    <table class="calendar" aria-label={words.value.maintenance.calendar}>
      <thead>
        <tr>
          {days.slice(0, 7).map((day) => (
            <th key={day.getTime()} scope="col">
              {weekday.format(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: weeks }, (_, week) => (
          <tr key={days[week * 7]?.getTime()}>
            {days.slice(week * 7, week * 7 + 7).map((day) => {
              const fromMs = day.getTime()
              const toMs = addDays(day, 1).getTime()
              const on = spans.filter((span) => span.fromMs < toMs && span.toMs > fromMs)
              const isToday = day.toDateString() === today.toDateString()
              return (
                <td key={fromMs} aria-current={isToday ? 'date' : undefined}>
                  <span class="faint">{dayMonth.format(day)}</span>
                  {on.map(({ key, name }) => (
                    <span key={key} class="calendar-work" title={name}>
                      {name}
                    </span>
                  ))}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
