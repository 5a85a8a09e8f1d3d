// Webhooks: a signed POST (Standard Webhooks) to a URL of the organization's choosing.

import type { FieldProblem } from '../base/fault.ts'
import * as s from '../base/schema/schema.ts'
import { headerProblems } from '../domain/checks/header-rules.ts'
import { limits } from '../domain/limits/limits.ts'
import { defineChannel } from './model/definition.ts'
import { httpOutcome } from './model/outcome.ts'
import { renderTemplate, templateProblem } from './model/template.ts'

/** `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks, "Signature scheme"). */
const secretPattern = /^(whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/

export const webhook = defineChannel({
  type: 'webhook',
  title: 'Webhook',
  guide:
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  example: { url: 'https://hooks.example.com/stillup' },
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
          'sent instead of the payload; {{path}} is replaced by the value at that path in the ' +
          'payload, {{title}} and {{text}} by the message in words; a value that a message lacks is ' +
          'empty, a path that no message has is refused',
        example: '{"text": "{{title}}", "incident": "{{data.incident.id}}"}',
      }),
    ),
  }),
  secrets: ['secret', 'headers'],
  generatedSecrets: ['secret'],
  urls: ['url'],
  problems: ({ secret, headers = {}, bodyTemplate = '' }) => [
    ...secretProblems(secret),
    ...headerProblems(headers),
    ...templateProblems(bodyTemplate),
  ],

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

function templateProblems(template: string): FieldProblem[] {
  const message = templateProblem(template)
  return message === null ? [] : [{ pointer: '/bodyTemplate', keyword: 'template', message }]
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries)
}
