// The other end of run-apart.ts: the process that reads its job, runs the thread and writes what it posts, each on a
// line.
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { startWorker } from '../assets.ts'
import { startClock } from '../clock.ts'
import { errorText } from '../log/error-text.ts'
import { type ApartJob, apartExits, apartSignals, apartTaken } from './job.ts'

/** What the thread has besides its heap. */
const youngMb = 8
const stackMb = 2
const mebi = 1024 * 1024
/** What the process takes besides that heap, and how many copies of its input it may hold. */
const besidesMb = 128
const inputCopies = 8
const lookedMs = 25
const priority = 10

/** Resolves with the exit code. Its output is the text, or why there is none. */
export async function hostApart(): Promise<number> {
  yieldToOthers()
  // `runApart` wrote it.
  const sent = await text(process.stdin)
  const job = JSON.parse(sent) as ApartJob
  const { thread, input, heapMbMax } = job
  const clock = startClock()
  clock.setTimeout(() => endBy(apartSignals.other), job.msMax)
  const parent = process.ppid
  const bytesMax = (heapMbMax + besidesMb) * mebi + inputCopies * sent.length
  function watch(): void {
    // The process that waited for the answer is gone.
    if (process.ppid !== parent) endBy(apartSignals.other)
    if (clock.cpuMs() > job.cpuMsMax) endBy(apartSignals.late)
    // V8 bounds the heap, but no buffers and nothing that native code takes.
    if (process.memoryUsage.rss() > bytesMax) endBy(apartSignals.other)
    clock.setTimeout(watch, lookedMs)
  }
  watch()
  return new Promise((resolve) => {
    const worker = startWorker(thread, {
      workerData: input,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMbMax,
        maxYoungGenerationSizeMb: youngMb,
        stackSizeMb: stackMb,
      },
    })
    worker.on('message', (answer: string) => {
      // The pipe takes it all only once it was read as far as the pipe is full.
      process.stdout.write(`${answer}\n`, () => worker.postMessage(apartTaken))
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const code = isMemory ? apartExits.outOfMemory : apartExits.failed
      process.stderr.write(errorText(error), () => resolve(code))
    })
    worker.on('exit', (code) => {
      if (code === 0) process.stdout.write('', () => resolve(apartExits.answered))
    })
  })
}

/** An exit would wait for the thread. */
function endBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal)
}

/** The daemon gets the processor first, and where memory runs out, the system ends this process first. */
function yieldToOthers(): void {
  const steps = [
    () => writeFileSync('/proc/self/oom_score_adj', '1000'),
    () => setPriority(priority),
  ]
  for (const step of steps) {
    try {
      step()
    } catch {
      // A sandbox may forbid it.
    }
  }
}
