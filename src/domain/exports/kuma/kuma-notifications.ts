// Our channels as notifications of Uptime Kuma, without their secrets.
//
// https://github.com/louislam/uptime-kuma/tree/1.23.17/server/notification-providers
import { type ForeignFields, listOf, numberOf, textOf } from '../../imports/foreign.ts'
import type { OutgoingChannel } from '../outgoing.ts'

interface KumaForm {
  readonly type: string
  readonly fields: ForeignFields
  /** The fields there for secrets of ours. */
  readonly secrets: Readonly<Record<string, string>>
  /** What it has no field for. */
  readonly lost?: readonly string[]
}

/** Undefined, with a note, if Kuma has nothing like it. */
export function kumaNotificationOf(
  channel: OutgoingChannel,
  id: number,
): ForeignFields | undefined {
  const form = formOf(channel)
  if (form === undefined) {
    channel.note(`left out: Kuma has nothing like ${channel.type}`)
    return undefined
  }
  const { type, fields, secrets, lost = [] } = form
  const entered = channel.omitted.flatMap((name) => secrets[name] ?? [])
  if (entered.length > 0) channel.note(`enter there: ${entered.join(', ')}`)
  const others = lost.filter((name) => name in channel.config || channel.omitted.includes(name))
  if (others.length > 0) channel.note(`not in it: ${others.join(', ')}`)
  if (!channel.isActive) channel.note('it is switched off here, and is not there')
  const empty = Object.fromEntries(entered.map((name) => [name, '']))
  const config = {
    name: channel.name,
    type,
    isDefault: channel.isDefault,
    applyExisting: false,
    ...fields,
    ...empty,
  }
  return {
    id,
    name: channel.name,
    active: true,
    isDefault: channel.isDefault,
    config: JSON.stringify(config),
  }
}

function formOf(channel: OutgoingChannel): KumaForm | undefined {
  const { config, tellsEnds } = channel
  const text = (name: string) => textOf(config[name])
  const hook = (type: string, name: string): KumaForm => ({
    type,
    fields: {},
    secrets: { webhookUrl: name },
  })
  switch (channel.type) {
    case 'slack':
      return hook('slack', 'slackwebhookURL')
    case 'discord':
      return hook('discord', 'discordWebhookUrl')
    case 'teams':
      return hook('teams', 'webhookUrl')
    case 'googlechat':
      return hook('GoogleChat', 'googleChatWebhookURL')
    case 'mattermost':
      return hook('mattermost', 'mattermostWebhookUrl')
    case 'rocketchat':
      return hook('rocket.chat', 'rocketwebhookURL')
    case 'feishu':
      return { ...hook('Feishu', 'feishuWebHookUrl'), lost: ['secret'] }
    case 'dingtalk':
      return {
        type: 'DingDing',
        fields: {},
        secrets: { webhookUrl: 'webHookUrl', secret: 'secretKey' },
      }
    case 'wecom':
      return hook('WeCom', 'weComBotKey')
    case 'telegram':
      return {
        type: 'telegram',
        fields: {
          telegramChatID: text('chatId'),
          ...(text('messageThreadId') === ''
            ? {}
            : { telegramMessageThreadID: text('messageThreadId') }),
          ...(text('apiUrl') === '' ? {} : { telegramServerUrl: text('apiUrl') }),
        },
        secrets: { botToken: 'telegramBotToken' },
      }
    case 'email':
      return lettersOf(channel)
    case 'pushover':
      return {
        type: 'pushover',
        fields: {
          pushoverdevice: text('device'),
          pushoverpriority: text('outagePriority') || '1',
          pushoversounds: 'pushover',
        },
        secrets: { userKey: 'pushoveruserkey', appToken: 'pushoverapptoken' },
      }
    case 'gotify':
      return {
        type: 'gotify',
        fields: {
          gotifyserverurl: text('server'),
          gotifyPriority: numberOf(config.outagePriority) || 8,
        },
        secrets: { token: 'gotifyapplicationToken' },
      }
    case 'ntfy':
      return ntfyOf(channel)
    case 'pagerduty':
      return {
        type: 'PagerDuty',
        fields: {
          pagerdutyIntegrationUrl: text('url') || 'https://events.pagerduty.com/v2/enqueue',
          pagerdutyPriority: 'critical',
          pagerdutyAutoResolve: tellsEnds ? 'resolve' : '0',
        },
        secrets: { routingKey: 'pagerdutyIntegrationKey' },
      }
    case 'splunk-oncall':
      return {
        type: 'Splunk',
        fields: { splunkSeverity: 'CRITICAL', splunkAutoResolve: tellsEnds ? 'RECOVERY' : '0' },
        secrets: { url: 'splunkRestURL' },
      }
    case 'opsgenie':
      return {
        type: 'Opsgenie',
        fields: {
          opsgenieRegion: text('region') === 'eu' ? 'eu' : 'us',
          opsgeniePriority: Number(text('outagePriority').slice(1)) || 1,
        },
        secrets: { apiKey: 'opsgenieApiKey' },
      }
    case 'matrix':
      return {
        type: 'matrix',
        fields: { homeserverUrl: text('homeserver'), internalRoomId: text('roomId') },
        secrets: { token: 'accessToken' },
      }
    case 'signal':
      return {
        type: 'signal',
        fields: {
          signalURL: `${text('url').replace(/\/$/, '')}/v2/send`,
          signalNumber: text('from'),
          signalRecipients: listOf(config.to).map(textOf).join(','),
        },
        secrets: {},
        lost: ['username', 'password'],
      }
    case 'twilio': {
      const [first = '', ...others] = listOf(config.to).map(textOf)
      if (others.length > 0) channel.note(`not in it: the recipients ${others.join(', ')}`)
      return {
        type: 'twilio',
        fields: {
          twilioAccountSID: text('accountSid'),
          twilioFromNumber: text('from'),
          twilioToNumber: first,
        },
        secrets: { authToken: 'twilioAuthToken' },
        lost: ['messagingServiceSid'],
      }
    }
    case 'line':
      return {
        type: 'line',
        fields: { lineUserID: text('to') },
        secrets: { channelAccessToken: 'lineChannelAccessToken' },
      }
    case 'webhook':
      channel.note('Kuma sends a body of its own, without signature')
      if (channel.omitted.some((name) => name.startsWith('headers/'))) {
        channel.note(`enter there in webhookAdditionalHeaders: ${headersOf(channel).join(', ')}`)
      }
      return {
        type: 'webhook',
        fields: { webhookURL: text('url'), webhookContentType: 'json' },
        secrets: {},
        lost: ['bodyTemplate', 'format', 'method'],
      }
    default:
      return undefined
  }
}

function headersOf({ omitted }: OutgoingChannel): readonly string[] {
  return omitted.flatMap((name) =>
    name.startsWith('headers/') ? [name.slice('headers/'.length)] : [],
  )
}

/** A channel without a server of its own sends through the one of the service, which the operator knows. */
function lettersOf({ config, note }: OutgoingChannel): KumaForm {
  const server = URL.parse(textOf(config.server))
  if (!server) note('enter there: smtpHost, smtpFrom')
  const isTls = server?.protocol === 'smtps:'
  return {
    type: 'smtp',
    fields: {
      smtpHost: server?.hostname ?? '',
      smtpPort: Number(server?.port || 0) || (isTls ? 465 : 587),
      smtpSecure: isTls,
      smtpUsername: textOf(config.username),
      smtpFrom: textOf(config.from),
      smtpTo: listOf(config.to).map(textOf).join(','),
    },
    secrets: { password: 'smtpPassword' },
  }
}

function ntfyOf({ config, omitted }: OutgoingChannel): KumaForm {
  const username = textOf(config.username)
  const way =
    username !== '' ? 'usernamePassword' : omitted.includes('token') ? 'accessToken' : 'none'
  return {
    type: 'ntfy',
    fields: {
      ntfyserverurl: textOf(config.server) || 'https://ntfy.sh',
      ntfyPriority: 4,
      ntfyPriorityDown: numberOf(config.outagePriority) ?? 4,
      ntfyAuthenticationMethod: way,
      ...(username === '' ? {} : { ntfyusername: username }),
    },
    secrets: { topic: 'ntfytopic', token: 'ntfyaccesstoken', password: 'ntfypassword' },
  }
}
