// Load on the daemon's own HTTP: keep-alive connections in a closed loop, one request in flight on
// each.
//
// Raw sockets and the least parsing that is safe: on a machine with two cores the generator must
// need less of them than the daemon.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

export interface LoadInput {
  readonly port: number
  readonly connections: number
  readonly warmupSeconds: number
  readonly seconds: number
  /** Sent in turn. In a path `{token}` stands for a line of tokensFile. */
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
  readonly tokensFile?: string
  /** Between an answer and the next request of a connection. */
  readonly pauseMs?: number
}

export interface LoadResult {
  readonly requests: number
  /** Answers other than 200, and connections that broke. */
  readonly failures: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly bytesPerResponse: number
  readonly generatorCpuSeconds: number
}

const bucketMs = 0.02
const bucketCount = 100_000
const readBytes = 64 * 1024

const input = JSON.parse(process.argv[2] ?? '{}') as LoadInput
const requests = requestsOf(input)
const buckets = new Uint32Array(bucketCount)
let next = 0
let counted = 0
let failures = 0
let bytes = 0
let isCounting = false
let isOver = false

function requestsOf({ port, request, tokensFile }: LoadInput): readonly Buffer[] {
  const { method, path, body = '' } = request
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const headers = { Host: `127.0.0.1:${port}`, ...request.headers, ...length }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const tokens = tokensFile ? readFileSync(tokensFile, 'utf8').split('\n') : ['']
  return tokens.map((token) => {
    const target = path.replace('{token}', token)
    return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
  })
}

function note(sentMs: number, isGood: boolean, size: number): void {
  if (!isCounting) return
  if (!isGood) {
    failures += 1
    return
  }
  counted += 1
  bytes += size
  const bucket = Math.floor((performance.now() - sentMs) / bucketMs)
  const at = Math.min(bucket, bucketCount - 1)
  buckets[at] = (buckets[at] ?? 0) + 1
}

/** One connection. Its answers come one by one: nothing is sent before the last one is whole. */
function drive(): Socket {
  const buffer = Buffer.alloc(readBytes)
  let sentMs = 0
  let missing = 0
  let size = 0
  let isGood = false
  // The first bytes of an answer whose head came in pieces.
  let early = Buffer.alloc(0)

  function send(): void {
    if (isOver) return
    const request = requests[next] as Buffer
    next = next + 1 === requests.length ? 0 : next + 1
    sentMs = performance.now()
    socket.write(request)
  }

  function begin(chunk: Buffer): void {
    const whole = early.length === 0 ? chunk : Buffer.concat([early, chunk])
    const headEnd = whole.indexOf('\r\n\r\n')
    if (headEnd < 0) {
      early = Buffer.from(whole)
      return
    }
    early = Buffer.alloc(0)
    // "HTTP/1.1 200"
    isGood = whole[9] === 50 && whole[10] === 48 && whole[11] === 48
    size = headEnd + 4 + contentLength(whole.subarray(0, headEnd))
    missing = size - whole.length
    if (missing <= 0) finish()
  }

  function finish(): void {
    missing = 0
    note(sentMs, isGood, size)
    if (input.pauseMs) setTimeout(send, input.pauseMs)
    else send()
  }

  function onRead(count: number): boolean {
    if (missing === 0) begin(buffer.subarray(0, count))
    else {
      missing -= count
      if (missing <= 0) finish()
    }
    return true
  }

  const socket = connect({
    port: input.port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer, callback: onRead },
  })
  socket.on('connect', send)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    if (isCounting) failures += 1
  })
  return socket
}

function contentLength(head: Buffer): number {
  const at = head.indexOf('Content-Length: ')
  if (at >= 0) {
    let length = 0
    for (let byte = at + 16; byte < head.length; byte += 1) {
      const digit = (head[byte] ?? 0) - 48
      if (digit < 0 || digit > 9) break
      length = length * 10 + digit
    }
    return length
  }
  return Number(/content-length: *(\d+)/i.exec(head.toString('latin1'))?.[1] ?? 0)
}

function quantileMs(share: number): number {
  let rank = Math.max(1, Math.ceil(counted * share))
  for (let at = 0; at < bucketCount; at += 1) {
    rank -= buckets[at] ?? 0
    if (rank <= 0) return at * bucketMs
  }
  return bucketCount * bucketMs
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function run(): void {
  const sockets = Array.from({ length: input.connections }, drive)
  setTimeout(() => {
    isCounting = true
    process.send?.({ started: true })
    const startedMs = performance.now()
    const cpuBefore = cpuSeconds()
    setTimeout(() => {
      isCounting = false
      isOver = true
      const seconds = (performance.now() - startedMs) / 1_000
      const result: LoadResult = {
        requests: counted,
        failures,
        seconds,
        p50Ms: quantileMs(0.5),
        p99Ms: quantileMs(0.99),
        maxMs: quantileMs(1),
        bytesPerResponse: counted === 0 ? 0 : Math.round(bytes / counted),
        generatorCpuSeconds: cpuSeconds() - cpuBefore,
      }
      process.send?.(result, () => process.exit())
      for (const socket of sockets) socket.destroy()
    }, input.seconds * 1_000)
  }, input.warmupSeconds * 1_000)
}

process.once('disconnect', () => process.exit())
run()
