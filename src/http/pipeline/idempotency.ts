// Idempotency-Key: a caller that repeats a request with the same key gets the first response again,
// and the work is not repeated.
import { hash } from 'node:crypto'
import { required } from '../../base/assert.ts'
import { Fault } from '../../base/fault.ts'
import type { Principal } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ReplayClaim, Replays } from '../../services/replays.ts'
import type { Exchange } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import { jsonHead } from '../output/respond.ts'

/**
 * The claim of a request with an Idempotency-Key; undefined without a key or without an identified
 * caller. The key is a structured string or bare. Throws invalid_parameter.
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

// The owner of a key is the user, not the session: a request that is repeated after a new sign-in
// must still find its response.
function ownerOf(principal: Principal): string | undefined {
  if (principal.kind === 'key') return principal.keyId
  if (principal.kind === 'session') return principal.userId
  return principal.kind === 'system' ? 'system' : undefined
}

/** A creation, and the reply to it. */
export interface RepliedWork<Made> {
  /** Returns what its transaction returned. */
  readonly work: () => Promise<Made>
  readonly replyTo: (made: Made) => WireReply
}

/** Does the work, or returns the response that the same request got before. */
export async function answerOnce<Made>(
  { work, replyTo }: RepliedWork<Made>,
  claim: ReplayClaim,
  { lines, nowMs }: Exchange,
  replays: Replays,
): Promise<WireReply> {
  let reply: WireReply | undefined
  const answerTo = (made: Made) => {
    reply = replyTo(made)
    return { body: String(reply.body), etag: reply.etag }
  }
  const before = await replays.once(claim, { work, answerTo }, nowMs)
  if (!before) return required(reply, 'the reply to what was made')
  const etag: [string, string][] = before.etag === undefined ? [] : [['ETag', before.etag]]
  const more = headerLines([['Idempotency-Replayed', 'true'], ...etag])
  return { status: 200, head: jsonHead + lines + more, body: before.body }
}
