// Standard Webhooks signatures, version 1: HMAC-SHA-256 over id, timestamp and body.
import { createHmac, randomBytes } from 'node:crypto'

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
