// Opsgenie, and the alerts of Jira Service Management, which take the same requests.
//
// Requests and limits: https://docs.opsgenie.com/docs/alert-api
// Meaning of the answers: https://docs.opsgenie.com/docs/response
// Jira Service Management (create, acknowledge, close, note; no change of the priority):
// https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v2/api-group-integration-events/
// The end of Opsgenie's REST API on 2027-04-05:
// https://support.atlassian.com/opsgenie/docs/what-happens-when-opsgenie-is-turned-off
//
// Requests are processed later (202), so closing an unknown alias is no error. A create for an open
// alias counts the repetition and changes nothing; for a closed one it makes a new alert.
import { clip } from '../../base/clip.ts'
import { described, object, oneOf, optional } from '../../base/schema/schema.ts'
import { type ChannelRequest, defineChannel } from '../model/definition.ts'
import { type Message, payloadOf } from '../model/message.ts'
import { plainStyle, textOf } from '../model/text.ts'
import { tokenText } from '../model/token.ts'
import {
  alertActionOf,
  factTable,
  incidentUrlOf,
  platformOutcome,
  type Urgency,
  urgencyOf,
} from './platform-alert.ts'

const baseUrls = {
  us: 'https://api.opsgenie.com',
  eu: 'https://api.eu.opsgenie.com',
  jsm: 'https://api.atlassian.com/jsm/ops/integration',
} as const

const messageCharsMax = 130
const descriptionCharsMax = 15_000
const noteCharsMax = 25_000
const aliasCharsMax = 512
const entityCharsMax = 512
/** The characters of all keys and values of `details` together. */
const detailsCharsMax = 8_000
const detailCharsMax = 300

const priorities: Readonly<Record<Urgency, string>> = { critical: 'P1', warning: 'P3', info: 'P5' }

export const opsgenie = defineChannel({
  type: 'opsgenie',
  title: 'Opsgenie',
  guide: 'https://support.atlassian.com/opsgenie/docs/create-a-default-api-integration/',
  example: { apiKey: '0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f', region: 'eu' },
  sendsEach: true,
  config: object({
    apiKey: tokenText({
      charsMin: 8,
      charsMax: 200,
      description: 'the key of an API integration that may create alerts',
      example: '0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f',
    }),
    region: optional(
      described(
        oneOf(['us', 'eu', 'jsm']),
        '`us` where absent; `eu` for accounts of the EU; `jsm` for an API integration of Jira ' +
          'Service Management, where accounts move before Opsgenie ends on 2027-04-05',
        'eu',
      ),
    ),
    outagePriority: optional(
      described(
        oneOf(['P1', 'P2', 'P3', 'P4', 'P5']),
        'the priority of an outage; `P1` where absent',
        'P1',
      ),
    ),
  }),
  secrets: ['apiKey'],
  urls: [],

  render(message, { apiKey, region = 'us', outagePriority = priorities.critical }) {
    const base = baseUrls[region]
    const urgency = urgencyOf(message)
    const priority = urgency === 'critical' ? outagePriority : priorities[urgency]
    const alias = clip(message.dedupKey, aliasCharsMax)
    const note = textOf(message, plainStyle, { sizeMax: noteCharsMax })
    const request = (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => ({
      url: base + path,
      method,
      headers: {
        authorization: `GenieKey ${apiKey}`,
        'content-type': 'application/json',
        'user-agent': 'stillup',
      },
      body: JSON.stringify(body),
    })
    const about = (what: string) =>
      `/v2/alerts/${encodeURIComponent(alias)}/${what}?identifierType=alias`

    switch (alertActionOf(message)) {
      case 'open':
        return request('/v2/alerts', { ...alertOf(message, alias), priority, source })
      case 'acknowledge':
        return request(about('acknowledge'), { note, source })
      case 'close':
        return request(about('close'), { note, source })
      case 'update': {
        const noted: ChannelRequest[] = [request(about('notes'), { note, source })]
        if (!isWorse(message) || region === 'jsm') return noted
        return [...noted, request(about('priority'), { priority }, 'PUT')]
      }
    }
  },

  outcome: (answer, nowMs) =>
    platformOutcome(answer, nowMs, { platform: 'Opsgenie', accepted: 202 }),
})

const source = 'stillup'

function alertOf(message: Message, alias: string): object {
  const { title, monitors, event, incidentId } = message
  const [monitor] = monitors
  const incidentUrl = incidentUrlOf(message)
  return {
    message: clip(title, messageCharsMax),
    alias,
    description: textOf(message, plainStyle, { sizeMax: descriptionCharsMax }),
    details: withinSize({
      event,
      ...(incidentId === null ? {} : { incidentId }),
      ...(incidentUrl === undefined ? {} : { url: incidentUrl }),
      ...factTable(message, detailCharsMax),
    }),
    ...(monitor ? { entity: clip(monitor.name, entityCharsMax) } : {}),
  }
}

/** The first of the details that fit; the description has them all. */
function withinSize(details: Readonly<Record<string, string>>): Record<string, string> {
  let size = 0
  const kept = Object.entries(details).filter(([name, value]) => {
    size += name.length + value.length
    return size <= detailsCharsMax
  })
  return Object.fromEntries(kept)
}

/** A slow service went down: nothing else changes the priority, which people may have set. */
function isWorse({ payloadJson }: Message): boolean {
  const payload = payloadOf(payloadJson)
  return payload.type === 'incident.updated' && payload.data.update?.kind === 'worsened'
}
