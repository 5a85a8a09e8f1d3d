// Reduces a log entry to plain values, bounded in depth and length, without secrets.

// Compared ignoring case, '-' and '_': x-api-key, apiKey and API_KEY are the same name.
const secretNames = new Set([
  'apikey',
  'authorization',
  'authtoken',
  'cookie',
  'dateofbirth',
  'firstname',
  'identitynumbers',
  'lastname',
  'masterkey',
  'password',
  'passwordhash',
  'privatekey',
  'proxyauthorization',
  'pushtoken',
  'routingkey',
  'secret',
  'sessiontoken',
  'setcookie',
  'setuptoken',
  'signingkey',
  'smtpurl',
  'systemtoken',
  'token',
  'tokenhash',
  'webhookurl',
  'xapikey',
])

const hidden = '[hidden]'
const depthMax = 5
const itemsMax = 50
const textCharsMax = 4_000

const isSecretName = (name: string) => secretNames.has(name.toLowerCase().replace(/[-_]/g, ''))

// Push tokens, kept addresses and invitations are secrets in a path; credentials in a URL are secrets everywhere.
const secretsInText: readonly (readonly [RegExp, string])[] = [
  [/\b(s[upt]p)_[0-9A-Za-z]{20,}/g, `$1_${hidden}`],
  [/(\/(?:push|ping|invites)\/)[^\s/?"']+/g, `$1${hidden}`],
  // The pattern begins after the scheme, because a pattern that begins with letters is slow on a long word.
  [/(:\/\/)[^\s/?#@"']+@/g, `$1${hidden}@`],
  [/\b(Bearer|Basic) [\w.~+/=-]+/gi, `$1 ${hidden}`],
  [/\b(auth-token=)[^\s;,"']+/gi, `$1${hidden}`],
  [/([?&](?:api_?key|code|key|password|secret|token)=)[^\s&#"']+/gi, `$1${hidden}`],
]

function cleanText(text: string): string {
  let clean = text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text
  for (const [pattern, replacement] of secretsInText) clean = clean.replace(pattern, replacement)
  return clean
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause, ...rest } = error as Error & Record<string, unknown>
  return {
    name: error.name,
    message: cleanText(error.message),
    ...(typeof error.stack === 'string' ? { stack: cleanText(error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) }),
    ...cleanFields(rest, depth),
  }
}

function cleanFields(fields: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields).slice(0, itemsMax)) {
    result[name] = isSecretName(name) && value != null ? hidden : clean(value, depth + 1)
  }
  return result
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (typeof value !== 'object' || value === null) return value
  // The bound on depth also ends cycles.
  if (depth > depthMax) return '[…]'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => clean(item, depth + 1))
  if (value instanceof Error) return cleanError(value, depth)
  return cleanFields(value, depth)
}

/** Returns a copy of the fields that is safe to log. */
export function redacted(fields: object): Record<string, unknown> {
  return cleanFields(fields, 0)
}
