// Bearer tokens (API keys, push tokens, those of probes): created with a checksum, stored only as a hash.
import { createHmac, hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `sup` is an API key, `spp` a push token, `stp` the token of a remote probe. */
export type TokenPrefix = 'sup' | 'spp' | 'stp'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomChars = 30
const checksumChars = 6
// The largest multiple of 62 in a byte: bytes above it would favour the first characters.
const fairBytesBelow = 256 - (256 % alphabet.length)
/**
 * The cell letter of every token that is created. An installation is one cell; if it is ever split into
 * several, a token says by itself which of them knows it, and no look-up has to find that out.
 */
const cell = 'a'
/**
 * What follows the underscore: 37 characters that begin with the cell letter, or the 36 of a token that was
 * created before there were cell letters. Such tokens stay valid, and are of cell `a`.
 */
const bodyPattern = /^[a-z]?[0-9A-Za-z]{36}$/

/**
 * Creates a token: prefix, '_', cell letter, 30 random base62 characters (178 bits), 6 of CRC-32 over
 * all that.
 */
export function mintToken(prefix: TokenPrefix): string {
  let text = `${prefix}_${cell}`
  const wanted = text.length + randomChars
  while (text.length < wanted) {
    for (const byte of randomBytes(2 * randomChars)) {
      if (byte < fairBytesBelow && text.length < wanted) text += alphabet[byte % alphabet.length]
    }
  }
  return text + checksum(text)
}

/** Whether the text has the form and checksum of such a token, without any look-up. */
export function isTokenShaped(text: string, prefix: TokenPrefix): boolean {
  const start = `${prefix}_`
  if (!text.startsWith(start) || !bodyPattern.test(text.slice(start.length))) return false
  return checksum(text.slice(0, -checksumChars)) === text.slice(-checksumChars)
}

const linkTokenBytes = 32
const linkTokenPattern = /^[\w-]{43}$/

/** Creates a token for a link in a letter: 256 random bits, base64url. */
export function mintLinkToken(): string {
  return randomBytes(linkTokenBytes).toString('base64url')
}

/** Whether the text has the form of a link token, without any look-up. */
export function isLinkTokenShaped(text: string): boolean {
  return linkTokenPattern.test(text)
}

/** SHA-256 as base64url: tokens are stored and looked up by it. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'base64url')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let chars = ''
  for (let index = 0; index < checksumChars; index += 1) {
    chars = alphabet[rest % alphabet.length] + chars
    rest = Math.floor(rest / alphabet.length)
  }
  return chars
}

export type FieldHash = ReturnType<typeof createFieldHash>

/** Enough to tell values apart: 16 bytes. */
const hashChars = 22

/**
 * Hashes with a key derived only for this purpose values that are compared later and may be secrets: without the
 * key, nobody can try what they are of.
 */
export function createFieldHash(key: Buffer) {
  return (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, hashChars)
}
