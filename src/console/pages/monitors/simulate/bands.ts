// What a simulation shows as bands: the states of a time, and which incidents other thresholds
// would have added or spared.
import type { Data } from '../../../api/client.ts'

export type Simulation = Data<'monitors.simulate'>
export type Outcome = Simulation['changed']
export type SimulatedIncident = Outcome['incidents'][number]

export interface Band {
  readonly state: 'up' | 'degraded' | 'down' | 'none'
  /** Both as shares of the whole time, from 0 to 1. */
  readonly from: number
  readonly to: number
}

type Times = Pick<Simulation, 'from' | 'to' | 'firstResultAt'>
type Span = Pick<SimulatedIncident, 'severity' | 'startedAt' | 'endedAt'>

/** The whole time without a break: without results at first, then up but for the incidents. */
export function bandsOf({ from, to, firstResultAt }: Times, incidents: readonly Span[]): Band[] {
  const fromMs = Date.parse(from)
  const lengthMs = Math.max(1, Date.parse(to) - fromMs)
  const share = (iso: string) => Math.min(1, Math.max(0, (Date.parse(iso) - fromMs) / lengthMs))
  const bands: Band[] = []
  let at = 0
  function fill(state: Band['state'], until: number): void {
    if (until <= at) return
    bands.push({ state, from: at, to: until })
    at = until
  }
  fill('none', firstResultAt === null ? 1 : share(firstResultAt))
  const inOrder = incidents.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
  for (const { severity, startedAt, endedAt } of inOrder) {
    fill('up', share(startedAt))
    fill(severity, endedAt === null ? 1 : share(endedAt))
  }
  fill('up', 1)
  return bands
}

export interface ComparedIncident {
  readonly incident: SimulatedIncident
  /** `spared`: there would be none. `added`: there is none with the thresholds of today. */
  readonly change: 'same' | 'spared' | 'added'
  /** Messages with the thresholds of today, and with the others. */
  readonly alertsNow: number
  readonly alertsThen: number
}

const endOf = ({ endedAt }: SimulatedIncident) =>
  endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt)

const overlap = (one: SimulatedIncident, other: SimulatedIncident) =>
  Date.parse(one.startedAt) <= endOf(other) && Date.parse(other.startedAt) <= endOf(one)

/** The incidents of both, newest first; incidents that overlap are the same one. */
export function comparedIncidents(now: Outcome, then: Outcome): ComparedIncident[] {
  const ofThen = then.incidents.map((incident): ComparedIncident => {
    const before = now.incidents.filter((one) => overlap(one, incident))
    const alertsNow = before.reduce((sum, { alertsTotal }) => sum + alertsTotal, 0)
    const change = before.length === 0 ? 'added' : 'same'
    return { incident, change, alertsNow, alertsThen: incident.alertsTotal }
  })
  const spared = now.incidents
    .filter((incident) => !then.incidents.some((one) => overlap(one, incident)))
    .map((incident): ComparedIncident => {
      return { incident, change: 'spared', alertsNow: incident.alertsTotal, alertsThen: 0 }
    })
  return [...ofThen, ...spared].sort(
    (a, b) => Date.parse(b.incident.startedAt) - Date.parse(a.incident.startedAt),
  )
}

/** The thresholds that differ from the ones of today. */
export function changedThresholds(
  now: Outcome['thresholds'],
  wanted: Partial<Outcome['thresholds']>,
): Partial<Outcome['thresholds']> {
  const fields = Object.entries(wanted).filter(
    ([name, value]) => now[name as keyof typeof now] !== value,
  )
  return Object.fromEntries(fields) as Partial<Outcome['thresholds']>
}
