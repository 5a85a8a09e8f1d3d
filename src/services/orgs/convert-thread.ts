// The thread that converts one file of another product: posts the document, or why there is none, and
// ends.
import { parentPort, workerData } from 'node:worker_threads'
import { clip } from '../../base/clip.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import { limits } from '../../domain/limits/limits.ts'
import { converted, type ForeignFile, type MonitorText } from './foreign-files.ts'

/** What it posts: `+` and the JSON of a ConvertedFile, ConvertedSteps or ConvertedScript, or `-` and why there is none. */
export type ConvertAnswer = `${'+' | '-'}${string}`

function answerTo(file: ForeignFile | MonitorText): ConvertAnswer {
  try {
    return `+${JSON.stringify(converted(file))}`
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

// `convertApart` sends nothing else.
parentPort?.postMessage(answerTo(workerData as ForeignFile | MonitorText))
