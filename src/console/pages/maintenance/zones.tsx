// The time zone of a window's times, and those times in the zone of the organization or the person.

import { knownZone, ownZone } from '../../base/zone.ts'
import { now } from '../../parts/text/time.tsx'
import { organization } from '../../stores/session.ts'
import { locale, words } from '../../words/words.ts'

const timeIn = (zone: string, atMs: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale.value, { ...options, timeZone: zone }).format(atMs)

export interface TimesZoneProps {
  /** ISO 8601, unless it is not typed yet. */
  readonly from: unknown
  readonly to: unknown
}

/**
 * The zones of a window that is on once: a person enters its times in their own zone, and pages show them
 * in the organization's.
 */
export function TimesZone({ from, to }: TimesZoneProps) {
  const { zones } = words.value.maintenance
  const own = ownZone()
  const theirs = knownZone(organization.value?.timezone ?? own)
  const [fromMs, toMs] = [Date.parse(String(from)), Date.parse(String(to))]
  const isOther = theirs !== undefined && theirs !== own && !Number.isNaN(fromMs + toMs)
  const at = (zone: string, atMs: number) =>
    timeIn(zone, atMs, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <p class="help">
      {zones.own({ zone: own })}
      {isOther &&
        ` ${zones.organization({ zone: theirs, from: at(theirs, fromMs), to: at(theirs, toMs) })}`}
    </p>
  )
}

/** The zone that is typed, else the organization's. */
export const scheduleZone = (zone: unknown) => String(zone ?? organization.value?.timezone ?? '')

/** The zone of a recurring window's schedule, and the time there now. */
export function ScheduleZone({ zone }: { readonly zone: unknown }) {
  const { zones } = words.value.maintenance
  const own = ownZone()
  const applied = knownZone(scheduleZone(zone))
  if (applied === undefined) return null
  const at = (name: string) =>
    timeIn(name, now.value, {
      weekday: 'short',
      timeStyle: undefined,
      hour: '2-digit',
      minute: '2-digit',
    })
  return (
    <p class="help">
      {applied === own
        ? zones.scheduleOwn({ zone: own })
        : zones.schedule({ zone: applied, there: at(applied), own, here: at(own) })}
    </p>
  )
}
