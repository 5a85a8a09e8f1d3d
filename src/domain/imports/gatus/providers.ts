// The providers of alerts of Gatus that are channels of ours, setting by setting.
//
// https://github.com/TwiN/gatus/tree/master/alerting/provider
import { type ForeignFields, listOf, numberOf, textOf } from '../foreign.ts'
import type { AlertProvider } from './provider.ts'
import { requestProviders } from './request-providers.ts'

/** Undefined: nothing like it is here. `unmatched` says so. */
export function providerOf(type: string): AlertProvider | undefined {
  return Object.hasOwn(providers, type) ? providers[type] : undefined
}

const chat = (type: string) => renamed(type, { 'webhook-url': 'webhookUrl' })

const priority = { priority: 'outagePriority' } as const

const providers: Readonly<Record<string, AlertProvider>> = {
  slack: chat('slack'),
  discord: chat('discord'),
  googlechat: chat('googlechat'),
  mattermost: chat('mattermost'),
  rocketchat: chat('rocketchat'),
  'teams-workflows': chat('teams'),
  teams: {
    ...chat('teams'),
    offBecause:
      'Microsoft ended the connectors that its address belongs to: make a workflow, enter its ' +
      'address, and switch it on',
  },
  telegram: {
    needs: ['token', 'id'],
    takes: ['topic-id', 'api-url'],
    make: (config) => {
      const thread = numberOf(config['topic-id'])
      const apiUrl = textOf(config['api-url'])
      return [
        {
          type: 'telegram',
          config: {
            botToken: textOf(config.token),
            chatId: textOf(config.id),
            ...(thread === undefined ? {} : { messageThreadId: thread }),
            ...(apiUrl === '' ? {} : { apiUrl }),
          },
        },
      ]
    },
  },
  matrix: {
    needs: ['access-token', 'internal-room-id'],
    takes: ['server-url'],
    make: (config) => [
      {
        type: 'matrix',
        config: {
          homeserver: textOf(config['server-url']) || 'https://matrix-client.matrix.org',
          roomId: textOf(config['internal-room-id']),
          token: textOf(config['access-token']),
        },
      },
    ],
  },
  ntfy: renamed('ntfy', { topic: 'topic' }, { url: 'server', token: 'token', ...priority }),
  gotify: {
    ...renamed('gotify', { 'server-url': 'server', token: 'token' }, priority),
    hasNoGroups: true,
  },
  pushover: {
    needs: ['application-token', 'user-key'],
    takes: ['device', 'priority'],
    hasNoGroups: true,
    make: (config) => [
      {
        type: 'pushover',
        config: {
          appToken: textOf(config['application-token']),
          userKey: textOf(config['user-key']),
          outagePriority: numberOf(config.priority) ?? 0,
          ...(textOf(config.device) === '' ? {} : { device: textOf(config.device) }),
        },
      },
    ],
  },
  opsgenie: { ...renamed('opsgenie', { 'api-key': 'apiKey' }, priority), hasNoGroups: true },
  pagerduty: renamed('pagerduty', { 'integration-key': 'routingKey' }),
  signal: {
    needs: ['api-url', 'number', 'recipients'],
    make: (config) => [
      {
        type: 'signal',
        config: {
          url: textOf(config['api-url']).replace(/\/v2\/send$/, ''),
          from: textOf(config.number),
          to: listOf(config.recipients).map(textOf),
        },
      },
    ],
  },
  twilio: {
    needs: ['sid', 'token', 'from', 'to'],
    hasNoGroups: true,
    make: (config) => [
      {
        type: 'twilio',
        config: {
          accountSid: textOf(config.sid),
          authToken: textOf(config.token),
          from: textOf(config.from),
          to: [textOf(config.to)],
        },
      },
    ],
  },
  line: {
    needs: ['channel-access-token', 'user-ids'],
    make: (config) =>
      listOf(config['user-ids']).map((user) => ({
        type: 'line',
        part: textOf(user),
        config: { channelAccessToken: textOf(config['channel-access-token']), to: textOf(user) },
      })),
  },
  zulip: {
    needs: ['bot-email', 'bot-api-key', 'domain', 'channel-id'],
    make: (config) => [
      {
        type: 'zulip',
        config: {
          site: `https://${textOf(config.domain)}`,
          botEmail: textOf(config['bot-email']),
          apiKey: textOf(config['bot-api-key']),
          stream: textOf(config['channel-id']),
          topic: 'Gatus',
        },
      },
    ],
  },
  email: {
    needs: ['from', 'to', 'host', 'port'],
    takes: ['username', 'password'],
    make: (config) => {
      const port = textOf(config.port)
      const server = `${port === '465' ? 'smtps' : 'smtp'}://${textOf(config.host)}:${port}`
      return [letters(config, server, textOf(config.username) || textOf(config.from))]
    },
  },
  // https://www.twilio.com/docs/sendgrid/for-developers/sending-email/integrating-with-the-smtp-api
  sendgrid: {
    needs: ['api-key', 'from', 'to'],
    differs: 'its letters go over SMTP (smtp.sendgrid.net), not over its HTTP interface',
    make: (config) => [
      letters({ ...config, password: config['api-key'] }, 'smtp://smtp.sendgrid.net:587', 'apikey'),
    ],
  },
  ...requestProviders,
}

/** Gatus signs in only with a password. */
function letters(config: ForeignFields, server: string, username: string) {
  const password = textOf(config.password)
  const to = textOf(config.to)
    .split(',')
    .map((one) => one.trim())
  const login = password === '' ? {} : { username, password }
  return {
    type: 'email',
    config: {
      to: [...new Set(to.filter((one) => one !== ''))],
      server,
      from: textOf(config.from),
      ...login,
    },
  }
}

/** Each setting under the name that it has here. */
function renamed(
  type: string,
  required: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
): AlertProvider {
  const names = Object.entries({ ...required, ...optional })
  return {
    needs: Object.keys(required),
    takes: Object.keys(optional),
    make: (config) => {
      const given = names.filter(([setting]) => textOf(config[setting]) !== '')
      const fields = given.map(([setting, field]) => [
        field,
        (field === priority.priority ? numberOf(config[setting]) : undefined) ??
          textOf(config[setting]),
      ])
      return [{ type, config: Object.fromEntries(fields) }]
    },
  }
}

/** What to do about alerts that no channel of ours sends. */
export function unmatched(type: string): string {
  return Object.hasOwn(hints, type)
    ? `${hints[type]}`
    : 'stillup knows no such provider: choose a channel of another kind'
}

const hints: Readonly<Record<string, string>> = {
  'aws-ses':
    'SES takes letters by SMTP with a user name of its own: make an e-mail channel with it',
  clickup: 'tasks of ClickUp are opened and closed by several requests: no channel makes them',
  gitea: 'issues are opened and closed by several requests: no channel makes them',
  github: 'issues are opened and closed by several requests: no channel makes them',
  ilert: 'its integration takes the form of Gatus alone: use an e-mail integration of ilert',
  vonage: 'it takes forms, and webhooks send JSON: choose another channel, such as Twilio',
}
