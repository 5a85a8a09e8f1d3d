// PagerDuty: alerts that are triggered, acknowledged and resolved by the Events API v2.
//
// Requests: https://developer.pagerduty.com/docs/events-api-v2/trigger-events/
// Answers, retries, size of a request (512 KB): https://developer.pagerduty.com/docs/events-api-v2/overview/
// 429: https://developer.pagerduty.com/docs/events-api-v2/rate-limits
// The EU service region: https://support.pagerduty.com/docs/service-regions
//
// An acknowledge or resolve for a key without an open alert is dropped; a trigger after a resolve
// makes a new alert, so a reopening rings again.
import { clip } from '../../base/clip.ts'
import { object, optional, text, toIso } from '../../base/schema/schema.ts'
import { defineChannel } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import type { Message } from '../model/message.ts'
import {
  alertActionOf,
  factTable,
  incidentUrlOf,
  platformOutcome,
  urgencyOf,
} from './platform-alert.ts'

const usualUrl = 'https://events.pagerduty.com/v2/enqueue'
const summaryCharsMax = 1_024
const dedupKeyCharsMax = 255
/** Our own bounds: the documentation limits only the summary, the key and the whole request. */
const sourceCharsMax = 255
const detailCharsMax = 2_000

const actions = {
  open: 'trigger',
  // Adds to the log of the alert; one that was acknowledged does not ring again.
  update: 'trigger',
  acknowledge: 'acknowledge',
  close: 'resolve',
} as const

export const pagerduty = defineChannel({
  type: 'pagerduty',
  title: 'PagerDuty',
  steps:
    'Open a service, then its tab Integrations, add an integration of the type Events API ' +
    'v2, and copy its integration key.',
  guide: 'https://support.pagerduty.com/docs/services-and-integrations',
  example: { routingKey: 'R0123456789ABCDEF0123456789ABCDE' },
  sendsEach: true,
  config: object({
    routingKey: text({
      charsMax: 32,
      pattern: '^[A-Za-z0-9]{32}$',
      rule: 'must be the 32 letters and digits of an integration key',
      description: 'the integration key of an Events API v2 integration of a service',
      example: 'R0123456789ABCDEF0123456789ABCDE',
    }),
    url: optional(
      urlText(
        `\`${usualUrl}\` where absent; accounts of the EU region need ` +
          '`https://events.eu.pagerduty.com/v2/enqueue`',
        'https://events.eu.pagerduty.com/v2/enqueue',
      ),
    ),
  }),
  secrets: ['routingKey'],
  urls: ['url'],

  render(message, { routingKey, url = usualUrl }) {
    const action = actions[alertActionOf(message)]
    const event = {
      routing_key: routingKey,
      event_action: action,
      dedup_key: clip(message.dedupKey, dedupKeyCharsMax),
    }
    return {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'stillup' },
      body: JSON.stringify(action === 'trigger' ? { ...event, ...alertOf(message) } : event),
    }
  },

  outcome: (answer, nowMs) =>
    platformOutcome(answer, nowMs, {
      platform: 'PagerDuty',
      accepted: 202,
      // The platform answers 400 for a key of the wrong form as well, and names the field.
      isKeyUnknown: ({ status, body }) => status === 400 && /routing[_ ]key/i.test(body),
    }),
})

function alertOf(message: Message): object {
  const { title, links, monitors, event, incidentId, startedAtMs, atMs, severity } = message
  const [monitor] = monitors
  const incidentUrl = incidentUrlOf(message)
  return {
    payload: {
      summary: clip(title, summaryCharsMax),
      source: clip(hostOf(monitor?.url) ?? monitor?.name ?? 'stillup', sourceCharsMax),
      severity: urgencyOf(message),
      timestamp: toIso(startedAtMs ?? atMs),
      ...(monitor ? { component: clip(monitor.name, sourceCharsMax) } : {}),
      ...(severity === null ? {} : { class: severity }),
      custom_details: {
        ...factTable(message, detailCharsMax),
        event,
        ...(incidentId === null ? {} : { incidentId }),
      },
    },
    links: links.map(({ label, url }) => ({ href: url, text: label })),
    client: 'stillup',
    ...(incidentUrl === undefined ? {} : { client_url: incidentUrl }),
  }
}

/** The location of the affected system, which the platform wants as a host name. */
function hostOf(url: string | null | undefined): string | undefined {
  const host = url ? URL.parse(url)?.hostname : undefined
  return host === '' ? undefined : host
}
