// stillup backup: makes, lists, verifies and removes backups.

import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { sizeText } from '../../base/sizes.ts'
import type { Settings } from '../../config/settings.ts'
import { type BackupManifest, parseManifest } from '../../domain/backups/backup.ts'
import { limits } from '../../domain/limits/limits.ts'
import { BackupRefused } from '../../services/backups/backups.ts'
import {
  beginBackup,
  listBackups,
  type Making,
  packedName,
  removeBackup,
  type StoredBackup,
} from '../../store/backup/folder.ts'
import { BackupDamage, noPace, unpackVerified } from '../../store/backup/verify.ts'
import { ControlRefused, NotListening } from '../../store/control.ts'
import { askDaemon } from '../../store/lock.ts'
import { isDenied } from '../../store/unusable-directory.ts'
import { type CommandGroup, defineCommand } from '../model/command.ts'
import { refusal } from '../model/daemon.ts'
import { mayNotUse, mustBeReachable } from '../model/denied.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { settingsFor } from '../model/settings.ts'
import { backUpStopped } from './offline.ts'
import { type BrokenCopy, findBackup, listCopies, timeOf } from './sources.ts'

const nameArgument = { about: 'its name, its directory, or "latest"' } as const

const create = defineCommand({
  about:
    'The running daemon makes it, and goes on with its work. If none runs, the command makes it ' +
    'itself, as a user that may read the data. It is read back before it counts as a backup.',
  exits: { 1: 'it failed: there is no new backup' },
  async run({ host, configPath, show }) {
    const { settings } = settingsFor(host, { configPath })
    const made = await askedOf(settings.data.dir).catch(async (error: unknown) => {
      if (error instanceof NotListening) return withoutDaemon(host, settings)
      const { dir } = settings.data
      if (isDenied(error)) throw mayNotUse(dir, error, exitCodes.failed)
      if (error instanceof ControlRefused) throw await refusal(host, dir, { verb: 'backup' }, error)
      throw new CommandFailure(exitCodes.failed, errorText(error))
    })
    const { name, bytes, records } = made.backup
    if (made.notCopied !== null) host.complain(made.notCopied)
    show(
      made.backup,
      `${settings.backup.dir}/${name}: ${sizeText(bytes)}, ${records} records, verified`,
    )
  },
})

interface Made {
  readonly backup: BackupManifest
  /** Why it is not in the bucket as well; null if it is, or if there is none. */
  readonly notCopied: string | null
}

/** What a user can read of its failure is one line, as if the daemon had made it. */
async function withoutDaemon(host: Host, settings: Settings): Promise<Made> {
  try {
    const backup = await backUpStopped(host, settings)
    const notCopied = 'It is not copied to the bucket: only a running daemon does that.'
    return { backup, notCopied: settings.backup.bucketUrl === null ? null : notCopied }
  } catch (cause) {
    if (!(cause instanceof BackupRefused || cause instanceof BackupDamage)) throw cause
    const message = `The backup failed: ${cause.message}.`
    throw new CommandFailure(exitCodes.failed, message, { cause })
  }
}

/** The daemon makes it. Throws NotListening if none runs, else the daemon's error. */
async function askedOf(dir: string): Promise<Made> {
  mustBeReachable(dir)
  const answer = await askDaemon(dir, { verb: 'backup' }, limits.backupMsMax)
  const backup = parseManifest(JSON.stringify(answer))
  if (!backup) throw new Error('the backup took too long')
  const failure = isRecord(answer) && typeof answer.failure === 'string' ? answer.failure : null
  return { backup, notCopied: failure }
}

const list = defineCommand({
  about: 'Those of backup.dir, newest last.',
  options: { bucket: { about: 'the copies in the bucket instead' } },
  async run({ host, configPath, options, show }) {
    const { settings } = settingsFor(host, { configPath })
    if (options.bucket) {
      const { title, ...found } = await listCopies(settings, host)
      show({ bucket: title, ...found }, ...found.backups.map(lineOf))
      complainOf(host, title, found)
      return exitCodes.ok
    }
    const { dir } = settings.backup
    const found = listBackups(dir)
    show({ dir, ...found }, ...found.backups.map(lineOf))
    complainOf(host, dir, found)
    return exitCodes.ok
  },
})

function complainOf(host: Host, place: string, { backups, broken }: BackupList): void {
  if (backups.length === 0) host.complain(`There is no backup in ${place}.`)
  for (const { name, reason } of broken) host.complain(`${name} is no whole backup: ${reason}`)
}

interface BackupList {
  readonly backups: readonly BackupManifest[]
  readonly broken: readonly BrokenCopy[]
}

function lineOf({ name, bytes, records, version, keyId }: BackupManifest): string {
  return `${name}  ${sizeText(bytes).padStart(8)}  ${records} records  stillup ${version}  key ${keyId}`
}

const verify = defineCommand({
  about: 'Reads the whole backup: its checksum, every page, and the checksum of every record.',
  args: { backup: { ...nameArgument, completes: 'directory' } },
  exits: { 0: 'it is good', 1: 'it is damaged' },
  async run({ host, configPath, args, show }) {
    const { settings } = settingsFor(host, { configPath })
    const backup = findBackup(args.backup, settings, host.cwd)
    try {
      await verified(backup, settings.backup.dir)
      const { name, records, takenAtMs } = backup
      show(
        { ...backup, isGood: true },
        `${name} is good: ${records} records, of ${timeOf(takenAtMs)}`,
      )
      return exitCodes.ok
    } catch (error) {
      if (!(error instanceof BackupDamage)) throw error
      show(
        { ...backup, isGood: false, reason: error.message },
        `${backup.name} is damaged: ${error.message}`,
      )
      return exitCodes.failed
    }
  },
})

async function verified(backup: StoredBackup, dir: string): Promise<void> {
  const { scratch, discard } = scratchIn(dir)
  try {
    await unpackVerified(`${backup.path}/${packedName}`, scratch, backup, noPace)
  } finally {
    discard()
  }
}

/**
 * Where the backup is unpacked: on the disk of the backups, which has room for it. A directory that is
 * missing or may not be written to, such as that of a disk with old backups, stays as it is.
 */
function scratchIn(dir: string): Pick<Making, 'scratch' | 'discard'> {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
    return beginBackup(dir, `verify-${process.pid}`)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    const temporary = mkdtempSync(join(tmpdir(), 'stillup-verify-'))
    return {
      scratch: join(temporary, 'data.mdb'),
      discard: () => rmSync(temporary, { recursive: true, force: true }),
    }
  }
}

function isUnwritable(error: unknown): boolean {
  const codes = ['ENOENT', 'EACCES', 'EPERM', 'EROFS']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

const remove = defineCommand({
  args: { backup: { about: 'its name' } },
  options: { force: { about: 'also the only one' } },
  async run({ host, configPath, args, options, show }) {
    const { settings } = settingsFor(host, { configPath })
    const { dir } = settings.backup
    const { name } = findBackup(args.backup, settings, host.cwd)
    const { backups } = listBackups(dir)
    if (!backups.some((one) => one.name === name)) {
      throw new CommandFailure(exitCodes.config, `${name} is not in ${dir}`)
    }
    if (backups.length === 1 && !options.force) {
      throw new CommandFailure(exitCodes.failed, `${name} is the only backup`, {
        hint: 'Make another one first, or say --force.',
      })
    }
    removeBackup(dir, name, `remove-${process.pid}`)
    show({ removed: name }, `${name} was removed`)
  },
})

export const command: CommandGroup = {
  about: 'docs/backups.md says what is in a backup, and how to restore one.',
  usual: 'list',
  commands: {
    create: { summary: 'make a backup now, and verify it', command: create },
    list: { summary: 'show the backups', command: list },
    verify: { summary: 'read a backup back', command: verify },
    remove: { summary: 'delete a backup', command: remove },
  },
}
