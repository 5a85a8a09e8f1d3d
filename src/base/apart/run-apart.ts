// Runs a thread in a process of its own, for work on what strangers sent: it ends at its deadline, at
// its bound of memory and at its bound of output, whatever it is doing.
//
// A thread of the daemon would not do. Its `resourceLimits` end it where small objects fill the heap;
// where one array, map or text grows beyond the limit, V8 ends the process. And a thread within native
// code, such as a parser, is not ended at all before that returns.
import { startProgram } from '../assets.ts'
import type { Clock } from '../clock.ts'
import { type ApartJob, apartExits, apartSignals, apartWord } from './job.ts'

export interface ApartBounds {
  /** The time of the processor, its start included. */
  readonly cpuMsMax: number
  /** The time in all, however busy the machine is. */
  readonly msMax: number
  /** The memory of the objects and texts of the thread; the process needs about 60 MB besides. */
  readonly heapMbMax: number
  readonly answerBytesMax: number
}

/** What the thread posted, or what ended it. */
export type ApartAnswer =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'late' | 'outOfMemory' | 'tooLarge' }

export interface ApartFrame {
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /** Ends it; then the promise rejects with the reason. */
  readonly signal?: AbortSignal | undefined
}

/** How long after its deadline the process ends itself, and how much of its error output is kept. */
const graceMs = 5_000
const complaintBytesMax = 2_048

/** Resolves once the process is gone, of a thread that posts once. Rejects as `streamApart` does. */
export async function runApart(
  job: Pick<ApartJob, 'thread' | 'input'>,
  bounds: ApartBounds,
  frame: ApartFrame,
): Promise<ApartAnswer> {
  let answer: ApartAnswer | undefined
  for await (const one of streamApart(job, bounds, frame)) answer = one
  if (answer === undefined) throw new Error(`the process for ${job.thread} ended without an answer`)
  return answer
}

/**
 * Yields what the thread posts, and at last what ended it, if something did. The thread waits while what it posted
 * was not taken: see `postApart`. The process ends with the loop over this. Throws if it cannot be started, or fails
 * in another way.
 */
export async function* streamApart(
  job: Pick<ApartJob, 'thread' | 'input'>,
  bounds: ApartBounds,
  { clock, signal }: ApartFrame,
): AsyncGenerator<ApartAnswer> {
  signal?.throwIfAborted()
  const { cpuMsMax, msMax, heapMbMax, answerBytesMax } = bounds
  const child = startProgram([apartWord])
  let ending: 'late' | 'tooLarge' | 'aborted' | undefined
  let complaint = ''

  function end(why: typeof ending): void {
    ending ??= why
    child.kill('SIGKILL')
  }
  const abort = () => end('aborted')
  const timer = clock.setTimeout(() => end('late'), msMax)
  signal?.addEventListener('abort', abort, { once: true })
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < complaintBytesMax) complaint += chunk.toString()
  })
  // A process that was ended reads no more; `close` says how it ended.
  child.stdin.on('error', () => {})
  const closed = new Promise<[code: number | null, killedBy: string | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...how) => resolve(how))
  })
  // It is awaited below, but not at once.
  closed.catch(() => {})
  const whole: ApartJob = { ...job, cpuMsMax, heapMbMax, msMax: msMax + graceMs }
  child.stdin.end(JSON.stringify(whole))

  try {
    for await (const line of linesOf(child.stdout, answerBytesMax)) {
      if (line === undefined) end('tooLarge')
      if (ending !== undefined) break
      yield { kind: 'answered', text: String(line) }
    }
    const [code, killedBy] = await closed
    if (ending === 'aborted') throw signal?.reason
    if (ending !== undefined) yield { kind: ending }
    else if (killedBy === apartSignals.late) yield { kind: 'late' }
    // V8 aborts where one piece is larger than what is left; the system kills where nothing is.
    else if (code === apartExits.outOfMemory || killedBy !== null) yield { kind: 'outOfMemory' }
    else if (code !== apartExits.answered) {
      const words = complaint.slice(0, complaintBytesMax)
      throw new Error(`the process for ${job.thread} ended with ${code}: ${words}`)
    }
  } finally {
    clock.clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    await closed.catch(() => {})
  }
}

const lineFeed = 0x0a

/** The lines that are whole; undefined in place of one that is too long, and of all that follow. */
async function* linesOf(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<string | undefined> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    let from = 0
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      pieces.push(chunk.subarray(from, to))
      yield Buffer.concat(pieces).toString()
      pieces = []
      bytes = 0
      from = to + 1
    }
    pieces.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > bytesMax) yield undefined
  }
}
