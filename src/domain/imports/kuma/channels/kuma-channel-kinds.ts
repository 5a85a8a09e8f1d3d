// The services that Uptime Kuma notifies, and that are kinds of channels here.
//
// What each provider reads and sends: server/notification-providers of louislam/uptime-kuma
import { channelEvents } from '../../../alerts/channel.ts'
import {
  type ForeignFields,
  flagOf,
  hostText,
  type Note,
  numberOf,
  textOf,
  within,
} from '../../foreign.ts'
import { posted } from './kuma-channel-hooks.ts'
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
import { embed, ended, line } from './kuma-words.ts'

/** All events of ours but the end: what Kuma is told not to resolve stays open. */
const withoutEnd = channelEvents.filter(
  (event) => event !== 'incident.resolved' && event !== 'incident.digest',
)

const kinds: Readonly<Record<string, KumaProvider>> = {
  slack: {
    title: 'Slack',
    made: (s) => {
      const mention = flagOf(s.slackchannelnotify) ? ' <!channel>' : ''
      if (!isSet(s.slackchannel) && mention === '') return hook('slack', s.slackwebhookURL)
      return posted({
        url: textOf(s.slackwebhookURL),
        body: {
          ...senderOf(s.slackchannel, s.slackusername, s.slackiconemo),
          ...attachment,
          text: `${line}${mention}`,
        },
      })
    },
    lost: (settings) => [
      ...(isSet(settings.slackchannel) || flagOf(settings.slackchannelnotify)
        ? []
        : setIn(settings, { slackusername: 'its user name', slackiconemo: 'its icon' })),
      ...templateIn(settings.slackUseTemplate, settings.slackTemplate),
    ],
  },

  discord: {
    title: 'Discord',
    made: discordOf,
    lost: (settings) => [
      ...(settings.discordChannelType === 'createNewForumPost'
        ? []
        : setIn(settings, { discordUsername: 'its user name' })),
      ...setIn(settings, {
        discordPrefixMessage: 'the text before its messages',
        discordSuppressNotifications: 'that it makes no sound',
        disableUrl: 'that it leaves the address out',
      }),
      ...unless(['normal', 'custom'], settings.discordMessageFormat, 'its short form'),
      ...templateIn(
        settings.discordMessageFormat === 'custom' ||
          (!isSet(settings.discordMessageFormat) && flagOf(settings.discordUseMessageTemplate)),
        settings.discordMessageTemplate,
      ),
    ],
  },

  telegram: {
    title: 'Telegram',
    made: (settings) => {
      const apiUrl = textOf(settings.telegramServerUrl)
      return {
        type: 'telegram',
        config: {
          botToken: textOf(settings.telegramBotToken),
          chatId: textOf(settings.telegramChatID),
          messageThreadId: numberOf(settings.telegramMessageThreadID),
          ...(apiUrl === '' || apiUrl === 'https://api.telegram.org' ? {} : { apiUrl }),
        },
      }
    },
    lost: (settings) => [
      ...setIn(settings, {
        telegramSendSilently: 'that it makes no sound',
        telegramProtectContent: 'that its messages cannot be forwarded',
      }),
      ...templateIn(settings.telegramUseTemplate, settings.telegramTemplate),
    ],
  },

  smtp: {
    title: 'e-mail (SMTP)',
    made: emailOf,
    lost: (settings) => [
      ...setIn(settings, {
        smtpIgnoreTLSError: 'that it accepts any certificate of the mail server',
        smtpIgnoreSTARTTLS: 'that it sends without encryption: the mail server must offer STARTTLS',
        smtpDkimDomain: 'its DKIM key: let the mail server sign',
        smtpAdditionalHeaders: 'its headers',
        customSubject: 'its own subject (a template)',
        customBody: 'its own wording (a template)',
      }),
    ],
  },

  teams: {
    title: 'Microsoft Teams',
    made: ({ webhookUrl }) => hook('teams', webhookUrl),
    lost: (settings) => setIn(settings, { teamsEnableTags: 'the tags of monitors in messages' }),
  },

  pushover: {
    title: 'Pushover',
    made: (settings) => ({
      type: 'pushover',
      config: {
        userKey: textOf(settings.pushoveruserkey),
        appToken: textOf(settings.pushoverapptoken),
        device: given(settings.pushoverdevice),
        outagePriority: numberOf(settings.pushoverpriority),
      },
    }),
    lost: (settings) => [
      ...unless(['pushover'], settings.pushoversounds, 'its sound'),
      ...setIn(settings, {
        pushoversounds_up: 'its sound of recoveries',
        pushovertitle: 'its title',
        pushoverttl: 'that its messages disappear after a time',
      }),
    ],
  },

  gotify: {
    title: 'Gotify',
    made: (settings) => ({
      type: 'gotify',
      config: {
        server: textOf(settings.gotifyserverurl),
        token: textOf(settings.gotifyapplicationToken),
        outagePriority: within(numberOf(settings.gotifyPriority) || 8, 0, 10),
      },
    }),
  },

  ntfy: {
    title: 'ntfy',
    made: ntfyOf,
    lost: (settings) => [
      ...unless([4, 5], settings.ntfyPriority, 'its priority: recoveries have 2'),
      ...setIn(settings, { ntfyIcon: 'its icon', ntfyCall: 'that it calls a phone' }),
      ...templateIn(settings.ntfyUseTemplate, settings.ntfyCustomTitle),
      ...templateIn(settings.ntfyUseTemplate, settings.ntfyCustomMessage),
    ],
  },

  PagerDuty: {
    title: 'PagerDuty',
    made: ({ pagerdutyIntegrationKey, pagerdutyIntegrationUrl, pagerdutyAutoResolve }) => {
      const url = textOf(pagerdutyIntegrationUrl)
      const isUsual = url === '' || url === 'https://events.pagerduty.com/v2/enqueue'
      return {
        type: 'pagerduty',
        config: { routingKey: textOf(pagerdutyIntegrationKey), ...(isUsual ? {} : { url }) },
        ...endOf(pagerdutyAutoResolve),
      }
    },
    lost: ({ pagerdutyPriority, pagerdutyAutoResolve }) => [
      ...unless(['critical'], pagerdutyPriority, 'its severity: outages are critical'),
      ...(textOf(pagerdutyAutoResolve) === 'acknowledge'
        ? ['that a recovery only acknowledges: it resolves']
        : []),
    ],
  },

  Splunk: {
    title: 'Splunk On-Call',
    made: ({ splunkRestURL, splunkAutoResolve }) => ({
      type: 'splunk-oncall',
      config: { url: textOf(splunkRestURL) },
      ...endOf(splunkAutoResolve),
    }),
    lost: ({ splunkSeverity, splunkAutoResolve }) => [
      ...unless(['CRITICAL'], splunkSeverity, 'its severity: outages are critical'),
      ...unless(['0', 'RECOVERY'], splunkAutoResolve, 'that a recovery only acknowledges'),
    ],
  },

  Opsgenie: {
    title: 'Opsgenie',
    made: ({ opsgenieApiKey, opsgenieRegion, opsgeniePriority }) => ({
      type: 'opsgenie',
      config: {
        apiKey: textOf(opsgenieApiKey),
        ...(opsgenieRegion === 'eu' ? { region: 'eu' } : {}),
        outagePriority: opsgeniePriorityOf(opsgeniePriority),
      },
    }),
  },

  mattermost: {
    title: 'Mattermost',
    made: (s) => {
      if (!isSet(s.mattermostchannel)) return hook('mattermost', s.mattermostWebhookUrl)
      // Of two icons, the first is that of recoveries.
      const [up, down = up] = textOf(s.mattermosticonemo).split(' ')
      const icon = up && down && up !== down ? ended(up, down) : up
      return posted({
        url: textOf(s.mattermostWebhookUrl),
        body: {
          ...senderOf(textOf(s.mattermostchannel).toLowerCase(), s.mattermostusername, icon),
          icon_url: given(s.mattermosticonurl),
          ...attachment,
          text: line,
        },
      })
    },
    lost: (settings) =>
      isSet(settings.mattermostchannel)
        ? []
        : setIn(settings, {
            mattermostusername: 'its user name',
            mattermosticonemo: 'its icon',
            mattermosticonurl: 'the picture of its user',
          }),
  },

  'rocket.chat': {
    title: 'Rocket.Chat',
    made: (s) => {
      if (!isSet(s.rocketchannel)) return hook('rocketchat', s.rocketwebhookURL)
      const sender = senderOf(s.rocketchannel, s.rocketusername, s.rocketiconemo)
      return posted({
        url: textOf(s.rocketwebhookURL),
        body: { ...sender, ...attachment, text: line },
      })
    },
    lost: (settings) =>
      isSet(settings.rocketchannel)
        ? []
        : setIn(settings, { rocketusername: 'its user name', rocketiconemo: 'its icon' }),
  },

  matrix: {
    title: 'Matrix',
    made: ({ homeserverUrl, internalRoomId, accessToken }) => ({
      type: 'matrix',
      config: {
        homeserver: textOf(homeserverUrl),
        roomId: textOf(internalRoomId),
        token: textOf(accessToken),
      },
    }),
    lost: ({ matrixUseTemplate, matrixTemplate }) => templateIn(matrixUseTemplate, matrixTemplate),
  },

  signal: {
    title: 'Signal',
    made: ({ signalURL, signalNumber, signalRecipients }) => ({
      type: 'signal',
      config: {
        url: textOf(signalURL).replace(/\/v[12]\/send\/?$/, ''),
        from: textOf(signalNumber),
        to: listed(signalRecipients),
      },
    }),
    lost: ({ signalUseTemplate, signalTemplate }) => templateIn(signalUseTemplate, signalTemplate),
  },

  GoogleChat: {
    title: 'Google Chat',
    made: ({ googleChatWebhookURL }) => hook('googlechat', googleChatWebhookURL),
    lost: ({ googleChatUseTemplate, googleChatTemplate }) =>
      templateIn(googleChatUseTemplate, googleChatTemplate),
  },

  twilio: { title: 'Twilio', made: twilioOf },

  JiraServiceManagement: {
    title: 'Jira Service Management',
    made: ({ jsmPriority }, note) => {
      note('that it signs in as a person: create an API integration there, and enter its key')
      const outagePriority = opsgeniePriorityOf(jsmPriority)
      return { type: 'opsgenie', config: { region: 'jsm', outagePriority }, lacks: ['apiKey'] }
    },
  },

  LineNotify: {
    title: 'LINE Notify',
    made: (_, note) => {
      note('LINE ended LINE Notify: enter the token of a Messaging API channel, and a receiver')
      return { type: 'line', config: {}, lacks: ['channelAccessToken', 'to'] }
    },
  },

  line: {
    title: 'LINE',
    made: ({ lineChannelAccessToken, lineUserID }) => ({
      type: 'line',
      config: { channelAccessToken: textOf(lineChannelAccessToken), to: textOf(lineUserID) },
    }),
  },

  Feishu: { title: 'Feishu', made: ({ feishuWebHookUrl }) => hook('feishu', feishuWebHookUrl) },

  DingDing: {
    title: 'DingTalk',
    made: ({ webHookUrl, secretKey }) => ({
      type: 'dingtalk',
      config: { webhookUrl: textOf(webHookUrl), secret: given(secretKey) },
    }),
    lost: ({ mentioning, mobileList, userList }) => {
      const named = mentioning === 'specify-mobiles' ? mobileList : userList
      const isSome = mentioning === 'everyone' || (mentioning !== 'nobody' && isSet(named))
      return isSome ? ['whom it mentions'] : []
    },
  },

  WeCom: {
    title: 'WeCom',
    made: ({ weComBotKey }) => {
      const key = part(weComBotKey)
      return hook('wecom', key && `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${key}`)
    },
    lost: (settings) => setIn(settings, { weComMentionedMobileList: 'whom it mentions' }),
  },
}

/** By the word that Kuma stores; the table is looked up by what a file says. */
export const kumaKinds: ReadonlyMap<string, KumaProvider> = new Map(Object.entries(kinds))

function hook(type: string, webhookUrl: unknown): KumaMade {
  return { type, config: { webhookUrl: textOf(webhookUrl) } }
}

/** Whom a message is from, and to which channel it goes: only a webhook sends that along. */
function senderOf(channel: unknown, username: unknown, icon: unknown): ForeignFields {
  return { channel: textOf(channel), username: given(username), icon_emoji: given(icon) }
}

const attachment = { attachments: [{ color: ended('#2eb886', '#e01e5a'), text: '{{text}}' }] }

/** `0`: Kuma does not tell the platform of recoveries. */
function endOf(autoResolve: unknown): Pick<KumaMade, 'events'> {
  return textOf(autoResolve) === '0' ? { events: withoutEnd } : {}
}

function listed(value: unknown): readonly string[] {
  return [
    ...new Set(
      textOf(value)
        .split(/[\s,;]/)
        .filter((one) => one !== ''),
    ),
  ]
}

function discordOf(settings: ForeignFields): KumaMade {
  const { discordChannelType: place, threadId, postName } = settings
  const made = hook('discord', settings.discordWebhookUrl)
  if (place === 'postToThread') {
    const url = URL.parse(textOf(settings.discordWebhookUrl))
    url?.searchParams.set('thread_id', textOf(threadId))
    return url === null ? made : hook('discord', url.href)
  }
  if (place !== 'createNewForumPost') return made
  // Each message is a post: the kind discord writes to a channel or to one thread.
  return posted({
    url: textOf(settings.discordWebhookUrl),
    body: {
      embeds: [embed],
      thread_name: textOf(postName),
      username: given(settings.discordUsername),
    },
  })
}

function emailOf(settings: ForeignFields, note: Note): KumaMade {
  const host = hostText(textOf(settings.smtpHost))
  const port = numberOf(settings.smtpPort)
  const [username, password] = [given(settings.smtpUsername), given(settings.smtpPassword)]
  const from = given(settings.smtpFrom) ?? username
  const isWhole = username !== undefined && password !== undefined
  const { smtpTo, smtpCC, smtpBCC } = settings
  const to = [smtpTo, smtpCC, smtpBCC].flatMap(addressesIn)
  if (isSet(smtpCC) || isSet(smtpBCC)) note('its copies (CC, BCC): each is a letter of its own')
  if (!isWhole && (username ?? password) !== undefined) {
    note('its sign-in at the mail server, which has a user name or a password, and not both')
  }
  return {
    type: 'email',
    config: {
      to: [...new Map(to.map((one) => [one.toLowerCase(), one])).values()],
      server: `${flagOf(settings.smtpSecure) ? 'smtps' : 'smtp'}://${host}${port === undefined ? '' : `:${port}`}`,
      from,
      ...(isWhole ? { username, password } : {}),
    },
  }
}

/** The addresses in a header such as `Ann <ann@example.com>, ops@example.com`. */
function addressesIn(value: unknown): readonly string[] {
  return textOf(value)
    .split(/[\s,;<>"']/)
    .filter((word) => word.includes('@'))
}

/** Kuma goes by 3 where nobody chose. */
function opsgeniePriorityOf(value: unknown): string {
  return `P${within(numberOf(value) || 3, 1, 5)}`
}

function ntfyOf(settings: ForeignFields): KumaMade {
  // Without a priority of outages, Kuma goes one above that of the rest.
  const usual = numberOf(settings.ntfyPriority) || 4
  const outagePriority = within(numberOf(settings.ntfyPriorityDown) || usual + 1, 1, 5)
  const server = textOf(settings.ntfyserverurl)
  const [username, password] = [given(settings.ntfyusername), given(settings.ntfypassword)]
  const way = given(settings.ntfyAuthenticationMethod) ?? (username ? 'usernamePassword' : 'none')
  return {
    type: 'ntfy',
    config: {
      topic: textOf(settings.ntfytopic),
      outagePriority,
      ...(server === '' || server === 'https://ntfy.sh' ? {} : { server }),
      ...(way === 'usernamePassword' ? { username, password } : {}),
      ...(way === 'accessToken' ? { token: given(settings.ntfyaccesstoken) } : {}),
    },
  }
}

function twilioOf(settings: ForeignFields, note: Note): KumaMade {
  const config = {
    accountSid: textOf(settings.twilioAccountSID),
    from: given(settings.twilioFromNumber),
    messagingServiceSid: given(settings.twilioMessagingServiceSID),
    to: listed(settings.twilioToNumber),
  }
  if (!isSet(settings.twilioApiKey)) {
    return { type: 'twilio', config: { ...config, authToken: textOf(settings.twilioAuthToken) } }
  }
  note('that it signs in with an API key: enter the Auth Token of the account')
  return { type: 'twilio', config, lacks: ['authToken'] }
}
