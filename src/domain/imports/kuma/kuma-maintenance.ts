// Maintenance of Uptime Kuma as windows (server/model/maintenance.js).

import { clip } from '../../../base/clip.ts'
import { isTimezone } from '../../language.ts'
import { limits } from '../../limits/limits.ts'
import { isEndless } from '../../maintenance/occurrences.ts'
import { cronProblem } from '../../schedule/cron.ts'
import { instants } from '../../wall-clock.ts'
import {
  type ForeignFields,
  type ForeignItem,
  flagOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  textOf,
  within,
} from '../foreign.ts'
import { jsonOf, originOf } from './kuma-columns.ts'

/** What a maintenance is converted with. */
export interface KumaSchedule {
  readonly nowMs: number
  /** The `serverTimezone` of the settings; often none. */
  readonly serverTimezone: string
  /** The ids in the document of a monitor and, of a group, of all within it; none of what was left out. */
  readonly monitorIdsOf: (id: unknown) => readonly string[]
  /** The titles of all status pages, by their ids in Kuma. */
  readonly pageTitles: ReadonlyMap<unknown, string>
}

/** How long a window is on that Kuma ends only by hand. */
const manualDays = 7
const dayMs = 86_400_000
/** The monitors that a window names, and the minutes of one that recurs. */
const windowMonitorsMax = 1_000
const windowMinutesMax = 10_080

/** Undefined, with a note, if there is no such window. */
export function windowOf(
  row: ForeignFields,
  schedule: KumaSchedule,
  note: Note,
): ForeignItem | undefined {
  const named = [...new Set(listOf(row.monitorIds).flatMap(schedule.monitorIdsOf))]
  const times = timesOf(row, named, schedule, note)
  if (typeof times === 'string') {
    note(`${times}: the maintenance was left out`)
    return undefined
  }
  if (named.length > windowMonitorsMax)
    note(`of its ${named.length} monitors, ${windowMonitorsMax}`)
  const pages = listOf(row.pageIds)
  if (pages.length > 0 && pages.length < schedule.pageTitles.size) {
    const titles = pages.map((id) => schedule.pageTitles.get(id) ?? textOf(id)).join(', ')
    note(`that only ${titles} tells of it: each status page with one of its monitors does`)
  }
  const description = textOf(row.description)
  return {
    name: nameOf(row.title, 'Maintenance'),
    ...originOf('maintenance', row),
    ...(description === '' ? {} : { description: clip(description, limits.descriptionCharsMax) }),
    monitorIds: named.slice(0, windowMonitorsMax),
    isPublic: pages.length > 0,
    ...times,
  }
}

/** When it is on, or why there is no such window. */
function timesOf(
  row: ForeignFields,
  named: readonly string[],
  schedule: KumaSchedule,
  note: Note,
): ForeignFields | string {
  if (!flagOf(row.active)) return 'it is switched off'
  if (named.length === 0) return 'it is for no monitor that came along'
  const timezone = timezoneOf(row, schedule, note)
  const [fromMs, toMs] = [row.start_date, row.end_date].map((text) => instantOf(text, timezone))
  switch (textOf(row.strategy)) {
    case 'manual':
      return manualTimes(schedule, note)
    case 'single':
      return singleTimes(fromMs, toMs, note)
    case 'recurring-interval':
    case 'recurring-weekday':
    case 'recurring-day-of-month':
    case 'cron':
      if (toMs !== undefined && toMs <= schedule.nowMs) return 'it is over'
      noteRange(fromMs, toMs, schedule, note)
      return recurringTimes(row, timezone, schedule, note)
    default:
      return `its strategy "${textOf(row.strategy)}" has no equivalent`
  }
}

function timezoneOf(row: ForeignFields, { serverTimezone }: KumaSchedule, note: Note): string {
  const named = textOf(row.timezone)
  const isServers = named === '' || named === 'SAME_AS_SERVER'
  const timezone = isServers ? serverTimezone : named
  if (isTimezone(timezone)) return timezone
  const isManual = textOf(row.strategy) === 'manual'
  if (!isManual)
    note(
      `its time zone${timezone === '' ? ', which is that of the server' : ` ${timezone}`}: UTC is used`,
    )
  return 'UTC'
}

/** Kuma writes what clocks show, as `2026-11-30 12:00:00` or `2026-11-30T12:00`. */
function instantOf(text: unknown, timezone: string): number | undefined {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(textOf(text)) ?? []
  if (clock === undefined) return undefined
  const wallMs = Date.parse(`${day}T${clock}:00Z`)
  return Number.isNaN(wallMs) ? undefined : instants(wallMs, timezone).firstMs
}

/** It is on until somebody ends it: here it has an end. */
function manualTimes({ nowMs }: KumaSchedule, note: Note): ForeignFields {
  const startsAtMs = Math.floor(nowMs / dayMs) * dayMs
  note(`that it is on until somebody ends it: it ends after ${manualDays} days`)
  return onceOf(startsAtMs, startsAtMs + manualDays * dayMs)
}

function singleTimes(
  fromMs: number | undefined,
  toMs: number | undefined,
  note: Note,
): ForeignFields | string {
  if (fromMs === undefined || toMs === undefined || toMs <= fromMs) return 'it has no start and end'
  const longestMs = limits.maintenanceDaysMax * dayMs
  if (toMs - fromMs <= longestMs) return onceOf(fromMs, toMs)
  note(`its end: a window lasts at most ${limits.maintenanceDaysMax} days`)
  return onceOf(fromMs, fromMs + longestMs)
}

function onceOf(startsAtMs: number, endsAtMs: number): ForeignFields {
  return { startsAt: new Date(startsAtMs).toISOString(), endsAt: new Date(endsAtMs).toISOString() }
}

function noteRange(
  fromMs: number | undefined,
  toMs: number | undefined,
  { nowMs }: KumaSchedule,
  note: Note,
): void {
  const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
  if (fromMs !== undefined && fromMs > nowMs)
    note(`that it begins on ${day(fromMs)}: it recurs from now on`)
  if (toMs !== undefined) note(`that it ends on ${day(toMs)}: delete the window then`)
}

function recurringTimes(
  row: ForeignFields,
  timezone: string,
  { nowMs }: KumaSchedule,
  note: Note,
): ForeignFields | string {
  const days = numberOf(row.interval_day) ?? 1
  if (textOf(row.strategy) === 'recurring-interval' && days !== 1) {
    return `it recurs every ${days} days, which no cron expression says`
  }
  const cron = cronOf(row)
  if (cron === undefined) return 'it has no schedule'
  const problem = cronRule(cron, timezone)
  if (problem !== null) return `its schedule ${textOf(row.cron)} ${problem}`
  const lost = listOf(jsonOf(row.days_of_month)).filter((day) => /^lastDay[2-9]/.test(textOf(day)))
  if (lost.length > 0) note('the days before the last one of the month')
  const minutes = Math.ceil(secondsOf(row) / 60)
  const durationMinutes = within(minutes, 1, windowMinutesMax)
  if (minutes > windowMinutesMax) note(`its ${minutes} minutes became ${durationMinutes}`)
  const times = {
    kind: 'recurring',
    cron,
    timezone,
    durationMinutes,
    extras: [],
    cuts: [],
  } as const
  if (isEndless(times, nowMs)) return 'it would never end'
  return { cron, timezone, durationMinutes }
}

/** One minute of the hour: see services/maintenance/window-fields.ts. */
const oncePerHour = /^(?:@|\d{1,2} )/

function cronRule(cron: string, timezone: string): string | null {
  const problem = cronProblem({ cron, timezone })
  if (problem !== null) return problem.rule
  return oncePerHour.test(cron) ? null : 'begins more than once an hour'
}

/** Kuma's own expression of it, which versions before 1.22 do not have yet. */
function cronOf(row: ForeignFields): string | undefined {
  const given = textOf(row.cron).slice(0, limits.cronCharsMax).split(/\s+/)
  if (given.length === 6 && given[0] === '0') return given.slice(1).join(' ')
  if (given.length > 1 || given[0] !== '') return given.join(' ')
  const [, hour, minute] = /^(\d{1,2}):(\d\d)/.exec(textOf(row.start_time)) ?? []
  if (minute === undefined) return undefined
  const at = `${Number(minute)} ${Number(hour)}`
  const listed = (column: unknown) => listOf(jsonOf(column)).map(textOf).join() || '*'
  switch (textOf(row.strategy)) {
    case 'recurring-weekday':
      return `${at} * * ${listed(row.weekdays)}`
    case 'recurring-day-of-month':
      return `${at} ${listed(row.days_of_month).replace('lastDay1', 'L')} * *`
    default:
      return `${at} * * *`
  }
}

function secondsOf({ duration, start_time, end_time }: ForeignFields): number {
  const given = numberOf(duration)
  if (given !== undefined && given > 0) return given
  const [from = 0, to = 0] = [start_time, end_time].map((text) => {
    const [, hour, minute] = /^(\d{1,2}):(\d\d)/.exec(textOf(text)) ?? []
    return (Number(hour ?? 0) * 60 + Number(minute ?? 0)) * 60
  })
  return to > from ? to - from : to - from + dayMs / 1_000
}
