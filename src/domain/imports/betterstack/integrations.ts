// Where Better Stack sends alerts besides people: webhooks, PagerDuty, Splunk On-Call, Slack.
//
// The fields: https://registry.terraform.io/providers/BetterStackHQ/better-uptime/latest/docs
import type { ChannelEvent } from '../../alerts/channel.ts'
import { type ForeignFields, fieldsOf, listOf, type Note, textOf } from '../foreign.ts'

/** What a channel is made of; `lacked`: fields of its config that the API does not tell. */
export interface StackTarget {
  readonly type: string
  readonly config: ForeignFields
  readonly lacked: readonly string[]
  readonly events?: readonly ChannelEvent[]
  /** Told when a monitor has no escalation policy. */
  readonly isAlongside: boolean
}

/** What a member of a step, and a type of the API, is called; and what it becomes. */
export interface StackKind {
  /** The type of its items. */
  readonly type: string
  /** The type of a member of a step that is one of them, and of one that is all of them. */
  readonly one: string
  readonly every: string
  readonly word: string
  readonly made: (fields: ForeignFields, note: Note) => StackTarget | undefined
}

export const stackKinds: readonly StackKind[] = [
  {
    type: 'outgoing_webhook',
    one: 'webhook',
    every: 'all_webhook_integrations',
    word: 'Webhook',
    made: webhookOf,
  },
  {
    type: 'pager_duty_webhook',
    one: 'pagerduty_integration',
    every: 'all_pagerduty_integrations',
    word: 'PagerDuty',
    made: pagerdutyOf,
  },
  {
    type: 'splunk_on_call',
    one: 'splunk_on_call_integration',
    every: 'all_splunk_on_call_integrations',
    word: 'Splunk On-Call',
    made: (fields) => ({
      ...{ type: 'splunk-oncall', config: { url: textOf(fields.url) }, lacked: [] },
      isAlongside: isAlongside(fields),
    }),
  },
  {
    type: 'slack_integration',
    one: 'slack_integration',
    every: 'all_slack_integrations',
    word: 'Slack',
    made: (fields) => ({
      ...{ type: 'slack', config: {}, lacked: ['webhookUrl'] },
      isAlongside: isAlongside(fields),
    }),
  },
]

function isAlongside({ notify_alongside_primary_responder }: ForeignFields): boolean {
  return notify_alongside_primary_responder !== false
}

const eventsBy = {
  on_incident_started: ['incident.opened'],
  on_incident_acknowledged: ['incident.acknowledged'],
  on_incident_resolved: ['incident.resolved'],
  on_incident_reopened: ['incident.opened'],
  on_incident_comment: ['incident.updated'],
} as const

function webhookOf(fields: ForeignFields, note: Note): StackTarget | undefined {
  const trigger = textOf(fields.trigger_type) || 'incident_change'
  if (trigger !== 'incident_change') {
    note(`that it is told of ${trigger}: channels here are told of incidents`)
    return undefined
  }
  const more = fieldsOf(fields.custom_webhook_template_attributes)
  const headers = Object.fromEntries(
    listOf(more.headers_template).map((one) => {
      const { name, value } = fieldsOf(one)
      return [textOf(name), textOf(value)]
    }),
  )
  const user = textOf(more.auth_username)
  if (user !== '') {
    const pair = Buffer.from(`${user}:${textOf(more.auth_password)}`).toString('base64')
    headers.authorization = `Basic ${pair}`
  }
  const body = more.body_template
  if (body !== undefined && body !== null && body !== '')
    note('the text that it sends: write it as the template of the channel')
  const method = textOf(more.http_method).toUpperCase()
  const isKnown = ['POST', 'PUT', 'PATCH', 'GET'].includes(method)
  if (method !== '' && !isKnown) note('its method: POST in place of it')
  const flags = Object.entries(eventsBy)
  const isTold = flags.some(([name]) => fields[name] !== undefined)
  const events = flags.flatMap(([name, some]) => (fields[name] === true ? some : []))
  return {
    type: 'webhook',
    config: {
      url: textOf(fields.url),
      ...(isKnown && method !== 'POST' ? { method } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
    lacked: [],
    ...(isTold && events.length > 0 ? { events: [...new Set(events)] } : {}),
    isAlongside: isAlongside(fields),
  }
}

function pagerdutyOf(fields: ForeignFields, note: Note): StackTarget {
  const severity = textOf(fields.severity)
  if (severity !== '' && severity !== 'critical') {
    note(`its severity "${severity}" in PagerDuty: here it is that of the outage`)
  }
  const key = textOf(fields.key)
  return {
    type: 'pagerduty',
    config: key === '' ? {} : { routingKey: key },
    lacked: key === '' ? ['routingKey'] : [],
    isAlongside: isAlongside(fields),
  }
}
