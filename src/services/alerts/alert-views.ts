// What the link of an alert shows and does: one incident, without a sign-in. The token is the proof.

import { unreachable } from '../../base/assert.ts'
import { asId, type OrgId } from '../../base/ids.ts'
import { durationText, translatedTitle } from '../../channels/model/message.ts'
import { timeText } from '../../channels/model/text.ts'
import { actingChannelId } from '../../domain/alerts/alert-link.ts'
import type { AttemptClass } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { detailsIn, detailsOf, shownMonitor } from '../../domain/alerts/payload.ts'
import { foremostOf, type Telling } from '../../domain/alerts/telling.ts'
import { placesOf } from '../../domain/incidents/basis.ts'
import {
  basisOfEntry,
  durationMs,
  type Incident,
  isClosedWhileBad,
  isOutage,
  isWritten,
  resolvedMessages,
  type TimelineEntry,
} from '../../domain/incidents/incident.ts'
import { type Locale, localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { placesIn } from '../../domain/locations/shown-places.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type StatusPage, titleOf } from '../../domain/pages/page.ts'
import { consolePath } from '../../domain/sign-in/redirect.ts'
import type {
  AlertEntry,
  AlertFact,
  AlertTime,
  AlertTold,
  AlertView,
} from '../../pages/alert/alert-page.ts'
import { incidentPath } from '../../pages/status/incident-page.ts'
import type { AlertLinks } from '../../seal/id-token.ts'
import { isOrgOff } from '../../store/org-state.ts'
import { marksOf } from '../../texts/marks.ts'
import { type AreaTexts, saidIn, textsOf } from '../../texts/texts.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Tellings } from '../incidents/tellings.ts'
import { publicReader } from '../pages/public-history.ts'

export interface AlertViewsDeps {
  readonly alertLinks: AlertLinks
  readonly incidents: Pick<Incidents, 'acknowledgeThrough'>
  readonly tellings: Tellings
}

/** What a link still leads to. */
interface AlertSubject {
  readonly incident: Incident
  readonly channel: Channel
  readonly locale: Locale
}

/** Status pages that the page of an alert links to, and how many are looked through for them. */
const alertPagesMax = 3
const alertPagesScanned = 50

export function createAlertViews(core: Core, deps: AlertViewsDeps) {
  const { store, clock } = core
  const { alertLinks, incidents, tellings } = deps

  function subjectOf(token: string): AlertSubject | undefined {
    const { orgId, incidentId, channelId } = alertLinks.read(token) ?? {}
    if (!orgId || !incidentId || !channelId || isOrgOff(store, orgId)) return undefined
    const channel = store.channels.readable(orgId, channelId)
    const incident = store.incidents.readable(orgId, incidentId)
    if (!channel || !incident) return undefined
    return { incident, channel, locale: localeOf(store.orgs.readable(orgId)) }
  }

  /** Who acknowledged it, without an address: the channel, or the name of a person. */
  function acknowledgedBy(orgId: OrgId, by: string, own: AreaTexts<'alert-page'>): string | null {
    const channelId = actingChannelId(by)
    const channel = channelId && store.channels.readable(orgId, channelId)
    if (channel) return own.acknowledgedThrough({ channel: channel.name })
    const userId = asId('user', by)
    const name = userId && store.users.readable(userId)?.name
    return name ? own.acknowledgedBy({ person: name }) : null
  }

  /** The status pages that show the incident to everybody. */
  function statusPagesOf({ id, orgId, isPublic }: Incident): StatusPage[] {
    if (!isPublic) return []
    const { timezone } = localeOf(store.orgs.readable(orgId))
    const nowMs = clock.nowMs()
    const shows = (page: StatusPage) =>
      page.isEnabled && publicReader(store, { page, timezone, nowMs }).incident(id) !== null
    return store.pages.list(orgId, alertPagesScanned).filter(shows).slice(0, alertPagesMax)
  }

  function viewOf(token: string, { incident, locale }: AlertSubject): AlertView {
    const words = textsOf('channels', locale.language)
    const own = textsOf('alert-page', locale.language)
    const { orgId, monitorIds, state } = incident
    const monitors = monitorIds.flatMap((id) => store.monitors.readable(orgId, id) ?? [])
    const shown = monitors.slice(0, limits.payloadMonitorsMax).map(shownMonitor)
    const more = monitors.length - shown.length
    const stillFailing = isClosedWhileBad(incident)
    const byWhom = (by: string) => acknowledgedBy(orgId, by, own)
    const { acknowledgedBy: by } = incident
    return {
      language: locale.language,
      title: translatedTitle(incident, monitors, words),
      tone: toneOf(incident, stillFailing),
      state: stillFailing ? words.states.stillFailing : words.states[state],
      notes: notesOf(incident, by && byWhom(by), { words, own }),
      form:
        state === 'open'
          ? { action: `/alerts/${token}`, button: own.acknowledge, hint: own.acknowledging }
          : null,
      facts: factsOf(incident, locale, words, clock.nowMs()),
      monitorsTitle: words.labels.monitors,
      monitors: shown.map(({ name, url, runbookUrl = null }) => ({ name, url, runbookUrl })),
      moreMonitors: more > 0 ? words.more({ count: more }) : null,
      runbookLabel: words.links.runbook,
      toldTitle: own.told,
      told: tellings
        .of(incident)
        .channels.flatMap(({ channel, tellings }) => toldOf(channel, tellings, locale, own) ?? []),
      timelineTitle: own.timeline,
      entries: incident.timeline
        .map((entry) => entryOf(entry, { incident, monitors, locale, byWhom }, { words, own }))
        .toReversed(),
      console: { label: own.console, href: `${consolePath}/incidents/${incident.id}` },
      statusPages: statusPagesOf(incident).map((page) => ({
        label: own.statusPage({ title: titleOf(page) }),
        href: incidentPath(`/status/${encodeURIComponent(page.slug)}`, incident),
      })),
    }
  }

  return {
    /**
     * Undefined if the token is not ours, or what it names is gone, without a difference. Changes
     * nothing: mail scanners and chat previews open links, too.
     */
    open(token: string): AlertView | undefined {
      const subject = subjectOf(token)
      return subject && viewOf(token, subject)
    },

    /**
     * Acknowledges the incident on behalf of the channel, once; after its end nothing changes.
     * Returns false where `open` returns undefined.
     */
    async acknowledge(token: string, caller: Caller): Promise<boolean> {
      const subject = subjectOf(token)
      if (!subject) return false
      const { incident, channel } = subject
      const { orgId, id: incidentId } = incident
      await incidents.acknowledgeThrough({ orgId, incidentId, channelId: channel.id }, caller)
      return true
    },
  }
}

interface PageWording {
  readonly words: AreaTexts<'channels'>
  readonly own: AreaTexts<'alert-page'>
}

interface EntryReaders {
  readonly incident: Incident
  readonly monitors: readonly Monitor[]
  readonly locale: Locale
  /** Who stands behind an id in the timeline, in words. */
  readonly byWhom: (by: string) => string | null
}

function toneOf({ state, severity }: Incident, stillFailing: boolean): AlertView['tone'] {
  if (state === 'acknowledged') return 'maintenance'
  if (state === 'resolved' && !stillFailing) return 'up'
  return isOutage(severity) ? 'down' : 'degraded'
}

function notesOf(incident: Incident, byWhom: string | null, { words, own }: PageWording): string[] {
  const flapping = incident.flapping ? [words.flapping] : []
  switch (incident.state) {
    case 'open':
      return [own.unacknowledged, ...flapping]
    case 'acknowledged':
      return [byWhom ?? own.acknowledged, ...flapping]
    case 'resolved':
      return [isClosedWhileBad(incident) ? words.stillFailing : own.over]
    default:
      return unreachable(incident.state)
  }
}

function factsOf(
  incident: Incident,
  locale: Locale,
  words: AreaTexts<'channels'>,
  nowMs: number,
): AlertFact[] {
  const { cause, startedAtMs, acknowledgedAtMs, resolvedAtMs, basis } = incident
  const places = resolvedAtMs === null ? placesOf(basis?.at(-1)) : null
  const { labels } = words
  const details = detailsOf(incident)
  const isClosed = isClosedWhileBad(incident)
  const fact = (label: string, value: AlertFact['value'] | null): AlertFact[] =>
    value === null ? [] : [{ label, value }]
  const at = (atMs: number | null) => (atMs === null ? null : timeOf(atMs, locale))
  return [
    ...fact(labels.cause, saidIn(locale.language, cause) || null),
    ...fact(labels.details, details && detailsIn(locale.language, details)),
    ...fact(labels.locations, places && placesIn(locale.language, places)),
    ...fact(labels.started, at(startedAtMs)),
    ...fact(labels.acknowledged, at(acknowledgedAtMs)),
    ...fact(isClosed ? labels.closed : labels.resolved, at(resolvedAtMs)),
    ...fact(
      resolvedAtMs === null ? labels.lasting : labels.lasted,
      isClosed ? null : durationText(durationMs(incident, nowMs), locale),
    ),
  ]
}

/** Nothing for a channel to which the incident was not to be announced. */
function toldOf(
  { name }: Channel,
  tellings: readonly Telling[],
  locale: Locale,
  { tellings: words, failures }: AreaTexts<'alert-page'>,
): AlertTold | undefined {
  const telling = foremostOf(tellings)
  if (telling === undefined || telling.kind === 'not_sent') return undefined
  const { kind, known, untilMs } = telling
  const at = (atMs: number | null | undefined) => (atMs ? timeOf(atMs, locale) : null)
  const error = known?.error ?? null
  const reason =
    error === null ? null : saidIn(locale.language, reasonOf(error, known?.errorClass, failures))
  const told = { channel: name, reason }
  if (kind === 'given_up') {
    return { ...told, tone: 'down', state: words.givenUp, time: at(known?.delivery.lastAtMs) }
  }
  if (kind !== 'waiting') {
    const time = at(known?.delivery.deliveredAtMs)
    // Some of its recipients may have been refused.
    return { ...told, tone: reason === null ? 'up' : 'degraded', state: words.sent, time }
  }
  return error === null
    ? { ...told, tone: 'pending', state: words.later, time: at(untilMs) }
    : { ...told, tone: 'degraded', state: words.nextTry, time: at(untilMs) }
}

/**
 * The reason in the readers' language and without addresses, where the attempt says enough; otherwise as
 * the attempt reports it.
 */
function reasonOf(
  error: string,
  how: AttemptClass | undefined,
  failures: AreaTexts<'alert-page'>['failures'],
): string {
  const status = /^The receiver answered (\d+)\.$/.exec(error)?.[1]
  if (status !== undefined) return failures.answered({ status: Number(status) })
  if (how === 'timeout') return failures.timeout
  return how === 'connection' || how === 'tls' || how === 'not_allowed'
    ? failures.connection
    : error
}

/** What the daemon wrote is said in the readers' language; what people wrote stays as it is. */
function entryOf(
  entry: TimelineEntry,
  { incident, monitors, locale, byWhom }: EntryReaders,
  { words, own }: PageWording,
): AlertEntry {
  const { kind, message, status } = entry
  const written = isWritten(entry) ? message : ''
  const cause = () => {
    const { language } = locale
    const { gap, stop } = marksOf(language)
    const why = saidIn(language, withoutTitle(message, monitors))
    const seen = placesIn(language, placesOf(basisOfEntry(incident, entry)) ?? [])
    return seen === null ? why : `${why}${why.endsWith(stop) ? '' : stop}${gap}${seen}`
  }
  const said = (label: string, text: string): AlertEntry => ({
    time: timeOf(entry.atMs, locale),
    label,
    message: text,
  })
  switch (kind) {
    case 'opened':
      return entry.by ? said(own.reported, written) : said(own.detected, cause())
    case 'reopened':
      return said(own.detectedAgain, cause())
    case 'worsened':
      return said(own.worsened, entry.by ? written : cause())
    case 'flapping':
      return said(own.unstable, words.flapping)
    case 'settled':
      return said(own.settled, '')
    case 'held':
      return said(own.held, '')
    case 'released':
      return said(own.released, '')
    case 'acknowledged':
      return said((entry.by && byWhom(entry.by)) || words.labels.acknowledged, written)
    case 'update':
      return said(status ? words.statuses[status] : words.labels.update, message)
    case 'closed':
      return said(words.labels.closed, written || words.stillFailing)
    case 'resolved':
      return said(entry.by ? words.labels.closed : words.labels.resolved, written || endOf(entry))
    case 'recovered':
      return said(words.labels.resolved, '')
    default:
      return unreachable(kind)
  }

  function endOf(entry: TimelineEntry): string {
    if (entry.message === resolvedMessages.paused) return own.paused
    return entry.message === resolvedMessages.deleted ? own.deleted : ''
  }
}

/** An opening repeats the title, in English, before the cause. */
function withoutTitle(message: string, monitors: readonly Monitor[]): string {
  const name = monitors.map((monitor) => monitor.name).find((one) => message.startsWith(one))
  const rest = name === undefined ? message : message.slice(name.length)
  return name === undefined
    ? message
    : rest.replace(/^ is (still )?(down|slow|degraded)( again)?: /, '')
}

function timeOf(atMs: number, locale: Locale): AlertTime {
  return { atMs, text: timeText({ atMs }, locale) }
}
