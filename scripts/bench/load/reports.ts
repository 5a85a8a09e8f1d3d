// Push reports at a fixed rate, each with a number of its own, and a record of which were acknowledged
// when. A process of its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'

export interface ReportsInput {
  readonly port: number
  readonly perSecond: number
  readonly connections: number
  readonly tokensFile: string
  /** Where the record goes, once a message comes: it ends the reports. */
  readonly recordFile: string
}

/** A line of the record: which token, which of its reports, when it was acknowledged, how fast. */
export interface Acknowledged {
  /** Its line in the file of tokens. */
  readonly token: number
  /** The `durationMs` of the report: 1, 2, … */
  readonly number: number
  readonly atMs: number
  readonly tookMs: number
}

export interface ReportsResult {
  readonly acknowledged: number
  readonly failures: number
}

const input = JSON.parse(process.argv[2] ?? '{}') as ReportsInput
const tokens = readFileSync(input.tokensFile, 'utf8').split('\n')
const record: Acknowledged[] = []
let failures = 0
let isOver = false

function requestOf(token: string, durationMs: number): string {
  const body = JSON.stringify({ status: 'ok', durationMs })
  const head = `POST /api/v1/push/${token} HTTP/1.1\r\nHost: 127.0.0.1:${input.port}\r\n`
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return head + type + body
}

/** One connection, which sends the reports of its share of the tokens in turn. */
function drive(share: number): void {
  const everyMs = (1_000 * input.connections) / input.perSecond
  const beganMs = performance.now() + (everyMs * share) / input.connections
  const socket = connect({ port: input.port, host: '127.0.0.1', noDelay: true })
  let round = 0
  let answer = ''
  let sentMs = 0
  const mine = tokens.flatMap((_, token) => (token % input.connections === share ? [token] : []))
  const current = () => {
    const token = mine[round % mine.length] ?? 0
    return { token, number: Math.floor(round / mine.length) + 1 }
  }

  function send(): void {
    if (isOver) return
    const { token, number } = current()
    answer = ''
    sentMs = performance.now()
    socket.write(requestOf(tokens[token] ?? '', number))
  }

  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text
    const headEnd = answer.indexOf('\r\n\r\n')
    const length = Number(/content-length: *(\d+)/i.exec(answer)?.[1] ?? 0)
    if (headEnd < 0 || answer.length < headEnd + 4 + length) return
    const atMs = Date.now()
    if (answer.startsWith('HTTP/1.1 200')) {
      record.push({ ...current(), atMs, tookMs: performance.now() - sentMs })
    } else failures += 1
    round += 1
    setTimeout(send, Math.max(0, beganMs + round * everyMs - performance.now()))
  })
  socket.on('connect', () => setTimeout(send, Math.max(0, beganMs - performance.now())))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    if (!isOver) failures += 1
  })
}

process.once('disconnect', () => process.exit())
process.once('message', () => {
  isOver = true
  writeFileSync(input.recordFile, JSON.stringify(record))
  const result: ReportsResult = { acknowledged: record.length, failures }
  process.send?.(result, () => process.exit())
})
for (let share = 0; share < input.connections; share += 1) drive(share)
