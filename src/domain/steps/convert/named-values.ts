// Puts placeholders in the place of values of a request: what is secret, and what an earlier answer said.
import { isSecretHeader } from '../../checks/header-rules.ts'
import { secretField } from '../../secret-mask.ts'
import { placeholdersIn } from '../template.ts'
import type { Draft } from './draft.ts'

/** Makes a variable of a value, named after its field, and returns its name. */
export type Hide = (field: string, value: string) => string

/** The name that a placeholder for the value of a field has; undefined: the value stays. Items of lists have no field. */
export type NameFor = (field: string, value: string) => string | undefined

export function hasPlaceholder(text: string): boolean {
  return placeholdersIn(text).length > 0
}

/** A text whose braces are no placeholders, except of what is made anew for each check. */
export function literalText(text: string, draft: Draft): string {
  if (placeholdersIn(text).every(({ kind }) => kind === 'made')) return text
  return text.replaceAll('{{', `{{${draft.variable('braces', '{{')}}}`)
}

/** The same of all texts in a value of JSON. */
export function literalValue(value: unknown, draft: Draft): unknown {
  const json = JSON.stringify(value)
  const literal = literalText(json, draft)
  return literal === json ? value : JSON.parse(literal)
}

/** Names what is secret by its field. */
export function secretsBy(hide: Hide): NameFor {
  return (field, value) => {
    const isSecret = value !== '' && secretField.test(field) && !hasPlaceholder(value)
    return isSecret ? hide(field, value) : undefined
  }
}

/** Decoded as in a form; undefined if it is not encoded well. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The pairs of a query or form. */
function withNamedPairs(text: string, nameFor: NameFor): string {
  return text
    .split('&')
    .map((pair) => {
      const valueAt = pair.indexOf('=') + 1
      if (valueAt === 0) return pair
      const value = pair.slice(valueAt)
      const plain = decoded(value)
      const name = nameFor(decoded(pair.slice(0, valueAt - 1)) ?? '', plain ?? value)
      if (name === undefined) return pair
      return `${pair.slice(0, valueAt)}{{${name}${plain === undefined ? '' : '|url'}}}`
    })
    .join('&')
}

/** A URL without a fragment. */
export function withNamedQuery(url: string, nameFor: NameFor): string {
  const queryAt = url.indexOf('?') + 1
  if (queryAt === 0) return url
  return url.slice(0, queryAt) + withNamedPairs(url.slice(queryAt), nameFor)
}

/** RFC 9110 11.4: the scheme, then what proves who asks. */
const credentials = /^([A-Za-z][\w-]{0,30}) +(\S+)$/

export function withHiddenHeader(name: string, value: string, hide: Hide): string {
  if (hasPlaceholder(value) || value === '') return value
  if (!isSecretHeader(name)) {
    return /^https?:\/\//i.test(value) ? withNamedQuery(value, secretsBy(hide)) : value
  }
  const [, scheme = '', proof = ''] = credentials.exec(value) ?? []
  if (/^basic$/i.test(scheme)) {
    const login = Buffer.from(proof, 'base64').toString()
    // Only what is written back as it was.
    if (Buffer.from(login).toString('base64') === proof) {
      return `${scheme} {{${hide('login', login)}|base64}}`
    }
  }
  if (/^bearer$/i.test(scheme)) return `${scheme} {{${hide('token', proof)}}}`
  if (proof !== '' && /authori[sz]ation/i.test(name)) {
    return `${scheme} {{${hide(name.toLowerCase(), proof)}}}`
  }
  return `{{${hide(name.toLowerCase(), value)}}}`
}

export function withNamedBody(body: string, contentType: string, nameFor: NameFor): string {
  const [, boundary] = /boundary="?([^";]+)/i.exec(contentType) ?? []
  if (boundary !== undefined) return withNamedParts(body, boundary, nameFor)
  const begin = body.trimStart().charAt(0)
  if (begin === '{' || begin === '[' || /json/i.test(contentType)) {
    return withNamedJson(body, nameFor)
  }
  if (begin === '<') return withNamedElements(body, nameFor)
  const isForm = /urlencoded/i.test(contentType) || /^[^\s=&]+=[^\s]*$/.test(body)
  return isForm ? withNamedPairs(body, nameFor) : body
}

/** Texts, and what stands between them; the last text may lack its end. */
const jsonTokens = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[^"]+/gs

/** Keeps the form of the document, which may have placeholders where values stand. */
function withNamedJson(body: string, nameFor: NameFor): string {
  const tokens = Array.from(body.matchAll(jsonTokens), ([token]) => token)
  return tokens
    .map((token, at) => {
      const before = tokens[at - 1] ?? ''
      if (!token.startsWith('"')) {
        const [, colon = '', number = '', rest = ''] =
          /^(\s*:\s*)(-?\d[\d.eE+-]*)(.*)$/s.exec(token) ?? []
        const name = number === '' ? undefined : nameFor(textIn(before) ?? '', number)
        return name === undefined ? token : `${colon}{{${name}}}${rest}`
      }
      const value = /^\s*:/.test(tokens[at + 1] ?? '') ? undefined : textIn(token)
      if (value === undefined) return token
      const isOfField = /^\s*:\s*$/.test(before)
      const name = nameFor(isOfField ? (textIn(tokens[at - 2] ?? '') ?? '') : '', value)
      return name === undefined ? withNamedArguments(token, nameFor) : `"{{${name}|json}}"`
    })
    .join('')
}

function textIn(token: string): string | undefined {
  try {
    return String(JSON.parse(token))
  } catch {
    return undefined
  }
}

/** GraphQL inside a text of JSON: `login(password: \"…\")`. */
function withNamedArguments(token: string, nameFor: NameFor): string {
  return token.replace(
    /\b(\w+)\s*:\s*\\"([^"\\]*)\\"/g,
    (whole: string, field: string, value: string) => {
      const name = nameFor(field, value)
      return name === undefined ? whole : `${field}: \\"{{${name}|json}}\\"`
    },
  )
}

/** Elements of XML without others inside. */
function withNamedElements(body: string, nameFor: NameFor): string {
  return body.replace(
    /<([\w:.-]+)(\s[^<>]*)?>([^<>&]+)(?=<\/)/g,
    (whole: string, field: string, attributes = '', value = '') => {
      const name = nameFor(field, value)
      return name === undefined ? whole : `<${field}${attributes}>{{${name}}}`
    },
  )
}

/** RFC 7578: the parts of a form with files. */
function withNamedParts(body: string, boundary: string, nameFor: NameFor): string {
  return body
    .split(`--${boundary}`)
    .map((part) => {
      const valueAt = part.indexOf('\r\n\r\n') + 4
      if (valueAt < 4 || !part.endsWith('\r\n')) return part
      const [, field = ''] = /\bname="([^"\r\n]*)"/.exec(part.slice(0, valueAt)) ?? []
      const name = nameFor(field, part.slice(valueAt, -2))
      return name === undefined ? part : `${part.slice(0, valueAt)}{{${name}}}\r\n`
    })
    .join(`--${boundary}`)
}
