// Incidents of Better Stack as the past of its monitors and heartbeats.
import { type ForeignFields, type ForeignHistory, fieldsOf, type Note, textOf } from '../foreign.ts'
import { historiesOfSpells, spellsOfOutages } from '../spells.ts'

/** As far back as incidents are asked for. */
export const historyMs = 365 * 86_400_000

export interface StackWatched {
  /** Its type and id there, which are its origin, too. */
  readonly there: string
  readonly fields: ForeignFields
}

/** An incident tells when something was down; it was up otherwise, or nobody looked. */
export function pastOf(
  incidents: readonly ForeignFields[],
  watched: readonly StackWatched[],
  readAtMs: number,
  note: Note,
): readonly ForeignHistory[] {
  if (readAtMs === 0) return []
  const known = new Set(watched.map(({ there }) => there))
  const outages = incidents.filter((one) => isOutage(fieldsOf(one.attributes)))
  const byMonitor = Map.groupBy(outages, ofWhich)
  const others = incidents.length - outages.length
  const foreign = outages.filter((one) => !known.has(ofWhich(one))).length
  if (others > 0)
    note(`${others} incidents by certificates and domains that expire, or not confirmed`)
  if (foreign > 0) note(`${foreign} incidents that are of no monitor here`)
  if (incidents.length > 0) {
    note('in the history a monitor is up whenever no incident is told, also while it was paused')
  }
  const sinceMs = incidents.length === 0 ? readAtMs : readAtMs - historyMs
  const past = watched.map(({ there, fields }) => ({
    origin: there,
    spells: spellsOfOutages(
      (byMonitor.get(there) ?? []).map(({ attributes }) => {
        const { started_at, resolved_at, cause } = fieldsOf(attributes)
        return {
          fromMs: Date.parse(textOf(started_at)),
          toMs: Date.parse(textOf(resolved_at)) || null,
          text: textOf(cause) || 'down in Better Stack',
        }
      }),
      Math.max(sinceMs, Date.parse(textOf(fields.created_at)) || 0),
      readAtMs,
    ),
  }))
  return historiesOfSpells(past, readAtMs)
}

function isOutage({ status, ssl_certificate_expires_at, domain_expires_at }: ForeignFields) {
  const isExpiry = textOf(ssl_certificate_expires_at) + textOf(domain_expires_at) !== ''
  return !isExpiry && textOf(status).toLowerCase() !== 'unconfirmed'
}

function ofWhich({ relationships }: ForeignFields): string {
  const { monitor, heartbeat } = fieldsOf(relationships)
  const { id, type } = fieldsOf(fieldsOf(monitor ?? heartbeat).data)
  return `${textOf(type).trim()}/${textOf(id)}`
}
