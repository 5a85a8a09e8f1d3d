// The token of a remote probe: both sides derive from it what the probe authenticates with, and the key
// that seals what targets must not be sent in the open.
import { hash, hkdfSync } from 'node:crypto'
import nacl from 'tweetnacl'
import { type Box, createBox } from './box.ts'

/** What is derived from the token of a remote probe. */
export interface ProbeSecrets {
  /** The bearer: 43 characters, base64url. It reveals neither the token nor the key. */
  readonly auth: string
  /** 32 bytes, base64url. */
  readonly sealKey: string
}

/** Derives by HKDF-SHA-256 (RFC 5869). */
export function probeSecrets(token: string): ProbeSecrets {
  return { auth: derived(token, 'probe auth'), sealKey: derived(token, 'probe seal') }
}

/** Seals and opens with a key that `probeSecrets` derived. */
export function probeBox(sealKey: string): Box {
  const bytes = Buffer.from(sealKey, 'base64url')
  const key = { id: hash('sha256', bytes, 'hex').slice(0, 8), bytes }
  const find = (id: string) => (id === key.id ? key : undefined)
  return createBox({ newest: key, oldest: key, hasOlder: false, find })
}

function derived(token: string, purpose: string): string {
  const bytes = hkdfSync('sha256', token, '', purpose, nacl.secretbox.keyLength)
  return Buffer.from(bytes).toString('base64url')
}
