// stillup fsck: reads all stored data, of a directory or of a backup, and says what is wrong with it.
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { Fault } from '../../base/fault.ts'
import { errorText } from '../../base/log/error-text.ts'
import { silentLog } from '../../base/log/log.ts'
import type { Settings } from '../../config/settings.ts'
import { disagreementsIn } from '../../services/backups/consistency.ts'
import { packedName } from '../../store/backup/folder.ts'
import { BackupDamage, noPace, unpackVerified } from '../../store/backup/verify.ts'
import { NotListening } from '../../store/control.ts'
import { checkFile } from '../../store/data-file/check.ts'
import { DamagedData, inspectDataFile } from '../../store/data-file/inspect.ts'
import { askDaemon } from '../../store/lock.ts'
import { migrate } from '../../store/migrate.ts'
import { openStore } from '../../store/store.ts'
import { isDenied } from '../../store/unusable-directory.ts'
import { defineCommand } from '../model/command.ts'
import { mayNotUse } from '../model/denied.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { settingsFor } from '../model/settings.ts'
import { findBackup } from './sources.ts'

interface Report {
  /** The data directory, or the directory of the backup. */
  readonly of: string
  readonly records: number
  /** Why the file cannot be relied on; null if it can. */
  readonly damage: string | null
  readonly damagedRecords: readonly { readonly table: string; readonly key: string }[]
  readonly disagreements: readonly { readonly what: string; readonly of: object }[]
}

export const command = defineCommand({
  about:
    'Changes nothing: it works on a copy in the directory for temporary files (TMPDIR), which needs ' +
    'as much space as the data. Every page and the checksum of every record are read; then, whether ' +
    'records agree: incidents with monitors, alerts with what waits, indexes with what they index. ' +
    'While the daemon runs, make a backup and look at that; the task integrity reads the file.',
  args: {
    what: {
      about:
        'a data directory, or a backup: its name, its directory, or "latest"; default: data.dir',
      isOptional: true,
      completes: 'directory',
    },
  },
  examples: [['stillup fsck latest', 'the newest backup']],
  exits: { 0: 'nothing is wrong', 1: 'something is', 78: 'there is no data, or a daemon uses it' },
  async run({ host, configPath, args, show }) {
    const { settings } = settingsFor(host, { configPath })
    const report = await inspect(args.what ?? settings.data.dir, settings, host)
    const { damage, damagedRecords, disagreements, records } = report
    const problems = [
      ...(damage === null ? [] : [damage]),
      ...damagedRecords.map(({ table, key }) => `a record of ${table} is damaged: ${key}`),
      ...disagreements.map(({ what, of }) => `${what}: ${JSON.stringify(of)}`),
    ]
    const lines = problems.length === 0 ? [`${records} records, nothing is wrong`] : problems
    show(report, ...lines.map((one) => `${report.of}: ${one}`))
    return problems.length === 0 ? exitCodes.ok : exitCodes.failed
  },
})

async function inspect(what: string, settings: Settings, host: Host): Promise<Report> {
  const dir = resolve(host.cwd, what)
  // `existsSync` would say that everything is missing if one may not look.
  const hasData = statSync(join(dir, 'data.mdb'), { throwIfNoEntry: false }) !== undefined
  if (!hasData && dir === settings.data.dir) {
    throw new CommandFailure(exitCodes.config, `there is no data in ${dir}`)
  }
  if (hasData) await mustBeUnused(dir)
  const backup = hasData ? undefined : findBackup(what, settings, host.cwd)
  const of = backup?.path ?? dir
  const scratch = scratchDirectory()
  try {
    const file = join(scratch, 'data.mdb')
    if (backup) await unpackVerified(join(of, packedName), file, backup, noPace)
    else copyFileSync(join(of, 'data.mdb'), file)
    return await reportOn(of, scratch, host)
  } catch (error) {
    if (!(error instanceof DamagedData || error instanceof BackupDamage)) throw error
    // The copy is gone when this is read: the name of the file is below that of the report.
    const damage = error.message.replaceAll(`${scratch}/`, '')
    return { of, records: 0, damage, damagedRecords: [], disagreements: [] }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function scratchDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'stillup-fsck-'))
  } catch (cause) {
    const why = errorText(cause)
    throw new CommandFailure(exitCodes.io, `there is no place for a copy of the data: ${why}`, {
      hint: 'Name a directory with TMPDIR.',
      cause,
    })
  }
}

/** A copy of a file that is written to is none. */
async function mustBeUnused(dir: string): Promise<void> {
  const isUsed = await askDaemon(dir, { verb: 'owner' }).then(
    () => true,
    (error: unknown) => {
      if (!isDenied(error)) return !(error instanceof NotListening)
      throw mayNotUse(dir, error, exitCodes.io)
    },
  )
  if (!isUsed) return
  throw new CommandFailure(exitCodes.config, `a daemon uses ${dir}`, {
    hint: 'Run stillup backup create, then stillup fsck latest.',
  })
}

async function reportOn(of: string, scratch: string, host: Host): Promise<Report> {
  const { clock, version } = host
  const file = inspectDataFile(scratch)
  if (!file) throw new CommandFailure(exitCodes.config, `there is no data in ${of}`)
  const { records, damaged } = checkFile(file)
  const damagedRecords = damaged.map(({ table, key }) => ({ table, key: key.join(' ') }))
  const fail = (error: unknown) => {
    throw error
  }
  const store = openStore({ dir: scratch, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  try {
    await migrate(store, { log: silentLog, clock, program: version })
    const disagreements = await disagreementsIn(store, clock)
    return { of, records, damage: null, damagedRecords, disagreements }
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'damaged_record')) throw error
    const damage = 'a stored record that every start needs is damaged'
    return { of, records, damage, damagedRecords, disagreements: [] }
  } finally {
    await store.close()
  }
}
