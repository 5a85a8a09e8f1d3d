// Values that the answers of a recording gave and later requests of it sent: tokens, ids, hidden fields of forms.
import { cssPathProblem } from '../../assertions/css-path.ts'
import { jsonPathProblem } from '../../assertions/json-path.ts'
import { parseMarkup } from '../../assertions/markup.ts'
import { isHeaderName, isSecretHeader } from '../../checks/header-rules.ts'
import { limits } from '../../limits/limits.ts'
import { type Capture, capturesMax } from '../step.ts'
import type { Draft } from './draft.ts'
import type { FoundRequest } from './made-steps.ts'
import { literalText, type NameFor, withNamedBody, withNamedQuery } from './named-values.ts'

/** A request of the recording, with the answer that it led to in the end. */
export interface Recorded {
  readonly method: string
  readonly url: URL
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
  readonly contentType: string
  readonly answer: RecordedAnswer
  /** Whether it was led on to another URL. */
  readonly isFollowed: boolean
  /** The cookies that answers set on the way. */
  readonly setCookies: readonly string[]
}

interface RecordedAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly mimeType: string
  readonly text: string
}

/** A value of an answer, and where it is. */
interface FoundValue {
  readonly at: number
  readonly source: Capture['source']
  readonly path: string
  /** What it is called there. */
  readonly hint: string
}

/** A shorter value may be the same by chance. */
const valueCharsMin = 8
/** A longer value is the same value wherever it stands. */
const uniqueCharsMin = 16
const valueCharsMax = 4_096
const valuesOfAnswerMax = 20_000

/** Whether a value looks made by a program: a word or a date may be the same by chance. */
function isMade(value: string): boolean {
  if (value.length < valueCharsMin || value.length > valueCharsMax || /\s/.test(value)) return false
  if (/^\d{4}-\d\d-\d\d/.test(value) || /^https?:/i.test(value)) return false
  return /\d/.test(value) || value.length >= 20
}

/** The requests with a capture and a placeholder for each value that an earlier answer gave. */
export function withTakenValues(all: readonly Recorded[], draft: Draft): readonly FoundRequest[] {
  const known = new Map<string, FoundValue>()
  const names = new Map<string, string>()
  const captures = all.map((): Capture[] => [])
  const sent = new Set<string>()

  const nameFor: NameFor = (_, value) => {
    const found = known.get(value)
    if (found === undefined) {
      sent.add(value)
      return undefined
    }
    const before = names.get(value)
    if (before !== undefined) return before
    const { at, source, path, hint } = found
    const ofAnswer = captures[at]
    if (ofAnswer === undefined || ofAnswer.length >= capturesMax) return undefined
    const name = draft.newName(hint)
    names.set(value, name)
    ofAnswer.push({ name, source, path })
    return name
  }

  const requests = all.map((one, at) => {
    const request = requestOf(one, nameFor, draft)
    for (const { value, ...found } of valuesIn(one.answer)) {
      if (!sent.has(value) && !known.has(value)) known.set(value, { at, ...found })
    }
    return request
  })
  return requests.map((request, at) => ({ ...request, captures: captures[at] ?? [] }))
}

/** Headers that browsers send by themselves, or that say how they connect. */
const ofBrowsers =
  /^(?::|sec-|if-|x-client-data|x-newrelic|newrelic|sentry-|(?:accept-(?:encoding|language)|baggage|cache-control|connection|content-length|dnt|expect|host|keep-alive|pragma|priority|purpose|save-data|te|traceparent|tracestate|upgrade|upgrade-insecure-requests|user-agent|x-b3-\w+)$)/i
/** Headers that servers compare where something is changed. */
const ofChanges = /^(?:origin|referer)$/i

function requestOf(one: Recorded, nameFor: NameFor, draft: Draft): FoundRequest {
  const { method, url, body, contentType, answer, isFollowed } = one
  const literal = (text: string): string => literalText(text, draft)
  const path = urlText(literal(url.pathname + url.search), nameFor)
  const headers = one.headers.flatMap(([name, value]): [string, string][] => {
    if (ofBrowsers.test(name) || (method === 'GET' && ofChanges.test(name))) return []
    return [[name, headerText(literal(value), nameFor)]]
  })
  const hasType = headers.some(([name]) => /^content-type$/i.test(name))
  const { status } = answer
  const isRedirect = status >= 300 && status < 400 && status !== 304
  return {
    method,
    url: url.origin + path,
    headers:
      body === null || hasType || contentType === ''
        ? headers
        : [...headers, ['Content-Type', contentType]],
    body: body === null ? null : withNamedBody(literal(body), contentType, nameFor),
    expectedStatus: status === 304 ? 200 : status,
    ...(isRedirect && !isFollowed ? { followRedirects: false } : {}),
  }
}

function headerText(value: string, nameFor: NameFor): string {
  if (/^https?:\/\//i.test(value)) return urlText(value, nameFor)
  const [, scheme = '', proof = value] = /^([A-Za-z]+ )(\S+)$/.exec(value) ?? []
  const name = nameFor('', proof)
  return name === undefined ? value : `${scheme}{{${name}}}`
}

function urlText(url: string, nameFor: NameFor): string {
  const [path = '', ...query] = url.split('?')
  const segments = path.split('/').map((segment) => {
    const name = nameFor('', plainText(segment))
    return name === undefined ? segment : `{{${name}|url}}`
  })
  const whole = [segments.join('/'), ...query].join('?')
  return withNamedQuery(whole, nameFor)
}

function plainText(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

type ValueInAnswer = Omit<FoundValue, 'at'> & { readonly value: string }

function valuesIn({ headers, mimeType, text }: RecordedAnswer): readonly ValueInAnswer[] {
  const found = headers.flatMap(([name, value]): ValueInAnswer[] => {
    if (name.toLowerCase() === 'set-cookie') return value.split('\n').flatMap(cookieValue)
    if (name.toLowerCase() === 'location') return partsOf(value).map(toHeaderValue)
    if (!isSecretHeader(name) || !isHeaderName(name) || !isMade(value)) return []
    return [{ value, source: 'header', path: name, hint: name.toLowerCase() }]
  })
  if (text.length > limits.responseBodyBytesMax) return found
  if (/html/i.test(mimeType)) return [...found, ...fieldsOfForms(text), ...partsOfLinks(text)]
  return /^\s*[[{]/.test(text) ? [...found, ...leavesOf(text)] : found
}

/** A cookie whose value a header repeats, against forged requests. */
function cookieValue(cookie: string): readonly ValueInAnswer[] {
  const [, name = '', value = ''] = /^\s*([\w-]{1,64})=([^;]*)/.exec(cookie) ?? []
  if (!isMade(value)) return []
  return [{ value, source: 'header', path: `Set-Cookie: ${name}=([^;]+)`, hint: name }]
}

function leavesOf(text: string): readonly ValueInAnswer[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return []
  }
  const counts = new Map<string, number>()
  const leaves: ValueInAnswer[] = []
  const look = (value: unknown, path: string, hint: string): void => {
    if (leaves.length >= valuesOfAnswerMax || path.length > limits.assertionPathCharsMax) return
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const isIndex = Array.isArray(value)
        look(inner, path + memberText(key, isIndex), isIndex ? hint : hintOf(hint, key))
      }
    } else if (typeof value === 'string' || typeof value === 'number') {
      const leaf = String(value)
      counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
      if (isMade(leaf)) leaves.push({ value: leaf, source: 'json', path, hint })
    }
  }
  look(document, '$', '')
  const isSure = ({ value }: ValueInAnswer): boolean =>
    value.length >= uniqueCharsMin || counts.get(value) === 1
  return leaves.filter((leaf) => isSure(leaf) && jsonPathProblem(leaf.path) === null)
}

function memberText(key: string, isIndex: boolean): string {
  if (isIndex) return `[${key}]`
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** A name that says nothing by itself goes with that of what it belongs to. */
function hintOf(owner: string, key: string): string {
  return /^(?:id|uuid|key|value|name|code)$/i.test(key) && owner !== '' ? `${owner}_${key}` : key
}

/** Hidden fields and meta elements, which pages send back against forged requests. */
function fieldsOfForms(text: string): readonly ValueInAnswer[] {
  const markup = parseMarkup(text, 'html')
  if ('problem' in markup) return []
  return markup.elements.flatMap(({ name: element, attributes }): ValueInAnswer[] => {
    const isMeta = element === 'meta'
    if (!isMeta && !(element === 'input' && attributes.get('type') === 'hidden')) return []
    const name = attributes.get('name') ?? ''
    const value = attributes.get(isMeta ? 'content' : 'value') ?? ''
    const path = `${element}[name="${name}"]@${isMeta ? 'content' : 'value'}`
    if (!isMade(value) || !/^[^"\\\p{Cc}]{1,200}$/u.test(name) || cssPathProblem(path) !== null)
      return []
    return [{ value, source: 'html', path, hint: name }]
  })
}

/** Where forms and links lead that are looked at; each is looked for in the page. */
const linksMax = 200
const partEnd = /["'\s/?#&<>]/

/** Parts of URLs that a page made: those of its forms first, which it goes on with. */
function partsOfLinks(text: string): readonly ValueInAnswer[] {
  const markup = parseMarkup(text, 'html')
  if ('problem' in markup) return []
  const named = ['action', 'formaction', 'href'].flatMap((attribute) =>
    markup.elements.flatMap(({ attributes }) => attributes.get(attribute) ?? []),
  )
  const urls = named.filter((url) => isMade(url.replace(/^https?:/i, '')))
  return urls.slice(0, linksMax).flatMap((url) =>
    partsOf(url)
      .filter(({ before, value }) => isFirst(text, before, value))
      .map(toValue),
  )
}

interface UrlPart {
  /** What stands before it, by which it is found anew. */
  readonly before: string
  readonly value: string
  readonly hint: string
}

/** The parts of a URL that a program made, such as the number of a session. */
export function partsOf(url: string): readonly UrlPart[] {
  const [path = '', query = ''] = url.split('#', 1).join('').split('?')
  const segments = path.split('/')
  const ofPath = segments.flatMap((value, at): UrlPart[] => {
    const before = segments[at - 1] ?? ''
    // A made one would be another one next time.
    if (!isMade(value) || !/^[A-Za-z][\w.-]{1,40}$/.test(before) || isMade(before)) return []
    return [{ before: `/${before}/`, value, hint: before }]
  })
  const ofQuery = query.split('&').flatMap((pair): UrlPart[] => {
    const [, name = '', value = ''] = /^([\w.-]{1,40})=(.+)$/.exec(pair) ?? []
    return isMade(value) ? [{ before: `${name}=`, value, hint: name }] : []
  })
  return [...ofPath, ...ofQuery]
}

/** Whether the first match of the expression is this value. */
function isFirst(text: string, before: string, value: string): boolean {
  const at = text.indexOf(before) + before.length
  return (
    at >= before.length &&
    text.startsWith(value, at) &&
    partEnd.test(text.charAt(at + value.length))
  )
}

function toHeaderValue({ before, value, hint }: UrlPart): ValueInAnswer {
  const path = `Location: ${before.replace(/[.]/g, '\\.')}([^/?#&]+)`
  return { value, source: 'header', path, hint }
}

function toValue({ before, value, hint }: UrlPart): ValueInAnswer {
  const path = `${before.replace(/[.]/g, '\\.')}([^"'\\s/?#&<>]+)`
  return { value, source: 'body', path, hint }
}
