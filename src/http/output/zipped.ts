// Large responses of the API, compressed for clients that accept it. A thread of the pool does it.
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { perObject } from '../../base/per-object.ts'
import type { WireReply } from '../edge/reply.ts'
import { codingsOf } from './codings.ts'

const zip = promisify(gzip)

/** Most of the gain for a third of the time: each response is sent once. */
const level = constants.Z_BEST_SPEED

const zippedOnce = perObject((_result: object, body: string | Uint8Array) => zip(body, { level }))

/** Smaller responses are sent faster than they are compressed. */
export const zippedBytesMin = 16 * 1024

/** Callers who share the result of a handler share its compressed body: it follows from the result. */
export async function zipped(
  reply: WireReply,
  acceptEncoding: string,
  result: object = reply,
): Promise<WireReply> {
  const { body, head, status } = reply
  if (status !== 200 || body === undefined || body.length < zippedBytesMin) return reply
  const varying = `${head}\r\nVary: Accept-Encoding`
  if (!codingsOf(acceptEncoding).gzip) return { ...reply, head: varying }
  return {
    ...reply,
    head: `${varying}\r\nContent-Encoding: gzip`,
    body: await zippedOnce(result, body),
  }
}
