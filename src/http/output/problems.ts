// Problem documents (RFC 9457): turns errors into responses that reveal no internals.
import { Fault, faults } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { actionPage, actionPageHeaders, signInLink, startLink } from '../../pages/action-page.ts'
import { entranceInputs } from '../../pages/entrance-fields.ts'
import { toText } from '../../pages/html.ts'
import type { Language } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { saidIn, textsOf } from '../../texts/texts.ts'
import type { Exchange } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import type { AccessRule } from '../routing/route.ts'

const apiHeaders = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

/** Headers of every API response; the value of Content-Type comes before them. */
export const apiHead = headerLines(apiHeaders)

/** The same, except the headers in `own`: if both were sent, a browser would apply both. */
export function apiHeadWith(own: readonly (readonly [name: string, value: string])[]): string {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const others = apiHeaders.filter(([name]) => !names.has(name.toLowerCase()))
  return headerLines([...others, ...own])
}

const problemHead = `application/problem+json${apiHead}`
const pageHead = `text/html; charset=utf-8${apiHeadWith(actionPageHeaders())}`

/** The request that a problem belongs to. */
type ProblemRequest = Pick<Exchange, 'path' | 'requestId' | 'lines'>

const sessionScheme = 'Session realm="stillup"'

/**
 * The schemes that a route takes, for the WWW-Authenticate of its 401. A route that takes none has
 * refused what was typed, and its answer is a session.
 */
export function challengeOf(who: AccessRule): string {
  if ('public' in who || 'pathToken' in who) return sessionScheme
  if ('probe' in who) return 'Bearer realm="stillup"'
  const bySession = `${sessionScheme}, ${'tokenHeader' in who ? 'header' : 'cookie'}="auth-token"`
  const isSessionOnly = 'user' in who || ('role' in who && (who.sessionOnly || who.sudo))
  return isSessionOnly ? bySession : `Bearer realm="stillup", ${bySession}`
}

/** The error itself if it is a Fault, else an internal error without details. */
export function asFault(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('internal', 'Something went wrong here')
}

/** The problem document of a fault. */
export function problemDocument(fault: Fault, request: Pick<ProblemRequest, 'path' | 'requestId'>) {
  const { status, title } = faults[fault.code]
  return {
    success: false,
    message: fault.message,
    type: `/problems/${fault.code}`,
    title,
    status,
    detail: fault.message,
    instance: request.path,
    code: fault.code,
    requestId: request.requestId,
    ...(fault.errors.length > 0 ? { errors: fault.errors } : {}),
  }
}

/** The response with the problem document of a fault. */
export function problemReply(fault: Fault, request: ProblemRequest, challenge?: string): WireReply {
  const { status } = fault
  return {
    status,
    head: problemHead + faultLines(fault, challenge) + request.lines,
    body: JSON.stringify(problemDocument(fault, request)),
    closes: status === 413,
  }
}

/** The same as a page for a browser. */
export function problemPage(
  fault: Fault,
  { lines }: Pick<ProblemRequest, 'lines'>,
  language: Language,
  challenge?: string,
): WireReply {
  const { status, title } = faults[fault.code]
  const start = startLink(language)
  // A form of another site can be sent to any host, and status pages have no sign-in.
  const mayHelp = status === 401 || (status === 403 && fault.code !== 'csrf_rejected')
  const titles: Readonly<Record<string, string>> = textsOf('entrance', language).problems
  const page = actionPage({
    language,
    title: titles[fault.code] ?? (language === 'en' ? title : (titles.other ?? title)),
    sentences: sentencesOf(fault, language),
    links: mayHelp ? [signInLink(language), start] : [start],
  })
  return {
    status,
    head: pageHead + faultLines(fault, challenge) + lines,
    body: toText(page),
    closes: status === 413,
  }
}

/** What is wrong with each field of a form, under its label; else what is wrong with the whole. */
function sentencesOf({ errors, message }: Fault, language: Language): readonly string[] {
  if (errors.length === 0) return [saidIn(language, message)]
  const inputs = Object.values(entranceInputs(textsOf('entrance', language)))
  return errors.map(({ pointer, message: rule }) => {
    const field = pointer.slice(1)
    const label = inputs.find(({ name }) => name === field)?.label ?? field
    return label + marksOf(language).colon + saidIn(language, rule)
  })
}

/** `challenge`: the schemes that the route takes. */
function faultLines(fault: Fault, challenge = 'Bearer realm="stillup"'): string {
  const { status } = faults[fault.code]
  let lines = headerLines(fault.headers)
  if (status === 401) lines += `\r\nWWW-Authenticate: ${challenge}`
  const saysWhen = fault.headers.some(([name]) => name === 'Retry-After')
  if (status === 503 && !saysWhen) lines += `\r\nRetry-After: ${limits.retryAfterSeconds}`
  return lines
}
