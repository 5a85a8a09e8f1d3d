// One-time codes from a shared secret and the time: HOTP (RFC 4226) and TOTP (RFC 6238).
import { createHmac, timingSafeEqual } from 'node:crypto'

/** As every authenticator app does: SHA-1, six digits, 30 seconds. */
const digits = 6
const stepMs = 30_000
/** Steps before and after the current one that are accepted, for slow typing and wrong clocks. */
const stepsAside = 1
/** The length of the HMAC's output, which RFC 4226 recommends. */
export const totpSecretBytes = 20

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of a counter. */
export function hotp(secret: Uint8Array, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  // The last four bits select where the 31 bits of the code begin.
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const bits = mac.readUInt32BE(offset) & 0x7fffffff
  return String(bits % 10 ** digits).padStart(digits, '0')
}

/** The 30-second step that contains a time: the counter of its code. */
export function totpStep(atMs: number): number {
  return Math.floor(atMs / stepMs)
}

/**
 * The step that has this code, now or one step aside; undefined if none has. A step up to
 * `lastStep` was used before and does not count again.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number | null },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const given = Buffer.from(code)
  const present = totpStep(nowMs)
  let found: number | undefined
  for (let step = present - stepsAside; step <= present + stepsAside; step += 1) {
    const isRight = step >= 0 && timingSafeEqual(Buffer.from(hotp(secret, step)), given)
    if (isRight && step > (lastStep ?? -1)) found ??= step
  }
  return found
}

/** Encodes bytes as letters and digits that people can copy (RFC 4648), without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let kept = 0
  let keptBits = 0
  for (const byte of bytes) {
    kept = (kept << 8) | byte
    keptBits += 8
    while (keptBits >= 5) {
      keptBits -= 5
      text += base32Alphabet.charAt((kept >> keptBits) & 31)
    }
    kept &= (1 << keptBits) - 1
  }
  return keptBits === 0 ? text : text + base32Alphabet.charAt((kept << (5 - keptBits)) & 31)
}

/** The URL that an authenticator app reads from the QR code. */
export function otpauthUrl(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const how = `algorithm=SHA1&digits=${digits}&period=${stepMs / 1_000}`
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&${how}`
  return `otpauth://totp/${label}?${query}`
}
