// Alert channels of Checkly.
import { channelEvents } from '../../alerts/channel.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  textOf,
} from '../foreign.ts'

interface ChannelKind {
  readonly type: string
  readonly lacked: readonly string[]
  config(given: ForeignFields, note: Note): ForeignFields
}

const webUrl = (value: unknown) => (/^https?:\/\//.test(textOf(value)) ? textOf(value) : undefined)

function present(fields: ForeignFields): ForeignFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const kinds: Readonly<Record<string, ChannelKind>> = {
  EMAIL: {
    type: 'email',
    lacked: ['to'],
    config: ({ address }) => (textOf(address) === '' ? {} : { to: [textOf(address)] }),
  },
  SLACK: {
    type: 'slack',
    lacked: ['webhookUrl'],
    config: ({ url, webhookUrl }) => present({ webhookUrl: webUrl(url) ?? webUrl(webhookUrl) }),
  },
  SLACK_APP: { type: 'slack', lacked: ['webhookUrl'], config: () => ({}) },
  SMS: {
    type: 'twilio',
    lacked: ['accountSid', 'authToken', 'to'],
    config: ({ number }) => (/^\+\d{7,15}$/.test(textOf(number)) ? { to: [textOf(number)] } : {}),
  },
  OPSGENIE: {
    type: 'opsgenie',
    lacked: ['apiKey'],
    config: ({ apiKey, region }) =>
      present({
        apiKey: textOf(apiKey) || undefined,
        region: textOf(region).toLowerCase() === 'eu' ? 'eu' : undefined,
      }),
  },
  PAGERDUTY: {
    type: 'pagerduty',
    lacked: ['routingKey'],
    config: ({ serviceKey }) =>
      /^[A-Za-z0-9]{32}$/.test(textOf(serviceKey)) ? { routingKey: textOf(serviceKey) } : {},
  },
}

/** Webhooks to products that have a kind here; the others get a request. */
const hooks: Readonly<Record<string, string>> = {
  WEBHOOK_MSTEAMS: 'teams',
  WEBHOOK_DISCORD: 'discord',
}

/** Words of a template, and where a message here has them. */
const words: Readonly<Record<string, string>> = {
  ALERT_TITLE: '{{title}}',
  ALERT_TYPE: '{{type}}',
  CHECK_NAME: '{{data.monitors.0.name}}',
  CHECK_ID: '{{data.monitors.0.id}}',
  CHECK_ERROR_MESSAGE: '{{data.incident.cause}}',
  REQUEST_URL: '{{data.monitors.0.url}}',
  RESULT_LINK: '{{data.incident.url}}',
  STARTED_AT: '{{data.incident.startedAt}}',
}

const webhook: ChannelKind = {
  type: 'webhook',
  lacked: ['url'],
  config(given, note) {
    const { url, method, template, headers, queryParameters } = given
    const place = webUrl(url)
    const query = pairsOf(queryParameters)
    const whole = place === undefined ? undefined : URL.parse(place)
    for (const [name, value] of query) whole?.searchParams.append(name, value)
    const unknown = new Set<string>()
    const bodyTemplate = textOf(template).replace(/\{\{\s?(\w{1,60})\s?\}\}/g, (all, word) => {
      const known = words[word]
      if (known === undefined) unknown.add(all)
      return known ?? ''
    })
    if (unknown.size > 0) note(`no value here is its ${[...unknown].slice(0, 10).join(', ')}`)
    const isLost = /\{\{[#^]/.test(textOf(template))
    if (isLost) note('its template has conditions: the usual message is sent')
    if (textOf(given.webhookSecret) !== '') {
      note('its secret: messages here are signed after Standard Webhooks, with a new one')
    }
    const own = Object.fromEntries(pairsOf(headers))
    const named = textOf(method).toUpperCase()
    return present({
      url: query.length > 0 ? whole?.href : place,
      method: ['PUT', 'PATCH', 'GET'].includes(named) ? named : undefined,
      headers: Object.keys(own).length === 0 ? undefined : own,
      bodyTemplate: bodyTemplate === '' || isLost ? undefined : bodyTemplate,
    })
  },
}

export function pairsOf(values: unknown): readonly (readonly [string, string])[] {
  return listOf(values)
    .map(fieldsOf)
    .map(({ key, value }) => [textOf(key), textOf(value)] as const)
    .filter(([key]) => key !== '')
}

export interface ChecklyChannels {
  readonly channels: readonly ForeignItem[]
  readonly secretsOmitted: readonly string[]
  /** By the ids there. */
  readonly ids: ReadonlyMap<string, string>
  /** The days of warnings by the ids there; of channels that are told of certificates. */
  readonly warnDays: ReadonlyMap<string, number>
}

export function channelsOf(items: readonly ForeignFields[], notesOf: NotesOf): ChecklyChannels {
  const channels: ForeignItem[] = []
  const secretsOmitted: string[] = []
  const ids = new Map<string, string>()
  const warnDays = new Map<string, number>()
  for (const item of items) {
    const there = textOf(item.id)
    const type = textOf(item.type)
    const given = fieldsOf(item.config)
    const hook = hooks[textOf(given.webhookType)]
    const kind = type === 'WEBHOOK' ? hookKind(hook) : kinds[type]
    const target = textOf(given.name) || textOf(given.address) || textOf(given.channel)
    const name = nameOf(target, `${type} ${there}`)
    const origin = `alert-channel/${there}`
    const note = notesOf(name, origin)
    if (kind === undefined || !/^\d{1,20}$/.test(there)) {
      note(
        `${type === 'CALL' ? 'a voice call' : `its type ${type}`} is no kind of channel here: left out`,
      )
      continue
    }
    const config = kind.config(given, note)
    const lacked = kind.lacked.filter((field) => !(field in config))
    secretsOmitted.push(...lacked.map((field) => `/channels/${channels.length}/config/${field}`))
    const events = channelEvents.filter((event) => {
      if (event === 'certificate.expiring') return item.sslExpiry === true
      if (event === 'incident.resolved') return item.sendRecovery !== false
      return item.sendFailure !== false || !event.startsWith('incident.')
    })
    const id = `chn_${there.padStart(26, '0')}`
    ids.set(there, id)
    if (item.sslExpiry === true) warnDays.set(there, Number(item.sslExpiryThreshold) || 30)
    channels.push({
      ...{ id, origin, name, type: kind.type, config, events },
      minSeverity: item.sendDegraded === true ? 'degraded' : 'down',
      isActive: lacked.length === 0,
      isDefault: false,
    })
  }
  return { channels, secretsOmitted, ids, warnDays }
}

function hookKind(type: string | undefined): ChannelKind {
  if (type === undefined) return webhook
  return { type, lacked: ['webhookUrl'], config: ({ url }) => present({ webhookUrl: webUrl(url) }) }
}
