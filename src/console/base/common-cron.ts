// The cron expressions that most people write, read so that they can be said in words and their next runs
// told: at a minute of each hour, or at a time each day, on some weekdays, or on a day of each month.
// The daemon reads all others too; of those this knows nothing.

export interface CommonCron {
  readonly minute: number
  /** Null: every hour. */
  readonly hour: number | null
  /** Sunday is 0; null: every day. */
  readonly weekdays: readonly number[] | null
  /** Null: every day. */
  readonly monthDay: number | null
}

const nicknames: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Undefined for an expression that is not common, or none at all. */
export function commonCron(expression: string): CommonCron | undefined {
  const text = expression.trim().toLowerCase()
  const fields = (nicknames[text] ?? text).split(/\s+/)
  const [minutes = '', hours = '', monthDays = '', months = '', weekdays = ''] = fields
  if (fields.length !== 5 || months !== '*') return undefined
  const minute = numberIn(minutes, 0, 59)
  const hour = hours === '*' ? null : numberIn(hours, 0, 23)
  const monthDay = monthDays === '*' ? null : numberIn(monthDays, 1, 31)
  const days = weekdays === '*' ? null : weekdaysIn(weekdays)
  if (minute === undefined || hour === undefined) return undefined
  if (monthDay === undefined || days === undefined) return undefined
  // Where both are restricted, one of them is enough: that is no common sentence.
  const restricted = Number(days !== null) + Number(monthDay !== null)
  if (restricted === 2 || (hour === null && restricted > 0)) return undefined
  return { minute, hour, weekdays: days, monthDay }
}

function numberIn(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : undefined
}

/** Such as `1-5`, `mon,thu` or `0`; 7 is Sunday, too. */
function weekdaysIn(text: string): number[] | undefined {
  const days = new Set<number>()
  for (const part of text.split(',')) {
    const [first, last, ...more] = part.split('-').map(weekdayIn)
    if (first === undefined || more.length > 0) return undefined
    if (part.includes('-') && (last === undefined || last < first)) return undefined
    for (let day = first; day <= (last ?? first); day += 1) days.add(day % 7)
  }
  return [...days].toSorted((a, b) => a - b)
}

function weekdayIn(text: string): number | undefined {
  const named = dayNames.indexOf(text)
  return named < 0 ? numberIn(text, 0, 7) : named
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The next run of every common cron is nearer: at most two months may lack a day. */
const daysLooked = 366

/** When it runs next, after a moment: its times are those of the zone. */
export function nextRuns(
  cron: CommonCron,
  timeZone: string,
  afterMs: number,
  count: number,
): number[] {
  const { minute, hour } = cron
  const shift = shiftIn(timeZone)
  if (hour === null) {
    const localMs = afterMs + shift(afterMs)
    const localHourMs = Math.floor(localMs / hourMs) * hourMs
    const firstMs = localHourMs + minute * minuteMs - (localMs - afterMs)
    const startMs = firstMs > afterMs ? firstMs : firstMs + hourMs
    return Array.from({ length: count }, (_, index) => startMs + index * hourMs)
  }
  const runs: number[] = []
  const today = new Date(afterMs + shift(afterMs))
  for (let ahead = 0; ahead < daysLooked && runs.length < count; ahead += 1) {
    const localMs = Date.UTC(
      today.getUTCFullYear(),
      today.getUTCMonth(),
      today.getUTCDate() + ahead,
      hour,
      minute,
    )
    if (!isOn(cron, new Date(localMs))) continue
    const atMs = instantOf(localMs, shift)
    if (atMs > afterMs) runs.push(atMs)
  }
  return runs
}

const dayMs = 24 * hourMs

/**
 * When clocks show a time: the first of two, and right after the change where they skip it. The daemon runs
 * schedules then.
 */
function instantOf(localMs: number, shift: (atMs: number) => number): number {
  const [before, after] = [shift(localMs - dayMs), shift(localMs + dayMs)]
  for (const ahead of [before, after]) {
    if (shift(localMs - ahead) === ahead) return localMs - ahead
  }
  let atMs = localMs - after
  while (atMs < localMs - before && shift(atMs) !== after) atMs += minuteMs
  return atMs
}

const isOn = ({ weekdays, monthDay }: CommonCron, day: Date) =>
  (weekdays?.includes(day.getUTCDay()) ?? true) &&
  (monthDay ?? day.getUTCDate()) === day.getUTCDate()

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function shiftIn(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  })
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
    const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
    const localMs = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
    return localMs - Math.floor(atMs / minuteMs) * minuteMs
  }
}
