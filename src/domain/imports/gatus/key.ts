// How Gatus calls an endpoint in addresses: by its group and its name.
import { type ForeignFields, textOf } from '../foreign.ts'

/** https://github.com/TwiN/gatus/blob/master/config/key/key.go */
export function keyOf({ group, name }: ForeignFields): string {
  return `${sanitized(group)}_${sanitized(name)}`
}

function sanitized(value: unknown): string {
  return textOf(value)
    .toLowerCase()
    .trim()
    .replace(/[/_., #+&]/g, '-')
}
