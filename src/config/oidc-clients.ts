// The kind of auth.oidc: a list of OpenID providers, each validated field by field.

import { nearest } from '../domain/nearest.ts'
import { secretMask } from '../domain/secret-mask.ts'
import { isLoopbackUrl, type OidcClient } from '../domain/sign-in/oidc.ts'
import type { Kind, KindProblem } from './kinds.ts'

interface ClientField {
  readonly allowed: string
  readonly isSecret?: true
  readonly isOptional?: true
  isRight(text: string): boolean
}

const clientsMax = 20

const fields: Readonly<Record<keyof OidcClient, ClientField>> = {
  name: {
    allowed: 'at most 40 lower-case letters, digits and hyphens, such as google',
    isRight: (text) => /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(text),
  },
  label: {
    allowed: 'a text of 1 to 60 characters',
    isOptional: true,
    isRight: (text) => text.length <= 60,
  },
  issuer: {
    allowed:
      'an https address without a query, exactly as the provider spells it; http on this machine only',
    isRight: isIssuer,
  },
  clientId: {
    allowed: 'the id that the provider gave, at most 512 characters',
    isRight: (text) => text.length <= 512,
  },
  clientSecret: {
    allowed: 'the secret that the provider gave, at most 1024 characters',
    isSecret: true,
    isRight: (text) => text.length <= 1_024,
  },
  scopes: {
    allowed: 'words separated by spaces, including openid',
    isOptional: true,
    isRight: (text) => /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text) && hasOpenid(text),
  },
}
const names = Object.keys(fields) as (keyof OidcClient)[]

/** In the file a list of tables; in a variable, or in the file it names, the same as JSON. */
export const oidcClients: Kind<readonly OidcClient[]> = {
  allowed:
    'a list of tables with name, issuer, clientId, clientSecret and perhaps label and scopes; ' +
    'in a variable as JSON',
  parse: (raw) => (problemsOf(raw).length === 0 ? (raw as unknown[]).map(clientOf) : undefined),
  explain: problemsOf,
  form: { type: 'providers' },
  masked: (clients) => clients.map((one) => ({ ...one, clientSecret: secretMask })),
  unmasked(raw, before) {
    if (!Array.isArray(raw)) return raw
    const whole = raw.map((one: unknown) => withSecret(one, before))
    return whole.includes(undefined) ? undefined : whole
  },
  fromText(text) {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  },
}

/** A secret goes to no other provider: its mask stands for it only while issuer and id are the same. */
function withSecret(raw: unknown, before: readonly OidcClient[]): unknown {
  if (typeof raw !== 'object' || raw === null) return raw
  const given = new Map<string, unknown>(Object.entries(raw))
  if (given.get('clientSecret') !== secretMask) return raw
  const known = before.find(
    ({ name, issuer, clientId }) =>
      name === given.get('name') &&
      issuer === given.get('issuer') &&
      clientId === given.get('clientId'),
  )
  return known && { ...raw, clientSecret: known.clientSecret }
}

function problemsOf(raw: unknown): KindProblem[] {
  if (!Array.isArray(raw) || raw.length > clientsMax) {
    const found = Array.isArray(raw) ? `${raw.length} providers` : 'something other than a list'
    const allowed = Array.isArray(raw) ? `at most ${clientsMax}` : oidcClients.allowed
    return [{ place: '', found, allowed }]
  }
  const seen = new Set<unknown>()
  return raw.flatMap((one: unknown, at) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) {
      return [{ place: `.#${at + 1}`, found: 'something other than a table', allowed: 'a table' }]
    }
    const given = new Map<string, unknown>(Object.entries(one))
    const problems = fieldProblems(given, at)
    const name = given.get('name')
    if (!seen.has(name)) seen.add(name)
    else
      problems.push({
        place: `.${name}.name`,
        found: 'a name that is used twice',
        allowed: 'unique names',
      })
    return problems
  })
}

/** `at` identifies the provider if it has no name that can be shown. */
function fieldProblems(given: ReadonlyMap<string, unknown>, at: number): KindProblem[] {
  const name = given.get('name')
  const isNamed = typeof name === 'string' && fields.name.isRight(name.trim())
  const place = `.${isNamed ? name.trim() : `#${at + 1}`}`
  const wrong = names.flatMap((field): KindProblem[] => {
    const { allowed, isRight, isSecret, isOptional } = fields[field]
    const value = given.get(field)
    if (value === undefined && isOptional) return []
    const isFilled = typeof value === 'string' && value.trim() !== ''
    if (isFilled && isRight(value.trim())) return []
    return [{ place: `${place}.${field}`, found: shown(value, isSecret === true), allowed }]
  })
  const strange = [...given.keys()].filter((key) => !Object.hasOwn(fields, key))
  return [
    ...wrong,
    ...strange.map((key) => {
      const near = nearest(key, names)
      const allowed = near ? `${near} (did you mean that?)` : names.join(', ')
      return { place: `${place}.${key}`, found: 'a field that does not exist', allowed }
    }),
  ]
}

function shown(value: unknown, isSecret: boolean): string {
  if (value === undefined) return 'nothing'
  if (isSecret) return 'a hidden value'
  return (JSON.stringify(value) ?? String(value)).slice(0, 100)
}

// Every field was validated before.
function clientOf(raw: unknown): OidcClient {
  const given = raw as Partial<Record<keyof OidcClient, string>>
  const textOf = (name: keyof OidcClient) => (given[name] ?? '').trim()
  return {
    name: textOf('name'),
    label: textOf('label') || textOf('name'),
    issuer: textOf('issuer'),
    clientId: textOf('clientId'),
    clientSecret: textOf('clientSecret'),
    scopes: textOf('scopes') || 'openid email profile',
  }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username || url.password || text.includes('?') || text.includes('#')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url))
}

function hasOpenid(scopes: string): boolean {
  return scopes.split(' ').includes('openid')
}
