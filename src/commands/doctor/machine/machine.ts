// The world of `stillup doctor`: this machine, its network, and the daemon of the data directory.

import { networkInterfaces, release } from 'node:os'
import { join } from 'node:path'
import type { RunningClock } from '../../../base/clock.ts'
import { errorText } from '../../../base/log/error-text.ts'
import type { UsableSettings } from '../../../config/load.ts'
import { glibcVersion } from '../../model/glibc.ts'
import type { Host } from '../../model/host.ts'
import { type UnitFile, unitOf } from '../model/unit-file.ts'
import { isFacts } from '../model/words.ts'
import type { ExchangeResult, FilesPort, NativePart, OwnProcess, World } from '../model/world.ts'
import { viewDaemon } from './daemon-port.ts'
import { createFilesPort } from './files.ts'
import { createNetworkPort } from './network.ts'

export interface MachineInput {
  readonly clock: RunningClock
  readonly version: string
  readonly env: OwnProcess['env']
  readonly loaded: UsableSettings
  readonly targetUrl: URL
  readonly mailTo: string | null
  /** The versions of the libraries with native parts. */
  readonly libraries: Host['libraries']
}

export function createMachine(input: MachineInput): World {
  const { clock, version, env, loaded, targetUrl, mailTo } = input
  const { settings } = loaded
  const files = createFilesPort(clock)
  const network = createNetworkPort(clock, settings)
  const targets = new Map<4 | 6, Promise<ExchangeResult>>()
  const daemon = once(() => viewDaemon(settings.data.dir))
  const unit = once(() => readUnit(files))
  const natives = once(() => loadNatives(input.libraries))
  return {
    clock,
    version,
    settings,
    settingsSource: loaded.source,
    settingsProblems: loaded.problems,
    settingsWarnings: loaded.warnings,
    secretsInFile: loaded.secretsInFile,
    own: ownProcess(env),
    targetUrl,
    mailTo,
    files,
    network,
    daemon,
    unit,
    natives,
    target(family) {
      const asked = targets.get(family) ?? network.exchange(targetUrl, family)
      targets.set(family, asked)
      return asked
    },
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

function ownProcess(env: OwnProcess['env']): OwnProcess {
  return {
    pid: process.pid,
    uid: process.geteuid?.() ?? -1,
    env,
    nodeVersion: process.versions.node,
    glibcVersion: glibcVersion(),
    kernelVersion: release(),
    architecture: process.arch,
    hasPublicIpv6: Object.values(networkInterfaces()).some((list) =>
      list?.some(
        ({ address, internal }) => !internal && /^[23]/.test(address) && address.includes(':'),
      ),
    ),
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
    const looked = await Promise.all([path, ...paths].map((one) => files.look(one)))
    const changedAtMs = Math.max(...looked.filter(isFacts).map((facts) => facts.changedAtMs))
    return unitOf(path, changedAtMs, [text, ...texts.filter((one) => one !== undefined)])
  }
  return undefined
}

async function loadNatives(versions: Host['libraries']): Promise<NativePart[]> {
  // What uses them is loaded, so that they are found where they are found by the daemon.
  const parts: [name: keyof Host['libraries'], load: () => Promise<unknown>][] = [
    ['uWebSockets.js', () => import('../../../http/edge/server.ts')],
    ['lmdb', () => import('../../../store/store.ts')],
  ]
  return Promise.all(
    parts.map(async ([name, load]) => {
      const failure = await load().then(() => null, errorText)
      return {
        name,
        version: versions[name] ?? 'of an unknown version',
        failure: failure?.split('\n')[0] ?? null,
      }
    }),
  )
}
