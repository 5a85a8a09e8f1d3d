// The thread that converts one file of another product: posts the document, or why there is none, and
// ends. Of a past, it posts one part after the other.
import { workerData } from 'node:worker_threads'
import { postApart } from '../../base/apart/post-apart.ts'
import { clip } from '../../base/clip.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  convertKumaData,
  type KumaDataJob,
  type KumaPastJob,
  pastOfKumaData,
} from './convert-kuma.ts'
import { converted, type ForeignFile, type MonitorText } from './foreign-files.ts'

/** What it is told to convert. */
export type ConvertJob = ForeignFile | MonitorText | KumaDataJob | KumaPastJob

/**
 * What it posts: `+` and the JSON of what `converted`, `convertKumaData` or `pastOfKumaData` makes, or `-` and why it
 * goes no further.
 */
export type ConvertAnswer = `${'+' | '-'}${string}`

async function answer(job: ConvertJob): Promise<void> {
  try {
    for await (const made of madeOf(job)) await postApart(`+${JSON.stringify(made)}`)
  } catch (error) {
    await postApart(`-${refusal(error).replaceAll('\n', ' ')}`)
  }
}

async function* madeOf(job: ConvertJob): AsyncGenerator<unknown> {
  if (job.product === 'kuma-data') yield await convertKumaData(job)
  else if (job.product === 'kuma-past') yield* pastOfKumaData(job)
  else yield converted(job)
}

/** Throws what is no refusal. */
function refusal(error: unknown): string {
  // The readers bound the depth of what they read; this is for a shape that none of them thought of.
  if (isFullStack(error)) return 'is nested too deeply'
  if (!(error instanceof ForeignFileRefused)) throw error
  return clip(error.message, limits.importNoteCharsMax)
}

function isFullStack(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}

// `convertApart` sends nothing else. What this rejects with ends the thread, as what it throws does.
void answer(workerData as ConvertJob)
