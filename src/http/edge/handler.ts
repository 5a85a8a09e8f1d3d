// Handles the requests of one endpoint: admits each, reads its body, runs it, and answers.
import type { HttpResponse } from 'uWebSockets.js'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import {
  bodyRestBytesMax,
  readBody,
  restUnread,
  skipBody,
  tooLarge,
  tooManyPieces,
} from './body.ts'
import {
  createSharedBounds,
  type EdgeHandler,
  type EdgeHooks,
  type Endpoint,
  Exchange,
  type ExchangeDeps,
  forwardedFor,
  type SharedBounds,
} from './exchange.ts'
import { type Framing, framingOf } from './framing.ts'
import type { WireReply } from './reply.ts'

/** The uWebSockets.js handler of an endpoint. */
export function exchangeHandler<Admission>(
  endpoint: Endpoint<Admission>,
  hooks: EdgeHooks,
  bounds: SharedBounds = createSharedBounds(hooks.clock),
): EdgeHandler {
  const { clock, trust, secureLines, basePath = '', explain } = hooks
  const { paramCount, bodyBytesMax, deadlineMs, mayWrite = false } = endpoint
  const { turns, pieceSenders, bodyRoom } = bounds
  const { headers } = endpoint
  const direct: ExchangeDeps = {
    ...bounds,
    clock,
    trust,
    secureLines,
    basePath,
    paramCount,
    headers,
  }
  const proxied: ExchangeDeps = { ...direct, headers: [...headers, forwardedFor] }

  function done(exchange: Exchange): void {
    bodyRoom.leave(exchange)
    hooks.onDone(exchange, endpoint)
  }

  /** `isWatched`: this runs after the handler returned, and aborts are already listened to. */
  function start(
    exchange: Exchange,
    admission: Admission,
    res: HttpResponse,
    isWatched: boolean,
  ): void {
    if (exchange.isFinished) return
    exchange.isStarted = true
    let reply: WireReply | Promise<WireReply>
    try {
      reply = endpoint.run(exchange, admission)
    } catch (error) {
      reply = explain(error, exchange, endpoint)
    }
    if (!(reply instanceof Promise)) {
      if (reply.open && !isWatched) res.onAborted(() => exchange.abort())
      exchange.send(reply, !isWatched)
      done(exchange)
      return
    }
    // No abort can arrive before this turn of the event loop ends, so only exchanges that wait need
    // to listen.
    if (!isWatched) res.onAborted(() => exchange.abort())
    const deadline = clock.setTimeout(() => {
      hooks.onLate(exchange, endpoint)
      exchange.send(explain(tooSlow(deadlineMs), exchange, endpoint), false)
      exchange.abort()
    }, deadlineMs)
    function settle(settled: WireReply): void {
      clock.clearTimeout(deadline)
      exchange.send(settled, false)
      done(exchange)
    }
    void reply.then(settle, (error: unknown) => settle(explain(error, exchange, endpoint)))
  }

  /** Answers a request that does not start. */
  function refuse(exchange: Exchange, error: unknown, isCorked: boolean): void {
    if (exchange.isFinished) return
    exchange.send(explain(error, exchange, endpoint), isCorked)
    done(exchange)
  }

  function admit(
    exchange: Exchange,
    { bodyBytes, isChunked }: Framing,
    isCorked: boolean,
    whenAdmitted: (admission: Admission) => void,
  ): void {
    if (exchange.isFinished) return
    let admission: Admission
    try {
      admission = endpoint.admit(exchange)
      if (bodyBytesMax > 0 && bodyBytes > bodyBytesMax) throw tooLarge(bodyBytesMax)
      if (isChunked && pieceSenders.has(countedAddress(exchange.address))) throw tooManyPieces()
      if (bodyBytesMax > limits.largeBodies.bytesMin) {
        const owner = endpoint.ownerOf?.(admission) ?? countedAddress(exchange.address)
        bodyRoom.take(exchange, owner, isChunked ? bodyBytesMax : bodyBytes)
      }
    } catch (error) {
      refuse(exchange, error, isCorked)
      return
    }
    whenAdmitted(admission)
  }

  function watch(exchange: Exchange, res: HttpResponse): void {
    res.onAborted(() => {
      if (!exchange.isStarted && !exchange.isFinished) done(exchange)
      exchange.abort()
    })
  }

  /** A request that waits: for its body, for the end of what was sent with it, or for its turn. */
  function take(exchange: Exchange, res: HttpResponse, framing: Framing, isLate: boolean): void {
    let isRead = bodyBytesMax === 0
    let run: (() => void) | undefined

    function runWhenReady(): void {
      if (!isRead || !run) return
      if (mayWrite) turns.later(run)
      else run()
    }
    function whenAdmitted(admission: Admission): void {
      run = () => start(exchange, admission, res, true)
      runWhenReady()
    }

    function listen(): void {
      if (isRead) return
      const reading = readBody(res, bodyBytesMax, {
        whenRead(body) {
          if (exchange.isFinished) return
          exchange.body = body
          exchange.rest = undefined
          isRead = true
          if (framing.isChunked && mayWrite) exchange.pause()
          runWhenReady()
        },
        whenTooLarge: () => refuse(exchange, tooLarge(bodyBytesMax), false),
        whenInPieces() {
          if (exchange.isFinished) return
          pieceSenders.note(countedAddress(exchange.address))
          refuse(exchange, tooManyPieces(), false)
        },
      })
      if (isLong(framing)) exchange.rest = reading
    }

    watch(exchange, res)
    // Each chunk is a call, so the chunks of a refused request are not listened to.
    if (!framing.isChunked) listen()
    if (isLate) turns.later(() => admit(exchange, framing, false, whenAdmitted))
    else {
      admit(exchange, framing, true, (admission) => {
        if (framing.isChunked) listen()
        whenAdmitted(admission)
      })
    }
  }

  // What follows in the stream could be the body or another request, so it must not be handled.
  function refuseAmbiguous(exchange: Exchange, res: HttpResponse, isLate: boolean): void {
    if (isLate) {
      exchange.abort()
      done(exchange)
      res.close()
      return
    }
    exchange.rest = skipBody(res)
    refuse(exchange, ambiguousLength(), true)
  }

  return (res, req) => {
    const framing = framingOf(req)
    const exchange = new Exchange(res, req, trust.isEmpty ? direct : proxied)
    hooks.onStart(endpoint)
    const isLate = !turns.hasTime(exchange.startedMonoMs)
    if (!framing) refuseAmbiguous(exchange, res, isLate)
    else {
      if (framing.isChunked) exchange.rest = restUnread
      else if (bodyBytesMax === 0 && isLong(framing)) exchange.rest = skipBody(res)
      if (isLate && framing.isChunked) {
        refuse(exchange, new Fault('unavailable', 'The service is busy'), true)
      } else if (isLate || bodyBytesMax > 0 || mayWrite) take(exchange, res, framing, isLate)
      else {
        admit(exchange, framing, true, (admission) => start(exchange, admission, res, false))
      }
    }
  }
}

/** Whether an unread body could keep the library reading for long. */
function isLong({ bodyBytes, isChunked }: Framing): boolean {
  return isChunked || bodyBytes > bodyRestBytesMax
}

function ambiguousLength(): Fault {
  const detail =
    'The length of the body is not clear: send one Content-Length or one Transfer-Encoding'
  return new Fault('invalid_parameter', detail)
}

function tooSlow(deadlineMs: number): Fault {
  return new Fault('unavailable', `There was no answer within ${deadlineMs / 1000} s`)
}
