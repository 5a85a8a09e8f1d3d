// The answer of a check that found something with a structure.
import type { TargetAnswer } from './probe-recorder.ts'

/** An answer in JSON, of which assertions examine parts. */
export function answerOf(found: object): TargetAnswer {
  return { text: JSON.stringify(found), contentType: 'application/json' }
}
