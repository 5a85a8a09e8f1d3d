// Stored secrets come as masks, and stand for their values only at the server that they are for.
import { secretMask } from '../../../base/secret-mask.ts'

export interface StoredRequest {
  readonly url: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly password?: string | null
  readonly secret?: string | null
  readonly clientKey?: string | null
}

/** Whether there are any, and the address leads to another server: the service judges alike. */
export function mustBeTypedAgain(stored: StoredRequest | undefined, address: unknown): boolean {
  const before = URL.parse(stored?.url ?? '')
  const now = URL.parse(String(address))
  // An address that is being typed does not say yet where it leads.
  const texts = [stored?.password, stored?.secret, stored?.clientKey]
  const hasSecrets = maskedNames(stored?.headers).length > 0 || texts.includes(secretMask)
  if (!before || !now || !hasSecrets) return false
  const isWeb = /^(https?|wss?):$/.test(now.protocol)
  const isSameWay = isWeb || before.search === now.search
  return before.protocol !== now.protocol || before.host !== now.host || !isSameWay
}

/** The headers that have no other value than that of the stored one. */
export function maskedNames(headers: unknown): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value === secretMask ? [name] : [],
  )
}
