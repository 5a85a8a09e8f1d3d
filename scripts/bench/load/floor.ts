// This machine's floor, measured in the same run: what the libraries reach here by themselves.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request as fetchBytes } from 'undici'
import { startFlags } from '../world/daemon.ts'
import { ended, nextMessage, type Workplace } from '../world/workplace.ts'
import type { FloorInput } from './floor-server.ts'
import type { LoadInput } from './load.ts'
import { type Loaded, runLoad, type Served } from './load-process.ts'
import type { ProbeLoadAsk, ProbeLoadInput, ProbeRound } from './probe-load.ts'
import type { ThreadFloor, ThreadFloorInput } from './thread-floor.ts'

type Load = Omit<LoadInput, 'port'>

/** What a server of the floor answers with. */
interface Answer {
  readonly status: number
  readonly bytes: Buffer
  readonly head: FloorInput['head']
}

const plainAnswer = { bytes: Buffer.from('ok'), head: ['Content-Type', 'text/plain'] } as const
/** By the library itself. */
const written = new Set(['content-length', 'date', 'uwebsockets', 'connection', 'keep-alive'])

const answerMs = 10_000
const spareMs = 15_000

/** Bare uWebSockets.js under the same load: it answers with the same bytes, or puts the body. */
export async function serveFloor(
  work: Workplace,
  load: Load,
  answer: Pick<Answer, 'bytes' | 'head'> = plainAnswer,
): Promise<Loaded> {
  const floor = await startFloor(work, answer)
  const loaded = await runLoad(work, floor, load)
  await floor.stop()
  return loaded
}

/** Starts bare uWebSockets.js that answers with these bytes. */
export async function startFloor(work: Workplace, { bytes, head }: Pick<Answer, 'bytes' | 'head'>) {
  const dir = work.directory(`floor-${performance.now()}`)
  const bodyFile = join(dir, 'body')
  writeFileSync(bodyFile, bytes)
  const input: FloorInput = { bodyFile, head, dir: join(dir, 'data') }
  const child = work.fork('load/floor-server.ts', input, startFlags())
  const { port } = await nextMessage<{ port: number }>(child, answerMs)
  return {
    pid: child.pid ?? 0,
    port,
    async stop(): Promise<void> {
      child.disconnect()
      await ended(child, answerMs)
    },
  }
}

/** The bytes of an answer as they are on the wire, compressed where the request allows that. */
export async function bytesOf({ port }: Served, { path, headers }: LoadInput['request']) {
  const response = await fetchBytes(`http://127.0.0.1:${port}${path}`, { headers })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  const lines = Object.entries(response.headers).flatMap(([name, value]) => {
    return written.has(name) ? [] : [`${name}: ${value}`]
  })
  const [first = 'x: ', ...others] = lines
  const [name = ''] = first.split(':', 1)
  const rest = [first.slice(name.length + 2), ...others].join('\r\n')
  const answer: Answer = { status: response.statusCode, bytes, head: [name, rest] }
  return { ...answer, etag: String(response.headers.etag ?? '') }
}

/** CPU seconds of 1,000 requests by bare undici, each on a fresh connection, at a given pace. */
export async function requestFloor(
  work: Workplace,
  { seconds, perSecond, ...to }: { seconds: number; perSecond: number; url: string; ca?: string },
): Promise<number> {
  const input: ProbeLoadInput = { how: 'undici', connections: 1, ...to }
  const child = work.fork('load/probe-load.ts', input, startFlags())
  async function run(runSeconds: number): Promise<ProbeRound> {
    const answer = nextMessage<ProbeRound>(child, runSeconds * 1_000 + spareMs)
    const ask: ProbeLoadAsk = { kind: 'run', seconds: runSeconds, perSecond }
    child.send(ask)
    return answer
  }
  await run(seconds / 2)
  const round = await run(seconds)
  child.disconnect()
  await ended(child, answerMs)
  if (round.failures > 0) throw new Error(`${round.failures} requests of the floor failed`)
  return (1_000 * round.cpuSeconds) / round.checks
}

/** Microseconds of a main thread for a check in threads: a timer, a message and its answer. */
export async function threadFloor(work: Workplace, input: ThreadFloorInput): Promise<number> {
  const child = work.fork('load/thread-floor.ts', input)
  const answer = nextMessage<ThreadFloor>(child, input.seconds * 1_000 + spareMs)
  const { microseconds } = await answer
  await ended(child, answerMs)
  return microseconds
}
