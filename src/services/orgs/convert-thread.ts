// The thread that converts one file of another product: posts the document, or why there is none, and
// ends.
import { parentPort, workerData } from 'node:worker_threads'
import { clip } from '../../base/clip.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import { limits } from '../../domain/limits/limits.ts'
import { convertKumaData, type KumaDataJob } from './convert-kuma.ts'
import { converted, type ForeignFile, type MonitorText } from './foreign-files.ts'

/** What it is told to convert. */
export type ConvertJob = ForeignFile | MonitorText | KumaDataJob

/** What it posts: `+` and the JSON of what `converted` or `convertKumaData` returns, or `-` and why there is none. */
export type ConvertAnswer = `${'+' | '-'}${string}`

async function answerTo(job: ConvertJob): Promise<ConvertAnswer> {
  try {
    const made = job.product === 'kuma-data' ? await convertKumaData(job) : converted(job)
    return `+${JSON.stringify(made)}`
  } catch (error) {
    // The readers bound the depth of what they read; this is for a shape that none of them thought of.
    if (isFullStack(error)) return '-is nested too deeply'
    if (!(error instanceof ForeignFileRefused)) throw error
    return `-${clip(error.message, limits.importNoteCharsMax)}`
  }
}

function isFullStack(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

// `convertApart` sends nothing else. What this rejects with ends the thread, as what it throws does.
void answerTo(workerData as ConvertJob).then((answer) => parentPort?.postMessage(answer))
