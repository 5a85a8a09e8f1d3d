// The channel types. To add one, add its file, its import, and a line here.
import { Fault } from '../base/fault.ts'
import type { Channel } from '../domain/alerts/channel.ts'
import { dingtalk } from './chat/dingtalk.ts'
import { discord } from './chat/discord.ts'
import { feishu } from './chat/feishu.ts'
import { googlechat } from './chat/googlechat.ts'
import { line } from './chat/line.ts'
import { matrix } from './chat/matrix.ts'
import { mattermost } from './chat/mattermost.ts'
import { rocketchat } from './chat/rocketchat.ts'
import { slack } from './chat/slack.ts'
import { teams } from './chat/teams.ts'
import { telegram } from './chat/telegram.ts'
import { webex } from './chat/webex.ts'
import { wecom } from './chat/wecom.ts'
import { zulip } from './chat/zulip.ts'
import { email } from './email.ts'
import type { ChannelDefinition } from './model/definition.ts'
import { alertmanager } from './on-call/alertmanager.ts'
import { opsgenie } from './on-call/opsgenie.ts'
import { pagerduty } from './on-call/pagerduty.ts'
import { splunkOncall } from './on-call/splunk-oncall.ts'
import { gotify } from './push/gotify.ts'
import { ntfy } from './push/ntfy.ts'
import { pushover } from './push/pushover.ts'
import { signal } from './push/signal.ts'
import { twilio } from './push/twilio.ts'
import { webhook } from './webhook.ts'

export const channelDefinitions: readonly ChannelDefinition[] = [
  webhook,
  email,
  slack,
  pagerduty,
  opsgenie,
  splunkOncall,
  alertmanager,
  ntfy,
  gotify,
  pushover,
  twilio,
  discord,
  teams,
  googlechat,
  mattermost,
  rocketchat,
  zulip,
  webex,
  matrix,
  signal,
  telegram,
  line,
  feishu,
  dingtalk,
  wecom,
]

export const channelTypes = channelDefinitions.map(({ type }) => type)

const byType = new Map(channelDefinitions.map((definition) => [definition.type, definition]))

/** Throws conflict for a type that this version does not know. */
export function channelDefinition(type: string): ChannelDefinition {
  const definition = byType.get(type)
  if (!definition) throw new Fault('conflict', `There is no channel type ${type}.`)
  return definition
}

/** Whether the messages of a channel are letters that go through the mail server of the service. */
export function needsMailServer({ type, config }: Pick<Channel, 'type' | 'config'>): boolean {
  const definition = byType.get(type)
  if (definition === undefined || !('compose' in definition)) return false
  return !definition.hasOwnServer(config)
}

/** Whether a channel of this type needs a message for each incident. */
export function sendsEach(type: string): boolean {
  return byType.get(type)?.sendsEach ?? false
}
