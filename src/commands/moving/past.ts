// Sends the past of imported monitors to the daemon in parts, and tells how far it is.
import type { ForeignHistory } from '../../domain/imports/foreign.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { TakenPast } from '../../services/orgs/imports/imports.ts'
import type { Host } from '../model/host.ts'
import { counted } from '../people/columns.ts'
import type { Ask } from './daemon.ts'

/** Periods and outages of one part, which the daemon reads in one turn; at least one monitor. */
const partEntriesMax = 1_000
/** How many monitors are between two words of how far it is. */
const toldMonitors = 100
/** Parts that are on the way at the same time: what they write shares commits. */
const partsTogether = 2

/** Undefined if there is none. A failure leaves the import, and what was taken: the same can be sent again. */
export async function sendPast(
  host: Pick<Host, 'complain'>,
  ask: Ask,
  { org, importId, parts }: SentPast,
): Promise<TakenPast | undefined> {
  const sum = { monitors: 0, days: 0, hours: 0, incidents: 0 }
  const unknown: string[] = []
  let isAny = false
  const add = (taken: TakenPast) => {
    for (const name of ['monitors', 'days', 'hours', 'incidents'] as const) sum[name] += taken[name]
    unknown.push(...taken.unknown)
  }
  const onTheWay = new Set<Promise<void>>()
  const send = async (history: readonly ForeignHistory[]) => {
    const taken = await ask({ verb: 'import-past', org, importId, history })
    const before = sum.monitors
    // The daemon answers in this form.
    add(taken as unknown as TakenPast)
    isAny = true
    if (Math.floor(sum.monitors / toldMonitors) > Math.floor(before / toldMonitors)) {
      host.complain(`history: ${counted(sum.monitors, 'monitor')} so far`)
    }
  }
  for await (const whole of parts) {
    for (const history of partsOf(whole)) {
      const sending = send(history).finally(() => onTheWay.delete(sending))
      onTheWay.add(sending)
      if (onTheWay.size >= partsTogether) await Promise.race(onTheWay)
    }
  }
  await Promise.all(onTheWay)
  if (!isAny) return undefined
  return { ...sum, unknown: unknown.slice(0, limits.importMonitorsMax) }
}

export interface SentPast {
  readonly org: string
  readonly importId: unknown
  readonly parts: AsyncIterable<readonly ForeignHistory[]>
}

function* partsOf(history: readonly ForeignHistory[]): Generator<readonly ForeignHistory[]> {
  let part: ForeignHistory[] = []
  let entries = 0
  for (const one of history) {
    const more = one.days.length + one.hours.length + one.outages.length
    if (part.length > 0 && entries + more > partEntriesMax) {
      yield part
      part = []
      entries = 0
    }
    part.push(one)
    entries += more
  }
  if (part.length > 0) yield part
}

/** What a past holds of the monitors of a document that are not left out, without sending it. */
export async function countedPast(
  parts: AsyncIterable<readonly ForeignHistory[]>,
  isLeftOut: (origin: string) => boolean,
): Promise<Omit<TakenPast, 'unknown'>> {
  const sum = { monitors: 0, days: 0, hours: 0, incidents: 0 }
  for await (const histories of parts) {
    for (const { origin, days, hours, outages } of histories) {
      if (isLeftOut(origin)) continue
      sum.monitors += 1
      sum.days += days.length
      sum.hours += hours.length
      sum.incidents += outages.length
    }
  }
  return sum
}

/** What a trial says of a past: the daemon takes of it what is from before its monitors were here. */
export function countedPastLines({
  monitors,
  ...counts
}: Omit<TakenPast, 'unknown'>): readonly string[] {
  return monitors === 0
    ? []
    : [`History would come of ${counted(monitors, 'monitor')}: ${pastText(counts)}.`]
}

const pastText = ({ days, hours, incidents }: Omit<TakenPast, 'unknown' | 'monitors'>) =>
  [counted(days, 'day'), counted(hours, 'hour'), counted(incidents, 'incident')].join(', ')

export function pastLines(past: TakenPast | undefined): string[] {
  if (!past) return []
  const { monitors, days, hours, incidents } = past
  if (days + hours + incidents === 0) return ['History: nothing new.']
  return [`History of ${counted(monitors, 'monitor')}: ${pastText(past)}.`]
}
