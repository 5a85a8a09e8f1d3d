// What run-apart.ts and its process agree on: the job, and the ways in which the process ends.

/** The first word of the command line of that process. Nobody types it. */
export const apartWord = '--apart'

/** What it reads from its standard input, as JSON. */
export interface ApartJob {
  /** The thread that does the work, as `startWorker` names it. It posts texts without line feeds, by `postApart`. */
  readonly thread: string
  readonly input: unknown
  readonly cpuMsMax: number
  readonly heapMbMax: number
  /** When it ends itself, should the process that started it be gone. */
  readonly msMax: number
}

/** How it ends itself: at its bound of processor time, and at every other bound. */
export const apartSignals = { late: 'SIGXCPU', other: 'SIGKILL' } as const

/** Exit codes that no signal and no failure of Node has. */
export const apartExits = { answered: 0, outOfMemory: 65, failed: 66 } as const

/** What the thread is told when its text was taken. */
export const apartTaken = 'taken'
