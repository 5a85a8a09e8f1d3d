// The version of the stored data: refuses what is too new, brings older data up step by step.
import { exitCodes, StartFailure } from '../base/exit.ts'
import type { Log } from '../base/log.ts'
import type { Store } from './store.ts'
import type { Schema } from './tables/meta.ts'

/**
 * Brings the data from version `to - 1` to `to`. It may be stopped at any moment and run again from
 * its start, so it must find its own work done where it is.
 */
export interface MigrationStep {
  readonly to: number
  /** The oldest version of the daemon that can read the data once the step has begun. */
  readonly minReader: number
  readonly name: string
  run(store: Store): Promise<void>
}

export interface MigrateOptions {
  readonly log: Log
  /** One for each version after the first, in order. */
  readonly steps?: readonly MigrationStep[]
}

const firstVersion = 1

/** The steps of this daemon. There has been one version so far. */
export const migrationSteps: readonly MigrationStep[] = []

/**
 * Leaves the data in the version that this daemon writes, and returns what is then stored. Throws a
 * StartFailure where a newer daemon wrote something that this one cannot read.
 */
export async function migrate(
  store: Store,
  { log, steps = migrationSteps }: MigrateOptions,
): Promise<Schema> {
  const current = schemaAfter(steps)
  const save = (schema: Schema) => store.write((tx) => store.meta.putSchema(tx, schema))
  let stored = store.meta.schema()
  if (stored === undefined) {
    // A new directory: there is nothing to bring up.
    await save(current)
    return current
  }
  if (stored.minReader > current.version) throw tooNew(stored, current)
  for (const step of steps) {
    if (step.to <= stored.version) continue
    log.info('migrating the data', { step: step.name, from: stored.version, to: step.to })
    // Before the first change: an older daemon must not open what is half done.
    const minReader: number = Math.max(stored.minReader, step.minReader)
    await save({ version: stored.version, minReader })
    await step.run(store)
    stored = { version: step.to, minReader }
    await save(stored)
  }
  return stored
}

function schemaAfter(steps: readonly MigrationStep[]): Schema {
  const last = steps.at(-1)?.to ?? firstVersion
  const minReader = Math.max(firstVersion, ...steps.map((step) => step.minReader))
  return { version: last, minReader }
}

function tooNew(stored: Schema, current: Schema): StartFailure {
  const message =
    `the data needs a daemon that knows version ${stored.minReader} of it;` +
    ` this one knows ${current.version}`
  return new StartFailure(exitCodes.config, message, {
    hint: 'Start the newer daemon again, or restore a backup that this one made.',
  })
}
