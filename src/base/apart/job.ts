// What a process is told that works apart from the others, and how it ends.

/** The first word of its command line. Nobody types it. */
export const apartWord = '--apart'

/** What it reads: all of its input, as JSON. */
export interface ApartJob {
  /** The thread that does the work, as `startWorker` names it. It posts one text. */
  readonly thread: string
  readonly input: unknown
  readonly cpuMsMax: number
  readonly heapMbMax: number
  /** When it ends itself, in case that the one who waits for it is gone. */
  readonly msMax: number
}

/** How it ends itself: at its bound of processor time, and at every other one. */
export const apartSignals = { late: 'SIGXCPU', other: 'SIGKILL' } as const

/** Exit codes that no signal and no failure of Node has. */
export const apartExits = { answered: 0, outOfMemory: 65, failed: 66 } as const
