// The encoding of LDAP's answers: tags and lengths. What a server claims is compared with what is there.
// https://www.rfc-editor.org/rfc/rfc4511#section-5.1
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken } from '../run/driver-socket.ts'

export interface BerPart {
  readonly tag: number
  readonly value: Buffer
}

export const notLdap = () => new RunError(notSpoken('LDAP'))

/** The parts of a value, one after another. Throws RunError where they are no such parts. */
export function partsIn(bytes: Buffer): BerPart[] {
  const parts: BerPart[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at)
    const first = bytes[at + 1]
    const more = (first ?? 0) < 0x80 ? 0 : (first ?? 0) - 0x80
    const from = at + 2 + more
    // A length that is not known at the beginning is not permitted; 4 bytes are more than a check takes.
    if (first === undefined || first === 0x80 || more > 4 || from > bytes.length) throw notLdap()
    const size = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    if (from + size > bytes.length) throw notLdap()
    parts.push({ tag, value: bytes.subarray(from, from + size) })
    at = from + size
  }
  return parts
}

/** A number of up to four bytes, which is not negative. */
export function wholeNumber({ value }: BerPart): number {
  if (value.length === 0 || value.length > 4) throw notLdap()
  return value.readUIntBE(0, value.length)
}

export const textOf = ({ value }: BerPart) => value.toString()
