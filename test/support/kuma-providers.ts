// The notification providers of Uptime Kuma 1.23 and 2.5, with each setting that they or their forms read.

const fields: Readonly<Record<string, string>> = {
  alerta: 'alertaAlertState alertaApiEndpoint alertaApiKey alertaEnvironment alertaRecoverState',
  AlertNow: 'alertNowWebhookURL',
  AliyunSMS: 'accessKeyId optionalParameters phonenumber secretAccessKey signName templateCode',
  apprise: 'appriseURL title',
  bale: 'baleBotToken baleChatID',
  Bark: 'apiVersion barkEndpoint barkGroup barkSound',
  bearsms: 'bearsmsHashKey bearsmsPhoneNumber bearsmsSenderId bearsmsUsername',
  Bitrix24: 'bitrix24UserID bitrix24WebhookURL',
  Brevo:
    'brevoApiKey brevoBccEmail brevoCcEmail brevoFromEmail brevoFromName brevoSubject brevoToEmail',
  CallMeBot: 'callMeBotEndpoint',
  Cellsynt:
    'cellsyntAllowLongSMS cellsyntDestination cellsyntLogin cellsyntOriginator cellsyntOriginatortype cellsyntPassword',
  clicksendsms:
    'clicksendsmsLogin clicksendsmsPassword clicksendsmsSenderName clicksendsmsToNumber',
  ClickUp: 'clickupChannelId clickupDisableUrl clickupToken clickupWorkspaceId',
  DingDing: 'mentioning mobileList secretKey userList webHookUrl',
  discord:
    'disableUrl discordChannelType discordMessageFormat discordMessageTemplate discordPrefixMessage discordSuppressNotifications discordUseMessageTemplate discordUsername discordWebhookUrl postName threadId',
  egosms: 'egosmsPassword egosmsPhoneNumber egosmsSender egosmsUsername',
  Elks: 'elksAuthToken elksFromNumber elksToNumber elksUsername',
  evolution:
    'evolutionApiUrl evolutionAuthToken evolutionCustomMessage evolutionInstanceName evolutionRecipient evolutionUseCustomMessage',
  Feishu: 'feishuWebHookUrl',
  FlashDuty: 'flashdutyIntegrationKey flashdutySeverity',
  Flowtriq: 'flowtriqApiKey flowtriqWebhookUrl',
  fluxer:
    'disableUrl fluxerMessageFormat fluxerMessageTemplate fluxerPrefixMessage fluxerUseMessageTemplate fluxerUsername fluxerWebhookUrl',
  FreeMobile: 'freemobilePass freemobileUser',
  GoAlert: 'goAlertBaseURL goAlertToken',
  GoogleChat: 'googleChatMaxRetries googleChatTemplate googleChatUseTemplate googleChatWebhookURL',
  GoogleSheets: 'googleSheetsWebhookUrl',
  gorush:
    'gorushDeviceToken gorushPlatform gorushPriority gorushRetry gorushServerURL gorushTitle gorushTopic',
  gotify: 'gotifyPriority gotifyapplicationToken gotifyserverurl',
  GrafanaOncall: 'GrafanaOncallURL',
  gtxmessaging: 'gtxMessagingApiKey gtxMessagingFrom gtxMessagingTo',
  HaloPSA: 'haloPassword haloUsername halowebhookurl',
  HeiiOnCall: 'heiiOnCallApiKey heiiOnCallTriggerId',
  HomeAssistant: 'homeAssistantUrl longLivedAccessToken notificationService',
  JiraServiceManagement: 'jsmApiToken jsmCloudId jsmEmail jsmPriority',
  Keep: 'webhookAPIKey webhookURL',
  Kook: 'kookBotToken kookGuildID',
  line: 'lineChannelAccessToken lineUserID',
  LineNotify: 'lineNotifyAccessToken',
  lunasea: 'lunaseaDevice lunaseaTarget lunaseaUserID',
  matrix: 'accessToken homeserverUrl internalRoomId matrixTemplate matrixUseTemplate',
  mattermost:
    'mattermostWebhookUrl mattermostchannel mattermosticonemo mattermosticonurl mattermostusername',
  max: 'maxApiUrl maxBotToken maxChatID maxTemplate maxTemplateFormat maxUseTemplate',
  Milky: 'accessToken httpAddr msgType recieverId',
  nextcloudtalk: 'botSecret conversationToken host sendSilentDown sendSilentUp',
  nostr: 'recipients relays sender',
  notifery: 'notiferyApiKey notiferyGroup notiferyTitle',
  ntfy: 'ntfyAuthenticationMethod ntfyCall ntfyCustomMessage ntfyCustomTitle ntfyIcon ntfyPriority ntfyPriorityDown ntfyUseTemplate ntfyaccesstoken ntfypassword ntfyserverurl ntfytopic ntfyusername',
  octopush:
    'octopushAPIKey octopushDMAPIKey octopushDMLogin octopushDMPhoneNumber octopushDMSMSType octopushDMSenderName octopushLogin octopushPhoneNumber octopushSMSType octopushSenderName octopushVersion',
  OneBot: 'accessToken httpAddr msgType recieverId',
  OneChat: 'accessToken botId recieverId',
  Onesender: 'onesenderReceiver onesenderToken onesenderTypeReceiver onesenderURL',
  Ooredoo: 'ooredooAccessKey ooredooBearerToken ooredooServerUrl ooredooToNumber ooredooUsername',
  openwa:
    'openwaApiKey openwaApiUrl openwaChatId openwaCustomMessage openwaSession openwaUseCustomMessage',
  Opsgenie: 'opsgenieApiKey opsgeniePriority opsgenieRegion',
  PagerDuty:
    'pagerdutyAutoResolve pagerdutyIntegrationKey pagerdutyIntegrationUrl pagerdutyPriority',
  PagerTree: 'pagertreeAutoResolve pagertreeIntegrationUrl pagertreeUrgency',
  pinglet: 'pingletApiKey pingletPublishUrl',
  plivo: 'plivoAnswerUrl plivoAuthID plivoAuthToken plivoFromNumber plivoMessageType plivoToNumber',
  promosms:
    'promosmsAllowLongSMS promosmsLogin promosmsPassword promosmsPhoneNumber promosmsSMSType promosmsSenderName',
  pumble: 'webhookURL',
  pushbullet: 'pushbulletAccessToken',
  PushByTechulus: 'pushAPIKey pushChannel pushSound pushTimeSensitive pushTitle',
  PushDeer: 'pushdeerKey pushdeerServer',
  pushover:
    'pushoverapptoken pushoverdevice pushoverpriority pushoversounds pushoversounds_up pushovertitle pushoverttl pushoveruserkey',
  PushPlus: 'pushPlusSendKey',
  pushy: 'pushyAPIKey pushyToken',
  Resend: 'resendApiKey resendFromEmail resendFromName resendSubject resendToEmail',
  'rocket.chat': 'rocketbutton rocketchannel rocketiconemo rocketusername rocketwebhookURL',
  SendGrid:
    'sendgridApiKey sendgridBccEmail sendgridCcEmail sendgridFromEmail sendgridSubject sendgridToEmail',
  ServerChan: 'serverChanSendKey',
  serwersms:
    'serwersmsGroupId serwersmsPassword serwersmsPhoneNumber serwersmsRecipientType serwersmsSenderName serwersmsUsername',
  SevenIO: 'sevenioApiKey sevenioReceiver sevenioSender',
  signal: 'signalNumber signalRecipients signalTemplate signalURL signalUseTemplate',
  SIGNL4: 'webhookURL',
  slack:
    'slackIncludeGroupName slackTemplate slackUseTemplate slackbutton slackchannel slackchannelnotify slackiconemo slackrichmessage slackusername slackwebhookURL',
  smsc: 'smscLogin smscPassword smscSenderName smscToNumber smscTranslit',
  SMSEagle:
    'smseagleApiType smseagleDuration smseagleEncoding smseagleMsgType smseaglePriority smseagleRecipient smseagleRecipientContact smseagleRecipientGroup smseagleRecipientTo smseagleRecipientType smseagleToken smseagleTtsModel smseagleUrl',
  SMSGateway: 'smsgatewayApiKey smsgatewayTo smsgatewayUrl',
  smsir: 'smsirApiKey smsirNumber smsirTemplate',
  SMSManager: 'messageType numbers smsmanagerApiKey',
  SMSPartner: 'smspartnerApikey smspartnerPhoneNumber smspartnerSenderName',
  SMSPlanet: 'smsplanetApiToken smsplanetPhoneNumbers smsplanetSenderName',
  smtp: 'customBody customSubject htmlBody smtpAdditionalHeaders smtpBCC smtpCC smtpDkimDomain smtpDkimHashAlgo smtpDkimKeySelector smtpDkimPrivateKey smtpDkimheaderFieldNames smtpDkimskipFields smtpFrom smtpHost smtpIgnoreSTARTTLS smtpIgnoreTLSError smtpPassword smtpPort smtpSecure smtpTo smtpUsername',
  Splunk: 'pagerdutyIntegrationKey splunkAutoResolve splunkRestURL splunkSeverity',
  SpugPush: 'templateKey',
  squadcast: 'squadcastWebhookURL',
  stackfield: 'stackfieldwebhookURL',
  teams: 'teamsEnableTags webhookUrl',
  telegram:
    'telegramBotToken telegramChatID telegramMessageThreadID telegramProtectContent telegramSendSilently telegramServerUrl telegramTemplate telegramTemplateParseMode telegramUseTemplate',
  telnyx: 'telnyxApiKey telnyxMessagingProfileId telnyxPhoneNumber telnyxToNumber',
  Teltonika:
    'teltonikaModem teltonikaPassword teltonikaPhoneNumber teltonikaUnsafeTls teltonikaUrl teltonikaUsername',
  threema: 'threemaRecipient threemaRecipientType threemaSecret threemaSenderIdentity',
  TurboSMTP:
    'turbosmtpBccEmail turbosmtpCcEmail turbosmtpConsumerKey turbosmtpConsumerSecret turbosmtpFromEmail turbosmtpRegion turbosmtpSubject turbosmtpToEmail',
  twilio:
    'twilioAccountSID twilioApiKey twilioAuthToken twilioFromNumber twilioMessagingServiceSID twilioToNumber',
  VK: 'vkAccessToken vkApiVersion vkDontParseLinks vkPeerId',
  VKTeams:
    'vkteamsBaseUrl vkteamsBotToken vkteamsChatId vkteamsTemplate vkteamsTemplateFormat vkteamsUseTemplate',
  waha: 'wahaApiKey wahaApiUrl wahaChatId wahaSession',
  webhook: 'httpMethod webhookAdditionalHeaders webhookContentType webhookCustomBody webhookURL',
  Webpush: 'subscription',
  WeCom: 'weComBotKey weComMentionedMobileList',
  whapi: 'whapiApiUrl whapiAuthToken whapiRecipient',
  Whatsapp360messenger:
    'Whatsapp360messengerAuthToken Whatsapp360messengerGroupId Whatsapp360messengerGroupIds Whatsapp360messengerRecipient Whatsapp360messengerTemplate Whatsapp360messengerUseTemplate',
  WPush: 'wpushAPIkey wpushChannel',
  WxPusher: 'wxpusherSPT',
  YZJ: 'yzjToken yzjWebHookUrl',
  ZohoCliq: 'webhookUrl',
}

export const kumaProviderFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(fields).map(([type, names]) => [type, names.split(' ')]),
)

type Settings = Readonly<Record<string, unknown>>

const settings: Readonly<Record<string, Settings>> = {
  DingDing: {
    webHookUrl: 'https://oapi.dingtalk.com/robot/send?access_token=secret-1',
    secretKey: 'secret-2',
    mentioning: 'nobody',
    mobileList: [],
    userList: [],
  },
  discord: {
    discordWebhookUrl: 'https://discord.com/api/webhooks/1/secret-1',
    discordChannelType: 'channel',
    disableUrl: false,
    discordSuppressNotifications: false,
    discordMessageFormat: 'normal',
  },
  Feishu: { feishuWebHookUrl: 'https://open.feishu.cn/open-apis/bot/v2/hook/secret-1' },
  GoogleChat: {
    googleChatWebhookURL: 'https://chat.googleapis.com/v1/spaces/A/messages?key=secret-1',
  },
  gotify: {
    gotifyserverurl: 'https://push.example.com',
    gotifyapplicationToken: 'secret-1',
    gotifyPriority: 8,
  },
  line: { lineChannelAccessToken: 'secret-1', lineUserID: 'U4af4980629a1b2c3d4e5f60718293a4b' },
  matrix: {
    homeserverUrl: 'https://matrix.example.com',
    internalRoomId: '!room:example.com',
    accessToken: 'secret-1',
  },
  mattermost: { mattermostWebhookUrl: 'https://mattermost.example.com/hooks/secret-1' },
  ntfy: {
    ntfyserverurl: 'https://ntfy.sh',
    ntfytopic: 'topic-1',
    ntfyPriority: 5,
    ntfyPriorityDown: 5,
    ntfyAuthenticationMethod: 'none',
    ntfyUseTemplate: false,
  },
  Opsgenie: { opsgenieApiKey: 'secret-1', opsgenieRegion: 'us' },
  PagerDuty: {
    pagerdutyIntegrationKey: 'R0123456789ABCDEF0123456789ABCDE',
    pagerdutyIntegrationUrl: 'https://events.pagerduty.com/v2/enqueue',
    pagerdutyPriority: 'critical',
    pagerdutyAutoResolve: 'resolve',
  },
  pushover: {
    pushoveruserkey: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    pushoverapptoken: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
    pushoversounds: 'pushover',
    pushoverpriority: '1',
  },
  'rocket.chat': { rocketwebhookURL: 'https://chat.example.com/hooks/1/secret-1' },
  signal: {
    signalURL: 'https://signal.example.com/v2/send',
    signalNumber: '+15017122661',
    signalRecipients: '+15558675310, group.YWJj',
  },
  slack: {
    slackwebhookURL: 'https://hooks.slack.com/services/T/B/secret-1',
    slackIncludeGroupName: true,
    slackrichmessage: true,
  },
  smtp: {
    smtpHost: 'mail.example.com',
    smtpPort: 587,
    smtpSecure: false,
    smtpUsername: 'kuma',
    smtpPassword: 'secret-1',
    smtpFrom: '"Kuma" <kuma@example.com>',
    smtpTo: 'Ann <ann@example.com>, ops@example.com',
  },
  Splunk: {
    splunkRestURL: 'https://alert.victorops.com/integrations/generic/20131114/alert/secret-1/db',
    splunkSeverity: 'CRITICAL',
    splunkAutoResolve: 'RECOVERY',
  },
  teams: {
    webhookUrl: 'https://default.environment.api.powerplatform.com/workflows/1?sig=secret-1',
  },
  telegram: {
    telegramBotToken: '123456:ABC-DEF',
    telegramChatID: '-1001234567890',
    telegramServerUrl: 'https://api.telegram.org',
  },
  twilio: {
    twilioAccountSID: 'ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    twilioAuthToken: 'secret-1',
    twilioFromNumber: '+15017122661',
    twilioToNumber: '+15558675310',
  },
  WeCom: { weComBotKey: 'secret-1' },
}

/** Settings with which a form that was only filled in is stored, of the providers that become channels. */
export const kumaSettings: ReadonlyMap<string, Settings> = new Map(Object.entries(settings))

const template = {
  slackUseTemplate: true,
  telegramUseTemplate: true,
  ntfyUseTemplate: true,
  matrixUseTemplate: true,
  signalUseTemplate: true,
  googleChatUseTemplate: true,
  discordMessageFormat: 'custom',
}
const anyTemplate = {
  slackTemplate: 'x',
  telegramTemplate: 'x',
  ntfyCustomTitle: 'x',
  matrixTemplate: 'x',
  signalTemplate: 'x',
  googleChatTemplate: 'x',
}

/** What else must be set for a field to matter. */
export const kumaCompanions: Readonly<Record<string, Settings>> = {
  slackTemplate: template,
  telegramTemplate: template,
  ntfyCustomTitle: template,
  ntfyCustomMessage: template,
  matrixTemplate: template,
  signalTemplate: template,
  googleChatTemplate: template,
  discordMessageTemplate: template,
  slackUseTemplate: anyTemplate,
  telegramUseTemplate: anyTemplate,
  ntfyUseTemplate: anyTemplate,
  matrixUseTemplate: anyTemplate,
  signalUseTemplate: anyTemplate,
  googleChatUseTemplate: anyTemplate,
  discordUseMessageTemplate: { discordMessageFormat: '', discordMessageTemplate: 'x' },
  ntfyAuthenticationMethod: { ntfyaccesstoken: 'secret-1' },
  threadId: { discordChannelType: 'postToThread' },
  postName: { discordChannelType: 'createNewForumPost' },
  ntfyusername: { ntfyAuthenticationMethod: 'usernamePassword' },
  ntfypassword: { ntfyAuthenticationMethod: 'usernamePassword' },
  ntfyaccesstoken: { ntfyAuthenticationMethod: 'accessToken' },
}

/** Settings that mean nothing here, and why. */
export const kumaIdleFields: Readonly<Record<string, string>> = {
  'slack.slackrichmessage': 'messages to Slack are always blocks',
  'slack.slackIncludeGroupName': 'on in each new form; messages name the monitor alone',
  'slack.slackbutton': 'Kuma itself moved it into its settings',
  'rocket.chat.rocketbutton': 'Kuma itself moved it into its settings',
  'telegram.telegramTemplateParseMode': 'the markup of a template, which is noted',
  'GoogleChat.googleChatMaxRetries': 'every message is tried for a day',
  'Splunk.pagerdutyIntegrationKey': 'no form sets it',
  'smtp.htmlBody': 'the markup of a template, which is noted',
  'smtp.smtpDkimKeySelector': 'part of the key that is noted by its domain',
  'smtp.smtpDkimPrivateKey': 'part of the key that is noted by its domain',
  'smtp.smtpDkimHashAlgo': 'part of the key that is noted by its domain',
  'smtp.smtpDkimheaderFieldNames': 'part of the key that is noted by its domain',
  'smtp.smtpDkimskipFields': 'part of the key that is noted by its domain',
}

/** Values of fields that know only some. */
export const kumaOtherValues: Readonly<Record<string, unknown>> = {
  mentioning: 'everyone',
  discordChannelType: 'postToThread',
  discordUseMessageTemplate: true,
  slackUseTemplate: true,
  telegramUseTemplate: true,
  ntfyUseTemplate: true,
  matrixUseTemplate: true,
  signalUseTemplate: true,
  googleChatUseTemplate: true,
  ntfyAuthenticationMethod: 'accessToken',
  opsgenieRegion: 'eu',
  pagerdutyAutoResolve: '0',
  smtpSecure: true,
}
