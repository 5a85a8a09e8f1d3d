// Body templates: {{path}} is replaced by the value at that path of the payload.

import type { LocationId } from '../../base/ids.ts'
import type { DigestPayload } from '../../domain/alerts/digest.ts'
import type {
  CertificatePayload,
  ChannelHealthPayload,
  DomainPayload,
  IncidentPayload,
  SystemNoticePayload,
} from '../../domain/alerts/payload.ts'
import { home } from '../../domain/locations/choice.ts'
import { type Message, payloadOf, type TestPayload } from './message.ts'
import { plainStyle, textOf } from './text.ts'

/** The length of `{{text}}`: every platform with templates takes that much. */
const textCharsMax = 3_000

const hole = /\{\{([^{}]*)\}\}/g

/** All values together that a body template is filled with: four times the largest payload. */
const filledTemplateCharsMax = 1024 * 1024

/**
 * Fills in a body template. A path such as `data.incident.title` walks the payload; `title` and
 * `text` are the message in words. Texts are escaped for the inside of a JSON string, numbers and
 * lists are JSON, and a missing value is empty, as is one that would make the body too long.
 * `{{#path}}…{{/path}}` is there if the message has a value at that path, `{{^path}}…{{/path}}` if it
 * has none (sections, https://mustache.github.io/mustache.5.html). A test is filled in with a sample
 * incident.
 */
export function renderTemplate(template: string, message: Message): string {
  return filledIn(template, message, asJson)
}

/** The same for a URL: values are escaped for a part of its path or query. */
export function renderUrlTemplate(template: string, message: Message): string {
  return filledIn(template, message, (value) => {
    if (value === undefined || value === null) return ''
    return encodeURIComponent((typeof value === 'string' ? value : asJson(value)).toWellFormed())
  })
}

function filledIn(template: string, message: Message, written: (value: unknown) => string): string {
  const payload = payloadOf(message.payloadJson)
  const shown = payload.type === 'channel.test' ? withSample(payload) : payload
  const text = textOf(message, plainStyle, { sizeMax: textCharsMax, isUntitled: true })
  const values = { ...shown, title: message.title, text }
  let charsLeft: number = filledTemplateCharsMax
  let filled = ''
  let at = 0
  /** Whether each section that the place is in is there. */
  const sections: boolean[] = []
  for (const found of template.matchAll(hole)) {
    const [all, inside = ''] = found
    const isThere = sections.every(Boolean)
    if (isThere) filled += template.slice(at, found.index)
    at = found.index + all.length
    const { sign, path } = holeOf(inside)
    if (sign === '/') sections.pop()
    else if (sign !== '') sections.push(hasValue(valueAt(values, path)) === (sign === '#'))
    // Nothing fits any more, so nothing more is written.
    else if (isThere && charsLeft > 0) {
      const value = written(valueAt(values, path))
      charsLeft -= value.length
      if (charsLeft >= 0) filled += value
    }
  }
  return filled + template.slice(at)
}

interface Hole {
  /** `#`, `^` and `/` begin and end a section; empty: a value. */
  readonly sign: '' | '#' | '^' | '/'
  readonly path: string
}

function holeOf(inside: string): Hole {
  const text = inside.trim()
  const sign = (['#', '^', '/'] as const).find((one) => text.startsWith(one)) ?? ''
  return { sign, path: text.slice(sign.length).trim() }
}

function hasValue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** Names in a body template: each may be replaced by a whole payload. */
const bodyTemplateNamesMax = 100

/** What is wrong with a template, or null. */
export function templateProblem(template: string): string | null {
  const names = [...template.matchAll(hole)]
  const most = bodyTemplateNamesMax
  if (names.length > most) return `names ${names.length} values; at most ${most} are allowed`
  const open: string[] = []
  for (const [, inside = ''] of names) {
    const { sign, path } = holeOf(inside)
    if (sign === '/') {
      if (open.pop() !== path) return `ends {{#${path}}}, which does not begin there`
      continue
    }
    if (sign !== '') open.push(path)
    // An entry of a list may have any number.
    if (knownPaths.has(path.replace(/\.\d+(?=\.|$)/g, '.0'))) continue
    const known = [...knownPaths].filter((one) => !one.includes('.0')).join(', ')
    return `names {{${path}}}, which no message has; known are ${known}`
  }
  return open.length === 0 ? null : `begins {{#${open.at(-1)}}} and does not end it`
}

/** What is wrong with a URL that may name values, or null. Its host is fixed, and judged with the config. */
export function urlTemplateProblem(url: string): string | null {
  const problem = templateProblem(url)
  if (problem !== null) return problem
  const places = ['', 'a', 'b'].map((value) => {
    const { origin, username, password } = URL.parse(url.replace(hole, value)) ?? {}
    return [origin, username, password].join('\n')
  })
  return new Set(places).size === 1 ? null : 'must name no value before its path'
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
  runbookUrl: 'https://example.com/run-book',
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
    worsened: false,
    details: 'HTTP 503, DNS 3 ms, connect 12 ms, TLS 25 ms, first byte 90 ms',
    locations: [
      {
        location: 'loc_01k0000000000000000000000a' as LocationId,
        name: 'Frankfurt',
        state: 'down',
        error: 'expected status 200, found 503',
      },
      { location: home, name: 'Oslo', state: 'up', error: null },
    ],
    url: 'https://example.com/alerts/sample',
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
  url: 'https://example.com/app/incidents',
}

const sampleCertificate: Required<CertificatePayload['data']> = {
  orgId,
  monitor: monitor as CertificatePayload['data']['monitor'],
  monitors: [monitor as CertificatePayload['data']['monitor']],
  monitorsTotal: 1,
  certificate: { expiresAt: timestamp, issuer: 'Sample CA', daysLeft: 7 },
  thresholdDays: 7,
}

const sampleDomain: DomainPayload['data'] = {
  orgId,
  monitor: monitor as DomainPayload['data']['monitor'],
  domain: { name: 'example.com', expiresAt: timestamp, registrar: 'Sample Registrar', daysLeft: 7 },
  thresholdDays: 7,
}

const sampleChannelHealth: ChannelHealthPayload['data'] = {
  orgId,
  channel: { id: 'chn_sample', name: 'Sample', type: 'webhook' },
  reason: 'The receiver answered 500.',
  failingSince: startedAt,
  pending: 3,
}

const sampleNotice: SystemNoticePayload['data'] = {
  orgId,
  notice: {
    kind: 'disk',
    title: 'The disk is almost full',
    text: 'Free some space.',
    isOver: false,
  },
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
  ...[
    sampleIncident,
    sampleDigest,
    sampleCertificate,
    sampleDomain,
    sampleChannelHealth,
    sampleNotice,
    sampleTest,
  ].flatMap((data) => pathsOf('data', data)),
])

function pathsOf(path: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, one]) => pathsOf(`${path}.${name}`, one))]
}
