// The state of a manual monitor, as a person sets it.
import type { Reading } from '../../domain/checks/reading.ts'

export interface SetState {
  readonly state: 'up' | 'degraded' | 'down'
  readonly message?: string | undefined
}

const byHand = 'set by hand'

export function stateReading({ state, message }: SetState, atMs: number): Reading {
  const reading = { atMs, durationMs: 0 } as const
  if (state === 'down') {
    return { ...reading, result: 'failed', error: { kind: 'reported', message: message ?? byHand } }
  }
  if (state === 'degraded') {
    return { ...reading, result: 'good', isDegraded: true, message: message ?? byHand }
  }
  return { ...reading, result: 'good', ...(message === undefined ? {} : { message }) }
}
