// The services that Uptime Kuma notifies by one HTTP request that a webhook can make in the same way.
//
// The requests: server/notification-providers of louislam/uptime-kuma. Only credentials that are sent in a
// header, or are part of the service's own address, are taken over: a body template is no secret.
import { type ForeignFields, fieldsOf, flagOf, type Note, numberOf, textOf } from '../../foreign.ts'
import { liquidBody } from './kuma-liquid.ts'
import {
  given,
  isSet,
  type KumaMade,
  type KumaProvider,
  part,
  setIn,
  templateIn,
  unless,
} from './kuma-provider.ts'
import {
  cause,
  embed,
  ended,
  incidentKey,
  jsonTemplate,
  kumaBody,
  kumaParts,
  kumaQuery,
  line,
  raw,
  resource,
  statusNumber,
  urlTemplate,
  words,
} from './kuma-words.ts'

/** The news that Kuma sends; each by itself, because the templates name one incident. */
const kumaEvents = [
  'incident.opened',
  'incident.reminder',
  'incident.resolved',
  'certificate.expiring',
  'domain.expiring',
]

const silentRefusals =
  'that it looks into the answer: what the service refuses with status 200 counts as sent'

interface HookRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object | string
}

type Lost = NonNullable<KumaProvider['lost']>

/** A provider that posts JSON. */
function posts(
  title: string,
  request: (settings: ForeignFields, note: Note) => HookRequest,
  lost?: Lost,
): KumaProvider {
  return {
    title,
    made: (settings, note) => posted(request(settings, note)),
    ...(lost === undefined ? {} : { lost }),
  }
}

export function posted({ url, headers = {}, body }: HookRequest): KumaMade {
  const hasHeaders = Object.keys(headers).length > 0
  return {
    type: 'webhook',
    config: {
      url,
      ...(hasHeaders ? { headers } : {}),
      bodyTemplate: typeof body === 'string' ? body : jsonTemplate(body),
    },
    events: kumaEvents,
  }
}

function asked(url: string): KumaMade {
  return { type: 'webhook', config: { url, method: 'GET' }, events: kumaEvents }
}

const bearer = (token: unknown) => ({ Authorization: `Bearer ${textOf(token)}` })

function basic(user: unknown, password: unknown) {
  const pair = Buffer.from(`${textOf(user)}:${textOf(password)}`).toString('base64')
  return { Authorization: `Basic ${pair}` }
}

const withoutSlash = (url: unknown) => textOf(url).replace(/\/$/, '')
const listed = (value: unknown, separators: RegExp) =>
  textOf(value)
    .split(separators)
    .map((one) => one.trim())
    .filter((one) => one !== '')
/** The first of several receivers, for each of whom Kuma sends a request. */
function firstOf(receivers: readonly string[], note: Note): string {
  if (receivers.length > 1) note('its other receivers: create a channel for each')
  return receivers[0] ?? ''
}
const asAddresses = (value: unknown) => listed(value, /,/).map((email) => ({ email }))

/** The subject that somebody wrote, or what happened. */
function subjectOf(value: unknown): string {
  const subject = textOf(value)
  return subject === '' || subject === 'Notification from Your Uptime Kuma' ? '{{title}}' : subject
}

/** A field that is left out if nobody set it. */
function optional(name: string, value: unknown): ForeignFields {
  return isSet(value) ? { [name]: value } : {}
}

const hooks: Readonly<Record<string, KumaProvider>> = {
  webhook: { title: 'Webhook', made: webhookOf },

  alerta: posts('Alerta', (s) => ({
    url: textOf(s.alertaApiEndpoint),
    headers: { Authorization: `Key ${textOf(s.alertaApiKey)}` },
    body: {
      environment: textOf(s.alertaEnvironment),
      severity: ended(textOf(s.alertaRecoverState), textOf(s.alertaAlertState)),
      correlate: ['service_up', 'service_down'],
      service: ['stillup'],
      event: 'availability',
      group: 'stillup',
      resource,
      text: words,
      value: cause,
      tags: ['stillup'],
      origin: 'stillup',
      type: 'exceptionAlert',
    },
  })),

  AlertNow: posts('AlertNow', (s) => ({
    url: textOf(s.alertNowWebhookURL),
    body: {
      summary: line,
      status: ended('close', 'open'),
      event_type: ended('INFO', 'ERROR'),
      event_id: incidentKey,
    },
  })),

  bale: posts('Bale', (s) => ({
    url: `https://tapi.bale.ai/bot${textOf(s.baleBotToken)}/sendMessage`,
    body: { chat_id: textOf(s.baleChatID), text: words },
  })),

  Bark: {
    title: 'Bark',
    made: (s) => {
      const endpoint = withoutSlash(s.barkEndpoint)
      const [group, sound] = [given(s.barkGroup) ?? 'stillup', given(s.barkSound) ?? 'telegraph']
      if (textOf(s.apiVersion) === 'v2') {
        const body = { title: '{{title}}', body: '{{text}}', sound, group }
        return posted({ url: endpoint, body })
      }
      const query = new URLSearchParams({ group, sound })
      return asked(`${endpoint}/{{title}}/{{text}}?${query}`)
    },
  },

  Bitrix24: {
    title: 'Bitrix24',
    made: (s) =>
      asked(
        `${textOf(s.bitrix24WebhookURL)}/im.notify.system.add.json?user_id=${part(s.bitrix24UserID)}&message=${urlTemplate(words)}`,
      ),
  },

  Brevo: posts('Brevo', (s) => ({
    url: 'https://api.brevo.com/v3/smtp/email',
    headers: { 'api-key': textOf(s.brevoApiKey) },
    body: {
      sender: { email: textOf(s.brevoFromEmail), name: given(s.brevoFromName) ?? 'stillup' },
      to: [{ email: textOf(s.brevoToEmail) }],
      ...(isSet(s.brevoCcEmail) ? { cc: asAddresses(s.brevoCcEmail) } : {}),
      ...(isSet(s.brevoBccEmail) ? { bcc: asAddresses(s.brevoBccEmail) } : {}),
      subject: subjectOf(s.brevoSubject),
      textContent: words,
    },
  })),

  CallMeBot: {
    title: 'CallMeBot',
    made: (s) => {
      const url = textOf(s.callMeBotEndpoint)
      return asked(`${url}${url.includes('?') ? '&' : '?'}text=${urlTemplate(line)}`)
    },
  },

  clicksendsms: posts(
    'ClickSend SMS',
    (s) => ({
      url: 'https://rest.clicksend.com/v3/sms/send',
      headers: basic(s.clicksendsmsLogin, s.clicksendsmsPassword),
      body: {
        messages: [
          {
            body: '{{title}}',
            to: textOf(s.clicksendsmsToNumber),
            source: 'stillup',
            ...optional('from', s.clicksendsmsSenderName),
          },
        ],
      },
    }),
    () => [silentRefusals],
  ),

  ClickUp: posts(
    'ClickUp',
    (s) => ({
      url: `https://api.clickup.com/api/v3/workspaces/${part(s.clickupWorkspaceId)}/chat/channels/${part(s.clickupChannelId)}/messages`,
      headers: { Authorization: textOf(s.clickupToken) },
      body: { type: 'message', content: words, content_format: 'text/md' },
    }),
    (s) => setIn(s, { clickupDisableUrl: 'that it leaves the address out' }),
  ),

  evolution: posts(
    'WhatsApp (Evolution)',
    (s) => ({
      url: `${withoutSlash(given(s.evolutionApiUrl) ?? 'https://evolapicloud.com')}/message/sendText/${part(s.evolutionInstanceName)}`,
      headers: { apikey: textOf(s.evolutionAuthToken) },
      body: { number: textOf(s.evolutionRecipient), text: words },
    }),
    (s) => templateIn(s.evolutionUseCustomMessage, s.evolutionCustomMessage),
  ),

  FlashDuty: posts('FlashDuty', (s) => {
    const key = textOf(s.flashdutyIntegrationKey)
    return {
      url: key.startsWith('http')
        ? key
        : `https://api.flashcat.cloud/event/push/alert/standard?integration_key=${part(key)}`,
      body: {
        title: '{{title}}',
        description: words,
        event_status: ended('Ok', given(s.flashdutySeverity) ?? 'Info'),
        alert_key: incidentKey,
        labels: { check: resource, resource: '{{data.monitors.0.url}}' },
      },
    }
  }),

  Flowtriq: posts('Flowtriq', (s) => ({
    url: textOf(s.flowtriqWebhookUrl),
    ...(isSet(s.flowtriqApiKey) ? { headers: { 'X-API-Key': textOf(s.flowtriqApiKey) } } : {}),
    body: {
      source: 'uptime-kuma',
      status: ended('up', 'down'),
      monitor: resource,
      msg: words,
      heartbeat: raw(kumaParts.heartbeat),
      monitorInfo: raw(kumaParts.monitor),
    },
  })),

  fluxer: posts(
    'Fluxer',
    (s) => ({
      url: textOf(s.fluxerWebhookUrl),
      body: { ...optional('username', s.fluxerUsername), embeds: [embed] },
    }),
    (s) => [
      ...setIn(s, {
        fluxerPrefixMessage: 'the text before its messages',
        disableUrl: 'that it leaves the address out',
      }),
      ...unless(['normal', 'custom'], s.fluxerMessageFormat, 'its short form'),
      ...templateIn(
        s.fluxerMessageFormat === 'custom' ||
          (!isSet(s.fluxerMessageFormat) && flagOf(s.fluxerUseMessageTemplate)),
        s.fluxerMessageTemplate,
      ),
    ],
  ),

  GoAlert: posts('GoAlert', (s) => ({
    url: `${withoutSlash(s.goAlertBaseURL)}/api/v2/generic/incoming?token=${part(s.goAlertToken)}`,
    body: {
      summary: '{{title}}',
      details: '{{text}}',
      dedup: incidentKey,
      action: ended('close', ''),
    },
  })),

  gorush: posts('Gorush', (s) => ({
    url: `${withoutSlash(s.gorushServerURL)}/api/push`,
    body: {
      notifications: [
        {
          tokens: [textOf(s.gorushDeviceToken)],
          platform: platforms[textOf(s.gorushPlatform)],
          message: words,
          ...optional('title', s.gorushTitle),
          ...optional('priority', s.gorushPriority),
          retry: numberOf(s.gorushRetry) ?? 0,
          ...optional('topic', s.gorushTopic),
        },
      ],
    },
  })),

  GrafanaOncall: posts('Grafana OnCall', (s) => ({
    url: textOf(s.GrafanaOncallURL),
    body: {
      alert_uid: incidentKey,
      title: '{{title}}',
      message: '{{text}}',
      state: ended('ok', 'alerting'),
    },
  })),

  HaloPSA: posts('HaloPSA', (s) => ({
    url: textOf(s.halowebhookurl),
    ...(isSet(s.haloUsername) && isSet(s.haloPassword)
      ? { headers: basic(s.haloUsername, s.haloPassword) }
      : {}),
    body: {
      title: '{{title}}',
      status: ended('UP', 'DOWN'),
      monitor: resource,
      monitor_id: '{{data.monitors.0.id}}',
      message: '{{text}}',
      timestamp: '{{timestamp}}',
    },
  })),

  HeiiOnCall: posts('Heii On-Call', (s) => ({
    url: `https://heiioncall.com/triggers/${part(s.heiiOnCallTriggerId)}/${ended('resolve', 'alert')}`,
    headers: bearer(s.heiiOnCallApiKey),
    body: { msg: words, status: statusNumber },
  })),

  HomeAssistant: posts('Home Assistant', (s) => {
    const service = given(s.notificationService) ?? 'notify'
    const data = { name: resource, status: statusNumber, channel: 'Uptime Kuma' }
    return {
      url: `${withoutSlash(s.homeAssistantUrl)}/api/services/notify/${part(service)}`,
      headers: bearer(s.longLivedAccessToken),
      body: {
        title: '{{title}}',
        message: '{{text}}',
        ...(service === 'persistent_notification' ? {} : { data }),
      },
    }
  }),

  Keep: posts('Keep', (s) => ({
    url: `${withoutSlash(s.webhookURL)}/alerts/event/uptimekuma`,
    headers: { 'x-api-key': textOf(s.webhookAPIKey) },
    body: kumaBody,
  })),

  Kook: posts('Kook', (s) => ({
    url: 'https://www.kookapp.cn/api/v3/message/create',
    headers: { Authorization: `Bot ${textOf(s.kookBotToken)}` },
    body: { target_id: textOf(s.kookGuildID), content: words },
  })),

  lunasea: posts('LunaSea', (s) => ({
    url:
      s.lunaseaTarget === 'user'
        ? `https://notify.lunasea.app/v1/custom/user/${part(s.lunaseaUserID)}`
        : `https://notify.lunasea.app/v1/custom/device/${part(s.lunaseaDevice)}`,
    body: { title: '{{title}}', body: '{{text}}' },
  })),

  max: posts(
    'MAX',
    (s) => ({
      url: `${withoutSlash(given(s.maxApiUrl) ?? 'https://platform-api.max.ru')}/messages?chat_id=${part(s.maxChatID)}`,
      headers: { Authorization: textOf(s.maxBotToken) },
      body: { text: words },
    }),
    (s) => templateIn(s.maxUseTemplate, s.maxTemplate),
  ),

  Milky: posts('Milky (QQ)', (s) => {
    const isGroup = s.msgType === 'group'
    const base = withScheme(s.httpAddr)
    return {
      url: `${base}${base.endsWith('/') ? '' : '/api/'}${isGroup ? 'send_group_message' : 'send_private_message'}`,
      headers: bearer(s.accessToken),
      body: {
        message: [{ type: 'text', data: { text: words } }],
        [isGroup ? 'group_id' : 'user_id']: textOf(s.recieverId),
      },
    }
  }),

  notifery: posts('Notifery', (s) => ({
    url: 'https://api.notifery.com/event',
    headers: { 'x-api-key': textOf(s.notiferyApiKey) },
    body: {
      title: given(s.notiferyTitle) ?? '{{title}}',
      message: words,
      ...optional('group', s.notiferyGroup),
      code: raw(ended('0', '1')),
    },
  })),

  octopush: {
    title: 'Octopush',
    made: (s) => {
      if (textOf(s.octopushVersion) === '1') return 'its version 1 has the key in the body'
      return posted({
        url: 'https://api.octopush.com/v1/public/sms-campaign/send',
        headers: { 'api-key': textOf(s.octopushAPIKey), 'api-login': textOf(s.octopushLogin) },
        body: {
          recipients: [{ phone_number: textOf(s.octopushPhoneNumber) }],
          text: '{{title}}',
          ...optional('type', s.octopushSMSType),
          purpose: 'alert',
          ...optional('sender', s.octopushSenderName),
        },
      })
    },
  },

  OneBot: posts('OneBot', (s) => {
    const isGroup = s.msgType === 'group'
    const base = withScheme(s.httpAddr)
    return {
      url: `${base}${base.endsWith('/') ? '' : '/'}send_msg`,
      headers: bearer(s.accessToken),
      body: {
        auto_escape: true,
        message: words,
        message_type: isGroup ? 'group' : 'private',
        [isGroup ? 'group_id' : 'user_id']: textOf(s.recieverId),
      },
    }
  }),

  OneChat: posts('OneChat', (s) => ({
    url: 'https://chat-api.one.th/message/api/v1/push_message',
    headers: bearer(s.accessToken),
    body: { to: textOf(s.recieverId), bot_id: textOf(s.botId), type: 'text', message: words },
  })),

  Onesender: posts('Onesender', (s) => {
    const isPrivate = s.onesenderTypeReceiver === 'private'
    return {
      url: textOf(s.onesenderURL),
      headers: bearer(s.onesenderToken),
      body: {
        to: `${textOf(s.onesenderReceiver)}@${isPrivate ? 's.whatsapp.net' : 'g.us'}`,
        type: 'text',
        recipient_type: isPrivate ? 'individual' : 'group',
        text: { body: words },
      },
    }
  }),

  openwa: posts(
    'WhatsApp (OpenWA)',
    (s, note) => ({
      url: `${withoutSlash(s.openwaApiUrl)}/api/sessions/${part(s.openwaSession)}/messages/send-text`,
      headers: { 'X-Api-Key': textOf(s.openwaApiKey) },
      body: { chatId: firstOf(listed(s.openwaChatId, /,/), note), text: words },
    }),
    (s) => templateIn(s.openwaUseCustomMessage, s.openwaCustomMessage),
  ),

  PagerTree: {
    title: 'PagerTree',
    made: (s) => ({
      ...posted({
        url: textOf(s.pagertreeIntegrationUrl),
        body: {
          event_type: ended('resolve', 'create'),
          id: incidentKey,
          title: '{{title}}',
          description: '{{text}}',
          ...optional('urgency', s.pagertreeUrgency),
        },
      }),
      ...(s.pagertreeAutoResolve === 'resolve' ? {} : { events: kumaEvents.filter(isNoEnd) }),
    }),
  },

  pinglet: posts('Pinglet', (s) => ({
    url: `${withoutSlash(s.pingletPublishUrl)}?rewrite=uptimekuma`,
    headers: bearer(s.pingletApiKey),
    body: kumaBody,
  })),

  plivo: {
    title: 'Plivo',
    made: (s) => {
      if (s.plivoMessageType === 'call') return 'a call needs a text of its own at another address'
      return posted({
        url: `https://api.plivo.com/v1/Account/${part(s.plivoAuthID)}/Message/`,
        headers: basic(s.plivoAuthID, s.plivoAuthToken),
        body: {
          src: textOf(s.plivoFromNumber),
          dst: textOf(s.plivoToNumber),
          text: '{{title}}',
        },
      })
    },
  },

  promosms: posts(
    'PromoSMS',
    (s) => ({
      url: 'https://promosms.com/api/rest/v3_2/sms',
      headers: basic(s.promosmsLogin, s.promosmsPassword),
      body: {
        recipients: [textOf(s.promosmsPhoneNumber)],
        text: '{{title}}',
        'long-sms': flagOf(s.promosmsAllowLongSMS),
        type: numberOf(s.promosmsSMSType) ?? 0,
        ...optional('sender', s.promosmsSenderName),
      },
    }),
    () => [silentRefusals],
  ),

  pumble: posts('Pumble', (s) => ({
    url: textOf(s.webhookURL),
    body: {
      attachments: [{ title: '{{title}}', text: '{{text}}', color: ended('#5BDD8B', '#DC3645') }],
    },
  })),

  pushbullet: posts('Pushbullet', (s) => ({
    url: 'https://api.pushbullet.com/v2/pushes',
    headers: { 'Access-Token': textOf(s.pushbulletAccessToken) },
    body: { type: 'note', title: line, body: '{{text}}' },
  })),

  PushByTechulus: posts('Push by Techulus', (s) => ({
    url: `https://push.techulus.com/api/v1/notify/${part(s.pushAPIKey)}`,
    body: {
      title: ['', 'Uptime-Kuma'].includes(textOf(s.pushTitle)) ? '{{title}}' : textOf(s.pushTitle),
      body: words,
      timeSensitive: s.pushTimeSensitive === undefined || flagOf(s.pushTimeSensitive),
      ...optional('channel', s.pushChannel),
      ...optional('sound', s.pushSound),
    },
  })),

  Resend: posts('Resend', (s) => ({
    url: 'https://api.resend.com/emails',
    headers: bearer(s.resendApiKey),
    body: {
      from: `${given(s.resendFromName) ?? 'stillup'} <${textOf(s.resendFromEmail)}>`,
      to: textOf(s.resendToEmail),
      subject: subjectOf(s.resendSubject),
      text: words,
    },
  })),

  SendGrid: posts('SendGrid', (s) => ({
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: bearer(s.sendgridApiKey),
    body: {
      personalizations: [
        {
          to: [{ email: textOf(s.sendgridToEmail) }],
          ...(isSet(s.sendgridCcEmail) ? { cc: asAddresses(s.sendgridCcEmail) } : {}),
          ...(isSet(s.sendgridBccEmail) ? { bcc: asAddresses(s.sendgridBccEmail) } : {}),
        },
      ],
      from: { email: textOf(s.sendgridFromEmail) },
      subject: subjectOf(s.sendgridSubject),
      content: [{ type: 'text/plain', value: words }],
    },
  })),

  ServerChan: posts('ServerChan', (s) => {
    const key = textOf(s.serverChanSendKey)
    const [, host] = /^sctp(\d+)t/i.exec(key) ?? []
    return {
      url: host
        ? `https://${host}.push.ft07.com/send/${part(key)}.send`
        : `https://sctapi.ftqq.com/${part(key)}.send`,
      body: { title: '{{title}}', desp: words },
    }
  }),

  SevenIO: posts('seven.io', (s) => ({
    url: 'https://gateway.seven.io/api/sms',
    headers: { 'X-API-Key': textOf(s.sevenioApiKey) },
    body: {
      to: textOf(s.sevenioReceiver),
      from: given(s.sevenioSender) ?? 'stillup',
      text: '{{title}}',
    },
  })),

  SIGNL4: posts('SIGNL4', (s) => ({
    url: textOf(s.webhookURL),
    body: {
      title: '{{title}}',
      message: '{{text}}',
      'X-S4-SourceSystem': 'stillup',
      'X-S4-ExternalID': incidentKey,
      'X-S4-Status': ended('resolved', 'new'),
      monitorUrl: '{{data.monitors.0.url}}',
    },
  })),

  SMSEagle: {
    title: 'SMSEagle',
    made: (s) => {
      if (s.smseagleApiType !== 'smseagle-apiv2') return 'its version 1 has the token in the query'
      const isSms = ['', 'smseagle-sms'].includes(textOf(s.smseagleMsgType))
      if (!isSms) return 'calls have no equivalent'
      const numbers = (value: unknown) => listed(value, /,/).flatMap((id) => numberOf(id) ?? [])
      return posted({
        url: `${withoutSlash(s.smseagleUrl)}/api/v2/messages/sms`,
        headers: { 'access-token': textOf(s.smseagleToken) },
        body: {
          text: '{{title}}',
          encoding: flagOf(s.smseagleEncoding) ? 'unicode' : 'standard',
          priority: numberOf(s.smseaglePriority) ?? 0,
          ...optional('contacts', numbers(s.smseagleRecipientContact)),
          ...optional('groups', numbers(s.smseagleRecipientGroup)),
          ...optional('to', listed(s.smseagleRecipientTo, /,/)),
        },
      })
    },
    lost: (s) => (s.smseagleApiType === 'smseagle-apiv2' ? [silentRefusals] : []),
  },

  SMSGateway: posts(
    'SMS Gateway',
    (s, note) => ({
      url: `${textOf(s.smsgatewayUrl).replace(/\/$/, '')}/api/v1/sms/send`,
      headers: { 'X-API-Key': textOf(s.smsgatewayApiKey) },
      body: { to: firstOf(listed(s.smsgatewayTo, /,/), note), body: '{{title}}' },
    }),
    () => [silentRefusals],
  ),

  SpugPush: posts('SpugPush', (s) => ({
    url: `https://push.spug.cc/send/${part(s.templateKey)}`,
    body: { title: '{{title}}', content: words },
  })),

  squadcast: posts('Squadcast', (s) => ({
    url: textOf(s.squadcastWebhookURL),
    body: {
      message: '{{title}}',
      description: '{{text}}',
      tags: {},
      source: 'uptime-kuma',
      event_id: incidentKey,
      status: ended('resolve', 'trigger'),
      heartbeat: raw(kumaParts.heartbeat),
    },
  })),

  stackfield: posts('Stackfield', (s) => ({
    url: textOf(s.stackfieldwebhookURL),
    body: { Title: words },
  })),

  telnyx: posts('Telnyx', (s) => ({
    url: 'https://api.telnyx.com/v2/messages',
    headers: bearer(s.telnyxApiKey),
    body: {
      from: textOf(s.telnyxPhoneNumber),
      to: textOf(s.telnyxToNumber),
      text: '{{title}}',
      ...optional('messaging_profile_id', s.telnyxMessagingProfileId),
    },
  })),

  TurboSMTP: posts('TurboSMTP', (s) => ({
    url: `https://${s.turbosmtpRegion === 'eu' ? 'api.eu' : 'api'}.turbo-smtp.com/api/v2/mail/send`,
    headers: {
      consumerKey: textOf(s.turbosmtpConsumerKey),
      consumerSecret: textOf(s.turbosmtpConsumerSecret),
    },
    body: {
      from: textOf(s.turbosmtpFromEmail),
      to: textOf(s.turbosmtpToEmail),
      ...optional('cc', listed(s.turbosmtpCcEmail, /,/).join(',')),
      ...optional('bcc', listed(s.turbosmtpBccEmail, /,/).join(',')),
      subject: subjectOf(s.turbosmtpSubject),
      content: words,
    },
  })),

  waha: posts('WhatsApp (WAHA)', (s) => ({
    url: `${withoutSlash(s.wahaApiUrl)}/api/sendText`,
    headers: { 'X-Api-Key': textOf(s.wahaApiKey) },
    body: { session: textOf(s.wahaSession), chatId: textOf(s.wahaChatId), text: words },
  })),

  whapi: posts('WhatsApp (Whapi)', (s) => ({
    url: `${withoutSlash(given(s.whapiApiUrl) ?? 'https://gate.whapi.cloud')}/messages/text`,
    headers: bearer(s.whapiAuthToken),
    body: { to: textOf(s.whapiRecipient), body: words },
  })),

  Whatsapp360messenger: posts(
    'WhatsApp (360messenger)',
    (s, note) => {
      const groups = groupsOf(s.Whatsapp360messengerGroupIds, s.Whatsapp360messengerGroupId)
      const people = listed(s.Whatsapp360messengerRecipient, /[;,]/)
      const [first = '', ...others] = [...people, ...groups]
      firstOf([first, ...others], note)
      const isPerson = people.length > 0
      return {
        url: `https://api.360messenger.com/v2/${isPerson ? 'sendMessage' : 'sendGroup'}`,
        headers: bearer(s.Whatsapp360messengerAuthToken),
        body: { [isPerson ? 'phonenumber' : 'groupId']: first, text: words },
      }
    },
    (s) => templateIn(s.Whatsapp360messengerUseTemplate, s.Whatsapp360messengerTemplate),
  ),

  YZJ: posts(
    'YZJ',
    (s) => ({
      url: `${textOf(s.yzjWebHookUrl)}?yzjtype=0&yzjtoken=${part(s.yzjToken)}`,
      body: { content: words },
    }),
    () => [silentRefusals],
  ),

  ZohoCliq: posts('Zoho Cliq', (s) => ({ url: textOf(s.webhookUrl), body: { text: words } })),
}

/** By the word that Kuma stores; the table is looked up by what a file says. */
export const kumaHooks: ReadonlyMap<string, KumaProvider> = new Map(Object.entries(hooks))

const platforms: Readonly<Record<string, number>> = { ios: 1, android: 2, huawei: 3 }

const isNoEnd = (event: string) => event !== 'incident.resolved'

function withScheme(address: unknown): string {
  const text = textOf(address)
  return text.startsWith('http') ? text : `http://${text}`
}

/** Lists of ids or of objects with one; earlier versions had one text. */
function groupsOf(ids: unknown, former: unknown): readonly string[] {
  if (!Array.isArray(ids)) return listed(given(ids) ?? former, /[;,]/)
  const named = ids.map((one: { id?: unknown } | string) =>
    typeof one === 'object' ? one?.id : one,
  )
  const groups = named.map(textOf).filter((id) => id !== '')
  return groups.length > 0 ? groups : listed(former, /[;,]/)
}

/** Kuma's own webhook: JSON, a field of a form, the query of a GET, or a body in Liquid. */
function webhookOf(settings: ForeignFields, note: Note): KumaMade {
  const url = textOf(settings.webhookURL)
  const headers = headersOf(settings.webhookAdditionalHeaders, note)
  const send = (more: ForeignFields): KumaMade => {
    const { headers: own = {}, ...config } = more
    const all = { ...(own as object), ...headers }
    const shown = Object.keys(all).length > 0 ? { headers: all } : {}
    return { type: 'webhook', config: { url, ...config, ...shown }, events: kumaEvents }
  }
  note('its ids of monitors, which are others here')
  if (textOf(settings.httpMethod).toLowerCase() === 'get') {
    const query = Object.entries(kumaQuery).map(([name, text]) => `${name}=${urlTemplate(text)}`)
    const joined = `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`
    note('the texts in heartbeat and monitor: only msg has one')
    return send({ url: joined, method: 'GET' })
  }
  const type = textOf(settings.webhookContentType)
  if (type === 'form-data') {
    const head = 'Content-Disposition: form-data; name="data"'
    const form = [`--${boundary}`, head, '', kumaBody, `--${boundary}--`, ''].join('\r\n')
    const contentType = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    return send({ bodyTemplate: form, headers: contentType })
  }
  if (type !== 'custom') return send({ bodyTemplate: kumaBody })
  const body = liquidBody(textOf(settings.webhookCustomBody))
  // The type that Kuma's client gives to a text.
  const contentType = { 'Content-Type': 'application/x-www-form-urlencoded' }
  if (body !== undefined) return send({ bodyTemplate: body, headers: contentType })
  note('its own body, in Liquid, of which not all is known here: write it anew, then switch it on')
  return { ...send({ bodyTemplate: kumaBody }), isActive: false }
}

const boundary = 'stillup-7f4c1b0e5a'

function headersOf(json: unknown, note: Note): Record<string, string> {
  const headers: Record<string, string> = {}
  if (!isSet(json)) return headers
  try {
    const given = fieldsOf(JSON.parse(textOf(json)))
    for (const [name, value] of Object.entries(given)) headers[name] = textOf(value)
  } catch {
    note('its headers are not JSON, and were left out')
  }
  return headers
}
