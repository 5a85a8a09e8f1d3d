// Takes what is secret out of the parts of a request: a placeholder names the variable that holds it.
import { isSecretHeader } from '../../checks/header-rules.ts'
import { secretField } from '../../secret-mask.ts'

/** Makes a variable of a value, named after its field, and returns its name. */
export type Hide = (field: string, value: string) => string

export function hasPlaceholder(text: string): boolean {
  return text.includes('{{')
}

function mustHide(field: string, value: string): boolean {
  return value !== '' && secretField.test(field) && !hasPlaceholder(value)
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
function withHiddenPairs(text: string, hide: Hide): string {
  return text
    .split('&')
    .map((pair) => {
      const valueAt = pair.indexOf('=') + 1
      const value = valueAt === 0 ? '' : pair.slice(valueAt)
      const field = decoded(pair.slice(0, Math.max(0, valueAt - 1))) ?? ''
      if (!mustHide(field, value)) return pair
      const plain = decoded(value)
      const name = hide(field, plain ?? value)
      return `${pair.slice(0, valueAt)}{{${name}${plain === undefined ? '' : '|url'}}}`
    })
    .join('&')
}

/** A URL without a fragment. */
export function withHiddenUrlQuery(url: string, hide: Hide): string {
  const queryAt = url.indexOf('?') + 1
  if (queryAt === 0) return url
  return url.slice(0, queryAt) + withHiddenPairs(url.slice(queryAt), hide)
}

/** RFC 9110 11.4: the scheme, then what proves who asks. */
const credentials = /^([A-Za-z][\w-]{0,30}) +(\S+)$/

export function withHiddenHeader(name: string, value: string, hide: Hide): string {
  if (hasPlaceholder(value) || value === '') return value
  if (!isSecretHeader(name)) {
    return /^https?:\/\//i.test(value) ? withHiddenUrlQuery(value, hide) : value
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

export function withHiddenBody(body: string, contentType: string, hide: Hide): string {
  const [, boundary] = /boundary="?([^";]+)/i.exec(contentType) ?? []
  if (boundary !== undefined) return withHiddenParts(body, boundary, hide)
  const begin = body.trimStart().charAt(0)
  if (begin === '{' || begin === '[' || /json/i.test(contentType)) return withHiddenJson(body, hide)
  if (begin === '<') return withHiddenElements(body, hide)
  const isForm = /urlencoded/i.test(contentType) || /^[^\s=&]+=[^\s]*$/.test(body)
  return isForm ? withHiddenPairs(body, hide) : body
}

/** Texts, and what stands between them; the last text may lack its end. */
const jsonTokens = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[^"]+/gs

/** Keeps the form of the document, which may have placeholders where values stand. */
function withHiddenJson(body: string, hide: Hide): string {
  let before = ''
  let field: string | undefined
  const shown = Array.from(body.matchAll(jsonTokens), ([token]) => {
    if (!token.startsWith('"')) {
      const [, colon = '', number = '', rest = ''] =
        /^(\s*:\s*)(-?\d[\d.eE+-]*)?(.*)$/s.exec(token) ?? []
      field = colon === '' ? undefined : textIn(before)
      before = ''
      if (field === undefined || !mustHide(field, number)) return token
      return `${colon}{{${hide(field, number)}}}${rest}`
    }
    const value = textIn(token)
    const owner = field
    field = undefined
    before = token
    if (value === undefined) return token
    if (owner !== undefined && mustHide(owner, value)) return `"{{${hide(owner, value)}|json}}"`
    return owner === undefined ? token : withHiddenArguments(token, hide)
  })
  return shown.join('')
}

function textIn(token: string): string | undefined {
  try {
    return String(JSON.parse(token))
  } catch {
    return undefined
  }
}

/** GraphQL inside a text of JSON: `login(password: \"…\")`. */
function withHiddenArguments(token: string, hide: Hide): string {
  return token.replace(
    /\b(\w+)\s*:\s*\\"([^"\\]*)\\"/g,
    (whole: string, field: string, value: string) =>
      mustHide(field, value) ? `${field}: \\"{{${hide(field, value)}|json}}\\"` : whole,
  )
}

/** Elements of XML without others inside. */
function withHiddenElements(body: string, hide: Hide): string {
  return body.replace(
    /<([\w:.-]+)(\s[^<>]*)?>([^<>&]+)(?=<\/)/g,
    (whole: string, field: string, attributes = '', value = '') =>
      mustHide(field, value.trim()) ? `<${field}${attributes}>{{${hide(field, value)}}}` : whole,
  )
}

/** RFC 7578: the parts of a form with files. */
function withHiddenParts(body: string, boundary: string, hide: Hide): string {
  return body
    .split(`--${boundary}`)
    .map((part) => {
      const valueAt = part.indexOf('\r\n\r\n') + 4
      const [, field = ''] = /\bname="([^"\r\n]*)"/.exec(part.slice(0, valueAt)) ?? []
      const value = part.slice(valueAt, -2)
      if (valueAt < 4 || !part.endsWith('\r\n') || !mustHide(field, value)) return part
      return `${part.slice(0, valueAt)}{{${hide(field, value)}}}\r\n`
    })
    .join(`--${boundary}`)
}
