// A crowd of connections, seen from the bench: a process of its own.

import { ended, nextMessage, type Workplace } from '../world/workplace.ts'
import type { CrowdAsk, CrowdReport } from './crowd.ts'
import type { CrowdInput, Manner } from './crowd-manners.ts'

export interface Crowd {
  /** Resolves when all were tried. */
  open(manner: Manner, count: number): Promise<CrowdReport>
  keep(isKept: boolean): Promise<CrowdReport>
  /** Begins to count anew. */
  reset(): Promise<CrowdReport>
  report(): Promise<CrowdReport>
  close(): Promise<CrowdReport>
  stop(): Promise<void>
}

const answerMs = 60_000

export function startCrowd(work: Workplace, input: CrowdInput): Crowd {
  const child = work.fork('load/crowd.ts', input)
  function ask(message: CrowdAsk): Promise<CrowdReport> {
    const answer = nextMessage<CrowdReport>(child, answerMs)
    child.send(message)
    return answer
  }
  return {
    open: (manner, count) => ask({ kind: 'open', manner, count }),
    keep: (isKept) => ask({ kind: 'keep', isKept }),
    reset: () => ask({ kind: 'reset' }),
    report: () => ask({ kind: 'report' }),
    close: () => ask({ kind: 'close' }),
    async stop() {
      child.disconnect()
      await ended(child, answerMs)
    },
  }
}
