// Watches the size of the data against its budget (data.maxMib).
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import { judgeSize, type SizeState } from '../domain/system/space-states.ts'
import type { Usage } from './engine/usage.ts'

export interface SizeOptions {
  readonly clock: Clock
  readonly log: Log
  /** The budget at the start; 0 if there is none. */
  readonly bytesMax: number
  readonly measure: () => Usage
}

export type SizeGuard = ReturnType<typeof startSizeGuard>

export const sizeCheckMs = 10_000

/** Measures now, then every `sizeCheckMs`; never without a budget. */
export function startSizeGuard({ clock, log, measure, ...atStart }: SizeOptions) {
  const listeners: ((state: SizeState, usedBytes: number) => void)[] = []
  let { bytesMax } = atStart
  let state: SizeState = 'ok'
  let usedBytes = 0
  let timer: unknown

  function look(): SizeState {
    usedBytes = measure().usedBytes
    const next = judgeSize(usedBytes, bytesMax)
    if (next !== state) {
      state = next
      report()
    }
    return state
  }

  function report(): void {
    const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 ** 2)
    const fields = { state, usedMiB: mebibytes(usedBytes), maxMiB: mebibytes(bytesMax) }
    if (state === 'full') log.error('the data has used up data.maxMib: nothing is created', fields)
    else if (state === 'ok') log.info('the data is well below data.maxMib again', fields)
    else log.warn('the data comes near to data.maxMib', fields)
    for (const listener of listeners) listener(state, usedBytes)
  }

  function watch(): void {
    look()
    timer = clock.setTimeout(watch, sizeCheckMs)
  }

  if (bytesMax > 0) watch()
  return {
    /** 0 without a budget. */
    get bytesMax(): number {
      return bytesMax
    },
    /** Measures at once against the new budget. */
    setBudget(bytes: number): void {
      clock.clearTimeout(timer)
      bytesMax = bytes
      if (bytes > 0) {
        watch()
      } else if (state !== 'ok') {
        state = 'ok'
        report()
      }
    },
    state: () => state,
    /** Whether new objects may be stored; if not, the response is `storage_full`. */
    mayStore: () => state !== 'full',
    /** Measures at once: whether the oldest results must go. */
    mustTrim(): boolean {
      if (bytesMax === 0) return false
      const found = look()
      return found === 'trimmed' || found === 'full'
    },
    /** Calls it now, and with every change. */
    listen(listener: (state: SizeState, usedBytes: number) => void): void {
      listeners.push(listener)
      listener(state, usedBytes)
    },
    stop: () => clock.clearTimeout(timer),
  }
}
