// The probe of endpoints: an HTTP request on a fresh connection, with redirects.
import { namesStatus } from '../../domain/assertions/assertion.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
import { textOf } from '../../net/http-client/charset.ts'
import { offersHttp2 } from '../../net/http-client/exchange-h2.ts'
import { planFor } from '../../net/http-client/plan.ts'
import { isRedirect } from '../../net/http-client/redirect-chain.ts'
import { bodyOf, type RequestOptions, request } from '../../net/http-client/request.ts'
import type { ResponseReader } from '../../net/http-client/response-reader.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { createProbe, type Probe, type ProbeDeps, type ProbeRun } from '../run/probe-run.ts'

/** Makes the probe of endpoints. */
export function createHttpProbe(deps: ProbeDeps): Probe {
  return createProbe(deps, check)
}

async function check(target: EndpointTarget, run: ProbeRun): Promise<TargetAnswer> {
  const { record } = run
  const plan = planFor(target)
  if (plan.problem !== undefined) throw new RunError(failure('blocked', plan.problem))
  let { hop } = plan
  let options: RequestOptions = {
    wantsBody: plan.needsBody,
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
    if (location === undefined) return plan.needsBody ? withBody(response) : {}
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
