// The target, seen from the bench: a process of its own that answers and counts.

import { ended, nextMessage, type Workplace } from '../world/workplace.ts'
import type { Arrivals, TargetAsk, TargetInput } from './target.ts'

const answerMs = 10_000

export interface Target {
  readonly pid: number
  /** A monitor's number comes behind it. */
  readonly urlPrefix: string
  reset(slotsMs: readonly number[], intervalMs: number): Promise<void>
  report(): Promise<Arrivals>
  stop(): Promise<void>
}

export async function startTarget(work: Workplace, input: TargetInput = {}): Promise<Target> {
  const child = work.fork('load/target.ts', input)
  const { port } = await nextMessage<{ port: number }>(child, answerMs)
  function ask<T>(message: TargetAsk): Promise<T> {
    const answer = nextMessage<T>(child, answerMs)
    child.send(message)
    return answer
  }
  return {
    pid: child.pid ?? 0,
    urlPrefix: input.tls
      ? `https://{host}:${port}/m/`
      : `${input.isTls ? 'https' : 'http'}://127.0.0.1:${port}/m/`,
    async reset(slotsMs, intervalMs) {
      await ask({ kind: 'reset', slotsMs, intervalMs })
    },
    report: () => ask({ kind: 'report' }),
    async stop() {
      child.disconnect()
      await ended(child, answerMs)
    },
  }
}
