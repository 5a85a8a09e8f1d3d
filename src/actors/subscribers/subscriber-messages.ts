// The messages that subscribers get at a URL: a webhook with what changed, or Slack in words.

import type { ChannelId } from '../../base/ids.ts'
import { toIso } from '../../base/schema/schema.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import type { Message } from '../../channels/model/message.ts'
import type { NewsKind } from '../../domain/subscribers/news.ts'
import type { SubscriberMessage } from '../../domain/subscribers/notice.ts'
import type { Subscriber, SubscriberAddress } from '../../domain/subscribers/subscriber.ts'
import type { PublicIncident } from '../../pages/view/public-page.ts'
import { textsOf } from '../../texts/texts.ts'
import { type NoticeContent, noticeContent } from './notice-content.ts'
import { incidentUrl, type NoticePage, type NoticeText, noticeText } from './notice-text.ts'
import type { SubscriptionUrls } from './subscriber-letters.ts'

interface MessageFrame {
  readonly page: NoticePage & { readonly id: string }
  readonly subscriber: Subscriber
  readonly urls: SubscriptionUrls
}

/** The message in the form that channel types render. */
export function subscriberMessage(message: SubscriberMessage, frame: MessageFrame): Message {
  const { news, contentJson } = message
  return news === null || contentJson === null
    ? question(message, frame)
    : told(message, frame, news, noticeContent(contentJson))
}

function told(
  { id, createdAtMs }: SubscriberMessage,
  { page, subscriber, urls }: MessageFrame,
  news: NewsKind,
  content: NoticeContent,
): Message {
  const { language } = subscriber
  const text = noticeText(news, content, page, language)
  const { change } = textsOf('subscribers', language)
  const payload = {
    type: `${content.kind === 'incidents' ? 'incident' : 'maintenance'}.${news}`,
    timestamp: toIso(createdAtMs),
    data: {
      page: { id: page.id, title: page.title, url: page.url },
      ...(content.kind === 'incidents'
        ? { incidents: content.incidents.map((incident) => incidentData(incident, page)) }
        : { maintenance: maintenanceData(content) }),
      subscriptionUrl: urls.manage,
    },
  }
  const links = [text.link, { label: change, url: urls.manage }]
  return messageOf({ id, atMs: createdAtMs, text, links, payload, page, subscriber })
}

function incidentData(incident: PublicIncident, page: NoticePage) {
  const { id, title, kind, isOpen, isDeclared, monitorNames, startedAtMs, resolvedAtMs } = incident
  return {
    id,
    title,
    kind,
    isOpen,
    isDeclared,
    services: monitorNames,
    startedAt: toIso(startedAtMs),
    resolvedAt: resolvedAtMs === null ? null : toIso(resolvedAtMs),
    url: incidentUrl(page, incident),
    updates: incident.updates.map(({ atMs, kind: status, message }) => ({
      at: toIso(atMs),
      status,
      message,
    })),
  }
}

function maintenanceData(content: Extract<NoticeContent, { kind: 'maintenance' }>) {
  const { windowId, name, description, startsAtMs, endsAtMs, isRecurring, monitorNames } = content
  return {
    id: windowId,
    name,
    description,
    startsAt: toIso(startsAtMs),
    endsAt: toIso(endsAtMs),
    isRecurring,
    services: monitorNames,
  }
}

/** Asks whether the receiver wants messages. Nothing else is sent before it agrees. */
function question(
  { id, createdAtMs }: SubscriberMessage,
  { page, subscriber, urls }: MessageFrame,
): Message {
  const { confirm } = textsOf('subscribers', subscriber.language)
  const text: NoticeText = {
    title: confirm.subject({ page: page.title }),
    tone: 'neutral',
    facts: [
      { label: page.title, value: confirm.about({ page: page.title }) },
      {
        label: textsOf('status-page', subscriber.language).subscribe.confirmHeading,
        value: confirm.footer,
      },
    ],
    link: { label: confirm.button, url: urls.manage },
    matterId: subscriber.id,
  }
  const payload = {
    type: 'subscription.confirm',
    timestamp: toIso(createdAtMs),
    data: {
      page: { id: page.id, title: page.title, url: page.url },
      confirmUrl: urls.manage,
    },
  }
  return messageOf({ id, atMs: createdAtMs, text, links: [text.link], payload, page, subscriber })
}

interface MessagePlan {
  readonly id: string
  readonly atMs: number
  readonly text: NoticeText
  readonly links: readonly { readonly label: string; readonly url: string }[]
  readonly payload: object
  readonly page: NoticePage
  readonly subscriber: Subscriber
}

function messageOf(plan: MessagePlan): Message {
  const { id, atMs, text, links, payload, page, subscriber } = plan
  const { title, tone, facts, matterId } = text
  return {
    // Receivers of one notice must not take it for a repetition of another's.
    id: `${id}.${subscriber.id}`,
    event: 'incident.updated',
    payloadJson: JSON.stringify(payload),
    atMs,
    locale: { language: subscriber.language, timezone: page.timezone },
    news: 'notice',
    tone,
    title,
    matter: title,
    facts,
    links: links.map((link) => ({ kind: 'incident', ...link })),
    monitors: [],
    incidentId: null,
    severity: null,
    state: null,
    startedAtMs: null,
    endedAtMs: null,
    dedupKey: matterId,
  }
}

/** A channel type renders and judges the messages of a subscriber as those of a channel. */
export function channelOf(
  { id, orgId, kind, maskedAddress }: Subscriber,
  { address, secret }: SubscriberAddress,
): OpenedChannel {
  return {
    channel: { id: asChannelId(id), orgId, name: maskedAddress, type: kind },
    config: kind === 'slack' ? { webhookUrl: address } : { url: address, secret },
  }
}

/** No type looks the channel up; its id only names the sender. */
function asChannelId(id: string): ChannelId {
  return id as ChannelId
}
