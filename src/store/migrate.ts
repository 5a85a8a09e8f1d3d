// The version of the stored data: refuses newer data and upgrades older data step by step.
import { exitCodes, StartFailure } from '../base/exit.ts'
import type { OrgId, UserId } from '../base/ids.ts'
import type { Log } from '../base/log/log.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { Store } from './store.ts'
import type { Schema } from './tables/system/meta.ts'

/**
 * Upgrades the data from version `to - 1` to `to`. It may be interrupted at any moment and run
 * again from the start, so it must tolerate finished work.
 */
export interface MigrationStep {
  readonly to: number
  /** The oldest version of the daemon that can read the data of this step, and what it writes. */
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

/** The steps of this daemon. */
export const migrationSteps: readonly MigrationStep[] = [
  {
    to: 2,
    // Sessions and API keys have a new format from now on.
    minReader: 2,
    name: 'index administrators and expiring API keys',
    async run(store) {
      await rewriteUsers(store)
      await rewriteKeys(store)
    },
  },
  {
    to: 3,
    // Earlier daemons take records whose checksum covers the key for damaged ones.
    minReader: 3,
    name: 'let checksums cover the key of new records',
    run: async () => {},
  },
  {
    to: 4,
    minReader: 3,
    name: 'remove deleted channels from monitors',
    run: removeDeletedChannels,
  },
  {
    to: 5,
    // Earlier daemons take newer records of monitors and channels for damaged ones.
    minReader: 5,
    name: 'let monitors have reminders, and channels tags and quiet hours',
    run: async () => {},
  },
  {
    to: 6,
    // Earlier daemons take newer records of monitors for damaged ones.
    minReader: 6,
    name: 'let monitors have cron schedules, dependencies and objectives',
    run: async () => {},
  },
]

/** Earlier daemons left the id of a deleted channel in the monitors that named it. */
async function removeDeletedChannels(store: Store): Promise<void> {
  let last: Monitor | undefined
  do {
    const slice = store.monitors.slice(limits.deleteSliceRecords, last)
    await store.write((tx) => {
      for (const monitor of slice) {
        const { orgId, notifyChannelIds: named } = monitor
        const notifyChannelIds = named.filter((id) => store.channels.has(orgId, id))
        if (notifyChannelIds.length === named.length) continue
        const revision = monitor.revision + 1
        store.monitors.replace(tx, monitor, { ...monitor, notifyChannelIds, revision })
      }
    })
    last = slice.at(-1)
  } while (last)
}

/** Rewriting a record also writes its indexes. */
async function rewriteUsers(store: Store): Promise<void> {
  let last: UserId | undefined
  do {
    const after = last
    const users = await store.write((tx) => {
      const slice = store.users.list(limits.deleteSliceRecords, after)
      for (const user of slice) store.users.put(tx, user)
      return slice
    })
    last = users.at(-1)?.id
  } while (last !== undefined)
}

async function rewriteKeys(store: Store): Promise<void> {
  let last: OrgId | undefined
  do {
    const orgs = store.orgs.list(limits.deleteSliceRecords, last)
    for (const { id } of orgs) {
      await store.write((tx) => {
        for (const key of store.apiKeys.list(id, limits.quotaMax)) store.apiKeys.put(tx, key)
      })
    }
    last = orgs.at(-1)?.id
  } while (last !== undefined)
}

/**
 * Upgrades the data to the version that this daemon writes and returns the stored version. Throws a
 * StartFailure if a newer daemon wrote data that this one cannot read.
 */
export async function migrate(
  store: Store,
  { log, steps = migrationSteps }: MigrateOptions,
): Promise<Schema> {
  const current = schemaAfter(steps)
  const save = (schema: Schema) => store.write((tx) => store.meta.putSchema(tx, schema))
  let stored = store.meta.schema()
  if (stored === undefined) {
    // A new directory: there is nothing to upgrade.
    await save(current)
    return current
  }
  if (stored.minReader > current.version) throw tooNew(stored, current)
  // Each step writes records as this daemon does, so an older one must not open half-upgraded data.
  const minReader: number = Math.max(stored.minReader, current.minReader)
  for (const step of steps) {
    if (step.to <= stored.version) continue
    log.info('migrating the data', { step: step.name, from: stored.version, to: step.to })
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
