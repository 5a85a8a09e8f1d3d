// One message of each kind, as a channel gets them, and messages that are as long as they can be.

import type { LocationId } from '../../src/base/ids.ts'
import { type Message, messageOf, type Payload } from '../../src/channels/model/message.ts'
import { certificatePayload, incidentPayload, sloPayload } from '../../src/domain/alerts/payload.ts'
import type { IncidentBasis } from '../../src/domain/incidents/basis.ts'
import {
  acknowledged,
  type Incident,
  resolvedIncident,
  withUpdate,
} from '../../src/domain/incidents/incident.ts'
import { defaultLocale, type Locale } from '../../src/domain/language.ts'
import { home } from '../../src/domain/locations/choice.ts'
import { makeIncident } from './make-incident.ts'
import { makeMonitor, monitorNo } from './make-page.ts'

const samplePage = 'https://up.test/alerts/token'
const orgId = 'org_01k0000000000000000000000a'

/** The message of a payload, read as soon as it was written. */
export function messageFrom(payload: Payload, locale: Locale = defaultLocale): Message {
  const payloadJson = JSON.stringify(payload)
  const delivery = { webhookId: 'msg_01k00000000000000000000000', event: payload.type, payloadJson }
  return messageOf(delivery, { locale, nowMs: Date.parse(payload.timestamp) })
}

// Names may hold the markup of any platform, and mentions of everybody.
const nasty = 'Shop & <Cart> *_~`|[x](y) @everyone @all @channel @room <!here> <users/all>'
const monitor = {
  ...makeMonitor({ name: nasty }),
  url: 'https://shop.test/cart?token=hidden',
  runbookUrl: 'https://wiki.test/run-book?page=shop',
}
const incident: Incident = makeIncident({
  title: `${nasty} is down`,
  cause: 'expected status 200, found 503',
  evidence: { status: 503, phases: { dns: 3, connect: 12, tls: 25.4, firstByte: 90 } },
})
const [frankfurt, oslo] = ['a', 'b'].map((last) => `loc_01k0000000000000000000000${last}`) as [
  LocationId,
  LocationId,
]
const seenFromPlaces: IncidentBasis = {
  ...{ atMs: 61_000, monitorId: monitor.id, rule: 'locations', needed: 2, among: 3 },
  countedAtMs: [1_000, 1_000],
  places: [
    { place: home, state: 'degraded', sinceMs: 1_000 },
    { place: frankfurt, name: nasty, state: 'degraded', sinceMs: 1_000 },
    { place: oslo, name: 'Oslo', state: 'up', sinceMs: 0 },
  ],
}
const over = { resolution: 'recovered', resolvedAtMs: 3_691_000, atMs: 3_721_000 } as const
const written = {
  id: 'upd_1',
  by: 'usr_1',
  atMs: 70_000,
  isPublic: false,
  message: 'A disk is full.\n@everyone: *do not* restart <it> & wait.',
  status: 'identified',
} as const
const ack = { atMs: 80_000, by: 'usr_1' }
const opened = incidentPayload('incident.opened', incident, [monitor], 61_000, samplePage)
const timestamp = '2026-01-01T00:00:00.000Z'

/** By name; the names are also those of the golden requests. */
export const samplePayloads: Readonly<Record<string, Payload>> = {
  opened,
  degraded: incidentPayload(
    'incident.opened',
    makeIncident({
      title: 'API is slow',
      severity: 'degraded',
      cause: 'the check took 4,000 ms',
      basis: [seenFromPlaces],
    }),
    [makeMonitor({ name: 'API' })],
    61_000,
    samplePage,
  ),
  reminder: incidentPayload('incident.reminder', incident, [monitor], 3_661_000, samplePage),
  updated: incidentPayload(
    'incident.updated',
    withUpdate(incident, written),
    [monitor],
    70_000,
    samplePage,
  ),
  acknowledged: incidentPayload(
    'incident.acknowledged',
    acknowledged(incident, ack),
    [monitor],
    80_000,
    samplePage,
  ),
  resolved: incidentPayload(
    'incident.resolved',
    resolvedIncident(acknowledged(incident, ack), over),
    [monitor],
    3_721_000,
    samplePage,
  ),
  digest: {
    type: 'incident.digest',
    timestamp,
    data: {
      orgId,
      event: 'incident.opened',
      incidents: Array.from({ length: 12 }, () => opened.data.incident),
      incidentsTotal: 40,
      url: 'https://up.test/app/incidents?org=org_01k0000000000000000000000a',
    },
  },
  certificate: certificatePayload(
    { monitors: [monitor], total: 1 },
    {
      certificate: { expiresAtMs: 1_768_000_000_000, issuer: 'Test CA' },
      daysLeft: 5,
      thresholdDays: 7,
    },
    121_000,
  ),
  domain: {
    type: 'domain.expiring',
    timestamp,
    data: {
      orgId,
      monitor: { id: monitor.id, name: nasty, url: 'domain://shop.test', runbookUrl: null },
      domain: {
        name: 'shop.test',
        expiresAt: '2026-01-08T00:00:00.000Z',
        registrar: 'Test Registrar',
        daysLeft: 7,
      },
      thresholdDays: 7,
    },
  },
  sloAtRisk: sloPayload(
    monitor,
    {
      state: 'at_risk',
      month: '1970-01',
      objectivePercent: 99.9,
      budgetMs: 2_678_400,
      usedMs: 1_500_000,
      exhaustedAtMs: 864_000_000,
    },
    432_000_000,
  ),
  channelFailing: {
    type: 'channel.failing',
    timestamp,
    data: {
      orgId,
      channel: { id: 'chn_01k0000000000000000000000a', name: 'Night shift', type: 'webhook' },
      reason: 'The receiver answered 500.',
      failingSince: '2025-12-31T23:00:00.000Z',
      pending: 3,
    },
  },
  systemNotice: {
    type: 'system.notice',
    timestamp,
    data: {
      orgId,
      notice: {
        kind: 'disk',
        title: 'The disk is almost full',
        text: 'Less than 500 MB are left in the data directory.',
        isOver: false,
      },
    },
  },
  test: {
    type: 'channel.test',
    timestamp,
    data: { orgId, channel: { id: 'chn_01k0000000000000000000000a', name: 'On call' } },
  },
}

/** An incident that an earlier version queued: it links to the API and has no details. */
export const olderPayload: Payload = {
  ...opened,
  data: {
    ...opened.data,
    incident: {
      ...opened.data.incident,
      url: 'https://up.test/api/v1/orgs/org_01k0000000000000000000000a/incidents/inc_1',
    },
  },
}

/** Messages that try the limits of a platform: long, full of its markup, and of many bytes. */
export function longestMessages(): Message[] {
  const longs = ['<&>*_`@everyone'.repeat(200), '漢'.repeat(3_000), '😀"\\\n'.repeat(700)]
  return longs.flatMap((long) => {
    const monitors = Array.from({ length: 30 }, (_, at) => ({
      ...makeMonitor({ id: monitorNo(at), name: long }),
      runbookUrl: `https://wiki.test/${'x'.repeat(1_900)}${at}`,
    }))
    const huge = makeIncident({ title: long, cause: long })
    const written: Payload = incidentPayload(
      'incident.updated',
      withUpdate(huge, { id: 'upd_1', by: 'usr_1', atMs: 1, isPublic: false, message: long }),
      monitors,
      61_000,
      samplePage,
    )
    const digest: Payload = {
      type: 'incident.digest',
      timestamp,
      data: {
        orgId,
        event: 'incident.resolved',
        incidents: Array(100).fill(written.data.incident),
        incidentsTotal: 1_000,
      },
    }
    return [messageFrom(written), messageFrom(digest)]
  })
}
