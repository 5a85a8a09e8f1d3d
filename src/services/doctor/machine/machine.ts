// The world of `stillup doctor`: this machine, its network, and the daemon of the data directory.

import { join } from 'node:path'
import type { RunningClock } from '../../../base/clock.ts'
import type { UsableSettings } from '../../../config/load.ts'
import { storedLeadership } from '../../../store/backup/stored-leadership.ts'
import { checkCluster } from '../../cluster/cluster-tools.ts'
import { type UnitFile, unitOf } from '../model/unit-file.ts'
import type { DaemonView, FilesPort, OwnProcess, World } from '../model/world.ts'
import { createFilesPort } from './files.ts'
import { createNetworkPort } from './network.ts'

export interface MachineInput {
  readonly clock: RunningClock
  readonly version: string
  readonly env: OwnProcess['env']
  readonly loaded: UsableSettings
  readonly mailTo: string | null
  /** The promise never rejects. */
  readonly viewDaemon: () => Promise<DaemonView>
}

export function createMachine(input: MachineInput): World {
  const { clock, version, env, loaded, mailTo } = input
  const { settings } = loaded
  const files = createFilesPort(clock)
  const network = createNetworkPort(clock, settings)
  const daemon = once(input.viewDaemon)
  const unit = once(() => readUnit(files))
  return {
    clock,
    version,
    settings,
    settingsSource: loaded.source,
    settingsProblems: loaded.problems,
    settingsWarnings: loaded.warnings,
    secretsInFile: loaded.secretsInFile,
    own: { uid: process.geteuid?.() ?? -1, env },
    mailTo,
    files,
    network,
    daemon,
    leadership: () => storedLeadership(settings.data.dir),
    cluster: () => checkCluster({ settings, clock, version }, clusterMsMax),
    unit,
  }
}

/** Shorter than the check may take. */
const clusterMsMax = 7_000

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Where units lie, the first that has one counts (systemd.unit(5)). */
const unitDirs = ['/etc/systemd/system', '/run/systemd/system', '/usr/local/lib/systemd/system']
const packageDirs = ['/usr/lib/systemd/system', '/lib/systemd/system']
const unitName = 'stillup.service'

export async function readUnit(files: FilesPort): Promise<UnitFile | undefined> {
  const dirs = [...unitDirs, ...packageDirs]
  for (const dir of dirs) {
    const path = join(dir, unitName)
    const text = await files.read(path)
    if (text === undefined) continue
    // A drop-in in a directory with precedence hides one of the same name.
    const dropIns = new Map<string, string>()
    for (const parent of dirs.toReversed()) {
      const below = join(parent, `${unitName}.d`)
      const names = (await files.list(below)).filter((name) => name.endsWith('.conf'))
      for (const name of names) dropIns.set(name, join(below, name))
    }
    const paths = [...dropIns].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, at]) => at)
    const texts = await Promise.all(paths.map((one) => files.read(one)))
    return unitOf([text, ...texts.filter((one) => one !== undefined)])
  }
  return undefined
}
