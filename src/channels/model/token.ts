// Tokens that become a header: one that no header can carry is refused before it is stored.
import type { TObject, TSchema } from 'typebox'
import { text } from '../../base/schema/schema.ts'
import type { Config } from './config.ts'

interface TokenOptions {
  readonly description: string
  readonly example: string
  readonly charsMin?: number
  readonly charsMax?: number
}

/** White space around it is accepted, because it is pasted along, and not stored. */
const pattern = '^\\s*[!-~]+\\s*$'

/** The field of a config with a token, a key or a password that goes into a header as it is. */
export function tokenText(options: TokenOptions) {
  const rule = 'must be printable ASCII without spaces and line breaks'
  return accountText({ pattern, rule, ...options })
}

const accountTextCharsMax = 512

/** Anything that an account of a platform has, such as its name or its password. */
export function accountText(options: Omit<Parameters<typeof text>[0], 'charsMin' | 'charsMax'>) {
  return text({ charsMin: 1, charsMax: accountTextCharsMax, ...options })
}

/** The config without white space around its tokens. */
export function withTrimmedTokens({ properties }: TObject, config: Config): Config {
  const fields = Object.entries(config).map(([name, value]) => {
    const isToken = typeof value === 'string' && isTokenSchema(properties[name])
    return [name, isToken ? value.trim() : value]
  })
  return Object.fromEntries(fields)
}

function isTokenSchema(schema: (TSchema & { readonly pattern?: string }) | undefined): boolean {
  return schema?.pattern === pattern
}
