// The constructors of incidents and deliveries in tests: what a test sets is what it is about.
import type { ChannelId, DeliveryId, IncidentId, MonitorId, OrgId } from '../../src/base/ids.ts'
import { type Delivery, type NewDelivery, newDelivery } from '../../src/domain/alerts/delivery.ts'
import { type Incident, opened } from '../../src/domain/incidents/incident.ts'

const ulid = '01k0000000000000000000000'
export const orgA = `org_${ulid}a` as OrgId
export const channelA = `chn_${ulid}a` as ChannelId
export const monitorA = `mon_${ulid}a` as MonitorId
export const incidentA = `inc_${ulid}a` as IncidentId
export const incidentB = `inc_${ulid}b` as IncidentId

/** An open incident that began at 1,000 ms and was confirmed at 61,000 ms. */
export function makeIncident(incident: Partial<Incident> = {}): Incident {
  const opening = {
    id: incidentA,
    orgId: orgA,
    monitorIds: [monitorA],
    monitorName: 'API',
    cause: 'timeout: no answer within 10,000 ms',
    evidence: null,
    isPublic: true,
  }
  const times = { startedAtMs: 1_000, confirmedAtMs: 61_000 }
  const change = { kind: 'opened', severity: 'down', reopens: null, flapping: false } as const
  return { ...opened(opening, { ...change, ...times }), ...incident }
}

/** A delivery that is owed since 0 ms, about incident A unless said otherwise. */
export function makeDelivery(
  owed: Partial<NewDelivery> = {},
  delivery: Partial<Delivery> = {},
): Delivery {
  const made = newDelivery({
    id: `dlv_${ulid}a` as DeliveryId,
    orgId: orgA,
    channelId: channelA,
    incidentId: incidentA,
    event: 'incident.opened',
    sequence: 1,
    payloadJson: '{}',
    nowMs: 0,
    ...owed,
  })
  return { ...made, ...delivery }
}
