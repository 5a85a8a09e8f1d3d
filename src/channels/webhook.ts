// Webhooks: a signed POST (Standard Webhooks) to a URL of the organization's choosing.

import type { FieldProblem } from '../base/fault.ts'
import * as s from '../base/schema/schema.ts'
import { headerProblems } from '../domain/checks/header-rules.ts'
import { limits } from '../domain/limits/limits.ts'
import { defineChannel } from './model/definition.ts'
import { type Message, type Payload, payloadOf } from './model/message.ts'
import { httpOutcome } from './model/outcome.ts'

/** `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks, "Signature scheme"). */
const secretPattern = /^(whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/

export const webhook = defineChannel({
  type: 'webhook',
  title: 'Webhook',
  config: s.object({
    url: s.text({
      charsMin: 1,
      charsMax: limits.urlCharsMax,
      description: 'http or https',
      example: 'https://hooks.example.com/stillup',
    }),
    secret: s.optional(
      s.text({
        charsMax: limits.webhookSecretCharsMax,
        description: 'Standard Webhooks signing secret; generated and shown once when absent',
        example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=',
      }),
    ),
    headers: s.optional(
      s.described(
        s.mapOf(s.text({ charsMax: limits.headerValueCharsMax }), limits.channelHeadersMax),
        'sent with each message; their values are shown masked',
        { Authorization: 'Bearer example-token' },
      ),
    ),
    method: s.optional(s.described(s.oneOf(['POST', 'PUT']), 'POST where absent', 'PUT')),
    bodyTemplate: s.optional(
      s.text({
        charsMin: 1,
        charsMax: limits.bodyTemplateCharsMax,
        description:
          'sent instead of the payload; {{path}} is replaced by the value at that path in the payload',
        example: '{"text": "{{title}}", "incident": "{{data.incident.id}}"}',
      }),
    ),
  }),
  secrets: ['secret', 'headers'],
  generatedSecrets: ['secret'],
  urls: ['url'],
  problems: ({ secret, headers = {} }) => [...secretProblems(secret), ...headerProblems(headers)],

  render(message, config, { nowMs, sign }) {
    const { url, secret = '', headers = {}, method = 'POST', bodyTemplate } = config
    const body = bodyTemplate ? renderTemplate(bodyTemplate, message) : message.payloadJson
    // The time of this attempt, because a receiver refuses requests older than a few minutes.
    const timestampSeconds = Math.floor(nowMs / 1_000)
    return {
      url,
      method,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'stillup',
        ...lowerCased(headers),
        'webhook-id': message.id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': sign(secret, message.id, timestampSeconds, body),
      },
    }
  },

  outcome: httpOutcome,
})

function secretProblems(secret: string | undefined): FieldProblem[] {
  if (secret === undefined || secretPattern.test(secret)) return []
  const message = 'must be whsec_ followed by the base64 of 24 to 64 bytes'
  return [{ pointer: '/secret', keyword: 'pattern', message }]
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries)
}

const hole = /\{\{\s*([A-Za-z0-9_.]{1,200})\s*\}\}/g

/**
 * Fills in a body template. A path such as `data.incident.title` walks the payload; `title` and
 * `text` are the message in words. Texts are escaped for the inside of a JSON string, numbers and
 * lists are JSON, and a missing value is empty.
 */
export function renderTemplate(template: string, { title, payloadJson }: Message): string {
  const payload = payloadOf(payloadJson)
  const values = { ...payload, title, text: plainText(payload) }
  return template.replace(hole, (_, path: string) => asJson(valueAt(values, path)))
}

/** A few lines: why, since when, where to look. */
function plainText(payload: Payload): string {
  switch (payload.type) {
    case 'channel.test':
      return 'This channel can be reached.'
    case 'incident.digest': {
      const { incidents, incidentsTotal } = payload.data
      const listed = incidents
        .slice(0, limits.payloadMonitorsMax)
        .map(({ title, state }) => `${title} (${state})`)
      const more = incidentsTotal - listed.length
      return listed.concat(more > 0 ? [`and ${more} more`] : []).join('\n')
    }
    case 'certificate.expiring': {
      const { certificate, url } = payload.data
      const { expiresAt, issuer } = certificate
      return `It is valid until ${expiresAt}. Its issuer: ${issuer}.\n${url}`
    }
    default: {
      const { cause, startedAt, url } = payload.data.incident
      return `${cause}\nSince ${startedAt}.\n${url}`
    }
  }
}

function valueAt(values: unknown, path: string): unknown {
  let value = values
  for (const name of path.split('.')) {
    // Own fields only: a template must not reach inherited properties.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function asJson(value: unknown): string {
  if (value === undefined || value === null) return ''
  const json = JSON.stringify(value)
  return typeof value === 'string' ? json.slice(1, -1) : json
}
