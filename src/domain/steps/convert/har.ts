// Recordings of browsers (HAR 1.2) as requests: what the page asked its own site for, without files and what browsers add.
//
// Sources: http://www.softwareishard.com/blog/har-12-spec/, and `_resourceType` of Chrome's export.
import { clip } from '../../../base/clip.ts'
import { type ForeignFields, fieldsOf, listOf, numberOf, textOf } from '../../imports/foreign.ts'
import { limits } from '../../limits/limits.ts'
import { registeredDomain } from '../../public-suffixes.ts'
import type { Draft } from './draft.ts'
import { formBody, urlEncoded } from './form-data.ts'
import { partsOf, type Recorded, withTakenValues } from './har-captures.ts'
import { type FoundRequest, firstRequests } from './made-steps.ts'

export function isHar(document: ForeignFields): boolean {
  return Array.isArray(fieldsOf(document.log).entries)
}

export function fromHar(
  document: ForeignFields,
  draft: Draft,
): { readonly name: string; readonly requests: readonly FoundRequest[] } {
  const log = fieldsOf(document.log)
  const entries = listOf(log.entries).map(fieldsOf)
  const pages = listOf(log.pages).map(fieldsOf)
  const chosen = chosenOf(entries, draft)
  const kept = firstRequests(withoutRepeats(chosen, draft), draft)
  const taken = withTakenValues(withoutSetCookies(kept, draft), draft)
  const title = textOf(pages[0]?.title)
  return { name: /^https?:/i.test(title) ? '' : title, requests: taken }
}

/** Types of resources that Chrome names. */
const ownTypes: ReadonlySet<string> = new Set(['document', 'xhr', 'fetch'])
const fileTypes = /^(?:image|font|audio|video)\/|css|javascript|ecmascript|wasm|manifest/i
const fileNames =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|map|woff2?|ttf|eot|mp[34]|webm|wasm)$/i

function isFile(entry: ForeignFields, { method, url, answer }: Recorded): boolean {
  const type = textOf(entry._resourceType)
  if (type !== '') return !ownTypes.has(type)
  if (method !== 'GET') return method === 'OPTIONS'
  return fileTypes.test(answer.mimeType) || fileNames.test(url.pathname)
}

/** The requests of the recording that steps make, redirects counted to what led to them. */
function chosenOf(entries: readonly ForeignFields[], draft: Draft): readonly Recorded[] {
  const all = entries.map((entry) => ({ entry, recorded: recordedOf(entry) }))
  const own = all.filter(({ recorded }) => /^https?:$/.test(recorded?.url.protocol ?? ''))
  const first = own.find(({ entry, recorded }) => recorded && isDocument(entry, recorded)) ?? own[0]
  const site = registeredDomain(first?.recorded?.url.hostname ?? '')
  const followed = new Set<number>()
  const counts = { file: 0, other: 0, unanswered: entries.length - own.length }
  const hosts = new Set<string>()
  const chosen: Recorded[] = []
  for (const [at, { entry, recorded }] of own.entries()) {
    if (recorded === undefined || followed.has(at)) continue
    if (isFile(entry, recorded)) counts.file += 1
    else if (registeredDomain(recorded.url.hostname) !== site) {
      counts.other += 1
      hosts.add(recorded.url.hostname)
    } else if (!isStatus(recorded.answer.status)) counts.unanswered += 1
    else chosen.push(ledOn(recorded, { at, own, followed }))
  }
  const named = clip([...hosts].join(', '), limits.quotedCharsMax)
  const [{ entry, recorded: begin } = {}] = own
  if (entry && begin && begin.method !== 'GET' && isDocument(entry, begin)) {
    draft.note(
      'the recording begins in the middle: let the browser keep its log, and record it anew',
    )
  }
  if (counts.file > 0) draft.note(`requests for files that are left out: ${counts.file}`)
  if (counts.other > 0)
    draft.note(`requests to other sites that are left out: ${counts.other} (${named})`)
  if (counts.unanswered > 0)
    draft.note(`requests without an answer that are left out: ${counts.unanswered}`)
  return chosen
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599
}

function isDocument(entry: ForeignFields, { answer }: Recorded): boolean {
  return textOf(entry._resourceType) === 'document' || /html/i.test(answer.mimeType)
}

interface RedirectFrame {
  readonly at: number
  readonly own: readonly { readonly recorded: Recorded | undefined }[]
  /** The entries that redirects led to. */
  readonly followed: Set<number>
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The request with the answer at the end of its redirects, as far as the recording has them. */
function ledOn(begun: Recorded, { at, own, followed }: RedirectFrame): Recorded {
  let last = begun
  const setCookies = [...begun.setCookies]
  const passed: number[] = []
  const made: string[] = []
  for (let hops = 0; hops < limits.redirectsMax && redirects.has(last.answer.status); hops += 1) {
    const location = headerOf(last.answer.headers, 'location')
    const target = location === undefined ? undefined : URL.parse(location, last.url.href)?.href
    const next = own.findIndex(({ recorded }, index) => {
      return (
        index > at &&
        !followed.has(index) &&
        !passed.includes(index) &&
        recorded?.url.href === target
      )
    })
    const found = own[next]?.recorded
    if (found === undefined || !isStatus(found.answer.status)) break
    passed.push(next)
    made.push(...partsOf(location ?? '').map(({ value }) => value))
    setCookies.push(...found.setCookies)
    last = found
  }
  // DevTools lose the pages that others took the place of: what a redirect said is known of it alone then.
  const isLost = last.answer.text === '' && /html/i.test(last.answer.mimeType)
  if (isLost && isSentLater(made, own.slice(at + 1, at + 1 + lookedAheadMax), last)) return begun
  for (const index of passed) followed.add(index)
  const isFollowed = last !== begun
  return { ...begun, answer: last.answer, isFollowed, setCookies }
}

/** Requests behind a redirect that are looked at, to see whether they send what it said. */
const lookedAheadMax = 50

function isSentLater(
  values: readonly string[],
  later: readonly { readonly recorded: Recorded | undefined }[],
  last: Recorded,
): boolean {
  const behind = later.slice(later.findIndex(({ recorded }) => recorded === last) + 1)
  return behind.some(({ recorded }) => {
    const sent = `${recorded?.url.href ?? ''} ${recorded?.body ?? ''}`
    return values.some((value) => sent.includes(value))
  })
}

function headerOf(headers: Recorded['headers'], name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1]
}

function recordedOf(entry: ForeignFields): Recorded | undefined {
  const request = fieldsOf(entry.request)
  const response = fieldsOf(entry.response)
  const url = URL.parse(textOf(request.url))
  if (url === null) return undefined
  const headers = pairsOf(request.headers)
  const content = fieldsOf(response.content)
  const isEncoded = content.encoding === 'base64'
  const said = typeof content.text === 'string' ? content.text : ''
  const answered = pairsOf(response.headers)
  const { body, contentType } = bodyOf(fieldsOf(request.postData), headers)
  const redirect = textOf(response.redirectURL)
  const hasLocation = redirect === '' || headerOf(answered, 'location') !== undefined
  return {
    method: textOf(request.method).toUpperCase() || 'GET',
    url,
    headers,
    body,
    contentType,
    answer: {
      status: numberOf(response.status) ?? 0,
      headers: hasLocation ? answered : [...answered, ['location', redirect]],
      mimeType: textOf(content.mimeType),
      text: isEncoded ? Buffer.from(said, 'base64').toString() : said,
    },
    isFollowed: false,
    setCookies: answered
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .flatMap(([, value]) => value.split('\n'))
      .map((cookie) => cookie.slice(0, Math.max(0, cookie.indexOf('='))).trim()),
  }
}

function pairsOf(given: unknown): readonly [name: string, value: string][] {
  return listOf(given)
    .map(fieldsOf)
    .flatMap(({ name, value }): [string, string][] => {
      const text = typeof value === 'string' ? value : textOf(value)
      return textOf(name) === '' ? [] : [[textOf(name), text]]
    })
}

/** The text of the body; where the browser gives fields alone, a form of them. */
function bodyOf(
  postData: ForeignFields,
  headers: Recorded['headers'],
): { readonly body: string | null; readonly contentType: string } {
  const contentType = headerOf(headers, 'content-type') ?? textOf(postData.mimeType)
  if (typeof postData.text === 'string' && postData.text !== '') {
    return { body: postData.text, contentType }
  }
  const params = listOf(postData.params).map(fieldsOf)
  if (params.length === 0) return { body: null, contentType }
  const fields = params.map(({ name, value, fileName, contentType: type }) => ({
    name: textOf(name),
    value: textOf(value),
    fileName: textOf(fileName) || undefined,
    contentType: textOf(type) || undefined,
  }))
  if (/multipart/i.test(contentType)) return formBody(fields)
  // Chrome gives them as they were sent.
  const isSent = params.some(({ value }) => /%[0-9a-f]{2}|\+/i.test(textOf(value)))
  const write = isSent ? (text: string) => text : urlEncoded
  return {
    body: fields.map(({ name, value }) => `${write(name)}=${write(value)}`).join('&'),
    contentType,
  }
}

/** What a page asks for again and again is asked for once. */
function withoutRepeats(all: readonly Recorded[], draft: Draft): readonly Recorded[] {
  const seen = new Set<string>()
  const once = all.filter(({ method, url, body }) => {
    if (method !== 'GET') {
      seen.clear()
      return true
    }
    const key = `${url.href}\n${body}`
    return seen.size < seen.add(key).size
  })
  const left = all.length - once.length
  if (left > 0) draft.note(`repeated requests that are left out: ${left}`)
  return once
}

/** Cookies for counting visitors: nobody signs in with them. */
const countingCookie = /^(?:_ga|_gid|_gat|_gcl|_fbp|_hj|_pk_|_dd_s|ajs_|amplitude|mp_|intercom-)/i

/** Steps send by themselves what earlier answers set; what else was sent becomes a variable. */
function withoutSetCookies(all: readonly Recorded[], draft: Draft): readonly Recorded[] {
  const set = new Set<string>()
  const before = new Set<string>()
  const cleaned = all.map((one) => {
    const headers = one.headers.flatMap(([name, value]): [string, string][] => {
      if (name.toLowerCase() !== 'cookie') return [[name, value]]
      const kept = value.split(/;\s*/).filter((cookie) => {
        const cookieName = cookie.split('=')[0] ?? ''
        return cookie !== '' && !set.has(cookieName) && !countingCookie.test(cookieName)
      })
      for (const cookie of kept) before.add(cookie.split('=')[0] ?? '')
      return kept.length === 0 ? [] : [[name, kept.join('; ')]]
    })
    for (const name of one.setCookies) set.add(name)
    return { ...one, headers }
  })
  const names = clip([...before].join(', '), limits.quotedCharsMax)
  if (before.size > 0)
    draft.note(`these cookies are older than the recording, and may expire: ${names}`)
  return cleaned
}
