// Pushover: a notification to a person or a group.
//
// Parameters, limits, priorities, answers and how to treat errors: https://pushover.net/api
// Ending the repetition of an emergency: https://pushover.net/api/receipts#cancel_by_tag
import { clip } from '../../base/clip.ts'
import { described, integer, object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { type ChannelRequest, defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { failure, jsonFields, quotedOutcome, unexpected } from '../model/json-api.ts'
import type { Message, Tone } from '../model/message.ts'
import { plainStyle, textOf } from '../model/text.ts'

const api = 'https://api.pushover.net/1'
const titleCharsMax = 250
const messageCharsMax = 1_024
const urlCharsMax = 512
const urlTitleCharsMax = 100

const emergency = 2
/** An emergency sounds again and again until somebody acknowledges it in Pushover. */
const emergencyRetrySeconds = 60
const emergencyExpireSeconds = 3_600

/** -1 makes no sound, 1 sounds in quiet hours too. */
const priorities: Readonly<Record<Tone, number>> = { bad: 1, warning: 0, neutral: 0, good: -1 }

export const pushover = defineChannel({
  type: 'pushover',
  title: 'Pushover',
  guide: 'https://pushover.net/api#registration',
  example: {
    userKey: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    appToken: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
  },
  config: object({
    userKey: text({
      charsMax: 30,
      pattern: '^[A-Za-z0-9]{30}$',
      rule: 'must be 30 letters and digits',
      description: 'the key of a user or of a group',
      example: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    }),
    appToken: text({
      charsMax: 30,
      pattern: '^[A-Za-z0-9]{30}$',
      rule: 'must be 30 letters and digits',
      description: 'the API token of your application at Pushover',
      example: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
    }),
    device: optional(
      text({
        charsMax: 200,
        pattern: '^[A-Za-z0-9_-]{1,25}(,[A-Za-z0-9_-]{1,25})*$',
        rule: 'must be names of devices, separated by commas',
        description: 'only to these devices of the user, separated by commas',
        example: 'phone',
      }),
    ),
    outagePriority: optional(
      described(
        integer(-2, emergency),
        'the priority of an outage that begins; 1 where absent; 2 repeats the sound every minute ' +
          'for an hour, until somebody acknowledges it in Pushover or the outage is over',
        1,
      ),
    ),
  }),
  secrets: ['userKey', 'appToken'],
  urls: [],

  render(message, { userKey, appToken, device, outagePriority = 1 }) {
    const { tone, news, incidentId } = message
    const isOutage = news === 'opened' && tone === 'bad'
    const priority = isOutage ? outagePriority : priorities[tone]
    const isEmergency = priority === emergency
    const notice = post(`${api}/messages.json`, {
      token: appToken,
      user: userKey,
      ...(device === undefined ? {} : { device }),
      ...notification(message),
      priority: String(priority),
      ...(isEmergency
        ? { retry: String(emergencyRetrySeconds), expire: String(emergencyExpireSeconds) }
        : {}),
      ...(isEmergency && incidentId !== null ? { tags: incidentId } : {}),
    })
    const endsEmergency =
      outagePriority === emergency &&
      incidentId !== null &&
      (news === 'acknowledged' || news === 'resolved')
    if (!endsEmergency) return notice
    const end = `${api}/receipts/cancel_by_tag/${incidentId}.json`
    return [notice, post(end, { token: appToken })]
  },

  outcome: outcomeOf,
})

function post(url: string, fields: Readonly<Record<string, string>>): ChannelRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'stillup' },
    body: new URLSearchParams(fields).toString(),
  }
}

function notification(message: Message): Record<string, string> {
  const { title, atMs, links } = message
  const [first, ...others] = links
  const isShort = first !== undefined && first.url.length <= urlCharsMax
  const text = textOf({ ...message, links: isShort ? others : links }, plainStyle, {
    sizeMax: messageCharsMax,
    isUntitled: true,
  })
  return {
    title: clip(title, titleCharsMax),
    message: text,
    timestamp: String(Math.floor(atMs / 1_000)),
    ...(isShort ? { url: first.url, url_title: clip(first.label, urlTitleCharsMax) } : {}),
  }
}

/** What Pushover asks for after an error of its own. */
const errorWaitSeconds = 5

/** Pushover asks that a request which it answered with 4xx is never repeated as it is. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const { status: code, errors } = jsonFields(answer.body)
  const platform = 'Pushover'
  if (status < 300 && code === undefined) return unexpected(answer, platform)
  const words = Array.isArray(errors) ? errors.join(', ') : undefined
  if (status < 300 && code !== 1) return failure(answer, { platform, words, mayRetry: false })
  return quotedOutcome(answer, nowMs, {
    platform,
    words,
    mayRetry: false,
    ...(status >= 500 ? { waitSeconds: errorWaitSeconds } : {}),
  })
}
