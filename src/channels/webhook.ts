// Webhooks: a signed POST (Standard Webhooks) to a URL of the organization's choosing.
import type { Static } from 'typebox'
import type { FieldProblem } from '../base/fault.ts'
import { mapOf, object, oneOf, optional, text } from '../base/schema/schema.ts'
import type { Outcome } from '../domain/alerts/delivery.ts'
import { headerProblems } from '../domain/checks/header-rules.ts'
import { limits } from '../domain/limits/limits.ts'
import type { WebAnswer } from '../net/http/guarded-client.ts'
import type { ChannelKind, Config } from './kind.ts'
import { type Message, payloadOf } from './message.ts'
import { retryAfterMs } from './retry-after.ts'
import type { OpenedChannel, SenderDeps } from './sender.ts'
import { renderTemplate } from './template.ts'

const WebhookConfig = object({
  url: text({ charsMin: 1, charsMax: limits.urlCharsMax, description: 'http or https' }),
  secret: optional(
    text({
      charsMax: limits.webhookSecretCharsMax,
      description: 'Standard Webhooks signing secret; made and shown once when absent',
    }),
  ),
  headers: optional(
    mapOf(text({ charsMax: limits.headerValueCharsMax }), limits.channelHeadersMax),
  ),
  method: optional(oneOf(['POST', 'PUT'])),
  bodyTemplate: optional(
    text({
      charsMin: 1,
      charsMax: limits.bodyTemplateCharsMax,
      description: 'sent in place of the payload; {{path}} is replaced by a value of it',
    }),
  ),
})
type WebhookConfig = Static<typeof WebhookConfig>

/** `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks, "Signature scheme"). */
const secretPattern = /^(whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/

export const webhook: ChannelKind = {
  config: WebhookConfig,
  secretFields: ['secret', 'headers'],
  madeSecrets: ['secret'],
  urlFields: ['url'],
  problems: (config) => {
    const { secret, headers = {} } = asWebhook(config)
    return [...secretProblems(secret), ...headerProblems(headers)]
  },
  createSender,
  describe: (config) => `webhook to ${URL.parse(asWebhook(config).url)?.host ?? 'nowhere'}`,
}

// The config was checked against the schema before it was stored.
function asWebhook(config: Config): WebhookConfig {
  return config as WebhookConfig
}

function secretProblems(secret: string | undefined): FieldProblem[] {
  if (secret === undefined || secretPattern.test(secret)) return []
  const message = 'must be whsec_ followed by the base64 of 24 to 64 bytes'
  return [{ pointer: '/secret', keyword: 'pattern', message }]
}

function createSender({ request, sign }: SenderDeps) {
  return async (
    message: Message,
    opened: OpenedChannel,
    { clock, signal }: Parameters<ReturnType<ChannelKind['createSender']>>[2],
  ): Promise<Outcome> => {
    const {
      url,
      secret = '',
      headers = {},
      method = 'POST',
      bodyTemplate,
    } = asWebhook(opened.config)
    const body = bodyTemplate
      ? renderTemplate(bodyTemplate, payloadOf(message))
      : message.payloadJson
    // Of this attempt: a receiver refuses what claims to be older than a few minutes.
    const timestampSeconds = Math.floor(clock.nowMs() / 1_000)
    const answer = await request({
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
      timeoutMs: limits.deliveryTimeoutMs,
      orgId: opened.channel.orgId,
      ...(signal ? { signal } : {}),
    })
    return outcomeOf(answer, clock.nowMs())
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries)
}

/** What an answer means for the delivery. */
function outcomeOf(answer: WebAnswer, nowMs: number): Outcome {
  if (answer.kind === 'refused') return { ok: false, mayRetry: false, reason: answer.reason }
  if (answer.kind === 'failed') return { ok: false, mayRetry: true, reason: answer.reason }
  const { status, body: response, headers } = answer
  if (status >= 200 && status <= 299) return { ok: true, status, response }
  const failed = { ok: false as const, mayRetry: true, status, response }
  if (status === 410) {
    const reason = 'The receiver is gone for good (410).'
    return { ...failed, mayRetry: false, reason, disablesChannel: true }
  }
  if (status >= 300 && status <= 399) {
    return { ...failed, reason: `The receiver redirects (${status}), which is not followed.` }
  }
  const reason = `The receiver answered ${status}.`
  if (status !== 429 && status !== 503) return { ...failed, reason }
  const waitMs = retryAfterMs(headers['retry-after'], nowMs)
  return { ...failed, reason, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) }
}
