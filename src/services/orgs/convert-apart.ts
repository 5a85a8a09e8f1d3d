// Converts a file of another product in a process of its own, within bounds.
import {
  type ApartAnswer,
  type ApartBounds,
  type ApartFrame,
  runApart,
  streamApart,
} from '../../base/apart/run-apart.ts'
import { unreachable } from '../../base/assert.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import type { ConvertAnswer, ConvertJob } from './convert-thread.ts'

const thread = 'services/orgs/convert-thread'

/**
 * Resolves with the JSON of a ConvertedFile, ConvertedSteps or ConvertedScript. Rejects with ForeignFileRefused, also if the conversion takes
 * more than the bounds allow.
 */
export async function convertApart(
  file: ConvertJob,
  bounds: ApartBounds,
  frame: ApartFrame,
): Promise<string> {
  return documentIn(await runApart({ thread, input: file }, bounds, frame), file, bounds)
}

/** Yields the JSON of one part after the other; `answerBytesMax` is of one of them. Throws as `convertApart` does. */
export async function* convertInParts(
  file: ConvertJob,
  bounds: ApartBounds,
  frame: ApartFrame,
): AsyncGenerator<string> {
  for await (const answer of streamApart({ thread, input: file }, bounds, frame)) {
    yield documentIn(answer, file, bounds)
  }
}

function documentIn(answer: ApartAnswer, file: ConvertJob, bounds: ApartBounds): string {
  switch (answer.kind) {
    case 'answered':
      return textIn(answer.text as ConvertAnswer)
    case 'late':
      throw beyond(`takes longer to convert than ${bounds.cpuMsMax / 1_000} s`, file)
    case 'outOfMemory':
      throw beyond(`takes more memory to convert than ${bounds.heapMbMax} MB`, file)
    case 'tooLarge':
      throw beyond(`becomes a document of more than ${bounds.answerBytesMax} bytes`, file)
    default:
      return unreachable(answer)
  }
}

function textIn(answer: ConvertAnswer): string {
  if (answer.startsWith('+')) return answer.slice(1)
  throw new ForeignFileRefused(answer.slice(1))
}

/** A script is one test, and a database one file: they have no parts. */
function beyond(bound: string, { product }: ConvertJob): ForeignFileRefused {
  const isWhole = product === 'script' || product.startsWith('kuma-')
  return new ForeignFileRefused(isWhole ? bound : `${bound}: convert it in parts`)
}
