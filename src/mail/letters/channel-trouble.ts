// The letters about alert channels, for the owners of an organization that has no other working channel.
import { timeText } from '../../base/time-text.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface ChannelTroubleNotice {
  readonly baseUrl: string
  readonly orgName: string
  readonly channelName: string
  /** In one sentence. */
  readonly reason: string
  readonly failingSinceMs: number
  /** How many messages wait for it. */
  readonly pending: number
}

export function channelFailingLetter(notice: ChannelTroubleNotice): Letter {
  const { baseUrl, orgName, channelName, reason, failingSinceMs, pending } = notice
  const waiting = pending === 1 ? '1 message waits' : `${pending} messages wait`
  return letterOf({
    subject: `Alerts of ${orgName} do not arrive`,
    paragraphs: [
      `The alert channel ${channelName} has been failing since ${timeText(failingSinceMs)}: ${reason}`,
      `No other alert channel of ${orgName} works. ${waiting} for this one; each is repeated for 24 ` +
        'hours. Correct the channel, or add another one.',
    ],
    footer: [
      `You get this letter because you own ${orgName} at ${baseUrl}. There is one for each time in ` +
        'which the channel fails.',
    ],
  })
}

export function channelRecoveredLetter(notice: ChannelTroubleNotice): Letter {
  const { baseUrl, orgName, channelName, failingSinceMs } = notice
  return letterOf({
    subject: `Alerts of ${orgName} arrive again`,
    paragraphs: [
      `The alert channel ${channelName}, which had been failing since ${timeText(failingSinceMs)}, ` +
        'works again.',
    ],
    footer: [`You get this letter because you own ${orgName} at ${baseUrl}.`],
  })
}
