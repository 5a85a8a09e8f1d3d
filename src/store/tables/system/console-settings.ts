// The settings that administrators set in the console: one record, sealed.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface ConsoleSettings {
  /** Values by `section.name`, as JSON, encrypted by seal/box. */
  readonly sealed: string
  readonly updatedAtMs: number
  readonly revision: number
}

export function openConsoleSettings(env: Env) {
  const settings = openTable<ConsoleSettings>(env, { name: 'consoleSettings' })
  const key = ['settings']

  return {
    /** Undefined also where it is damaged: the file and the defaults hold then. */
    readable: () => settings.readable(key),

    put: (tx: Tx, record: ConsoleSettings) => settings.put(tx, key, record),
  }
}
