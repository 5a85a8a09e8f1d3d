// Idempotency-Key: names one caller's one attempt, so that asking again does not do it again.
import { hash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import type { Principal } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ReplayClaim } from '../../services/replays.ts'

/**
 * What a request with an Idempotency-Key claims; undefined without the key or for nobody in
 * particular. The key is a structured string or bare. Throws invalid_parameter.
 */
export function replayClaim(
  header: string,
  principal: Principal,
  operation: string,
  body: Buffer,
): ReplayClaim | undefined {
  if (header === '') return undefined
  const owner = ownerOf(principal)
  if (owner === undefined) return undefined
  const key = /^"([\x20-\x21\x23-\x7e]+)"$/.exec(header)?.[1] ?? header
  if (key.length > limits.idempotencyKeyCharsMax || !/^[\x20-\x21\x23-\x7e]+$/.test(key)) {
    throw new Fault('invalid_parameter', 'The Idempotency-Key is not 1 to 255 printable characters')
  }
  return {
    owner,
    keyHash: hash('sha256', `${operation}\n${key}`, 'base64url'),
    bodyHash: hash('sha256', body, 'base64url'),
  }
}

// By user, not by session: who signs in again after a lost answer must still find it.
function ownerOf(principal: Principal): string | undefined {
  if (principal.kind === 'key') return principal.keyId
  if (principal.kind === 'session') return principal.userId
  return principal.kind === 'system' ? 'system' : undefined
}
