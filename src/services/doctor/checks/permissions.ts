// Who may read and write the data, the master key and the settings.
import { dirname, join } from 'node:path'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import { isFacts, modeText } from '../model/words.ts'
import type { DoctorCheck, FileFacts, World } from '../model/world.ts'

export const permissionsCheck: DoctorCheck = {
  name: 'permissions',
  async run(world) {
    const found = await Promise.all([
      dataDir(world),
      masterKey(world),
      settingsFile(world),
      umask(world),
    ])
    return found.flat()
  },
}

async function dataDir(world: World): Promise<CheckFinding[]> {
  const { dir } = world.settings.data
  const found = await world.files.look(dir)
  if (found === 'missing') return [skipped('data.dir', `${dir} is not there yet`)]
  if (found === 'denied') return [skipped('data.dir', `${dir} is not readable`, 'Run as root.')]
  if (found.kind !== 'directory') {
    return [problem('data.dir', `${dir} is not a directory`, 'Set data.dir to a directory.')]
  }
  const seen = `${dir} has mode ${modeText(found.mode)} and belongs to uid ${found.uid}`
  const isOpen = (found.mode & 0o077) !== 0
  const own = isOpen
    ? warning('data.dir', `${seen}: others can look into it`, `chmod 700 ${dir}`)
    : fine('data.dir', seen)
  return [own, await strangers(world, dir, found)]
}

const doctorFilesMax = 200

/** Files of another user, as a restore by root leaves them: the daemon could not start. */
async function strangers(world: World, dir: string, { uid }: FileFacts): Promise<CheckFinding> {
  const names = (await world.files.list(dir)).slice(0, doctorFilesMax)
  const looked = await Promise.all(names.map((name) => world.files.look(join(dir, name))))
  const foreign = names.filter((_, at) => {
    const facts = looked[at]
    return facts !== undefined && isFacts(facts) && facts.uid !== uid
  })
  if (foreign.length === 0) return fine('data files', 'all belong to the owner of data.dir')
  const advice = `While the daemon is stopped: chown -R ${uid} ${dir}`
  return problem('data files', `others own ${foreign.slice(0, 3).join(', ')}`, advice)
}

async function masterKey(world: World): Promise<CheckFinding[]> {
  const { dir, masterKeyFile } = world.settings.data
  const lent = (await world.unit())
    ?.all('LoadCredential')
    .find((one) => one.startsWith('master-key:'))
  const isBeside = dirname(masterKeyFile) === dir
  const file = lent && isBeside ? lent.slice('master-key:'.length) : masterKeyFile
  const found = await world.files.look(file)
  const subject = 'master key'
  if (found === 'denied') return [skipped(subject, `${file} is not readable`, 'Run this as root.')]
  if (found === 'missing') {
    const hasData = (await world.files.look(join(dir, 'data.mdb'))) !== 'missing'
    return hasData
      ? [
          problem(
            subject,
            `${file} is missing, but there is data`,
            'Put the key back: nothing that is sealed opens without it.',
          ),
        ]
      : [skipped(subject, `${file} will be created by the first start`)]
  }
  const seen = `${file} has mode ${modeText(found.mode)} and belongs to uid ${found.uid}`
  if (found.kind !== 'file')
    return [problem(subject, `${file} is not a file`, 'Correct data.masterKeyFile.')]
  if ((found.mode & 0o077) !== 0 && !isCredential(file, found)) {
    return [problem(subject, `${seen}: others can read it`, `chmod 600 ${file}`)]
  }
  if (!lent && (await isForeignTo(world, found))) {
    return [
      problem(
        subject,
        `${seen}, but the daemon is another user`,
        `chown it to the owner of ${dir}.`,
      ),
    ]
  }
  return [fine(subject, seen)]
}

/** systemd lends a credential through an access list, which appears as the bit of the group. */
function isCredential(file: string, { uid, mode }: FileFacts): boolean {
  return uid === 0 && (mode & 0o037) === 0 && file.startsWith('/run/credentials/')
}

/** Whether the owner of the data, as who the daemon runs, may not read the key. */
async function isForeignTo({ files, settings }: World, key: FileFacts): Promise<boolean> {
  const dir = await files.look(settings.data.dir)
  return isFacts(dir) && dir.uid !== 0 && dir.uid !== key.uid
}

async function settingsFile(world: World): Promise<CheckFinding[]> {
  const { settingsSource: file, secretsInFile } = world
  if (file === null) return []
  const found = await world.files.look(file)
  if (!isFacts(found)) return [skipped('settings file', `${file} is not readable`)]
  const seen = `${file} has mode ${modeText(found.mode)}`
  if ((found.mode & 0o022) !== 0) {
    return [warning('settings file', `${seen}: others can change it`, `chmod go-w ${file}`)]
  }
  if (secretsInFile.length > 0 && (found.mode & 0o004) !== 0) {
    const held = secretsInFile.join(', ')
    const advice = 'chmod 640 with the group of the daemon, or <variable>_FILE for each secret.'
    return [warning('settings file', `${seen}: everyone can read ${held} in it`, advice)]
  }
  return [fine('settings file', seen)]
}

async function umask(world: World): Promise<CheckFinding[]> {
  const view = await world.daemon()
  if (view.kind !== 'running') return []
  const text = await world.files.read(`/proc/${view.status.pid}/status`)
  const [, mask] = /^Umask:\s*([0-7]+)/m.exec(text ?? '') ?? []
  if (mask === undefined) return []
  return (Number.parseInt(mask, 8) & 0o077) === 0o077
    ? [fine('umask', `the daemon creates files for its user only (${mask})`)]
    : [warning('umask', `the daemon creates files that others can read (${mask})`, 'Restart it.')]
}
