// Body templates: {{path}} is replaced by the value at that path of the payload.
import type { DigestPayload } from '../../domain/alerts/digest.ts'
import type { CertificatePayload, IncidentPayload } from '../../domain/alerts/payload.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  digestedState,
  type Message,
  type Payload,
  payloadOf,
  type TestPayload,
  updateFacts,
} from './message.ts'

const hole = /\{\{([^{}]*)\}\}/g

/**
 * Fills in a body template. A path such as `data.incident.title` walks the payload; `title` and
 * `text` are the message in words. Texts are escaped for the inside of a JSON string, numbers and
 * lists are JSON, and a missing value is empty. A test is filled in with a sample incident.
 */
export function renderTemplate(template: string, { title, payloadJson }: Message): string {
  const payload = payloadOf(payloadJson)
  const shown = payload.type === 'channel.test' ? withSample(payload) : payload
  const values = { ...shown, title, text: plainText(payload) }
  return template.replace(hole, (_, path: string) => asJson(valueAt(values, path.trim())))
}

/** What is wrong with a template, or null. */
export function templateProblem(template: string): string | null {
  const names = [...template.matchAll(hole)]
  const most = limits.bodyTemplateNamesMax
  if (names.length > most) return `names ${names.length} values; at most ${most} are allowed`
  for (const [, inside = ''] of names) {
    const path = inside.trim()
    // An entry of a list may have any number.
    if (knownPaths.has(path.replace(/\.\d+(?=\.|$)/g, '.0'))) continue
    const known = [...knownPaths].filter((one) => !one.includes('.0')).join(', ')
    return `names {{${path}}}, which no message has; known are ${known}`
  }
  return null
}

/** A few lines: why, since when, where to look. */
function plainText(payload: Payload): string {
  switch (payload.type) {
    case 'channel.test':
      return 'This channel can be reached.'
    case 'incident.digest': {
      const { incidents, incidentsTotal } = payload.data
      const listed = incidents
        .slice(0, limits.payloadMonitorsMax)
        .map((incident) => `${incident.title} (${digestedState(incident)})`)
      const more = incidentsTotal - listed.length
      return listed.concat(more > 0 ? [`and ${more} more`] : []).join('\n')
    }
    case 'certificate.expiring': {
      const { certificate, url } = payload.data
      const { expiresAt, issuer } = certificate
      return `It is valid until ${expiresAt}. Its issuer: ${issuer}.\n${url}`
    }
    default: {
      const { cause, startedAt, resolvedAt, stillFailing, url } = payload.data.incident
      const isOver = resolvedAt !== null && !stillFailing
      const times = isOver ? `From ${startedAt} to ${resolvedAt}.` : `Since ${startedAt}.`
      const news = updateFacts(payload.data.update).map(({ label, value }) => `${label}: ${value}`)
      return [...news, cause, times, url].join('\n')
    }
  }
}

function valueAt(values: unknown, path: string): unknown {
  let value = values
  for (const name of path.split('.')) {
    // Own fields only: a template must not reach inherited properties.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function asJson(value: unknown): string {
  if (value === undefined || value === null) return ''
  const json = JSON.stringify(value)
  return typeof value === 'string' ? json.slice(1, -1) : json
}

const timestamp = '2026-01-01T00:02:00.000Z'
const startedAt = '2026-01-01T00:00:00.000Z'
const orgId = 'org_01k0000000000000000000000a'
const monitor = {
  id: 'mon_01k0000000000000000000000a',
  name: 'Sample',
  url: 'https://example.com/',
}

/** Every field of an incident's payload, with a value as a receiver may get it. */
const sampleIncident: IncidentPayload['data'] = {
  orgId,
  incident: {
    id: 'inc_01k0000000000000000000000a',
    title: 'Sample is down',
    cause: 'expected status 200, found 503',
    severity: 'down',
    state: 'open',
    startedAt,
    confirmedAt: timestamp,
    acknowledgedAt: null,
    resolvedAt: null,
    resolution: null,
    stillFailing: false,
    durationMs: 120_000,
    flapping: false,
    url: 'https://example.com/incidents/sample',
  },
  update: {
    kind: 'update',
    status: 'investigating',
    message: 'We are looking into it.',
    by: 'usr_01k0000000000000000000000a',
    at: timestamp,
  },
  monitors: [monitor as IncidentPayload['data']['monitors'][number]],
  monitorsTotal: 1,
}

const sampleDigest: Required<DigestPayload['data']> = {
  orgId,
  event: 'incident.opened',
  incidents: [sampleIncident.incident],
  incidentsTotal: 1,
  incidentIds: [sampleIncident.incident.id],
}

const sampleCertificate: CertificatePayload['data'] = {
  orgId,
  monitor: monitor as CertificatePayload['data']['monitor'],
  certificate: { expiresAt: timestamp, issuer: 'Sample CA', daysLeft: 7 },
  thresholdDays: 7,
  url: 'https://example.com/monitors/sample',
}

const sampleTest: TestPayload['data'] = { orgId, channel: { id: 'chn_sample', name: 'Sample' } }

function withSample(payload: TestPayload) {
  return { ...payload, data: { ...sampleIncident, ...payload.data } }
}

/** The paths of every kind of message; an entry of a list has the number 0. */
const knownPaths: ReadonlySet<string> = new Set([
  'title',
  'text',
  'type',
  'timestamp',
  ...[sampleIncident, sampleDigest, sampleCertificate, sampleTest].flatMap((data) =>
    pathsOf('data', data),
  ),
])

function pathsOf(path: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, one]) => pathsOf(`${path}.${name}`, one))]
}
