// Webhooks: a signed POST (Standard Webhooks) to a URL of the organization's choosing.
//
// Signatures, rotation of secrets:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
// CloudEvents 1.0, structured mode: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
// and .../bindings/http-protocol-binding.md, .../formats/json-format.md, .../http-webhook.md. Its
// handshake with OPTIONS is not made.
import type { FieldProblem } from '../base/fault.ts'
import * as s from '../base/schema/schema.ts'
import { headerProblems } from '../domain/checks/header-rules.ts'
import { limits } from '../domain/limits/limits.ts'
import { secretMask } from '../domain/secret-mask.ts'
import { type Completion, defineChannel } from './model/definition.ts'
import { type Message, payloadOf } from './model/message.ts'
import { httpOutcome } from './model/outcome.ts'
import {
  renderTemplate,
  renderUrlTemplate,
  templateProblem,
  urlTemplateProblem,
} from './model/template.ts'

/** `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks, "Signature scheme"). */
const secretPattern = /^(whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/

const contentTypes = {
  standard: 'application/json',
  cloudevents: 'application/cloudevents+json; charset=utf-8',
} as const

const channelHeadersMax = 20
const bodyTemplateCharsMax = 16 * 1024
const webhookSecretCharsMax = 128

export const webhook = defineChannel({
  type: 'webhook',
  title: 'Webhook',
  takesAnyAnswer: true,
  steps:
    'Any program that takes a POST with JSON can be the receiver. Messages are signed after Standard ' +
    'Webhooks: any library for it verifies them.',
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
        charsMax: webhookSecretCharsMax,
        description:
          'Standard Webhooks signing secret; generated and shown once when absent. When it changes, ' +
          'the former one becomes `previousSecret`',
        example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=',
      }),
    ),
    previousSecret: s.optional(
      s.text({
        charsMax: webhookSecretCharsMax,
        description:
          'signs as well until `previousSecretUntil`, so that the receiver can change its secret in ' +
          'the meantime; null ends that at once',
        example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrsc',
      }),
    ),
    previousSecretUntil: s.optional(
      s.text({
        charsMax: 40,
        format: 'date-time',
        rule: 'must be a time such as 2026-01-31T12:00:00Z',
        description: '24 hours after the change of the secret where absent',
        example: '2026-01-31T12:00:00.000Z',
      }),
    ),
    v1a: s.optional(
      s.described(
        s.flag,
        'sign with a key pair (Ed25519) as well; `publicKey` verifies, so that the receiver keeps no ' +
          'secret',
        true,
      ),
    ),
    signingKey: s.optional(
      s.text({
        charsMax: webhookSecretCharsMax,
        description:
          'the private key for `v1a`, `whsk_` and base64; generated when absent. A change takes ' +
          'effect at once: have the receiver rely on `secret` meanwhile',
        example:
          'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
      }),
    ),
    publicKey: s.optional(
      s.text({
        charsMax: webhookSecretCharsMax,
        description:
          'verifies the `v1a` signatures; it follows from `signingKey`, whatever is sent',
        example: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
      }),
    ),
    headers: s.optional(
      s.described(
        s.mapOf(s.text({ charsMax: limits.headerValueCharsMax }), channelHeadersMax),
        'sent with each message; their values are shown masked',
        { Authorization: 'Bearer example-token' },
      ),
    ),
    method: s.optional(
      s.described(s.oneOf(['POST', 'PUT', 'PATCH', 'GET']), 'POST where absent', 'POST'),
    ),
    format: s.optional(
      s.described(
        s.oneOf(['standard', 'cloudevents']),
        '`cloudevents`: the payload as a CloudEvent 1.0 in JSON (structured mode). `standard` where ' +
          'absent',
        'standard',
      ),
    ),
    bodyTemplate: s.optional(
      s.text({
        charsMin: 1,
        charsMax: bodyTemplateCharsMax,
        description:
          'sent instead of the payload; {{path}} is replaced by the value at that path in the ' +
          'payload, {{title}} and {{text}} by the message in words; a value that a message lacks is ' +
          'empty, a path that no message has is refused',
        example: '{"text": "{{title}}", "incident": "{{data.incident.id}}"}',
      }),
    ),
  }),
  secrets: ['secret', 'previousSecret', 'signingKey', 'headers'],
  signs: ['secret', 'previousSecret', 'signingKey'],
  generatedSecrets: ['secret'],
  urls: ['url'],
  completed: (config, completion) => withKeys(withPrevious(config, completion), completion),
  problems: ({ url, secret, previousSecret, headers = {}, bodyTemplate = '', ...rest }) => [
    ...urlProblems(url),
    ...secretProblems('/secret', secret),
    ...secretProblems('/previousSecret', previousSecret),
    ...keyProblems(rest),
    ...headerProblems(headers),
    ...templateProblems(bodyTemplate),
    ...formatProblems({ ...rest, bodyTemplate }),
  ],

  render(message, config, { nowMs, sign }) {
    const { url, headers = {}, method = 'POST', format = 'standard' } = config
    const body = method === 'GET' ? '' : bodyOf(message, config)
    const { id } = message
    // The time of this attempt, because a receiver refuses requests older than a few minutes.
    const timestampSeconds = Math.floor(nowMs / 1_000)
    return {
      url: renderUrlTemplate(url, message),
      method,
      body,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': contentTypes[format] }),
        'user-agent': 'stillup',
        ...lowerCased(headers),
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signersOf(config, nowMs)
          .map((key) => sign(key, id, timestampSeconds, body))
          .join(' '),
      },
    }
  },

  outcome: httpOutcome,
})

interface WebhookKeys {
  readonly secret?: string
  readonly previousSecret?: string
  readonly previousSecretUntil?: string
  readonly v1a?: boolean
  readonly signingKey?: string
  readonly publicKey?: string
}

/** The keys that sign; a receiver needs one of them. */
function signersOf({ secret = '', signingKey, ...previous }: WebhookKeys, nowMs: number): string[] {
  const { previousSecret, previousSecretUntil = '' } = previous
  const isOverlap = Date.parse(previousSecretUntil) > nowMs
  return [
    secret,
    ...(previousSecret !== undefined && isOverlap ? [previousSecret] : []),
    ...(signingKey === undefined ? [] : [signingKey]),
  ]
}

/** How long the former secret of a webhook signs as well after a rotation. */
const webhookRotationMs = 24 * 3_600_000

/** Keeps the former secret for a day, unless this change says what is to become of it. */
function withPrevious<Conf extends WebhookKeys>(
  { previousSecret, previousSecretUntil, ...config }: Conf,
  { before = {}, nowMs }: Completion<Conf>,
): Conf {
  const { secret: former } = before
  // A secret that cannot be read any more is masked.
  const isRotated = former !== undefined && former !== config.secret && former !== secretMask
  const isKept = previousSecret === before.previousSecret
  const previous = isRotated && isKept ? former : previousSecret
  const isNew = previous !== before.previousSecret
  const isUntilKept = previousSecretUntil === before.previousSecretUntil
  const given = isNew && isUntilKept ? undefined : previousSecretUntil
  const until = given ?? s.toIso(nowMs + webhookRotationMs)
  if (previous === undefined || Date.parse(until) <= nowMs) return config as Conf
  return { ...config, previousSecret: previous, previousSecretUntil: until } as Conf
}

/** A pair of keys while v1a is wanted. */
function withKeys<Conf extends WebhookKeys>(
  { signingKey, publicKey: _, ...config }: Conf,
  { before = {}, mintSigningKey, publicKeyOf }: Completion<Conf>,
): Conf {
  const isGiven = signingKey !== undefined && signingKey !== before.signingKey
  if (config.v1a !== true) return (isGiven ? { ...config, signingKey } : config) as Conf
  const key = signingKey ?? mintSigningKey()
  const publicKey = publicKeyOf(key)
  return { ...config, signingKey: key, ...(publicKey ? { publicKey } : {}) } as Conf
}

function secretProblems(pointer: string, secret: string | undefined): FieldProblem[] {
  if (secret === undefined || secretPattern.test(secret)) return []
  const message = 'must be whsec_ followed by the base64 of 24 to 64 bytes'
  return [{ pointer, keyword: 'pattern', message }]
}

function keyProblems({ v1a, signingKey, publicKey }: WebhookKeys): FieldProblem[] {
  const problem = (message: string) => [{ pointer: '/signingKey', keyword: 'key', message }]
  if (signingKey === undefined) return []
  if (v1a !== true) return problem('is used only with v1a: true')
  if (publicKey !== undefined) return []
  return problem('must be whsk_ and the base64 of an Ed25519 key: 32 private, 32 public bytes')
}

interface Shape {
  readonly format?: string
  readonly method?: string
  readonly bodyTemplate?: string
}

/** A change names only some of the fields, so each field that contradicts another one is named. */
function formatProblems({ format, method = 'POST', bodyTemplate }: Shape): FieldProblem[] {
  if (format !== 'cloudevents') {
    if (method !== 'GET' || !bodyTemplate) return []
    const message = 'cannot be combined with GET, which has no body'
    return [{ pointer: '/bodyTemplate', keyword: 'conflict', message }]
  }
  const pair = (field: string, message: string, other: string) => [
    { pointer: `/${field}`, keyword: 'conflict', message },
    { pointer: '/format', keyword: 'conflict', message: other },
  ]
  return [
    ...(method !== 'POST' ? pair('method', 'must be POST for CloudEvents', 'needs POST') : []),
    ...(bodyTemplate
      ? pair('bodyTemplate', 'cannot be combined with CloudEvents', 'excludes a bodyTemplate')
      : []),
  ]
}

function bodyOf(message: Message, { format, bodyTemplate }: Shape): string {
  if (format === 'cloudevents') return cloudEventOf(message)
  return bodyTemplate ? renderTemplate(bodyTemplate, message) : message.payloadJson
}

/** `subject` is equal for all messages about one matter, such as an incident. */
function cloudEventOf({ id, payloadJson, dedupKey }: Message): string {
  const { type, timestamp, data } = payloadOf(payloadJson)
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: `/orgs/${data.orgId}`,
    type: `stillup.${type}`,
    subject: dedupKey,
    time: timestamp,
    datacontenttype: 'application/json',
    data,
  })
}

function templateProblems(template: string): FieldProblem[] {
  const message = templateProblem(template)
  return message === null ? [] : [{ pointer: '/bodyTemplate', keyword: 'template', message }]
}

function urlProblems(url: string): FieldProblem[] {
  const message = urlTemplateProblem(url)
  return message === null ? [] : [{ pointer: '/url', keyword: 'template', message }]
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries)
}
