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

/** Resolves once the process is gone. Rejects if it cannot be started, or fails in another way. */
export function runApart(
  job: Pick<ApartJob, 'thread' | 'input'>,
  bounds: ApartBounds,
  { clock, signal }: ApartFrame,
): Promise<ApartAnswer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const { cpuMsMax, msMax, heapMbMax, answerBytesMax } = bounds
    const child = startProgram([apartWord])
    let ending: 'late' | 'tooLarge' | 'aborted' | undefined
    const answer: Buffer[] = []
    let answerBytes = 0
    let complaint = ''

    function end(why: typeof ending): void {
      ending ??= why
      child.kill('SIGKILL')
    }
    const abort = () => end('aborted')
    const timer = clock.setTimeout(() => end('late'), msMax)
    signal?.addEventListener('abort', abort, { once: true })

    child.stdout.on('data', (chunk: Buffer) => {
      answerBytes += chunk.length
      if (answerBytes > answerBytesMax) return end('tooLarge')
      answer.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < complaintBytesMax) complaint += chunk.toString()
    })
    // A process that was ended reads no more; `close` says how it ended.
    child.stdin.on('error', () => {})
    const whole: ApartJob = { ...job, cpuMsMax, heapMbMax, msMax: msMax + graceMs }
    child.stdin.end(JSON.stringify(whole))

    function settle(run: () => void): void {
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      run()
    }
    child.on('error', (error) => settle(() => reject(error)))
    child.on('close', (code, killedBy) =>
      settle(() => {
        if (ending === 'aborted') return reject(signal?.reason)
        if (ending !== undefined) return resolve({ kind: ending })
        if (code === apartExits.answered) {
          return resolve({ kind: 'answered', text: Buffer.concat(answer).toString() })
        }
        if (killedBy === apartSignals.late) return resolve({ kind: 'late' })
        // V8 aborts where one piece is larger than what is left; the system kills where nothing is.
        if (code === apartExits.outOfMemory || killedBy !== null) {
          return resolve({ kind: 'outOfMemory' })
        }
        const words = complaint.slice(0, complaintBytesMax)
        reject(new Error(`the process for ${job.thread} ended with ${code}: ${words}`))
      }),
    )
  })
}
