// The web checks: an HTTP request on a fresh connection, with redirects.
import { namesStatus, needsBody } from '../../domain/assertions/assertion.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { hostOf, portOf, urlShapeProblem } from '../../net/egress-policy.ts'
import { textOf } from '../../net/http-client/charset.ts'
import { offersHttp2 } from '../../net/http-client/exchange-h2.ts'
import { hopFor } from '../../net/http-client/plan.ts'
import { isRedirect } from '../../net/http-client/redirect-chain.ts'
import { bodyOf, type RequestOptions, request } from '../../net/http-client/request.ts'
import type { ResponseReader } from '../../net/http-client/response-reader.ts'
import { defineKind, type ProbedKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'

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
    fields: ['connection', 'request', 'tls'],
    sources: ['status', 'header', 'certificateDays', 'ip'],
    textName: 'body',
    schemes: ['https', 'http'],
    urlForm: '`http://host/path` or `https://host/path`',
    parse(text): URL | UrlFault {
      const problem = urlShapeProblem(text)
      return problem === null ? new URL(text) : { problem }
    },
    destination: (url) => ({ host: hostOf(url), port: portOf(url) }),
    open: () => ({
      look(url, target, run) {
        const readsBody = needsBody(target.expect, own) && target.method !== 'HEAD'
        return lookAt(url, target, run, readsBody)
      },
    }),
  })
}

async function lookAt(
  url: URL,
  target: EndpointTarget,
  run: ProbeRun,
  wantsBody: boolean,
): Promise<TargetAnswer> {
  const { record } = run
  let hop = hopFor(target, url)
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
    const location = redirectIn(response, target)
    if (location === undefined) return wantsBody ? withBody(response) : {}
    hop = record.redirected(hop, response.status, location)
    options = { ...options, ...viaRedirect(record) }
  }
}

/** Where the target redirects the check; undefined if the response is the last one. */
function redirectIn({ status, headers }: ResponseReader, target: EndpointTarget) {
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

async function withBody(response: ResponseReader): Promise<TargetAnswer> {
  const bytes = await bodyOf(response)
  keepBeginning(response.chunks)
  const contentType = String(response.headers['content-type'] ?? '')
  return { body: () => textOf(bytes, contentType), bodyBytes: bytes.length }
}

/** Evidence reads no more, and the answer may wait for its examination. */
function keepBeginning(chunks: Buffer[]): void {
  let size = 0
  const last = chunks.findIndex((chunk) => {
    size += chunk.length
    return size >= limits.trialBodyBytesKept
  })
  if (last >= 0) chunks.length = last + 1
}
