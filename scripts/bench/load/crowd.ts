// Many connections to the daemon from a process of their own: slow ones, busy ones, too many.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Behaviour, behaviours, type CrowdInput, type Manner } from './crowd-manners.ts'

export type CrowdAsk =
  | { readonly kind: 'open'; readonly manner: Manner; readonly count: number }
  /** Whether connections that the daemon ends are opened anew. */
  | { readonly kind: 'keep'; readonly isKept: boolean }
  | { readonly kind: 'reset' }
  | { readonly kind: 'report' }
  | { readonly kind: 'close' }

export interface CrowdReport {
  readonly open: number
  /** Ended by the daemon before anything was answered. */
  readonly ended: number
  /** Not even connected. */
  readonly hanging: number
  readonly answers: number
  /** Answers other than 200. */
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** How long the connections lived that the daemon ended. */
  readonly livedMsMax: number
}

const perSlice = 25
const sliceMs = 20

const input = JSON.parse(process.argv[2] ?? '{}') as CrowdInput
const sockets = new Set<Socket>()
let isKept = false
let latencies: number[] = []
let livedMs: number[] = []
let failures = 0
let ended = 0
let hanging = 0
let opened = 0

function open(manner: Manner): void {
  const behaviour: Behaviour = behaviours[manner](input)
  // From many addresses, or the ports of one run out.
  opened += 1
  const localAddress = `127.0.1.${1 + (opened % 200)}`
  const socket = connect({ port: input.port, host: '127.0.0.1', localAddress, noDelay: true })
  const startedMs = performance.now()
  let sentMs = 0
  let timer: NodeJS.Timeout | undefined
  const send = (text: string) => {
    sentMs = performance.now()
    socket.write(text)
  }
  hanging += 1
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('connect', () => {
    hanging -= 1
    if (behaviour.first) send(behaviour.first)
    if (!behaviour.isReading) socket.pause()
    const { again, everyMs } = behaviour
    if (!again) return
    const pauseMs = behaviour.isBusy ? Math.random() * everyMs : everyMs
    timer = setTimeout(() => {
      send(again)
      timer = setInterval(send, everyMs, again)
    }, pauseMs)
  })
  // Where it reads nothing, it also hears nothing of its end.
  const overUnheard = () => isKept && over()
  const deafTimer = behaviour.isReading ? undefined : setTimeout(overUnheard, behaviour.everyMs)
  if (behaviour.isReading) {
    socket.on('data', (chunk) => {
      latencies.push(performance.now() - sentMs)
      if (!chunk.subarray(9, 12).equals(ok)) failures += 1
    })
  }
  function over(): void {
    clearTimeout(timer)
    clearTimeout(deafTimer)
    if (socket.connecting) hanging -= 1
    if (!sockets.delete(socket)) return
    socket.destroy()
    if (isKept) open(manner)
  }
  socket.once('close', () => {
    if (!sockets.has(socket)) return
    ended += 1
    livedMs.push(performance.now() - startedMs)
    over()
  })
}

const ok = Buffer.from('200')

async function openMany(manner: Manner, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    open(manner)
    if (at % perSlice === perSlice - 1) await sleep(sliceMs)
  }
}

function report(): CrowdReport {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return {
    open: sockets.size,
    ended,
    hanging,
    answers: sorted.length,
    failures,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    livedMsMax: Math.max(0, ...livedMs),
  }
}

function close(): void {
  isKept = false
  for (const socket of [...sockets]) {
    sockets.delete(socket)
    socket.destroy()
  }
}

function reset(): void {
  latencies = []
  livedMs = []
  failures = 0
  ended = 0
}

process.on('message', async (ask: CrowdAsk) => {
  if (ask.kind === 'open') await openMany(ask.manner, ask.count)
  if (ask.kind === 'keep') isKept = ask.isKept
  if (ask.kind === 'close') close()
  if (ask.kind === 'reset') reset()
  process.send?.(report())
})
process.once('disconnect', () => process.exit())
