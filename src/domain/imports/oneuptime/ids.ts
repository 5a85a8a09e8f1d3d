// Ids of OneUptime: UUIDs, plain or as a value with its type.
import { hash } from 'node:crypto'
import { fieldsOf, textOf } from '../foreign.ts'

export function idTextOf(id: unknown): string {
  return textOf(fieldsOf(id).value ?? id)
}

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
const ulidChars = 26

/** A UUID has as many bits as our ids. `part`: which of the monitors that one there becomes. */
export function documentIdOf(uuid: string, part = 0): string | undefined {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(hex)) return undefined
  const own = part === 0 ? hex : hash('sha256', `${hex} ${part}`, 'hex').slice(0, hex.length)
  let rest = BigInt(`0x${own}`)
  let text = ''
  while (text.length < ulidChars) {
    text = (crockford[Number(rest & 31n)] ?? '') + text
    rest >>= 5n
  }
  return `mon_${text}`
}
