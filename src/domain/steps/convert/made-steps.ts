// Steps of the requests that another product describes: relative to one server, without secrets, within bounds.
import { clip } from '../../../base/clip.ts'
import type { Assertion } from '../../assertions/expectation.ts'
import { type Method, methods } from '../../checks/check-type.ts'
import { headerProblems, isSecretHeader } from '../../checks/header-rules.ts'
import { ForeignFileRefused } from '../../imports/foreign.ts'
import { limits } from '../../limits/limits.ts'
import { type Capture, completedStep, type Step, stepsMax } from '../step.ts'
import { stepsBytesMax, stepsProblems } from '../step-rules.ts'
import { filledIn, placeholdersIn, templateProblem } from '../template.ts'
import type { Draft } from './draft.ts'
import {
  decoded,
  hasPlaceholder,
  secretsBy,
  withHiddenHeader,
  withNamedBody,
  withNamedQuery,
} from './named-values.ts'

/** A request as another product describes it. Its texts are templates. */
export interface FoundRequest {
  readonly name?: string
  readonly method: string
  /** Absolute, or relative to the base; its host may be a placeholder. */
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
  readonly expectedStatus?: number
  readonly acceptedStatuses?: readonly string[]
  readonly assertions?: readonly Assertion[]
  readonly captures?: readonly Capture[]
  readonly followRedirects?: boolean
}

export interface MadeSteps {
  readonly url: string
  readonly steps: readonly Step[]
}

/** `base`: what relative urls belong to; absent: the first server that a request names. */
export function madeSteps(
  requests: readonly FoundRequest[],
  draft: Draft,
  base?: string,
): MadeSteps {
  const possible = firstRequests(requests, draft).flatMap(
    (one) => possibleRequest(one, draft) ?? [],
  )
  const placed = possible.map((one) => ({ ...one, ...placeOf(one.url, draft) }))
  const url = base ?? originUrl(placed.find(({ origin }) => origin !== null)?.origin)
  if (url === '') draft.note('no server is named here: enter the URL of the monitor')
  const steps = placed.map((one, at) => stepOf(one, { url, draft, number: at + 1 }))
  if (steps.length === 0) throw new ForeignFileRefused('has no request that a step could make')
  return { url, steps: withinBounds(withKnownNames(withoutRepeats(steps, draft), draft), draft) }
}

/** As many as a monitor has steps. */
export function firstRequests<Request>(
  requests: readonly Request[],
  draft: Draft,
): readonly Request[] {
  const left = requests.length - stepsMax
  if (left > 0)
    draft.note(
      `requests that are left out because a monitor has at most ${stepsMax} steps: ${left}`,
    )
  return requests.slice(0, stepsMax)
}

function originUrl(origin: string | null | undefined): string {
  return origin ? `${origin}/` : ''
}

type PossibleRequest = FoundRequest & { readonly method: Method }

function possibleRequest(request: FoundRequest, draft: Draft): PossibleRequest | undefined {
  if (request.url.length > limits.urlCharsMax) {
    draft.note(`a request is left out: its URL has more than ${limits.urlCharsMax} characters`)
    return undefined
  }
  const method = methods.find((one) => one === request.method.toUpperCase())
  if (method !== undefined) return { ...request, method }
  const said = clip(request.method, limits.quotedCharsMax)
  draft.note(`a request by ${said} is left out: steps make ${methods.join(', ')}`)
  return undefined
}

interface RequestPlace {
  /** Null: relative, or a placeholder stands where the server should. */
  readonly origin: string | null
  /** What follows the origin; a relative url as it is. */
  readonly rest: string
  /** Name and password that stood in the URL, as a template. */
  readonly login?: string
}

/** A URL with its scheme, or with a placeholder in the place of its origin. */
const absolute = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is
const unknownServer = /^(\{\{[^{}]*\}\}[^/?#]*)(.*)$/s

function placeOf(template: string, draft: Draft): RequestPlace {
  const url = withServer(template.trim(), draft).replace(/#.*$/s, '')
  const [, scheme = '', authority = '', rest = ''] = absolute.exec(url) ?? []
  if (scheme !== '') {
    const hostAt = authority.lastIndexOf('@') + 1
    const login = authority.slice(0, Math.max(0, hostAt - 1))
    const host = authority.slice(hostAt)
    // The parser of URLs takes braces in names of hosts, and a dot alone.
    const origin = /[{}]|^\.(?::|$)/.test(host) ? undefined : URL.parse(scheme + host)?.origin
    const isHttp = /^https?:/i.test(origin ?? '')
    if (!isHttp) draft.note(`the server ${clip(scheme + host, limits.quotedCharsMax)} is left out`)
    return { origin: isHttp ? (origin ?? null) : null, rest, ...(login === '' ? {} : { login }) }
  }
  const [, server, path = ''] = unknownServer.exec(url) ?? []
  if (server === undefined) return { origin: null, rest: url }
  const isServer = path === '' || path.startsWith('/') || path.startsWith('?')
  if (!isServer) return { origin: null, rest: url }
  draft.note(`the server ${clip(server, limits.quotedCharsMax)} is left out`)
  return { origin: null, rest: path.replace(/^\//, '') }
}

/** With the value of a variable that names the server: a host is written out. */
function withServer(url: string, draft: Draft): string {
  const serverEnd = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(url)?.[0].length ?? 0
  let server = url.slice(0, serverEnd)
  for (let depth = 0; depth < 5 && hasPlaceholder(server); depth += 1) {
    server = server.replace(/\{\{(\w+)\}\}/g, (whole: string, name: string) => {
      return draft.valueOf(name) || whole
    })
  }
  if (/^https?:\/\/[^{}]*$/i.test(server)) return server + url.slice(serverEnd)
  // Postman takes http:// where the scheme is missing.
  const isHost =
    url.startsWith('{{') && /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/[^{}]*)?$/.test(server)
  return isHost ? `http://${server}${url.slice(serverEnd)}` : url
}

interface StepFrame {
  readonly url: string
  readonly draft: Draft
  readonly number: number
}

function stepOf(request: PossibleRequest & RequestPlace, { url, draft, number }: StepFrame): Step {
  const { method, origin, rest, login } = request
  const hide = (field: string, value: string): string => draft.variable(field, value)
  const path = pathText(rest)
  const isOfBase = origin === null || originUrl(origin) === url || URL.parse(url)?.origin === origin
  const absoluteUrl = originUrl(origin) + path.replace(/^\//, '')
  const shownUrl = isOfBase ? relativeUrl(path) : absoluteUrl
  const name = request.name ?? `${method} ${filledIn(path.replace(/\?.*$/s, ''), '…') || '/'}`
  const title = oneLine(name) || method
  const say = (cause: string): void => draft.note(`step ${number}, "${title}": ${cause}`)
  const headers = headersOf(withLogin(request.headers, login, draft), { draft, say })
  const contentType = headers.find(([one]) => /^content-type$/i.test(one))?.[1] ?? ''
  const { body, expectedStatus, acceptedStatuses, assertions, captures } = request
  return completedStep({
    name: title,
    method,
    url: escaped(withNamedQuery(shownUrl, secretsBy(hide)), draft),
    headers: Object.fromEntries(headers),
    body:
      body === null ? null : bodyOf(withNamedBody(body, contentType, secretsBy(hide)), draft, say),
    expectedStatus: expectedStatus ?? null,
    acceptedStatuses: acceptedStatuses ?? null,
    assertions: assertions ?? null,
    captures: captures ?? null,
    followRedirects: request.followRedirects ?? null,
  })
}

/** A path that could be read as a server or a scheme is written as one that cannot. */
function relativeUrl(path: string): string {
  if (path.startsWith('//')) return `/.${path}`
  return /^[a-z][a-z0-9+.-]*:/i.test(path) ? `./${path}` : path
}

/** A name that fits: one line of visible characters. */
function oneLine(name: string): string {
  return clip(
    name
      .slice(0, limits.urlCharsMax)
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
    100,
  )
}

/** Spaces and what else no URL has, percent-encoded outside of placeholders. */
function pathText(rest: string): string {
  return outsidePlaceholders(rest, (text) =>
    text.replace(/[\0-\x20\x7f\\"<>^`{|}]+/g, (odd) => encodeURIComponent(odd)),
  )
}

/** Changes what stands between the placeholders of a template. */
function outsidePlaceholders(template: string, change: (text: string) => string): string {
  return template
    .split(/(\{\{[^{}]{0,100}\}\})/)
    .map((part, at) => (at % 2 === 1 && templateProblem(part) === null ? part : change(part)))
    .join('')
}

/** Braces that are no placeholder are a value: a template has no other way to write them. */
function escaped(template: string, draft: Draft): string {
  return template.replace(/\{\{[^{}]{0,100}\}\}/g, (whole) =>
    templateProblem(whole) === null
      ? whole
      : `{{${draft.variable('braces', '{{')}}}${whole.slice(2)}`,
  )
}

type NamedValues = readonly (readonly [name: string, value: string])[]

function withLogin(headers: NamedValues, login: string | undefined, draft: Draft): NamedValues {
  if (login === undefined || headers.some(([name]) => /^authorization$/i.test(name))) return headers
  return [...headers, ['Authorization', draft.basic(decoded(login) ?? login)]]
}

/** Headers that the connection has by itself. */
const ownHeaders =
  /^(host|content-length|connection|keep-alive|transfer-encoding|te|expect|sec-.*)$/i

function headersOf(
  given: NamedValues,
  { draft, say }: { readonly draft: Draft; readonly say: (cause: string) => void },
): [name: string, value: string][] {
  const hide = (field: string, value: string): string => draft.variable(field, value)
  const byName = new Map<string, [name: string, value: string]>()
  for (const [name, value] of given) {
    if (ownHeaders.test(name)) continue
    if (value.trim() === '' && isSecretHeader(name)) {
      draft.note('a header without a value is left out')
      continue
    }
    const hidden = escaped(withHiddenHeader(name, value.trim(), hide), draft)
    const short =
      hidden.length > limits.headerValueCharsMax && !hasPlaceholder(hidden)
        ? `{{${hide(name, hidden)}}}`
        : hidden
    const [problem] = headerProblems({ [name]: filledIn(short, '1') })
    if (problem !== undefined) {
      say(`the header ${clip(name, limits.quotedCharsMax)} is left out: ${problem.message}`)
      continue
    }
    const lower = name.toLowerCase()
    const before = byName.get(lower)
    const joint = lower === 'cookie' ? '; ' : ', '
    byName.set(lower, before ? [before[0], `${before[1]}${joint}${short}`] : [name, short])
  }
  if (byName.size > limits.headersMax) {
    say(`it has more than ${limits.headersMax} headers: the others are left out`)
  }
  return [...byName.values()].slice(0, limits.headersMax)
}

function bodyOf(body: string, draft: Draft, say: (cause: string) => void): string | null {
  const text = escaped(body, draft)
  if (Buffer.byteLength(text) <= limits.requestBodyBytesMax) return text
  say(`its body has more than ${limits.requestBodyBytesMax} bytes and is left out`)
  return null
}

/** The shortest value that is looked for where it stands without a field of its own. */
const repeatedCharsMin = 12

/** A secret that stands elsewhere, too, such as a token in a path, is named there as well. */
function withoutRepeats(steps: readonly Step[], draft: Draft): readonly Step[] {
  const secrets = Object.entries(draft.variables()).filter(
    ([, value]) => value.length >= repeatedCharsMin && /\d/.test(value) && !/[{}]/.test(value),
  )
  const cleaned = (template: string): string =>
    secrets.reduce(
      (text, [name, value]) =>
        text.includes(value)
          ? outsidePlaceholders(text, (part) => part.replaceAll(value, () => `{{${name}}}`))
          : text,
      template,
    )
  return steps.map((step) => ({
    ...step,
    url: cleaned(step.url),
    headers: Object.fromEntries(
      Object.entries(step.headers).map(([name, value]) => [name, cleaned(value)]),
    ),
    body: step.body === null ? null : cleaned(step.body),
  }))
}

/** What templates name has a value, or is told to lack one; variables that none names are gone. */
function withKnownNames(steps: readonly Step[], draft: Draft): readonly Step[] {
  const captured = new Set<string>()
  const variables = new Set<string>()
  const known = steps.map((step) => {
    const { url, headers, body, assertions, captures } = step
    const values = assertions.map(({ value }) => value ?? '')
    const texts = [url, ...Object.values(headers), body ?? '', ...values]
    for (const { kind, name } of texts.flatMap(placeholdersIn)) {
      if (kind !== 'variable' || captured.has(name) || variables.has(name)) continue
      variables.add(name)
      if (!draft.valueOf(name)) draft.want(name)
    }
    // A name that an earlier step needs stays a variable.
    const taken = captures.filter(({ name }) => !variables.has(name))
    for (const { name } of taken) captured.add(name)
    for (const { name } of captures) {
      if (variables.has(name))
        draft.note(`the variable ${name} is not taken from an answer: an earlier step needs it`)
    }
    return { ...step, captures: taken }
  })
  for (const name of Object.keys(draft.variables())) if (!variables.has(name)) draft.forget(name)
  return known
}

/** The last steps are left out while all together are too long; the first schemas before. */
function withinBounds(steps: readonly Step[], draft: Draft): readonly Step[] {
  const bytes = (some: readonly Step[]): number => Buffer.byteLength(JSON.stringify(some))
  let kept = steps
  // Without a schema, a step is still one.
  while (bytes(kept) > stepsBytesMax && kept.some(hasSchema)) kept = withoutLongest(kept, draft)
  while (kept.length > 1 && bytes(kept) > stepsBytesMax) kept = kept.slice(0, -1)
  if (kept.length < steps.length) {
    const left = steps.length - kept.length
    draft.note(
      `steps that are left out because all may have at most ${stepsBytesMax} bytes: ${left}`,
    )
  }
  return kept
}

function schemaIn({ assertions }: Step): string {
  return assertions.find(({ type }) => type === 'jsonSchema')?.value ?? ''
}

function hasSchema(step: Step): boolean {
  return schemaIn(step) !== ''
}

function withoutLongest(steps: readonly Step[], draft: Draft): readonly Step[] {
  const [longest] = steps.toSorted((one, other) => schemaIn(other).length - schemaIn(one).length)
  return steps.map((step) => {
    if (step !== longest) return step
    const shown = clip(step.name, limits.quotedCharsMax)
    draft.note(`the schema of the answer to "${shown}" is left out: the steps would be too long`)
    return { ...step, assertions: step.assertions.filter(({ type }) => type !== 'jsonSchema') }
  })
}

/** What the rules of steps say of the whole, for a person to repair. */
export function remainingProblems({ url, steps }: MadeSteps, draft: Draft): void {
  const input = { url, steps, variables: draft.variables(), timeoutMs: limits.timeoutMsMax }
  for (const { pointer, message } of stepsProblems(input, () => null)) {
    draft.note(`${pointer} ${message}`)
  }
}
