// Stored secrets come as masks, and stand for their values only at the server that they are for.
import { secretMask } from '../../../base/secret-mask.ts'

export interface StoredRequest {
  readonly url: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly variables?: unknown
  readonly password?: string | null
  readonly secret?: string | null
  readonly clientKey?: string | null
  readonly steps?: readonly { readonly url: string }[] | null
  readonly auth?: { readonly tokenUrl?: string | null | undefined } | null
  readonly connectTo?: string | null
  readonly proxy?: string | null
}

function hasSecretsIn(stored: StoredRequest | undefined): boolean {
  const texts = [stored?.password, stored?.secret, stored?.clientKey]
  const named = [...maskedNames(stored?.headers), ...maskedNames(stored?.variables)]
  return named.length > 0 || texts.includes(secretMask)
}

/** How a check gets to its server, as a form has it. */
interface TypedWay {
  readonly connectTo?: unknown
  readonly proxy?: unknown
}

/** Whether there are any, and the address or the way leads to another server: the service judges alike. */
export function mustBeTypedAgain(
  stored: StoredRequest | undefined,
  address: unknown,
  { connectTo, proxy }: TypedWay = {},
): boolean {
  const before = URL.parse(stored?.url ?? '')
  const now = URL.parse(String(address))
  // An address that is being typed does not say yet where it leads.
  if (!before || !now || !hasSecretsIn(stored)) return false
  const isWeb = /^(https?|wss?):$/.test(now.protocol)
  const isSameWay =
    (isWeb || before.search === now.search) &&
    (connectTo ?? null) === (stored?.connectTo ?? null) &&
    (proxy ?? null) === (stored?.proxy ?? null)
  return before.protocol !== now.protocol || before.host !== now.host || !isSameWay
}

/** Whether the secrets go to another server of tokens, which may come or go as well. */
export function tokensComeFromElsewhere(
  stored: StoredRequest | undefined,
  tokenUrl: unknown,
): boolean {
  if (!hasSecretsIn(stored)) return false
  const before = URL.parse(stored?.auth?.tokenUrl ?? '')
  const now = URL.parse(String(tokenUrl ?? ''))
  if (tokenUrl && !now) return false
  return before?.origin !== now?.origin
}

/** The headers that have no other value than that of the stored one. */
export function maskedNames(headers: unknown): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value === secretMask ? [name] : [],
  )
}
