// The version of the stored data: refuses newer data and upgrades older data step by step.
import type { Clock } from '../base/clock.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import type { IncidentId, OrgId, UserId } from '../base/ids.ts'
import type { Log } from '../base/log/log.ts'
import type { Incident } from '../domain/incidents/incident.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import { damagedRecord } from './engine/table.ts'
import type { Store } from './store.ts'
import type { DataUpgrade, SchemaVersion } from './tables/system/meta.ts'

/**
 * Upgrades the data from version `to - 1` to `to`. It may be interrupted at any moment and run
 * again from the start, so it must tolerate finished work.
 */
export interface MigrationStep {
  readonly to: number
  /** The oldest version of the daemon that can read the data of this step, and what it writes. */
  readonly minReader: number
  readonly name: string
  /** Calls `progressed` after each slice, with the number of records in it. */
  run(store: Store, progressed: (records: number) => void): Promise<void>
}

export interface MigrateOptions {
  readonly log: Log
  readonly clock: Clock
  /** The version of the program. */
  readonly program: string
  /** One for each version after the first, in order. */
  readonly steps?: readonly MigrationStep[]
  /**
   * Makes a backup of data that is about to be upgraded, and returns where it is; null if the
   * operator wants none. Throws if there is no space, or if the backup is not good.
   */
  readonly backUp?: (upgrade: {
    readonly from: SchemaVersion
    readonly to: number
  }) => Promise<string | null>
  /** Called from time to time, so that the supervisor knows that the start goes on. */
  readonly progress?: (status: string) => void
}

const firstVersion = 1

type Progressed = Parameters<MigrationStep['run']>[1]

/** The steps of this daemon. */
export const migrationSteps: readonly MigrationStep[] = [
  {
    to: 2,
    // Sessions and API keys have a new format from now on.
    minReader: 2,
    name: 'index administrators and expiring API keys',
    async run(store, progressed) {
      await rewriteUsers(store, progressed)
      await rewriteKeys(store, progressed)
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
  {
    to: 7,
    // Earlier daemons would show a page with a password to everyone.
    minReader: 7,
    name: 'let status pages have sections, a look, a language, a password and a history',
    run: linkLateIncidents,
  },
  {
    to: 8,
    // Earlier daemons take newer records of hours and days for damaged ones. This one reads theirs.
    minReader: 8,
    name: 'let hours of a monitor share records',
    run: async () => {},
  },
]

/** Histories of status pages find by their index the incidents that were recorded late. */
async function linkLateIncidents(store: Store, progressed: Progressed): Promise<void> {
  const limit = limits.deleteSliceRecords
  let lastOrg: OrgId | undefined
  do {
    const orgs = store.orgs.list(limit, lastOrg)
    for (const { id: orgId } of orgs) {
      let slice: Incident[]
      let after: IncidentId | undefined
      do {
        slice = store.incidents.list(orgId, { limit, after })
        await store.write((tx) => {
          for (const incident of slice) store.incidents.linkLate(tx, incident)
        })
        progressed(slice.length)
        after = slice.at(-1)?.id
      } while (after !== undefined)
    }
    lastOrg = orgs.at(-1)?.id
  } while (lastOrg !== undefined)
}

/** Earlier daemons left the id of a deleted channel in the monitors that named it. */
async function removeDeletedChannels(store: Store, progressed: Progressed): Promise<void> {
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
    progressed(slice.length)
    last = slice.at(-1)
  } while (last)
}

/** Rewriting a record also writes its indexes. */
async function rewriteUsers(store: Store, progressed: Progressed): Promise<void> {
  let last: UserId | undefined
  do {
    const after = last
    const users = await store.write((tx) => {
      const slice = store.users.list(limits.deleteSliceRecords, after)
      for (const user of slice) store.users.put(tx, user)
      return slice
    })
    progressed(users.length)
    last = users.at(-1)?.id
  } while (last !== undefined)
}

async function rewriteKeys(store: Store, progressed: Progressed): Promise<void> {
  let last: OrgId | undefined
  do {
    const orgs = store.orgs.list(limits.deleteSliceRecords, last)
    for (const { id } of orgs) {
      await store.write((tx) => {
        for (const key of store.apiKeys.list(id, limits.quotaMax)) store.apiKeys.put(tx, key)
      })
    }
    progressed(orgs.length)
    last = orgs.at(-1)?.id
  } while (last !== undefined)
}

/**
 * Upgrades the data to the version that this daemon writes and returns the stored version. Throws a
 * StartFailure if a newer daemon wrote data that this one cannot read.
 */
export async function migrate(store: Store, options: MigrateOptions): Promise<SchemaVersion> {
  const { log, clock, program, steps = migrationSteps, backUp = noBackup } = options
  const current = { ...schemaAfter(steps), program }
  const save = (schema: SchemaVersion) => store.write((tx) => store.meta.putSchema(tx, schema))
  const stored = store.meta.schema()
  if (stored === undefined) {
    if (!store.isEmpty()) throw lostSchema(log)
    // A new directory: there is nothing to upgrade.
    await save(current)
    return current
  }
  mustBeReadable(stored, current)
  const due = steps.filter(({ to }) => to > stored.version)
  if (due.length === 0) {
    // The next upgrade names the newest program that wrote this version.
    if (stored.version > current.version || stored.program === program) return stored
    await save({ ...stored, program })
    return { ...stored, program }
  }
  // Each step writes records as this daemon does, so an older one must not open half-upgraded data.
  const minReader: number = Math.max(stored.minReader, current.minReader)
  // One that was interrupted has its backup: the data is no longer as it was.
  const begun = stored.upgrade?.doneAtMs === null ? stored.upgrade : undefined
  const upgrade: DataUpgrade = begun
    ? { ...begun, program }
    : {
        fromVersion: stored.version,
        fromProgram: stored.program ?? null,
        program,
        begunAtMs: clock.nowMs(),
        doneAtMs: null,
        backup: await telling(
          options,
          () => 'Backing up the data before its upgrade',
          () => backUp({ from: stored, to: current.version }),
        ),
      }
  let schema: SchemaVersion = { ...stored, minReader, upgrade }
  await save(schema)
  for (const step of due) {
    const { name, to } = step
    log.info('upgrading the data', { step: name, from: schema.version, to })
    await watched(step, store, options)
    const doneAtMs = step === due.at(-1) ? clock.nowMs() : null
    schema = { version: to, minReader, program, upgrade: { ...upgrade, doneAtMs } }
    await save(schema)
  }
  const { fromVersion, backup } = upgrade
  log.info('the data was upgraded', { from: fromVersion, to: schema.version, backup })
  return schema
}

/** There are records, so the directory is not new: the key of the schema, or the name of its table, is damaged. */
function lostSchema(log: Log): Error {
  log.error('the record that says which version the data has is missing: it is damaged')
  return damagedRecord()
}

const noBackup = async () => null

/** Runs a step, and tells how many records it has done. */
async function watched(step: MigrationStep, store: Store, options: MigrateOptions): Promise<void> {
  let records = 0
  const status = () => `Upgrading the data to version ${step.to}: ${step.name} (${records} records)`
  await telling(options, status, () =>
    step.run(store, (more) => {
      records += more
    }),
  )
}

/** How often the log and the supervisor hear that an upgrade goes on. */
const upgradeToldMs = 10_000

/** Tells what is done at the beginning, and every few seconds. */
async function telling<T>(
  { log, clock, progress = () => {} }: MigrateOptions,
  status: () => string,
  run: () => Promise<T>,
): Promise<T> {
  const again = () => {
    log.info('the upgrade goes on', { status: status() })
    progress(status())
    timer = clock.setTimeout(again, upgradeToldMs)
  }
  let timer = clock.setTimeout(again, upgradeToldMs)
  progress(status())
  try {
    return await run()
  } finally {
    clock.clearTimeout(timer)
  }
}

function schemaAfter(
  steps: readonly MigrationStep[],
): Pick<SchemaVersion, 'version' | 'minReader'> {
  const last = steps.at(-1)?.to ?? firstVersion
  const minReader = Math.max(firstVersion, ...steps.map((step) => step.minReader))
  return { version: last, minReader }
}

/** What this program writes and can read, for code that holds other data than the store's. */
export function currentSchema(): Pick<SchemaVersion, 'version' | 'minReader'> {
  return schemaAfter(migrationSteps)
}

/** Why this program cannot read data of that version, as only newer ones can; undefined if it can. */
export function whyUnreadable(stored: SchemaVersion, program: string): StartFailure | undefined {
  return newerData(stored, { ...currentSchema(), program })
}

function mustBeReadable(stored: SchemaVersion, current: SchemaVersion): void {
  const failure = newerData(stored, current)
  if (failure) throw failure
}

function newerData(stored: SchemaVersion, current: SchemaVersion): StartFailure | undefined {
  if (stored.minReader <= current.version) return undefined
  const { upgrade } = stored
  const isHalf = upgrade?.doneAtMs === null
  const writer = isHalf ? upgrade.program : stored.program
  const who = writer === undefined ? 'a newer stillup' : `stillup ${writer}`
  const what = isHalf
    ? `${who} began to upgrade the data to version ${stored.minReader} and did not finish`
    : `the data was written by ${who}, and has version ${stored.version}`
  const me =
    current.program === undefined ? 'this one' : `this is stillup ${current.program}, which`
  const message = `${what}: it needs a stillup that reads version ${stored.minReader}; ${me} reads up to ${current.version}`
  const start =
    writer === undefined ? 'the newer stillup again' : `stillup ${writer} or a newer one`
  const backup = upgrade?.backup ?? null
  const from = upgrade?.fromProgram ?? null
  const before = `${backup}, the backup from before the upgrade${from === null ? '' : ` from stillup ${from}`}`
  return new StartFailure(exitCodes.config, message, {
    hint:
      `Start ${start}. To go back, restore ` +
      `${backup === null ? 'a backup that this stillup made' : before} (docs/upgrading.md).`,
  })
}
