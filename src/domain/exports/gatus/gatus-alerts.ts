// Our channels as providers of alerts of Gatus. Several channels of one provider differ by what an alert overrides.
//
// https://github.com/TwiN/gatus/tree/v5.36.0/alerting/provider
import { waitsForReports } from '../../checks/check-type.ts'
import { type ForeignFields, fieldsOf, listOf, numberOf, textOf } from '../../imports/foreign.ts'
import type { Outgoing, OutgoingChannel, OutgoingMonitor } from '../outgoing.ts'
import type { GatusVariables } from './gatus-variables.ts'

interface GatusProvider {
  readonly type: string
  readonly settings: ForeignFields
}

/** Gatus reminds no sooner. */
const reminderMinutesMin = 5

export function createGatusAlerts({ channels, channelsOf }: Outgoing, secrets: GatusVariables) {
  const providers = new Map<OutgoingChannel, GatusProvider>()
  for (const channel of channels) {
    const provider = providerOf(channel, secrets)
    if (provider === undefined) {
      channel.note(`left out: Gatus has nothing like ${channel.type}`)
    } else providers.set(channel, provider)
  }
  const byType = Map.groupBy(providers.values(), ({ type }) => type)
  const bases = new Map([...byType].map(([type, all]) => [type, baseOf(all)]))

  return {
    /** The section of the configuration. */
    section: (): ForeignFields => Object.fromEntries(bases),

    /** The alerts of a monitor, with what they say of it. */
    of(monitor: OutgoingMonitor): readonly ForeignFields[] {
      const named = channelsOf(monitor).flatMap((channel) => {
        const provider = providers.get(channel)
        return provider ? [{ channel, provider }] : []
      })
      if (named.length === 0) return []
      const reminderMinutes = monitor.number('reminderMinutes')
      if (reminderMinutes > 0 && reminderMinutes < reminderMinutesMin) {
        monitor.note(`its reminderMinutes: ${reminderMinutesMin}, the least of Gatus`)
      }
      const description = withoutQuotes(monitor.text('description'))
      // A report counts at once, and so does its absence.
      const isTold = waitsForReports(monitor)
      const pace = {
        'failure-threshold': isTold ? 1 : monitor.number('failureThreshold'),
        'success-threshold': isTold ? 1 : monitor.number('recoveryThreshold'),
        ...(reminderMinutes === 0
          ? {}
          : { 'minimum-reminder-interval': `${Math.max(reminderMinutes, reminderMinutesMin)}m` }),
        ...(description === '' ? {} : { description }),
      }
      return named.map(({ channel, provider: { type, settings } }) => ({
        type,
        ...(channel.isActive ? {} : { enabled: false }),
        ...pace,
        'send-on-resolved': channel.tellsEnds,
        ...(isSame(bases.get(type), settings) ? {} : { 'provider-override': settings }),
      }))
    },
  }
}

/**
 * The settings of the provider itself. What an alert does not override comes from there, so it has only what all
 * channels of the provider have: no token goes to the server of another one.
 */
function baseOf(all: readonly GatusProvider[]): ForeignFields {
  const [first, ...others] = all
  const shared = Object.entries(first?.settings ?? {}).filter(([name]) =>
    others.every(({ settings }) => name in settings),
  )
  return Object.fromEntries(shared)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Gatus takes no quotes and backslashes in names and descriptions. */
export function withoutQuotes(text: string): string {
  return text.replaceAll('"', "'").replaceAll('\\', '/')
}

type ProviderSettings = Readonly<Record<string, unknown>> | undefined

function providerOf(channel: OutgoingChannel, secrets: GatusVariables): GatusProvider | undefined {
  const { type, config, note } = channel
  const secret = (field: string) => secrets.of(channel, `config/${field}`, field)
  const isThere = (field: string) => channel.omitted.includes(field)
  const text = (field: string) => textOf(config[field])
  const lost = (...fields: string[]) => {
    const found = fields.filter((field) => field in config || isThere(field))
    if (found.length > 0) note(`not in it: ${found.join(', ')}`)
  }
  const made = (to: string, settings: ProviderSettings) =>
    settings === undefined ? undefined : { type: to, settings: withoutEmpty(settings) }
  switch (type) {
    case 'slack':
    case 'discord':
    case 'googlechat':
    case 'mattermost':
    case 'rocketchat':
      return made(type, { 'webhook-url': secret('webhookUrl') })
    case 'teams':
      return made('teams-workflows', { 'webhook-url': secret('webhookUrl') })
    case 'telegram':
      return made(type, {
        token: secret('botToken'),
        id: text('chatId'),
        'topic-id': text('messageThreadId'),
        'api-url': text('apiUrl'),
      })
    case 'matrix':
      return made(type, {
        'server-url': text('homeserver'),
        'internal-room-id': text('roomId'),
        'access-token': secret('token'),
      })
    case 'ntfy':
      lost('username', 'password')
      return made(type, {
        topic: secret('topic'),
        url: text('server'),
        token: isThere('token') ? secret('token') : '',
        priority: numberOf(config.outagePriority),
      })
    case 'gotify':
      return made(type, {
        'server-url': text('server'),
        token: secret('token'),
        priority: numberOf(config.outagePriority),
      })
    case 'pushover':
      return made(type, {
        'application-token': secret('appToken'),
        'user-key': secret('userKey'),
        device: text('device'),
        priority: numberOf(config.outagePriority) ?? 1,
      })
    case 'opsgenie':
      lost('region')
      return made(type, { 'api-key': secret('apiKey'), priority: text('outagePriority') })
    case 'pagerduty':
      lost('url')
      return made(type, { 'integration-key': secret('routingKey') })
    case 'signal':
      lost('username', 'password')
      return made(type, {
        'api-url': text('url'),
        number: text('from'),
        recipients: listOf(config.to).map(textOf),
      })
    case 'twilio': {
      const [to = '', ...others] = listOf(config.to).map(textOf)
      if (others.length > 0) note(`not in it: the recipients ${others.join(', ')}`)
      const sender = text('from') || text('messagingServiceSid')
      return made(type, { sid: text('accountSid'), token: secret('authToken'), from: sender, to })
    }
    case 'line':
      return made(type, {
        'channel-access-token': secret('channelAccessToken'),
        'user-ids': [text('to')],
      })
    case 'zulip':
      lost('topic')
      note('Gatus wants the number of the channel in channel-id: its name stands there')
      return made(type, {
        'bot-email': text('botEmail'),
        'bot-api-key': secret('apiKey'),
        domain: URL.parse(text('site'))?.host ?? text('site'),
        'channel-id': text('stream'),
      })
    case 'email':
      return made(type, lettersOf(channel, secrets))
    case 'webhook':
      return made('custom', webhookOf(channel, secrets))
    case 'webex':
      return made('custom', {
        url: 'https://webexapis.com/v1/messages',
        method: 'POST',
        headers: { Authorization: `Bearer ${secret('token')}`, ...jsonType },
        body: JSON.stringify({ roomId: text('roomId'), markdown: said }),
      })
    case 'splunk-oncall':
      return made('custom', {
        url: secret('url'),
        method: 'POST',
        headers: jsonType,
        body: JSON.stringify({
          message_type: stateText,
          entity_id: '[ENDPOINT_GROUP]/[ENDPOINT_NAME]',
          state_message: said,
        }),
        placeholders: states('CRITICAL', 'RECOVERY'),
      })
    case 'wecom':
    case 'dingtalk':
      if (isThere('secret')) return undefined
      return made('custom', {
        ...{ url: secret('webhookUrl'), method: 'POST', headers: jsonType },
        body: JSON.stringify({ msgtype: 'text', text: { content: said } }),
      })
    case 'feishu':
      if (isThere('secret')) return undefined
      return made('custom', {
        ...{ url: secret('webhookUrl'), method: 'POST', headers: jsonType },
        body: JSON.stringify({ msg_type: 'text', content: { text: said } }),
      })
    default:
      return undefined
  }
}

const jsonType = { 'Content-Type': 'application/json' }
const stateText = '[ALERT_TRIGGERED_OR_RESOLVED]'
const said = `${stateText}: [ENDPOINT_NAME] ([ENDPOINT_URL]) [RESULT_ERRORS]`

const states = (triggered: string, resolved: string) => ({
  ALERT_TRIGGERED_OR_RESOLVED: { TRIGGERED: triggered, RESOLVED: resolved },
})

function withoutEmpty(settings: Readonly<Record<string, unknown>>): ForeignFields {
  const isEmpty = (value: unknown) => value === '' || JSON.stringify(value) === '{}'
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)))
}

/** A channel without a server of its own sends through the one of the service, which the operator knows. */
function lettersOf(channel: OutgoingChannel, secrets: GatusVariables): ProviderSettings {
  const { config } = channel
  const server = URL.parse(textOf(config.server))
  const own = (name: string) => secrets.of(channel, name, name)
  const isTls = server?.protocol === 'smtps:'
  const hasPassword = channel.omitted.includes('password')
  return {
    from: textOf(config.from) || own('from'),
    to: listOf(config.to).map(textOf).join(','),
    host: server?.hostname || own('host'),
    port: Number(server?.port || 0) || (isTls ? 465 : 587),
    username: textOf(config.username),
    password: hasPassword ? secrets.of(channel, 'config/password', 'password') : '',
  }
}

/** The values of a message in the templates of webhooks, in the words of Gatus. */
const placeholders: Readonly<Record<string, string>> = {
  title: `${stateText}: [ENDPOINT_NAME]`,
  text: '[RESULT_ERRORS]',
  type: `incident.${stateText}`,
  'data.incident.title': '[ENDPOINT_NAME]',
  'data.incident.cause': '[RESULT_ERRORS]',
  'data.incident.details': '[RESULT_ERRORS]',
  'data.incident.state': stateText,
  'data.monitors.0.name': '[ENDPOINT_NAME]',
  'data.monitors.0.url': '[ENDPOINT_URL]',
}

const usualBody = JSON.stringify({
  type: `incident.${stateText}`,
  data: {
    incident: { title: '[ENDPOINT_NAME]', cause: '[RESULT_ERRORS]' },
    monitors: [{ name: '[ENDPOINT_NAME]', url: '[ENDPOINT_URL]' }],
  },
})

function webhookOf(channel: OutgoingChannel, secrets: GatusVariables): ProviderSettings {
  const { config, omitted, note } = channel
  const headers = omitted.flatMap((name) =>
    name.startsWith('headers/') ? [name.slice('headers/'.length)] : [],
  )
  const template = textOf(config.bodyTemplate)
  const unknown = new Set<string>()
  const filled = (text: string) =>
    text.replaceAll(/\{\{([^{}]{1,200})\}\}/g, (_, path: string) => {
      const known = placeholders[path.trim()]
      if (known === undefined) unknown.add(path.trim())
      return known ?? ''
    })
  const method = textOf(config.method) || 'POST'
  const [url, body] = [filled(textOf(config.url)), filled(template)]
  if (unknown.size > 0) note(`its template has what Gatus does not say: ${[...unknown].join(', ')}`)
  note('without signature (webhook-signature), ids and times; one request for each endpoint')
  return {
    url,
    method,
    headers: {
      ...(method === 'GET' ? {} : jsonType),
      ...fieldsOf(config.headers),
      ...Object.fromEntries(
        headers.map((name) => [name, secrets.of(channel, `config/headers/${name}`, name)]),
      ),
    },
    body: method === 'GET' ? '' : body || usualBody,
    placeholders: states('opened', 'resolved'),
  }
}
