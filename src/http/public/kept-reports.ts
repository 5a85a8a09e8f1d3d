// Reports at addresses of other products (domain/monitors/kept-address.ts), answered as those products answer, so
// that senders notice no difference. While no monitor keeps such an address, and no organization a ping key, there are no such paths. They are
// reached at every host name, also at those of status pages: in the other product, both often had the same name.
import { clip } from '../../base/clip.ts'
import { Fault, notFound } from '../../base/fault.ts'
import { goSpanMs } from '../../domain/imports/gatus/conditions.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  exitStatusMax,
  isKeptAddress,
  isUuid,
  type KeptCall,
  keptCall,
  pingStatus,
  withToken,
} from '../../domain/monitors/kept-address.ts'
import { cutLog, type SentReport } from '../../domain/monitors/run.ts'
import { countedAddress } from '../../domain/network.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { PingKeyHolder } from '../../services/monitors/ping-keys.ts'
import type { KeptMonitor } from '../../services/monitors/push.ts'
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import { storageFull } from '../pipeline/admission.ts'
import type { RateGates } from '../pipeline/rate.ts'
import type { LineMethod } from '../pipeline/router.ts'

export interface KeptReportsDeps {
  readonly services: Pick<Services, 'push' | 'pingKeys' | 'resumptions'>
  readonly gates: RateGates
  /** Whether there is space for new objects. */
  readonly hasRoom: () => boolean
  /** Throws shutting_down once the service is draining. */
  readonly refuseWhileDraining: () => void
}

/** Kuma and Healthchecks take any of them. */
export const keptMethods: readonly LineMethod[] = [
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const),
]

/** A refusal in the words of the other product. */
export class KeptRefusal extends Fault {
  readonly reply: WireReply

  constructor(reply: WireReply) {
    super('not_found')
    this.reply = reply
  }
}

interface KeptAdmission {
  readonly call: KeptCall
  /** Undefined: `holder` is to have a monitor made. */
  readonly keeper: KeptMonitor | undefined
  readonly holder: PingKeyHolder | undefined
}

/** What Django takes of a request by default: senders with more are refused there, too. */
const pingBytesMax = 2_621_440
/** Words are looked for in as many bytes as its PING_BODY_LIMIT has by default. */
const wordBytesMax = 10_000
/** The body is read, and not looked at. */
const kumaBytesMax = 100 * 1024
/** In milliseconds: about three years. */
const kumaPingMax = 100_000_000_000
const messageCharsMax = 1_024

const unstored = [
  'Cache-Control',
  'max-age=0, no-cache, no-store, must-revalidate, private',
] as const
const nosniff = ['X-Content-Type-Options', 'nosniff'] as const
const textHead = `text/plain; charset=utf-8${headerLines([unstored, nosniff])}`
const okHead =
  textHead +
  headerLines([
    ['Ping-Body-Limit', String(limits.runLogBytesMax)],
    // No cookie is looked at: a page of any site may report, as there.
    ['Access-Control-Allow-Origin', '*'],
  ])
const jsonHead = `application/json; charset=utf-8${headerLines([['Cache-Control', 'no-store'], nosniff])}`

const text = (status: number, body: string): WireReply => ({ status, head: textHead, body })
const json = (status: number, body: object): WireReply => ({
  status,
  head: jsonHead,
  body: JSON.stringify(body),
})

const ok: WireReply = { status: 200, head: okHead, body: 'OK' }
const unknownPing = text(404, 'not found')
const ambiguousSlug = text(409, 'ambiguous slug')
const badPath = text(400, 'invalid url format')
const unknownPush = json(404, { ok: false, msg: 'Monitor not found or not active.' })
/** The key of an endpoint and its token are one address here, so an unknown key is a wrong token. */
const unknown: Readonly<Record<KeptCall['product'], WireReply>> = {
  kuma: unknownPush,
  healthchecks: unknownPing,
  gatus: text(401, 'invalid token'),
}

/** The endpoints, by their paths. */
export function keptEndpoints(
  deps: KeptReportsDeps,
): readonly (readonly [path: string, endpoint: Endpoint<KeptAdmission>])[] {
  const { push, pingKeys, resumptions } = deps.services
  const gate = deps.gates.of('push')

  function count(key: string, { product }: KeptCall, nowMs: number): void {
    try {
      gate.take(key, nowMs)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'rate_limited') throw error
      const said =
        product === 'kuma'
          ? json(429, { ok: false, msg: 'Too many requests' })
          : text(429, 'rate limited')
      throw new KeptRefusal({ ...said, head: said.head + headerLines(error.headers) })
    }
  }

  /** Who is to have a monitor made for the address. */
  function holderOf({ pingKey }: KeptCall, { queryText }: Exchange): PingKeyHolder | undefined {
    const isAsked = new URLSearchParams(queryText).getAll('create').at(-1) === '1'
    return isAsked && pingKey !== undefined ? pingKeys.holderOf(pingKey) : undefined
  }

  function admit(exchange: Exchange): KeptAdmission {
    const areAny = push.areAddressesKept() || pingKeys.areAny()
    const call = areAny ? keptCall(exchange.path) : undefined
    if (!call) throw notFound('address')
    deps.refuseWhileDraining()
    const address = addressOf(call, exchange)
    const found = push.findKept(address)
    const keeper = found === 'shared' ? undefined : found
    const holder = found ? undefined : holderOf(call, exchange)
    // An unknown address is counted by its sender: invented ones would fill the memory of the limiter.
    const counted = keeper?.monitorId ?? holder?.keyHash ?? countedAddress(exchange.address)
    count(counted, call, exchange.nowMs)
    if (call.product === 'healthchecks') mustBePing(call)
    if (found === 'shared') throw new KeptRefusal(ambiguousSlug)
    if (!keeper && !(holder && isKeptAddress(call.address))) {
      throw new KeptRefusal(unknown[call.product])
    }
    if (
      call.product === 'healthchecks' &&
      Number(exchange.header('content-length')) > pingBytesMax
    ) {
      throw new KeptRefusal(text(400, 'bad request'))
    }
    if (holder && !deps.hasRoom()) throw storageFull()
    return { call, keeper, holder }
  }

  const endpoint = (
    name: string,
    bodyBytesMax: number,
    run: (exchange: Exchange, admission: KeptAdmission) => Promise<WireReply>,
  ): Endpoint<KeptAdmission> => ({
    name,
    paramCount: 0,
    headers: ['host', 'accept-language', 'authorization', 'content-length'],
    bodyBytesMax,
    deadlineMs: limits.requestMsMax,
    mayWrite: true,
    admit,
    run: async (exchange, admission) => {
      const reply = await run(exchange, admission)
      return { ...reply, head: reply.head + exchange.lines }
    },
    ownerOf: ({ keeper, holder }) => keeper?.orgId ?? holder?.orgId,
  })

  /** Whether it arrived; not at a monitor that is paused, or was deleted meanwhile. */
  async function arrives(keeper: KeptMonitor, report: SentReport): Promise<boolean> {
    try {
      await push.report(keeper, report)
      return true
    } catch (error) {
      const isOver = error instanceof Fault && ['monitor_paused', 'not_found'].includes(error.code)
      if (isOver) return false
      throw error
    }
  }

  async function heartbeat(exchange: Exchange, { keeper }: KeptAdmission): Promise<WireReply> {
    const report = kumaReport(new URLSearchParams(exchange.queryText), keeper?.rules)
    return keeper && (await arrives(keeper, report)) ? json(200, { ok: true }) : unknownPush
  }

  async function ping(exchange: Exchange, admission: KeptAdmission): Promise<WireReply> {
    const { call, holder } = admission
    // It is made before anything else is looked at, and stays although the ping is refused.
    if (holder && !(await pingKeys.provide(holder, call.slug ?? '', call.address))) {
      return unknownPing
    }
    const keeper = admission.keeper ?? push.findKept(call.address)
    if (!keeper || keeper === 'shared') return unknownPing
    if (Number(call.word) > exitStatusMax) return badPath
    const rid = new URLSearchParams(exchange.queryText).getAll('rid').at(-1)
    if (rid !== undefined && !isUuid(rid)) return text(400, 'invalid uuid format')
    const report = pingReport(exchange, call, keeper, rid)
    const isLeftOut = !(await arrives(keeper, report))
    // Where it stays paused, the sender need not know.
    if (isLeftOut && hasEnded(report) && !keeper.rules.isResumedByHand) {
      await resumptions.resume(keeper)
      await arrives(keeper, report)
    }
    return holder ? { ...ok, status: 201, body: 'Created' } : ok
  }

  async function external(exchange: Exchange, { keeper }: KeptAdmission): Promise<WireReply> {
    const report = gatusReport(new URLSearchParams(exchange.queryText))
    if (typeof report === 'string') return text(400, `invalid duration: ${report}`)
    // A monitor that is paused takes none: the sender need not know.
    if (keeper) await arrives(keeper, report)
    return text(200, '')
  }

  return [
    ['/api/v1/endpoints/*', endpoint('kept.gatus', kumaBytesMax, external)],
    ['/api/push/*', endpoint('kept.kuma', kumaBytesMax, heartbeat)],
    ['/ping/*', endpoint('kept.healthchecks', pingBytesMax, ping)],
  ]
}

/** What the address is stored as. Throws KeptRefusal as Gatus does, which looks at the parameter first. */
function addressOf({ product, address }: KeptCall, exchange: Exchange): string {
  if (product !== 'gatus') return address
  if (exchange.method !== 'POST') throw notFound('address')
  const success = new URLSearchParams(exchange.queryText).getAll('success').at(-1)
  if (success !== 'true' && success !== 'false') {
    throw new KeptRefusal(text(400, 'missing or invalid success query parameter'))
  }
  const header = exchange.header('authorization')
  if (!header.startsWith('Bearer '))
    throw new KeptRefusal(text(401, 'invalid Authorization header'))
  return withToken(address, header.slice('Bearer '.length).trim())
}

/** The report, or why its duration is none. */
function gatusReport(query: URLSearchParams): SentReport | string {
  const isUp = query.getAll('success').at(-1) === 'true'
  const duration = query.getAll('duration').at(-1) ?? ''
  const spanMs = duration === '' || duration === '0' ? 0 : goSpanMs(duration)
  if (spanMs === undefined) return `time: invalid duration ${JSON.stringify(clip(duration, 100))}`
  const message = isUp ? '' : clip(query.getAll('error').at(-1) ?? '', messageCharsMax)
  return {
    status: isUp ? 'ok' : 'error',
    ...(message === '' ? {} : { message }),
    ...(spanMs === 0 ? {} : { durationMs: Math.min(Math.round(spanMs), limits.pushDurationMsMax) }),
  }
}

/** Slugs are lower case there, and other paths are refused before anything is looked up. */
function mustBePing({ slug = '' }: KeptCall): void {
  if (slug !== slug.toLowerCase()) throw new KeptRefusal(badPath)
}

/**
 * A status that came twice is a list there, so it is not `up`. A time out of range is passed over, as version 1
 * did; version 2 refuses the report.
 */
function kumaReport(
  query: URLSearchParams,
  { isUpsideDown = false }: KeptMonitor['rules'] = {},
): SentReport {
  const statuses = query.getAll('status')
  const isUp = statuses.length < 2 && ['', 'up'].includes(statuses[0] ?? '')
  const ping = Number.parseFloat(query.get('ping') ?? '')
  const isTime = ping > 0 && ping <= kumaPingMax
  const message = clip(query.get('msg') ?? '', messageCharsMax)
  return {
    status: isUp === isUpsideDown ? 'error' : 'ok',
    ...(isUpsideDown ? { isEvent: true } : {}),
    ...(message === '' ? {} : { message }),
    ...(isTime ? { durationMs: Math.min(Math.round(ping), limits.pushDurationMsMax) } : {}),
  }
}

function hasEnded({ status }: Pick<SentReport, 'status'>): boolean {
  return status === 'ok' || status === 'error'
}

function pingReport(
  { method, body }: Exchange,
  { word }: KeptCall,
  { rules }: KeptMonitor,
  rid: string | undefined,
): SentReport {
  const status = pingStatus(word, rules, {
    method,
    text: body.subarray(0, wordBytesMax).toString(),
  })
  return {
    status,
    ...(rid === undefined ? {} : { runId: rid.toLowerCase() }),
    ...(hasEnded({ status }) && /^\d+$/.test(word) ? { exitCode: Number(word) } : {}),
    ...(body.length === 0 ? {} : { log: cutLog(body) }),
  }
}
