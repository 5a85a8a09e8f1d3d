// What the event loop of a daemon process did since it was last asked; see loop-watch.ts.
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { MeasuredTurns } from './turns.ts'

export interface LoopTurns extends MeasuredTurns {
  /** Resident, in bytes. */
  readonly memory: number
}

/** The variables with which a daemon process can be watched. */
export function watchedEnv(socketPath: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-watch.ts')}`,
    TEST_LOOP_SOCKET: socketPath,
  }
}

/** What it did since the last call. */
export async function loopTurns(socketPath: string): Promise<LoopTurns> {
  return JSON.parse(await text(connect(socketPath)))
}
