// Whether backups are made, where they go, and how old the newest one is.
import { join } from 'node:path'
import { isBackupName, parseManifest } from '../../../domain/backups/backup.ts'
import { type CheckFinding, fine, skipped, warning } from '../model/finding.ts'
import { mountOf, mountsIn } from '../model/mounts.ts'
import { existingDir } from '../model/words.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const backupsCheck: DoctorCheck = {
  name: 'backups',
  async run(world) {
    return [...(await place(world)), await newest(world), ...(await lastAttempt(world))]
  },
}

async function place({ settings, files }: World): Promise<CheckFinding[]> {
  const { everyHours, bucketUrl, dir } = settings.backup
  if (everyHours === 0) {
    const advice = 'Set backup.everyHours, or let another program run stillup backup.'
    return [warning('schedule', 'backup.everyHours is 0: none is made by itself', advice)]
  }
  if (bucketUrl !== null) {
    return [
      fine('place', `every ${everyHours} hours in ${dir}, copied to ${new URL(bucketUrl).host}`),
    ]
  }
  const mounts = mountsIn((await files.read('/proc/self/mountinfo')) ?? '')
  const [ofBackups, ofData] = await Promise.all(
    [dir, settings.data.dir].map(async (one) => mountOf(mounts, await existingDir(files, one))),
  )
  const seen = `every ${everyHours} hours in ${dir}`
  if (ofBackups !== undefined && ofBackups === ofData) {
    const advice =
      'Set backup.dir to another disk, or backup.bucketUrl: they are lost with the data.'
    return [warning('place', `${seen}, on the disk of the data`, advice)]
  }
  return [fine('place', seen)]
}

/** What the daemon knows of it; nothing where it runs none, or the last attempt worked. */
async function lastAttempt(world: World): Promise<CheckFinding[]> {
  const view = await world.daemon()
  const reason = view.kind === 'running' ? view.report?.condition?.backupError : undefined
  if (!reason) return []
  const advice = 'Remove the cause, then run stillup backup, or System, Backups, Make a backup now.'
  return [warning('last attempt', `the last backup failed: ${reason}`, advice)]
}

const hourMs = 3_600_000

/** A younger backup is never called old, whatever backup.everyHours says. */
const doctorBackupAgeMsMin = 6 * 3_600_000

async function newest(world: World): Promise<CheckFinding> {
  const { files, clock, settings } = world
  const dir = settings.backup.dir
  const names = (await files.list(dir)).filter(isBackupName).sort()
  const last = names.at(-1)
  const advice = 'Look at the log and at System, Tasks; stillup backup makes one now.'
  if (last === undefined) {
    const view = await world.daemon()
    const startedAtMs = view.kind === 'running' ? view.report?.startedAtMs : undefined
    const isDue = startedAtMs !== undefined && clock.wallMs() - startedAtMs > 2 * hourMs
    return isDue && settings.backup.everyHours > 0
      ? warning('newest', `there is none in ${dir}`, advice)
      : skipped('newest', `there is none yet in ${dir}, or it cannot be read`)
  }
  const text = await files.read(join(dir, last, 'manifest.json'))
  const manifest = text === undefined ? undefined : parseManifest(text)
  if (!manifest) return warning('newest', `${last} has no manifest that can be read`, advice)
  const ageMs = clock.wallMs() - manifest.takenAtMs
  const seen = `${last} is ${Math.round(ageMs / hourMs)} hours old`
  const mostMs = Math.max(settings.backup.everyHours * 2 * hourMs, doctorBackupAgeMsMin)
  return ageMs > mostMs ? warning('newest', seen, advice) : fine('newest', seen)
}
