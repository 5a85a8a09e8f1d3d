// What of a check is secret: what was sent to the target, and nobody may read in its answer.
import { limits } from '../domain/limits/limits.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { secretField } from '../domain/secret-mask.ts'

/** Headers that are sent with a check and are nobody's secret. */
const plainHeader =
  /^(accept(-.*)?|content-type|user-agent|cache-control|pragma|referer|origin|host|prefer|via|forwarded|(if|x-forwarded|sec)-.*)$/i
/** Before credentials in a header of any name (the schemes of IANA's list, and usual ones). */
const credentialScheme =
  /^(basic|bearer|digest|dpop|gnap|hoba|mutual|negotiate|ntlm|oauth|privatetoken|scram-.*|vapid|token|apikey|api-key|key|hmac|aws4-.*|signature)$/i
/** So few digits in a row are a count, where no name tells that they are a secret. */
const plainNumber = /^\d{1,7}$/
/** Words of protocols, which would be blotted out all over an answer. */
export const plainWord = /^(HTTP\/[\d.]+|application\/\w+|text\/\w+)$/i
/** Values that any header may have and any answer may hold; under a telling name a password. */
const commonWord =
  /^(true|false|null|none|undefined|json|html|text|xml|utf-?8|gzip|deflate|identity|close|keep-alive|no-cache|enabled|disabled|https?|localhost|websocket|XMLHttpRequest|production|staging|development)$/i
/** One of a header, such as `response="6629fae4"`, from the beginning of its name. */
const parameter = /(?<![\w.-])([\w.-]*)=\s*"?([^",;\s]+)/g
/** So long, a field of what was sent is more than a word or a count. */
const sureCharsMin = 8
/** So long, and with a digit, a field of what was sent may be a secret by any name. */
const tellingCharsMin = 6
/** So long, and with letters and digits, a part of a path is no word. */
const tokenCharsMin = 20

export interface SentSecrets {
  /** Secret in part as well: what is short comes first, as passwords and tokens are. */
  readonly values: readonly string[]
  /** Whole texts: parts of them may be anything. */
  readonly wholes: readonly string[]
}

/** `also`: what was sent beside the headers and the body as they stand in the target. */
export function secretsSent(target: EndpointTarget, also: readonly string[]): SentSecrets {
  const secrets = new Secrets()
  for (const [name, value] of Object.entries(target.headers)) {
    if (!plainHeader.test(name)) secrets.addHeader(name, value.trim())
  }
  secrets.addUrl(target.url)
  for (const text of also) secrets.addText(text)
  if (target.body !== null) secrets.addText(target.body)
  return secrets.found()
}

/** A class because it fills up: each thing that was sent adds what is secret in it. */
class Secrets {
  readonly #wholes = new Set<string>()
  readonly #values = new Set<string>()

  addHeader(name: string, value: string): void {
    const [, scheme = '', rest = ''] = /^(\S+)\s+(\S.*)$/.exec(value) ?? []
    const isSure = secretField.test(name)
    this.#add(value, isSure)
    if (isSure || credentialScheme.test(scheme)) this.#add(rest, true)
    for (const [, field = '', said = ''] of rest.matchAll(parameter)) {
      this.#add(said, secretField.test(field))
    }
    if (scheme.toLowerCase() === 'basic') {
      const bytes = Buffer.from(rest, 'base64')
      for (const login of [bytes.toString(), bytes.toString('latin1')]) {
        this.#add(login, true)
        this.#add(login.slice(login.indexOf(':') + 1), true)
      }
    }
    if (!/cookie/i.test(name)) return
    for (const pair of value.split(';')) {
      const at = pair.indexOf('=')
      this.#add(pair.slice(at + 1).trim(), secretField.test(pair.slice(0, Math.max(0, at)).trim()))
    }
  }

  /** The organization reads its own URL, but what opens a door in it is repeated to nobody. */
  addUrl(text: string): void {
    const url = /^(https?|wss?):/i.test(text) ? URL.parse(text) : null
    if (url === null) return
    for (const [name, value] of url.searchParams) {
      if (isSecretPair(name, value)) this.#add(value, true)
    }
    for (const part of url.pathname.split('/')) if (isToken(part)) this.#add(part)
  }

  /** Something that was sent: JSON, the fields of a form, or lines of words. */
  addText(text: string): void {
    if (this.#wholes.size < limits.redactedValuesMax) this.#wholes.add(text.trim())
    const fields = fieldsOf(text)
    for (const [name, value] of fields ?? []) {
      if (isTelling(value) || secretField.test(name)) this.#add(value, true)
    }
    for (const line of fields === undefined ? text.split('\n') : []) this.#addLine(line.trim())
  }

  found(): SentSecrets {
    const values = [...this.#values].sort((a, b) => a.length - b.length)
    return { values, wholes: [...this.#wholes] }
  }

  #addLine(line: string): void {
    const [first = '', ...rest] = line.split(/\s+/)
    // Parts of a line may be anything; its words are secrets by themselves.
    if (rest.length === 0) this.#add(line)
    else if (this.#wholes.size < limits.redactedValuesMax) this.#wholes.add(line)
    // What begins a line is a command, where more follows it.
    if (rest.length > 0 && !/^[a-z]+$/i.test(first)) this.#add(first)
    for (const word of rest) {
      if (this.#values.size >= limits.redactedValuesMax) return
      this.#add(word)
      for (const piece of word.split(/["'=:,;<>()[\]{}]+/)) this.#add(piece)
    }
  }

  /** `isSure`: its name says that it is a secret, whatever it looks like. */
  #add(value: string, isSure = false): void {
    const isShort = value.length < limits.redactedCharsMin
    if (isShort || this.#values.size >= limits.redactedValuesMax) return
    const isPlain = commonWord.test(value) || plainNumber.test(value)
    if (!plainWord.test(value) && (isSure || !isPlain)) this.#values.add(value)
  }
}

/** Whether the value of a query opens a door, by its name or by its looks. */
export function isSecretPair(name: string, value: string): boolean {
  return secretField.test(name) || isToken(value)
}

export function isToken(value: string): boolean {
  return value.length >= tokenCharsMin && /\d/.test(value) && /[a-z]/i.test(value)
}

/** More than a word or a count, such as `login` or `1000`. */
function isTelling(value: string): boolean {
  return value.length >= sureCharsMin || (value.length >= tellingCharsMin && /\d/.test(value))
}

/** The fields of a JSON text or a form with their names; undefined where it is neither. */
function fieldsOf(text: string): readonly (readonly [string, string])[] | undefined {
  const bare = text.trim()
  if (/^[[{]/.test(bare)) {
    const found: (readonly [string, string])[] = []
    try {
      JSON.parse(bare, (name, value: unknown) => {
        if (typeof value === 'string' || typeof value === 'number') found.push([name, `${value}`])
        return value
      })
      return found
    } catch {
      return undefined
    }
  }
  return /^[^\s=&]+=[^\s&]*(&[^\s&]*)*$/.test(bare) ? [...new URLSearchParams(bare)] : undefined
}
