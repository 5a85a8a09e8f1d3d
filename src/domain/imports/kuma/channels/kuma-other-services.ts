// The services that Uptime Kuma notifies and that no channel can reach as Kuma does, with the nearest way.

interface OtherService {
  /** As people know it. */
  readonly title: string
  /** What reaches the same people; empty if there is nothing near. */
  readonly instead: string
}

const sms = 'send an SMS with a channel of the kind twilio'
const push = 'use a channel of the kind ntfy, gotify or pushover'
const api = 'set up a webhook to a program that asks this service'

const titled = (title: string, instead: string): OtherService => ({ title, instead })

const services: Readonly<Record<string, OtherService>> = {
  AliyunSMS: titled('Aliyun SMS', sms),
  apprise: titled('Apprise', 'run its API server, and set up a webhook to it'),
  bearsms: titled('BearSMS', sms),
  Cellsynt: titled('Cellsynt', sms),
  egosms: titled('EgoSMS', sms),
  Elks: titled('46elks', sms),
  FreeMobile: titled('Free Mobile', sms),
  GoogleSheets: titled('Google Sheets', api),
  gtxmessaging: titled('GTX Messaging', sms),
  nextcloudtalk: titled('Nextcloud Talk', api),
  nostr: titled('Nostr', push),
  Ooredoo: titled('Ooredoo', sms),
  PushDeer: titled('PushDeer', push),
  PushPlus: titled('PushPlus', push),
  pushy: titled('Pushy', push),
  serwersms: titled('SerwerSMS', sms),
  smsc: titled('SMSC', sms),
  smsir: titled('SMS.IR', sms),
  SMSManager: titled('SMS Manager', sms),
  SMSPartner: titled('SMS Partner', sms),
  SMSPlanet: titled('SMSPlanet', sms),
  Teltonika: titled('Teltonika', sms),
  threema: titled('Threema', 'use a channel of the kind signal'),
  VK: titled('VK', push),
  VKTeams: titled('VK Teams', push),
  Webpush: titled('Web Push', push),
  WPush: titled('WPush', push),
  WxPusher: titled('WxPusher', push),
}

/** By the word that Kuma stores; the table is looked up by what a file says. */
export const otherServices: ReadonlyMap<string, OtherService> = new Map(Object.entries(services))
