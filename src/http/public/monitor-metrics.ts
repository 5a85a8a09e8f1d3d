// What Prometheus reads of monitors: their metrics, and the targets that they look at. With an API key those of its
// organization, with the system token those of all. Unlike the metrics of the service they name what organizations
// watch, so a program on this machine needs a credential, too: a check may be one.
import { Fault, type FaultCode } from '../../base/fault.ts'
import { onBehalfOf } from '../../base/waiting/behalf.ts'
import { laterTurn } from '../../base/yielding.ts'
import { defaultLocale } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { MetricsReader } from '../../services/monitors/monitor-metrics.ts'
import { zipped } from '../output/zipped.ts'
import { basicPassword, bearerToken } from '../pipeline/auth.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'
import { isFromHere, proxyHeaders } from './metrics.ts'

interface MonitorMetricsRouteDeps {
  readonly isSystemToken: (text: string) => boolean
}

const headers = ['authorization', 'x-api-key', 'user-agent', 'accept', 'accept-encoding'] as const
const noStore = ['Cache-Control', 'no-store'] as const
const challenge = ['WWW-Authenticate', 'Bearer realm="stillup", Basic realm="stillup"'] as const

const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
/** A reader of this format takes the last line of the other one for a comment. */
const textType = 'text/plain; version=0.0.4; charset=utf-8'

export function monitorMetricsRoutes({
  isSystemToken,
}: MonitorMetricsRouteDeps): readonly RawRoute[] {
  /** Throws unauthenticated, or forbidden where the organization is switched off. */
  function readerOf(request: RawRequest, { identity }: Services): MetricsReader {
    const token = tokenOf(request.header('authorization'))
    if (token !== '' && isSystemToken(token)) return 'operator'
    const { address, requestId, nowMs } = request
    const apiKey = request.header('x-api-key') || token
    const principal = identity.authenticate({ apiKey, address }, nowMs)
    if (principal.kind !== 'key') throw new Fault('unauthenticated')
    const userAgent = request.header('user-agent').slice(0, limits.userAgentCharsMax)
    const { language } = defaultLocale
    const caller = { principal, requestId, address, userAgent, language }
    return identity.scope(caller, principal.orgId, 'viewer')
  }

  async function reply(
    request: RawRequest,
    services: Services,
    contentType: string,
    make: (reader: MetricsReader) => Promise<string | Uint8Array>,
  ): Promise<RawReply> {
    const reader = readerOf(request, services)
    const body = await (reader === 'operator'
      ? make(reader)
      : onBehalfOf(reader.orgId, () => make(reader)))
    const mayGoOn = () =>
      reader === 'operator' || services.identity.holds(reader, 'viewer', request.nowMs)
    if (!mayGoOn()) throw new Fault('forbidden', 'The right to read this has ended.')
    const made = { status: 200, head: rawHead([['Content-Type', contentType], noStore]), body }
    // Within a machine, it takes longer than it saves.
    if (isFromHere(request)) return { ...made, mayGoOn }
    await laterTurn()
    const { head, body: sent } = await zipped(made, request.header('accept-encoding'), Object(body))
    return { status: 200, head, ...(sent !== undefined && { body: sent }), mayGoOn }
  }

  function route(
    name: string,
    path: string,
    answer: (request: RawRequest, services: Services) => Promise<RawReply>,
  ): RawRoute {
    return {
      name,
      path,
      rate: 'page',
      headers: [...headers, ...proxyHeaders],
      handle: (request, services) => answer(request, services).catch(refusal),
    }
  }

  return [
    route('metrics.monitors', '/metrics/monitors', (request, services) => {
      const takesOpen = request.header('accept').includes('application/openmetrics-text')
      return reply(request, services, takesOpen ? openMetricsType : textType, (reader) =>
        services.monitorMetrics.text(reader),
      )
    }),
    route('metrics.http_sd', '/metrics/http_sd', (request, services) =>
      reply(request, services, 'application/json', (reader) =>
        services.monitorMetrics.targets(reader),
      ),
    ),
  ]
}

/** The key of a credential. Prometheus 2.42 leaves out `Bearer` where it discovers, and no setting names a type. */
function tokenOf(authorization: string): string {
  const [bare = ''] = /^\S+$/.exec(authorization) ?? []
  return bearerToken(authorization) || basicPassword(authorization) || bare
}

const refusedCodes: readonly FaultCode[] = ['unauthenticated', 'forbidden', 'not_found', 'conflict']

/** One line for a program that shows it in its log. */
function refusal(error: unknown): RawReply {
  if (!(error instanceof Fault) || !refusedCodes.includes(error.code)) throw error
  const { status, message } = error
  const head = rawHead(status === 401 ? [noStore, challenge] : [noStore])
  return { status, head, body: `${message}\n` }
}
