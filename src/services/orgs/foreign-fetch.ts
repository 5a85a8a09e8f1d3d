// Reads what the API of another product tells, with a key that is used once and kept nowhere.
import type { Clock } from '../../base/clock.ts'
import { type Fault, invalidField } from '../../base/fault.ts'
import { pause } from '../../base/timeout.ts'
import { createYielder, laterTurn } from '../../base/yielding.ts'
import { betterstackApi } from '../../domain/imports/betterstack/api.ts'
import { checklyApi } from '../../domain/imports/checkly/api.ts'
import { type ForeignApi, type ForeignAsk, fieldsOf, listOf } from '../../domain/imports/foreign.ts'
import { healthchecksApi } from '../../domain/imports/healthchecks/api.ts'
import { createJsonSize } from '../../domain/imports/json-size.ts'
import { oneuptimeApi } from '../../domain/imports/oneuptime/api.ts'
import { pingdomApi } from '../../domain/imports/pingdom/api.ts'
import { statuspageApi } from '../../domain/imports/statuspage/api.ts'
import { uptimerobotApi } from '../../domain/imports/uptimerobot/api.ts'
import { foreignValuesMax } from '../../domain/imports/value-count.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { WebAnswer, WebClient } from '../../net/http-client/guarded-client.ts'
import { retryAfterMs } from '../../net/http-client/retry-after.ts'
import type { ForeignProduct } from './foreign-files.ts'

const apis = {
  healthchecks: healthchecksApi,
  uptimerobot: uptimerobotApi,
  betterstack: betterstackApi,
  pingdom: pingdomApi,
  checkly: checklyApi,
  oneuptime: oneuptimeApi,
  statuspage: statuspageApi,
} satisfies Partial<Record<ForeignProduct, ForeignApi>>

/** The products whose API is read. */
export type FetchedProduct = keyof typeof apis
// Object.keys loses the type of the names.
export const fetchedProducts = Object.keys(apis) as readonly FetchedProduct[]

export interface ForeignSite {
  readonly product: FetchedProduct
  /** Where the service is: the part of its addresses before the path of its API. */
  readonly url: string
  readonly key: string
  /** Healthchecks: the key with which senders name its checks by their slugs, which its API does not tell. */
  readonly pingKey?: string | undefined
}

export interface FetchFrame {
  readonly signal?: AbortSignal | undefined
  /** Whose look-ups they are; absent: the operator's. */
  readonly orgId?: string
  /** After this, what is optional is left out. */
  readonly msMax: number
}

export interface ForeignFetchDeps {
  readonly clock: Clock
  /** Reads whole answers, up to `foreignAnswerBytesMax`. */
  readonly request: WebClient
}

/** The time for the command line: services let a key make a hundred requests a minute. */
export const foreignFetchCommandMsMax = 15 * 60_000

export const foreignAnswerBytesMax = 4 * 1024 * 1024
/** All answers of one service. */
const foreignCharsMax = limits.importBytesMax
/** An answer, which is parsed in one piece. Those of services have few shapes. */
const answerBounds = { valuesMax: 100_000, shapesMax: 10_000 }
const scanChars = 64 * 1024
/** 420: Statuspage, beside 429. */
const busyStatuses: ReadonlySet<number> = new Set([420, 429, 503])
const foreignRequestMsMax = 20_000
const foreignRequestsMax = 2 * limits.importMonitorsMax
/** Requests to one service at the same time. */
const foreignTogether = 4
/** How often a request is repeated that comes too soon. */
const foreignRepeatsMax = 20
const foreignWaitMs = 5_000
const foreignWaitMsMax = 60_000

export type ForeignFetch = ReturnType<typeof createForeignFetch>

export function createForeignFetch({ clock, request }: ForeignFetchDeps) {
  /**
   * Resolves with the JSON that the converter of the product reads. Throws validation_failed at /url or /key, which says
   * nothing of what was answered but its status.
   */
  return async (site: ForeignSite, frame: FetchFrame): Promise<string> => {
    const api: ForeignApi = apis[site.product]
    const base = baseOf(site.url)
    const own = api.authorized(keyOf(site.key))
    if (site.pingKey !== undefined && site.product !== 'healthchecks') {
      throw invalidField('/pingKey', 'unknown', 'is of Healthchecks alone')
    }
    const untilMs = clock.monoMs() + frame.msMax
    const soFar = { chars: 0, values: 0, unread: new Set<string>() }
    const fetching: Fetching = { base, own, frame, untilMs, ...soFar }
    const asks = api.asks(clock.nowMs())
    let made = 0
    let step = asks.next()
    while (!step.done) {
      made += step.value.length
      if (made > foreignRequestsMax) throw refused(`needs more than ${foreignRequestsMax} requests`)
      step = asks.next(await answersTo(fetching, step.value))
    }
    const left = listOf(fieldsOf(step.value).unread)
    const unread = [...fetching.unread, ...left]
    const more = unread.length === 0 ? {} : { unread }
    return JSON.stringify({ ...step.value, ...more, pingKey: site.pingKey })
  }

  interface Fetching {
    readonly base: URL
    readonly own: ReturnType<ForeignApi['authorized']>
    readonly frame: FetchFrame
    untilMs: number
    chars: number
    values: number
    /** What optional answers lack, and why. */
    readonly unread: Set<string>
  }

  async function answersTo(fetching: Fetching, asks: readonly ForeignAsk[]): Promise<unknown[]> {
    const answers: unknown[] = []
    const waiting = asks.entries()
    const takeTurns = async () => {
      for (const [index, ask] of waiting) answers[index] = await answerTo(fetching, ask)
    }
    await Promise.all(Array.from({ length: foreignTogether }, takeTurns))
    return answers
  }

  async function answerTo(fetching: Fetching, ask: ForeignAsk): Promise<unknown> {
    const { frame, untilMs } = fetching
    for (let tried = 0; ; tried += 1) {
      const leftMs = untilMs - clock.monoMs()
      if (frame.signal?.aborted || leftMs <= 0)
        return missing(fetching, ask, 'was not read in time')
      const answer = await exchange(fetching, ask)
      if (answer.kind !== 'answered')
        return missing(fetching, ask, `cannot be read: ${answer.reason}`)
      const isBusy = busyStatuses.has(answer.status)
      const waitMs = waitAfter(answer)
      if (!isBusy) return read(fetching, ask, answer)
      if (tried >= foreignRepeatsMax || waitMs >= leftMs) {
        // More requests would only meet the same.
        fetching.untilMs = Number.NEGATIVE_INFINITY
        return missing(fetching, ask, `answers with the status ${answer.status}`)
      }
      await pause(clock, waitMs, frame.signal ?? new AbortController().signal)
    }
  }

  async function read(
    fetching: Fetching,
    ask: ForeignAsk,
    { status, body }: ServiceAnswer,
  ): Promise<unknown> {
    if ((status === 401 || status === 403) && !ask.isOptional) {
      throw invalidField('/key', 'secret', `is not accepted: the answer has the status ${status}`)
    }
    if (status !== 200) return missing(fetching, ask, `answers with the status ${status}`)
    fetching.chars += body.length
    if (fetching.chars > foreignCharsMax)
      throw refused(`answers with more than ${foreignCharsMax} bytes`)
    await mustBeParsable(fetching, body)
    try {
      return JSON.parse(body)
    } catch {
      return missing(fetching, ask, 'answers with something other than JSON')
    }
  }

  /** Whoever names the address may answer what takes the parser long. Yields to other work. */
  async function mustBeParsable(fetching: Fetching, body: string): Promise<void> {
    const size = createJsonSize(body, answerBounds)
    const yielder = createYielder(clock, limits.turnMs)
    for (let at = 0; at < body.length; at += scanChars) {
      if (!size.readTo(at + scanChars)) throw refused('answers with more values than are read')
      if (yielder.isDue()) await yielder.pause()
    }
    fetching.values += size.values()
    if (fetching.values > foreignValuesMax)
      throw refused(`answers with more than ${foreignValuesMax} values`)
    await laterTurn()
  }

  function waitAfter({ headers }: ServiceAnswer): number {
    return retryAfterMs(headers['retry-after'], clock.wallMs(), foreignWaitMsMax) ?? foreignWaitMs
  }

  function exchange(
    { base, own, frame }: Fetching,
    { path, json }: ForeignAsk,
  ): Promise<WebAnswer> {
    const url = addressOf(base, path)
    const { orgId, signal } = frame
    return request({
      url,
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': 'stillup',
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...own.headers,
      },
      body: json === undefined ? '' : JSON.stringify(json),
      timeoutMs: foreignRequestMsMax,
      ...(orgId === undefined ? {} : { orgId }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}

type ServiceAnswer = Extract<WebAnswer, { kind: 'answered' }>

interface Unread {
  readonly unread: Set<string>
}

/** What is wrong is ours to say: the note repeats nothing of the answer. */
function missing({ unread }: Unread, { isOptional, what }: ForeignAsk, why: string): undefined {
  if (!isOptional) throw refused(why)
  if (what !== undefined) unread.add(`${what} (${why})`)
  return undefined
}

function refused(what: string): Fault {
  return invalidField('/url', 'target', what)
}

/** The address of the service, to which paths are added: they begin with a slash. */
function baseOf(text: string): URL {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb) throw refused('must start with http:// or https://')
  if (url.username !== '' || url.password !== '') throw refused('must not contain credentials')
  if (url.search !== '' || url.hash !== '') throw refused('must not have a query')
  url.pathname = url.pathname.replace(/\/$/, '')
  return url
}

/** The key is sent to the service alone. */
function addressOf(base: URL, path: string): string {
  const root = base.pathname === '/' ? '' : base.pathname
  const url = path.startsWith('/') ? URL.parse(base.origin + root + path) : URL.parse(path)
  if (url?.origin !== base.origin) throw refused('names pages at another address')
  return url.href
}

/** A header takes no other characters. */
function keyOf(key: string): string {
  const trimmed = key.trim()
  if (/^[\x21-\x7e]{1,1000}$/.test(trimmed)) return trimmed
  throw invalidField('/key', 'format', 'must be 1 to 1000 visible characters')
}
