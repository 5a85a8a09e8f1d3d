// A message in the form that every channel type gets: structured, in the language of its
// organization, and derived from the stored payload.

import type { DeliveryId } from '../../base/ids.ts'
import { toIso } from '../../base/schema/schema.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { type Delivery, type DeliveryEvent, webhookIdOf } from '../../domain/alerts/delivery.ts'
import { type DigestPayload, digestedEvent } from '../../domain/alerts/digest.ts'
import {
  type CertificatePayload,
  type ChannelHealthPayload,
  type DomainPayload,
  detailsIn,
  type IncidentPayload,
  type PayloadMonitor,
  type PayloadUpdate,
  type SloPayload,
  type SystemNoticePayload,
} from '../../domain/alerts/payload.ts'
import {
  type IncidentState,
  isWritten,
  type Severity,
  titleOf,
} from '../../domain/incidents/incident.ts'
import type { Locale } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { placesIn } from '../../domain/locations/shown-places.ts'
import { localeTag } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { type AreaTexts, saidIn, textsOf } from '../../texts/texts.ts'
import { timeWords } from '../../texts/time-words.ts'

export interface Message {
  /** The same for every attempt, so that receivers can detect a repetition. */
  readonly id: string
  readonly event: DeliveryEvent
  /** The body of a webhook, fixed when the message was queued. */
  readonly payloadJson: string
  /** When the event happened. */
  readonly atMs: number
  /** The language of the texts, and the time zone for times. */
  readonly locale: Locale
  /** What the news does to its matter, for platforms that keep alerts of their own. */
  readonly news: News
  /** How the news should look and sound. */
  readonly tone: Tone
  /** One line: what happened. */
  readonly title: string
  /** The title without the news: the same for all messages about one incident. */
  readonly matter: string
  /** The most important ones come first. Never empty. */
  readonly facts: readonly Fact[]
  /** Places for people to go to; never an address of the API. */
  readonly links: readonly Link[]
  /** What it is about; the first 10. Empty for a digest. */
  readonly monitors: readonly PayloadMonitor[]
  /** Null if the message is about no incident, or about several. */
  readonly incidentId: string | null
  readonly severity: Severity | null
  readonly state: IncidentState | null
  /** When the incident began and ended; null where that does not apply. */
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  /** Equal for all messages about one matter, so that a platform can group or close them. */
  readonly dedupKey: string
}

/** `opened` includes reopenings; `notice` is about no incident, or about several. */
type News = 'opened' | 'reminder' | 'updated' | 'acknowledged' | 'resolved' | 'notice'

export type Tone = 'bad' | 'warning' | 'good' | 'neutral'

/** A label for people, and its value: a text or a point in time. */
export interface Fact {
  readonly label: string
  readonly value: string | Instant
  /** Where the thing that the label names can be seen. */
  readonly url?: string
}

export interface Instant {
  readonly atMs: number
}

export interface Link {
  readonly kind: 'incident' | 'incidents' | 'runbook' | 'target'
  readonly label: string
  readonly url: string
}

export interface TestPayload {
  readonly type: 'channel.test'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly channel: { readonly id: string; readonly name: string }
  }
}

export type Payload =
  | IncidentPayload
  | DigestPayload
  | CertificatePayload
  | DomainPayload
  | SloPayload
  | ChannelHealthPayload
  | SystemNoticePayload
  | TestPayload

/** The people that a message is written for, and when. */
export interface Readers {
  readonly locale: Locale
  /** Time of the attempt, which may be long after the event. */
  readonly nowMs: number
}

/** A message that is sent later than this after its event says so. */
const messageLateMs = 120_000

/** The message of a delivery, also of one that an earlier version created. */
export function messageOf(
  delivery: Pick<Delivery, 'webhookId' | 'event' | 'payloadJson'>,
  { locale, nowMs }: Readers,
): Message {
  const { webhookId: id, event, payloadJson } = delivery
  const payload = payloadOf(payloadJson)
  const atMs = Date.parse(payload.timestamp)
  const words = textsOf('channels', locale.language)
  const content = contentOf(payload, id, { words, locale })
  const { matter = content.title } = content
  const late = lateness(content.facts, atMs)
  return { id, event, payloadJson, atMs, locale, ...content, matter, ...late }

  function lateness(facts: readonly Fact[], eventMs: number) {
    const delayedMs = nowMs - eventMs
    if (delayedMs < messageLateMs) return {}
    const value = durationText(delayedMs, locale)
    return { facts: [...facts, { label: words.labels.delayed, value }] }
  }
}

/** Each test is a different message, so that it does not count as a repetition. */
export function testMessage(
  channel: Channel,
  testId: DeliveryId,
  { locale, nowMs }: Readers,
): Message {
  const { id, orgId, name } = channel
  const payload: TestPayload = {
    type: 'channel.test',
    timestamp: toIso(nowMs),
    data: { orgId, channel: { id, name } },
  }
  const payloadJson = JSON.stringify(payload)
  const webhookId = webhookIdOf(testId, 0, id)
  return messageOf({ webhookId, event: 'channel.test', payloadJson }, { locale, nowMs })
}

/** Parses the payload. It is our own JSON, so its shape is known. */
export function payloadOf(payloadJson: string): Payload {
  return JSON.parse(payloadJson) as Payload
}

/** A duration in words, of its two largest units: "2 h 5 min". */
export function durationText(ms: number, { language }: Locale): string {
  return timeWords(localeTag(language)).span(Math.max(1, ms / 1_000))
}

type MessageContent = Omit<Message, 'id' | 'event' | 'payloadJson' | 'atMs' | 'locale' | 'matter'> &
  Partial<Pick<Message, 'matter'>>

/** How the content of a message is worded. */
interface Wording {
  readonly words: AreaTexts<'channels'>
  readonly locale: Locale
}

const ofNoIncident = {
  news: 'notice',
  incidentId: null,
  severity: null,
  state: null,
  startedAtMs: null,
  endedAtMs: null,
  monitors: [],
  links: [],
} as const

function contentOf(payload: Payload, messageId: string, wording: Wording): MessageContent {
  const { words } = wording
  const { labels } = words
  switch (payload.type) {
    case 'channel.test':
      return {
        ...ofNoIncident,
        tone: 'neutral',
        title: words.test({ channel: payload.data.channel.name }),
        facts: [{ label: labels.message, value: words.testBody }],
        dedupKey: messageId,
      }
    case 'incident.digest':
      return {
        ...ofNoIncident,
        tone: digestedEvent(payload) === 'incident.resolved' ? 'good' : 'bad',
        title: digestTitle(payload, words),
        facts: digestFacts(payload, words),
        links: digestLinks(payload, words),
        dedupKey: messageId,
      }
    case 'certificate.expiring':
      return certificateContent(payload, wording)
    case 'domain.expiring':
      return domainContent(payload, words)
    case 'slo.at_risk':
    case 'slo.exhausted':
      return sloContent(payload, wording)
    case 'channel.failing':
    case 'channel.recovered':
      return channelContent(payload, wording)
    case 'system.notice': {
      const { kind, title, text, isOver } = payload.data.notice
      return {
        ...ofNoIncident,
        tone: isOver ? 'good' : 'warning',
        title,
        facts: [{ label: labels.message, value: text }],
        dedupKey: `system/${kind}`,
      }
    }
    default:
      return incidentContent(payload, wording)
  }
}

const newsOf: Readonly<Record<IncidentPayload['type'], News>> = {
  'incident.opened': 'opened',
  'incident.reminder': 'reminder',
  'incident.updated': 'updated',
  'incident.acknowledged': 'acknowledged',
  'incident.resolved': 'resolved',
}

function incidentContent(payload: IncidentPayload, wording: Wording): MessageContent {
  const { type, data } = payload
  const { id, severity, state, startedAt, resolvedAt } = data.incident
  return {
    news: newsOf[type],
    tone: toneOf(payload),
    title: titled(payload, wording.words),
    matter: matterOf(data, wording.words),
    facts: incidentFacts(payload, wording),
    links: incidentLinks(data, wording.words),
    monitors: data.monitors,
    incidentId: id,
    severity,
    state,
    startedAtMs: Date.parse(startedAt),
    endedAtMs: resolvedAt === null ? null : Date.parse(resolvedAt),
    dedupKey: id,
  }
}

function toneOf({ type, data: { incident } }: IncidentPayload): Tone {
  if (type === 'incident.acknowledged') return 'neutral'
  if (type === 'incident.resolved') return incident.stillFailing ? 'warning' : 'good'
  return incident.severity === 'degraded' ? 'warning' : 'bad'
}

const messageRunbooksMax = 3

function incidentLinks(
  { incident, monitors }: IncidentPayload['data'],
  words: AreaTexts<'channels'>,
): Link[] {
  const { url, state } = incident
  const label = state === 'open' ? words.links.acknowledge : words.links.incident
  const runbooks = new Set(monitors.flatMap(({ runbookUrl }) => runbookUrl ?? []))
  return [
    // Messages of earlier versions link to the API, which a person cannot open.
    ...(url.includes('/api/v1/') ? [] : [{ kind: 'incident', label, url } as const]),
    ...[...runbooks]
      .slice(0, messageRunbooksMax)
      .map((runbook) => ({ kind: 'runbook', label: words.links.runbook, url: runbook }) as const),
  ]
}

function incidentFacts({ type, timestamp, data }: IncidentPayload, wording: Wording): Fact[] {
  const { words, locale } = wording
  const { labels } = words
  const { incident, monitors, monitorsTotal, update } = data
  const { cause, details, locations, startedAt, acknowledgedAt, resolvedAt } = incident
  const { stillFailing = false } = incident
  const facts: Fact[] = [...updateFacts(update, wording)]
  // Nobody measured the cause of an incident that a person declared.
  if (cause !== '') facts.push({ label: labels.cause, value: saidIn(locale.language, cause) })
  if (details && type === 'incident.opened') {
    facts.push({ label: labels.details, value: detailsIn(locale.language, details) })
  }
  const isWorse = update?.kind === 'worsened'
  const seen =
    type === 'incident.opened' || isWorse ? placesIn(locale.language, locations ?? []) : null
  if (seen !== null) facts.push({ label: labels.locations, value: seen })
  const names = namesOf(monitors, monitorsTotal, wording)
  if (names !== '') facts.push({ label: labels.monitors, value: names })
  facts.push({ label: labels.started, value: instantOf(startedAt) })
  // The start is that of the first failure, which may be hours ago.
  if (update?.kind === 'reopened') {
    facts.push({ label: labels.reopened, value: instantOf(update.at) })
  }
  if (acknowledgedAt !== null) {
    facts.push({ label: labels.acknowledged, value: instantOf(acknowledgedAt) })
  }
  if (resolvedAt !== null) {
    const label = stillFailing ? labels.closed : labels.resolved
    facts.push({ label, value: instantOf(resolvedAt) })
  }
  const ms = Date.parse(resolvedAt ?? timestamp) - Date.parse(startedAt)
  if (resolvedAt !== null && !stillFailing) {
    facts.push({ label: labels.lasted, value: durationText(ms, locale) })
  } else if (type === 'incident.reminder') {
    facts.push({ label: labels.lasting, value: durationText(ms, locale) })
  }
  return facts
}

function digestTitle(digest: DigestPayload, words: AreaTexts<'channels'>): string {
  const { incidentsTotal } = digest.data
  return digestedEvent(digest) === 'incident.resolved'
    ? words.incidentsResolved({ count: incidentsTotal })
    : words.incidentsOpened({ count: incidentsTotal })
}

type TextFact = Fact & { readonly value: string }

/** What a person wrote, and what the title and the cause do not say. */
function updateFacts(
  update: PayloadUpdate | null = null,
  { words, locale: { language } }: Wording,
): TextFact[] {
  const { labels, statuses, flapping, becameOutage, stillFailing } = words
  if (update === null) return []
  const { kind, status, message } = update
  const written = isWritten(update) ? [{ label: labels.message, value: message }] : []
  switch (kind) {
    case 'update':
      return [{ label: status ? statuses[status] : labels.update, value: message }]
    case 'flapping':
      return [{ label: labels.update, value: flapping }]
    case 'settled':
      return [{ label: labels.update, value: saidIn(language, message) }]
    case 'worsened':
      // The title and the cause say it where the daemon found it out.
      return update.by === null ? written : [{ label: labels.update, value: becameOutage }]
    case 'closed':
      return [...written, { label: labels.note, value: stillFailing }]
    default:
      return written
  }
}

function digestFacts({ data }: DigestPayload, words: AreaTexts<'channels'>): Fact[] {
  const facts: Fact[] = data.incidents.slice(0, limits.payloadMonitorsMax).map((incident) => ({
    label: incident.title,
    value: digestedState(incident, words),
    ...(incident.url.includes('/api/v1/') ? {} : { url: incident.url }),
  }))
  const more = data.incidentsTotal - facts.length
  if (more > 0) facts.push({ label: words.labels.moreIncidents, value: String(more) })
  return facts
}

/** A digest names the first incidents only, so that it leads to the rest. */
function digestLinks({ data: { url } }: DigestPayload, { links }: AreaTexts<'channels'>): Link[] {
  return url === undefined ? [] : [{ kind: 'incidents', label: links.incidents, url }]
}

/** The state of an incident in a digest: one that a person closed may not be over. */
function digestedState(
  { state, stillFailing = false }: IncidentPayload['data']['incident'],
  { states }: AreaTexts<'channels'>,
): string {
  return stillFailing ? states.stillFailing : states[state]
}

/** The monitors by name, and how many more there are. */
function namesOf(
  monitors: readonly PayloadMonitor[],
  total: number,
  { words, locale }: Wording,
): string {
  const more = total - monitors.length
  return monitors
    .map(({ name }) => name)
    .concat(more > 0 ? [words.more({ count: more })] : [])
    .join(marksOf(locale.language).comma)
}

function certificateContent({ data }: CertificatePayload, wording: Wording): MessageContent {
  const { words } = wording
  const { monitor, monitors = [monitor], monitorsTotal = 1, certificate } = data
  const { labels } = words
  const { daysLeft, expiresAt, issuer } = certificate
  return {
    ...ofNoIncident,
    tone: 'warning',
    title: words.certificateExpires({ name: monitor.name, days: daysLeft }),
    facts: [
      {
        label: monitorsTotal > 1 ? labels.monitors : labels.monitor,
        value: namesOf(monitors, monitorsTotal, wording),
      },
      { label: labels.validUntil, value: instantOf(expiresAt) },
      { label: labels.issuer, value: issuer },
    ],
    links: targetLinks(monitor, words),
    monitors,
    severity: 'certificate',
    dedupKey: `${monitor.id}/${expiresAt}`,
  }
}

function domainContent({ data }: DomainPayload, words: AreaTexts<'channels'>): MessageContent {
  const { monitor, domain } = data
  const { labels } = words
  const { name, daysLeft, expiresAt, registrar } = domain
  return {
    ...ofNoIncident,
    tone: 'warning',
    title: words.domainExpires({ domain: name, days: daysLeft }),
    facts: [
      { label: labels.monitor, value: monitor.name },
      { label: labels.validUntil, value: instantOf(expiresAt) },
      ...(registrar === null ? [] : [{ label: labels.registrar, value: registrar }]),
    ],
    links: targetLinks(monitor, words),
    monitors: [monitor],
    severity: 'domain',
    dedupKey: `${monitor.id}/${expiresAt}`,
  }
}

function sloContent({ type, data }: SloPayload, { words, locale }: Wording): MessageContent {
  const { monitor, slo } = data
  const { labels } = words
  const { month, objectivePercent, budgetSeconds, usedSeconds, exhaustedAt } = slo
  const spans = [usedSeconds, budgetSeconds].map((each) => durationText(each * 1_000, locale))
  const isExhausted = type === 'slo.exhausted'
  const { budgetAtRisk, budgetExhausted } = words
  return {
    ...ofNoIncident,
    tone: isExhausted ? 'bad' : 'warning',
    title: isExhausted ? budgetExhausted(monitor) : budgetAtRisk(monitor),
    facts: [
      { label: labels.monitor, value: monitor.name },
      { label: labels.objective, value: `${objectivePercent}%` },
      { label: labels.budgetUsed, value: spans.join(' / ') },
      ...(exhaustedAt === null
        ? []
        : [{ label: labels.budgetEnds, value: instantOf(exhaustedAt) }]),
    ],
    links: targetLinks(monitor, words),
    monitors: [monitor],
    dedupKey: `${monitor.id}/${month}`,
  }
}

/** What people can open about a monitor without an incident. */
function targetLinks(
  { url, runbookUrl }: PayloadMonitor,
  { links }: AreaTexts<'channels'>,
): Link[] {
  const isOpenable = url !== null && /^https?:/.test(url)
  return [
    ...(isOpenable ? [{ kind: 'target', label: links.target, url } as const] : []),
    ...(runbookUrl ? [{ kind: 'runbook', label: links.runbook, url: runbookUrl } as const] : []),
  ]
}

function channelContent(payload: ChannelHealthPayload, { words, locale }: Wording): MessageContent {
  const { type, timestamp, data } = payload
  const { channel, reason, failingSince, pending } = data
  const { labels } = words
  const isOver = type === 'channel.recovered'
  const lastedMs = Date.parse(timestamp) - Date.parse(failingSince)
  return {
    ...ofNoIncident,
    tone: isOver ? 'good' : 'warning',
    title: isOver
      ? words.channelWorks({ channel: channel.name })
      : words.channelFails({ channel: channel.name }),
    facts: [
      { label: labels.cause, value: saidIn(locale.language, reason) },
      { label: isOver ? labels.started : labels.failingSince, value: instantOf(failingSince) },
      ...(isOver ? [{ label: labels.lasted, value: durationText(lastedMs, locale) }] : []),
      { label: labels.waiting, value: String(pending) },
    ],
    dedupKey: channel.id,
  }
}

/** A person may have ended it: by hand, or by pausing or deleting the monitor. */
function isRecovery({ stillFailing, resolution }: IncidentPayload['data']['incident']): boolean {
  return !stillFailing && resolution !== 'paused' && resolution !== 'deleted'
}

function titled({ type, data }: IncidentPayload, words: AreaTexts<'channels'>): string {
  const { incident, update } = data
  const title = translatedTitle(data.incident, data.monitors, words)
  switch (type) {
    case 'incident.opened':
      return update?.kind === 'reopened' ? words.reopened({ title }) : title
    case 'incident.resolved':
      return isRecovery(incident) ? words.resolved({ title }) : words.closedByHand({ title })
    case 'incident.acknowledged':
      return words.acknowledged({ title })
    case 'incident.reminder':
      return words.reminder({ title })
    case 'incident.updated':
      return words.updated({ title })
    default:
      return title
  }
}

/** A title that the daemon made is said in the language of the readers. */
export function translatedTitle(
  { title }: { readonly title: string },
  [monitor]: readonly { readonly name: string }[],
  words: AreaTexts<'channels'>,
): string {
  if (!monitor) return title
  const { name } = monitor
  if (title === titleOf(name, 'down')) return words.isDown({ name })
  if (title === titleOf(name, 'slow')) return words.isSlow({ name })
  if (title === titleOf(name, 'degraded')) return words.isDegraded({ name })
  if (title === titleOf(name, 'down', 'was')) return words.wasDown({ name })
  if (title === titleOf(name, 'slow', 'was')) return words.wasSlow({ name })
  if (title === titleOf(name, 'degraded', 'was')) return words.wasDegraded({ name })
  return title
}

/** A resolved incident has the title that it had while it lasted. */
function matterOf(
  { incident, monitors }: IncidentPayload['data'],
  words: AreaTexts<'channels'>,
): string {
  const title = translatedTitle(incident, monitors, words)
  const { name = '' } = monitors[0] ?? {}
  if (title === words.wasDown({ name })) return words.isDown({ name })
  if (title === words.wasDegraded({ name })) return words.isDegraded({ name })
  return title === words.wasSlow({ name }) ? words.isSlow({ name }) : title
}

function instantOf(isoTime: string): Instant {
  return { atMs: Date.parse(isoTime) }
}
