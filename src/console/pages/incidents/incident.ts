// An incident, and what lists and its page show of it alike.
import type { Data } from '../../api/client.ts'
import { duration, now } from '../../parts/text/time.tsx'

export type Incident = Data<'incidents.get'>

export const incidentTone = ({ state, severity }: Pick<Incident, 'state' | 'severity'>) => {
  if (state === 'resolved') return 'is-up'
  return severity === 'down' ? 'is-down' : 'is-degraded'
}

type Lasting = Pick<Incident, 'state' | 'startedAt' | 'durationMs'>

/** How long it lasted; while it is open, the count goes on. */
export function incidentDuration({ state, startedAt, durationMs }: Lasting): string {
  if (state === 'resolved') return duration(durationMs / 1_000)
  return duration((Math.max(now.value, Date.now()) - Date.parse(startedAt)) / 1_000)
}
