// Space, inodes, kind and speed of the disks that hold the data, its backups and exported pages.
import { sizeText } from '../../../base/sizes.ts'
import { judgeSpace } from '../../../store/space.ts'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import { type Mount, mountOf, mountsIn } from '../model/mounts.ts'
import { existingDir, isContainer, msText } from '../model/words.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const diskCheck: DoctorCheck = {
  name: 'disk',
  async run(world) {
    const { settings, files } = world
    const mounts = mountsIn((await files.read('/proc/self/mountinfo')) ?? '')
    const found = await Promise.all([
      data(world, mounts),
      ...otherDirs(settings).map(([name, dir]) => other(world, name, dir)),
    ])
    return found.flat()
  },
}

function otherDirs(settings: World['settings']): (readonly [name: string, dir: string])[] {
  const { exportDir } = settings.pages
  const backups = settings.backup.dir
  const isBeside = backups.startsWith(`${settings.data.dir}/`)
  return [
    ...(isBeside ? [] : [['backup.dir', backups] as const]),
    ...(exportDir === null ? [] : [['pages.exportDir', exportDir] as const]),
  ]
}

async function data(world: World, mounts: readonly Mount[]): Promise<CheckFinding[]> {
  const { dir } = world.settings.data
  const place = await existingDir(world.files, dir)
  const mount = mountOf(mounts, place)
  const [space, kind, speed] = await Promise.all([
    room(world, 'data.dir', place),
    fileSystem(world, dir, mount),
    mount?.isReadOnly ? [] : writing(world, dir, place),
  ])
  return [...space, ...kind, ...speed]
}

async function other(world: World, name: string, dir: string): Promise<CheckFinding[]> {
  return room(world, name, await existingDir(world.files, dir))
}

const doctorFreeFilesMin = 1_000

async function room(world: World, name: string, place: string): Promise<CheckFinding[]> {
  const disk = await world.files.disk(place)
  // A file system of the kernel, such as /proc, has no size.
  if (!disk || disk.totalBytes === 0) {
    return [skipped(`${name} space`, `${place} cannot be measured`)]
  }
  const { freeBytes, totalBytes, freeFiles, totalFiles } = disk
  const seen = `${sizeText(freeBytes)} of ${sizeText(totalBytes)} free at ${place}`
  const advice = 'Free space there, or use another disk.'
  const state = judgeSpace(disk)
  const subject = `${name} space`
  const space =
    state === 'full'
      ? problem(subject, seen, advice)
      : state === 'low'
        ? warning(subject, seen, advice)
        : fine(subject, seen)
  const isShort = totalFiles > 0 && freeFiles < doctorFreeFilesMin
  if (!isShort) return [space]
  const inodes = `only ${freeFiles} more files can be created at ${place}`
  return [space, problem(`${name} inodes`, inodes, 'Delete files there: its inodes are used up.')]
}

const remote =
  /^(nfs\d?|cifs|smb3?|smbfs|9p|afs|ceph|glusterfs|fuse\.(sshfs|glusterfs|s3fs|rclone))$/
const inMemory = /^(tmpfs|ramfs|devtmpfs)$/
const weak = /^(vfat|msdos|exfat|fuse|fuseblk|ntfs3?|vboxsf|prl_fs)$/

async function fileSystem(
  world: World,
  dir: string,
  mount: Mount | undefined,
): Promise<CheckFinding[]> {
  const subject = 'data.dir file system'
  if (!mount) return [skipped(subject, 'not known: /proc/self/mountinfo cannot be read')]
  const { type, place, isReadOnly } = mount
  const seen = `${dir} is on ${type} (${place})`
  if (isReadOnly) {
    const advice = 'Mount it for writing, or set data.dir to a directory that is.'
    return [problem(subject, `${seen}, which is read-only`, advice)]
  }
  if (remote.test(type)) {
    const advice = 'Use a disk of this machine: over a network the data can be damaged.'
    return [problem(subject, seen, advice)]
  }
  if (inMemory.test(type)) {
    const advice = 'Use a disk: all data is gone after a restart of the machine.'
    return [problem(subject, seen, advice)]
  }
  if (type === 'overlay' && (await isContainer(world))) {
    const advice = `Mount a volume at ${dir}: the data is deleted with the container.`
    return [problem(subject, seen, advice)]
  }
  if (weak.test(type)) {
    const advice = 'Use ext4, xfs, btrfs or zfs: this one keeps no promise about power cuts.'
    return [warning(subject, seen, advice)]
  }
  return [fine(subject, seen)]
}

export const doctorSlowSyncMs = 200

async function writing(world: World, dir: string, place: string): Promise<CheckFinding[]> {
  const subject = 'data.dir writing'
  const trial = await world.files.tryWrite(place)
  if ('code' in trial) {
    if (place !== dir) {
      // A start would have to create it here.
      const advice = `Create ${dir} for the user of the daemon, or set data.dir.`
      return [problem(subject, `${dir} cannot be created in ${place} (${trial.code})`, advice)]
    }
    const isDenied = trial.code === 'EACCES' || trial.code === 'EPERM'
    return isDenied && world.own.uid !== 0
      ? [skipped(subject, `this user may not write to ${dir}`, 'Run this as root.')]
      : [problem(subject, `writing to ${dir} fails (${trial.code})`, 'Repair or replace the disk.')]
  }
  const seen = `a write is on the disk after ${msText(trial.slowestMs)} at most`
  return trial.slowestMs > doctorSlowSyncMs
    ? [warning(subject, seen, 'Changes wait for it: use a faster disk, or one with less load.')]
    : [fine(subject, seen)]
}
