// The web checks: an HTTP request on a fresh connection, with redirects.
import { namesStatus, needsBody } from '../../domain/assertions/assertion.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { hostOf, portOf, urlShapeProblem } from '../../net/egress-policy.ts'
import { textOf } from '../../net/http-client/charset.ts'
import { offersHttp2 } from '../../net/http-client/exchange-h2.ts'
import { type Hop, hopFor } from '../../net/http-client/plan.ts'
import { isRedirect } from '../../net/http-client/redirect-chain.ts'
import { bodyOf, type RequestOptions, request } from '../../net/http-client/request.ts'
import type { ResponseReader } from '../../net/http-client/response-reader.ts'
import { defineKind, type ProbedKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { type CheckSignIns, signInsOf, withAuthorization } from '../run/sign-in.ts'
import { awsSigned } from './aws-sign-in.ts'
import { challengeIn, type DigestChallenge, digestAnswer } from './digest.ts'

export const endpoint = webKind({
  type: 'endpoint',
  family: 'web',
  icon: 'globe',
  example: 'https://example.com/',
})
export const health = webKind({
  type: 'health',
  expects: 'health',
  family: 'web',
  icon: 'heart-pulse',
  example: 'https://example.com/health',
  typed: { schemes: [] },
})
export const keyword = webKind({
  type: 'keyword',
  expects: 'words',
  family: 'web',
  icon: 'text-search',
  example: 'https://example.com/',
  typed: { schemes: [] },
})

function webKind(
  own: Pick<ProbedKind, 'type' | 'family' | 'icon' | 'expects' | 'example' | 'typed'>,
): ProbedKind {
  return defineKind({
    ...own,
    fields: ['connection', 'stream', 'request', 'tls'],
    sources: ['status', 'header', 'certificateDays', 'ip'],
    textName: 'body',
    schemes: ['https', 'http'],
    urlForm: '`http://host/path` or `https://host/path`',
    parse(text): URL | UrlFault {
      const problem = urlShapeProblem(text)
      return problem === null ? new URL(text) : { problem }
    },
    destination: (url) => ({ host: hostOf(url), port: portOf(url) }),
    open(deps) {
      const signIns = signInsOf(deps)
      return {
        look(url, target, run) {
          const wantsBody = needsBody(target.expect, own) && target.method !== 'HEAD'
          return lookAt(url, target, { run, signIns, wantsBody })
        },
      }
    },
  })
}

interface Looking {
  readonly run: ProbeRun
  readonly signIns: CheckSignIns
  readonly wantsBody: boolean
}

async function lookAt(
  url: URL,
  target: EndpointTarget,
  { run, signIns, wantsBody }: Looking,
): Promise<TargetAnswer> {
  const { record } = run
  const { authorized, answered, proved } = signInOf(run, target, signIns)
  let hop = proved(hopFor(withAuthorization(target, await authorized()), url))
  let options: RequestOptions = {
    wantsBody,
    ...(record.keepsAnswer ? { bodyBytesKept: limits.trialBodyBytesKept } : {}),
    handshake: offersHttp2,
    onHead(response) {
      record.response = response
      return redirectIn(response, target) === undefined
    },
  }
  for (;;) {
    const response = await request(run, hop, options)
    // What another server asks for is not answered.
    const authorization =
      response.status === 401 && hop.url.origin === url.origin
        ? await answered(hop, response)
        : undefined
    if (authorization !== undefined) {
      hop = { ...hop, headers: withHeader(hop.headers, authorization) }
      continue
    }
    const location = redirectIn(response, target)
    if (location === undefined) {
      return wantsBody ? withBody(response, limits.trialBodyBytesKept) : {}
    }
    hop = record.redirected(hop, response.status, location)
    if (hop.url.origin === url.origin) hop = proved(hop)
    options = { ...options, ...viaRedirect(record) }
  }
}

/** The sign-in of one check: before a request, and after one that was refused, which is repeated once. */
function signInOf(run: ProbeRun, target: EndpointTarget, signIns: CheckSignIns) {
  const { auth, username, password } = target
  let challenge: DigestChallenge | undefined
  let count = 0
  let isRepeated = false
  function proofFor({ method, path: uri }: Hop): string | undefined {
    if (challenge === undefined) return undefined
    count += 1
    const login = { username: username ?? '', password: password ?? '' }
    return digestAnswer(challenge, { ...login, method, uri, count })
  }
  return {
    authorized: (): Promise<string | undefined> => signIns.authorizationOf(run, target),
    /** A request to the origin of the target, with the proof that is made for each. */
    proved(hop: Hop): Hop {
      if (auth?.type === 'awsSigV4') return awsSigned(run, hop, target)
      const proof = proofFor(hop)
      return proof === undefined ? hop : { ...hop, headers: withHeader(hop.headers, proof) }
    },
    async answered(hop: Hop, { headers }: ResponseReader): Promise<string | undefined> {
      if (isRepeated) return undefined
      isRepeated = true
      if (auth?.type === 'oauth2') return signIns.authorizationOf(run, target, true)
      if (auth?.type !== 'digest') return undefined
      challenge = challengeIn([headers['www-authenticate'] ?? []].flat())
      return proofFor(hop)
    },
  }
}

/** The headers with another Authorization. */
function withHeader(headers: readonly string[], value: string): readonly string[] {
  const at = headers.findIndex((name, i) => i % 2 === 0 && /^authorization$/i.test(name))
  const others = at < 0 ? headers : headers.toSpliced(at, 2)
  return [...others, 'authorization', value]
}

/** Where the target redirects the check; undefined if the response is the last one. */
export function redirectIn(
  { status, headers }: ResponseReader,
  target: { readonly followRedirects: boolean; readonly expect: Parameters<typeof namesStatus>[0] },
): string | undefined {
  const { location } = headers
  if (!target.followRedirects || !isRedirect(status) || typeof location !== 'string')
    return undefined
  return namesStatus(target.expect, status) ? undefined : location
}

/**
 * The name of a redirect's destination in messages: the target chose the host, so a refusal does
 * not repeat it.
 */
function viaRedirect({ redirects }: ProbeRun['record']) {
  return { subject: 'a redirect', detail: () => redirects?.clippedUrl() ?? '' }
}

/** The body of an answer, of which `bytesKept` remain in the response. */
export async function withBody(
  response: ResponseReader,
  bytesKept: number,
): Promise<Required<Pick<TargetAnswer, 'body' | 'bodyBytes'>>> {
  const bytes = await bodyOf(response)
  keepBeginning(response.chunks, bytesKept)
  const contentType = String(response.headers['content-type'] ?? '')
  return { body: () => textOf(bytes, contentType), bodyBytes: bytes.length }
}

/** Evidence reads no more, and the answer may wait for its examination. */
function keepBeginning(chunks: Buffer[], bytesKept: number): void {
  let size = 0
  const last = chunks.findIndex((chunk) => {
    size += chunk.length
    return size >= bytesKept
  })
  if (last >= 0) chunks.length = last + 1
}
