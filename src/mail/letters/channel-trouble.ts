// The letters about alert channels, for the owners of an organization that has no other working channel.
import type { Language } from '../../texts/languages.ts'
import { saidIn, textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
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
  readonly language: Language
}

export function channelFailingLetter(notice: ChannelTroubleNotice): Letter {
  const { baseUrl, orgName, channelName, reason, failingSinceMs, pending, language } = notice
  const { subject, since, other, why } = textsOf('letters', language).channel.failing
  const time = utcTimeText(failingSinceMs, language)
  return letterOf({
    language,
    subject: subject({ organization: orgName }),
    paragraphs: [
      since({ channel: channelName, time, reason: saidIn(language, reason) }),
      other({ organization: orgName, count: pending }),
    ],
    footer: [why({ organization: orgName, service: baseUrl })],
  })
}

export function channelRecoveredLetter(notice: ChannelTroubleNotice): Letter {
  const { baseUrl, orgName, channelName, failingSinceMs, language } = notice
  const { subject, works, why } = textsOf('letters', language).channel.recovered
  return letterOf({
    language,
    subject: subject({ organization: orgName }),
    paragraphs: [works({ channel: channelName, time: utcTimeText(failingSinceMs, language) })],
    footer: [why({ organization: orgName, service: baseUrl })],
  })
}
