// Which messages of a channel its quiet hours hold, and which they have just let out.
import { isOutage } from '../incidents/incident.ts'
import type { Delivery } from './delivery.ts'
import type { DigestPayload } from './digest.ts'
import type { IncidentPayload } from './payload.ts'
import { isLetOut, type QuietHours, quietPeriod } from './quiet-hours.ts'

export interface QuietView {
  /** When the quiet hours that are on will end; null if none are on. */
  readonly untilMs: number | null
  /** They are on, and some messages go out nevertheless. */
  readonly mayLetOut: boolean
  /** The message waits for their end, unless other news of its incident goes out. */
  readonly isHeld: (delivery: Delivery) => boolean
  /** It waited for the end of the newest quiet hours, which are over. */
  readonly wasHeld: (delivery: Delivery) => boolean
}

/** Reads the time once, because a queue asks about many messages. */
export function quietView(quiet: QuietHours, nowMs: number): QuietView {
  const period = quietPeriod(quiet, nowMs)
  const isOn = period !== null && nowMs < period.endMs
  const mayPass = (delivery: Delivery) =>
    quiet.allowDown === true && isLetOut(quiet, severityOf(delivery))
  return {
    untilMs: isOn ? period.endMs : null,
    mayLetOut: isOn && quiet.allowDown === true,
    isHeld: (delivery) => isOn && !mayPass(delivery),
    wasHeld(delivery) {
      if (period === null || isOn || delivery.lastAtMs !== null) return false
      const dueMs = Math.max(delivery.createdAtMs, delivery.dueAtMs)
      return dueMs >= period.startMs && dueMs < period.endMs && !mayPass(delivery)
    },
  }
}

/**
 * The pending messages that are held. Once news of an incident goes out, earlier news of it does too,
 * so that it arrives in order.
 */
export function heldAmong(pending: readonly Delivery[], quiet: QuietView): Set<Delivery> {
  if (quiet.untilMs === null) return new Set()
  const held = pending.filter(quiet.isHeld)
  if (held.length === pending.length) return new Set(held)
  const waiting = new Set(held)
  const passing = new Set(
    pending.flatMap((row) => (waiting.has(row) ? [] : (row.incidentId ?? []))),
  )
  return new Set(held.filter(({ incidentId }) => incidentId === null || !passing.has(incidentId)))
}

/** When quiet hours let a pending message out; null if they do not hold it. */
export function heldUntilMs(
  delivery: Delivery,
  quiet: QuietHours | null,
  nowMs: number,
): number | null {
  if (delivery.state !== 'pending' || quiet === null) return null
  const view = quietView(quiet, nowMs)
  return view.isHeld(delivery) ? view.untilMs : null
}

/** The severity of the incident; of a digest the highest. */
function severityOf({ event, incidentId, payloadJson }: Delivery) {
  if (event === 'incident.digest') {
    // Our own JSON, so its shape is known.
    const { data } = JSON.parse(payloadJson) as DigestPayload
    return data.incidents.find(({ severity }) => isOutage(severity))?.severity ?? null
  }
  if (incidentId === null) return null
  return (JSON.parse(payloadJson) as IncidentPayload).data.incident.severity
}
