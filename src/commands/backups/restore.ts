// stillup restore: puts a backup in the place of the data, after it was checked.
import { resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { silentLog } from '../../base/log/log.ts'
import { mustBeReplaceable, restoreBackup } from '../../services/backups/restores.ts'
import { giveToOwner } from '../../store/folders.ts'
import { lockDirectory } from '../../store/lock.ts'
import { defineCommand } from '../model/command.ts'
import { mustBeReachable } from '../model/denied.ts'
import { settingsFor } from '../model/settings.ts'
import { keyProver } from './offline.ts'
import { findSource, timeOf } from './sources.ts'

export const command = defineCommand({
  about:
    'The daemon must be stopped. The backup is read and checked before anything is changed: its ' +
    'checksum, every page, every record, whether this version can read it, and whether the master ' +
    'key opens it. Everybody is signed out, and alerts that waited in it are not sent as new.',
  args: {
    backup: {
      about: 'its name, its directory, "latest", or "bucket:" and its name or "latest"',
      completes: 'directory',
    },
  },
  options: {
    to: {
      about: 'another directory than data.dir',
      value: 'DIR',
      completes: 'directory',
    },
    replace: { about: 'take the place of data that is there, which is kept beside it' },
  },
  examples: [
    ['stillup restore latest', 'on a new machine, once the master key is in place'],
    ['stillup restore 20261123T030000Z --replace', 'back to a night'],
    ['stillup restore latest --to /tmp/drill', 'a drill'],
    ['stillup restore bucket:latest', 'from the copy in the bucket'],
  ],
  exits: { 78: 'the backup cannot be used, or there is data already: nothing was changed' },
  async run({ host, configPath, args, options, show }) {
    const { settings } = settingsFor(host, { configPath })
    const dir = options.to === undefined ? settings.data.dir : resolve(host.cwd, options.to)
    mustBeReachable(dir)
    mustBeReplaceable(dir, options.replace)
    const source = await findSource(args.backup, settings, host)
    const { manifest: backup } = source
    const proveKey = keyProver(settings, backup)
    const { clock, version } = host
    const lock = await lockDirectory(dir, version)
    try {
      // It is asked again, now that no daemon can begin to write there.
      mustBeReplaceable(dir, options.replace)
      const restored = await restoreBackup({
        ...source,
        dir,
        proveKey,
        clock,
        log: silentLog,
        program: version,
        damage: null,
      })
      const { note, records, deliveries, letters, sessions } = restored
      const { keptIn } = note
      show(
        { ...restored, dir },
        `${backup.name} is restored to ${dir}: ${records} records, everything up to ${timeOf(backup.takenAtMs)}.`,
        `Not brought back: sessions (${sessions}), and what waited to be sent: alerts (${deliveries}), letters (${letters}).`,
        keptIn === null ? 'There was no data before.' : `The data before is kept in ${keptIn}.`,
      )
      return exitCodes.ok
    } finally {
      await lock.release()
      giveToOwner(dir)
    }
  },
})
