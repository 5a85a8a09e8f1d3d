// Standard Webhooks signatures, version 1: HMAC-SHA-256 over id, timestamp and body.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** A fresh signing secret, `whsec_` and base64, as the Standard Webhooks libraries take it. */
export function mintWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/**
 * The `webhook-signature` header for a body (Standard Webhooks, "Signature scheme"): `v1,<base64>`.
 * `timestampSeconds` is what goes into `webhook-timestamp`, seconds since 1970.
 */
export function signWebhook(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  const bare = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const key = Buffer.from(bare, 'base64')
  const signed = `${id}.${timestampSeconds}.${body}`
  return `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`
}

/**
 * A secret of the operator's own choosing as a signing secret: `whsec_` and base64 as it is, any
 * other text by its bytes. (Read as base64 it could come to nothing at all.)
 */
export function asWebhookSecret(text: string): string {
  const isMinted = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text)
  return isMinted ? text : secretPrefix + Buffer.from(text, 'utf8').toString('base64')
}

/** Whether one of the signatures of a `webhook-signature` header is right for the message. */
export function isWebhookSigned(
  secret: string,
  message: {
    readonly id: string
    /** The `webhook-timestamp`. */
    readonly seconds: number
    /** One or more `v1,<base64>`, with blanks between. */
    readonly signature: string
    readonly body: string
  },
): boolean {
  const right = Buffer.from(signWebhook(secret, message.id, message.seconds, message.body))
  return message.signature.split(' ').some((one) => {
    const given = Buffer.from(one)
    return given.length === right.length && timingSafeEqual(given, right)
  })
}
