// Standard Webhooks signatures over id, timestamp and body: v1 with a shared secret (HMAC-SHA-256),
// v1a with a key pair (Ed25519).
//
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
// It leaves open what a `whsk_` key contains. As in Svix's server, its origin, it is the base64 of
// the private key followed by the public one: https://github.com/svix/svix-webhooks/tree/main/server
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import nacl from 'tweetnacl'

const secretPrefix = 'whsec_'
const secretBytes = 32
const signingKeyPrefix = 'whsk_'
const publicKeyPrefix = 'whpk_'

/** Creates a signing secret, `whsec_` and base64, as the Standard Webhooks libraries expect it. */
export function mintWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/** Creates a key for v1a signatures: `whsk_` and base64. Nobody but the sender needs it. */
export function mintSigningKey(): string {
  const { secretKey } = nacl.sign.keyPair.fromSeed(randomBytes(nacl.sign.seedLength))
  return signingKeyPrefix + Buffer.from(secretKey).toString('base64')
}

/** The key that verifies, `whpk_` and base64; undefined if the signing key is not a whole key pair. */
export function publicKeyOf(signingKey: string): string | undefined {
  const bytes = Buffer.from(signingKey.slice(signingKeyPrefix.length), 'base64')
  if (!signingKey.startsWith(signingKeyPrefix)) return undefined
  if (bytes.length !== nacl.sign.secretKeyLength) return undefined
  const { publicKey } = nacl.sign.keyPair.fromSeed(bytes.subarray(0, nacl.sign.seedLength))
  // A public half of another key would let the signature reveal the private one.
  if (!bytes.subarray(nacl.sign.seedLength).equals(publicKey)) return undefined
  return publicKeyPrefix + Buffer.from(publicKey).toString('base64')
}

/**
 * Returns one signature for the `webhook-signature` header (Standard Webhooks, "Signature scheme"):
 * `v1,<base64>`, or `v1a,<base64>` for a signing key (`whsk_`). `timestampSeconds` is the value of
 * `webhook-timestamp`, in seconds since 1970.
 */
export function signWebhook(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  const signed = `${id}.${timestampSeconds}.${body}`
  if (secret.startsWith(signingKeyPrefix)) {
    const secretKey = Buffer.from(secret.slice(signingKeyPrefix.length), 'base64')
    const signature = nacl.sign.detached(Buffer.from(signed, 'utf8'), secretKey)
    return `v1a,${Buffer.from(signature).toString('base64')}`
  }
  const bare = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const key = Buffer.from(bare, 'base64')
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
