// What is checked: answers every connection with the same 200, and notes who came when.
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { testCertificates } from '../../../test/support/certificates.ts'

export interface TargetInput {
  /** Speaks TLS, with the certificate that tests use. */
  readonly isTls?: boolean
  /** Speaks TLS with another one, on every host of this machine. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** What the parent sends: begin counting anew, or tell. */
export type TargetAsk =
  | { readonly kind: 'reset'; readonly slotsMs: readonly number[]; readonly intervalMs: number }
  | { readonly kind: 'report' }

export interface Arrivals {
  readonly total: number
  /** How many different monitors came. */
  readonly monitors: number
  /** When the last of them came for the first time, on the wall clock. */
  readonly lastNewAtMs: number
  /** In each second since the reset. */
  readonly perSecond: readonly number[]
  /** Connections that are open now. */
  readonly open: number
  /** From each monitor's slot to the arrival of its request. */
  readonly lateness: {
    readonly p1Ms: number
    readonly p50Ms: number
    readonly p99Ms: number
    readonly maxMs: number
  }
}

const response = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok',
)
const latenessMax = 4_000_000
// Requests begin with "GET /m/" and the monitor's number.
const numberAt = 7

let seen = new Uint8Array(0)
let slotsMs: readonly number[] = []
let intervalMs = 1
let sinceMs = 0
let total = 0
let lastNewAtMs = 0
let perSecond: number[] = []
let open = 0
const lateness = new Float32Array(latenessMax)

// Wall clock with a fraction: what the schedule of the daemon is made of.
const nowMs = () => performance.timeOrigin + performance.now()

function note(request: Buffer): void {
  let number = 0
  for (let at = numberAt; at < request.length; at += 1) {
    const digit = (request[at] ?? 0) - 48
    if (digit < 0 || digit > 9) break
    number = number * 10 + digit
  }
  const atMs = nowMs()
  const second = Math.floor((atMs - sinceMs) / 1_000)
  perSecond[second] = (perSecond[second] ?? 0) + 1
  if (seen[number] === 0) {
    seen[number] = 1
    lastNewAtMs = atMs
  }
  if (total < latenessMax) {
    const slotMs = slotsMs[number] ?? 0
    lateness[total] = (((atMs - slotMs) % intervalMs) + intervalMs) % intervalMs
  }
  total += 1
}

function report(): Arrivals {
  const sorted = lateness.subarray(0, Math.min(total, latenessMax)).slice().sort()
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    total,
    monitors: seen.reduce((sum, one) => sum + one, 0),
    lastNewAtMs,
    perSecond: Array.from(perSecond, (count) => count ?? 0),
    open,
    lateness: {
      ...{ p1Ms: quantile(0.01), p50Ms: quantile(0.5) },
      ...{ p99Ms: quantile(0.99), maxMs: quantile(1) },
    },
  }
}

function onMessage(ask: TargetAsk): void {
  if (ask.kind === 'report') {
    process.send?.(report())
    return
  }
  slotsMs = ask.slotsMs
  intervalMs = ask.intervalMs
  seen = new Uint8Array(slotsMs.length)
  sinceMs = nowMs()
  total = 0
  perSecond = []
  process.send?.({ ok: true })
}

function serve(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (request) => {
    note(request as Buffer)
    socket.end(response)
  })
}

process.once('disconnect', () => process.exit())
process.on('message', onMessage)
const { isTls = false, tls = isTls ? testCertificates.good : undefined }: TargetInput = JSON.parse(
  process.argv[2] ?? '{}',
)
const server = tls
  ? createTlsServer({ ...tls, noDelay: true }, serve)
  : createServer({ noDelay: true }, serve)
server.on('connection', (socket: Socket) => {
  open += 1
  socket.once('close', () => (open -= 1))
})
server.listen({ port: 0, host: isTls || !tls ? '127.0.0.1' : '0.0.0.0', backlog: 4_096 }, () =>
  process.send?.(server.address()),
)
