// Standard Webhooks signatures, version 1: HMAC-SHA-256 over id, timestamp and body.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** Creates a signing secret, `whsec_` and base64, as the Standard Webhooks libraries expect it. */
export function mintWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/**
 * Returns the `webhook-signature` header for a body (Standard Webhooks, "Signature scheme"):
 * `v1,<base64>`. `timestampSeconds` is the value of `webhook-timestamp`, in seconds since 1970.
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
 * Turns a secret that the operator chose into a signing secret: `whsec_` and base64 stay as they
 * are; any other text is used as its bytes, because decoded as base64 it could be empty.
 */
export function asWebhookSecret(text: string): string {
  const isMinted = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text)
  return isMinted ? text : secretPrefix + Buffer.from(text, 'utf8').toString('base64')
}

/** Whether one of the signatures in a `webhook-signature` header fits the message. */
export function isWebhookSigned(
  secret: string,
  message: {
    readonly id: string
    /** The `webhook-timestamp`. */
    readonly seconds: number
    /** One or more `v1,<base64>`, separated by spaces. */
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
