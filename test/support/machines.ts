// Machines that share data: each has a directory, an address and settings, and runs daemons and commands there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { bareNode } from './bare-node.ts'
import { mintKey, type Owner, register } from './cast.ts'
import { type DaemonProcess, startProcess } from './daemon-process.ts'
import { freePort } from './free-port.ts'
import type { NatsServers } from './nats-servers.ts'
import { program as ownProgram } from './program.ts'
import { patienceMs, until } from './until.ts'

export interface Machine {
  readonly cwd: string
  /** Where its data is. */
  readonly dir: string
  readonly url: string
  /** The daemon, or what the words say, such as a standby. */
  start(...words: readonly string[]): DaemonProcess
  /** The daemon without the settings of the machine. */
  startAlone(): DaemonProcess
  /** A command of the command line: its exit code, and all that it says. */
  run(...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }>
  /** The same machine with another version of the program. */
  having(program: string): Machine
}

type Settings = Readonly<Record<string, string>>

/** `settings`: its own, besides where it listens. */
async function addMachine(
  t: Test,
  root: string,
  name: string,
  settings: (url: string) => Settings,
): Promise<Machine> {
  const cwd = join(root, name)
  const dir = join(cwd, 'data')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const env = { STILLUP_HTTP_LISTEN: listen, ...settings(url) }

  const having = (program: string): Machine => ({
    cwd,
    dir,
    url,
    start: (...words) =>
      startProcess(t, cwd, env, 'unlimited', [], program, words.length > 0 ? words : ['serve']),
    startAlone: () => startProcess(t, cwd, {}, 'unlimited', [], program),
    async run(...words) {
      const [command, args] = bareNode([program, ...words], env)
      const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text
        })
      }
      const [code] = await once(child, 'close')
      return { code, said }
    },
    having,
  })
  return having(ownProgram)
}

/** A machine that leads, or follows another one as its standby. */
export const addStandbyMachine = (t: Test, root: string, name: string) =>
  addMachine(t, root, name, () => ({
    STILLUP_CLUSTER_STANDBY: 'true',
    STILLUP_CHECKS_TARGETS: 'any',
  }))

/** A member of the cluster at these servers. */
export async function addMember(
  t: Test,
  nats: NatsServers,
  root: string,
  name: 'a' | 'b',
  leaseSeconds: number,
): Promise<Machine> {
  const member = await addMachine(t, root, name, (url) => ({
    STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
    STILLUP_CLUSTER_SERVERS: nats.urls.join(','),
    STILLUP_CLUSTER_NKEY_FILE: 'member.nk',
    STILLUP_CLUSTER_MEMBER: name,
    STILLUP_CLUSTER_MEMBER_URL: url,
    STILLUP_CLUSTER_LEASE_SECONDS: String(leaseSeconds),
    STILLUP_CLUSTER_MONITOR_URLS: nats.monitorUrls.join(','),
  }))
  writeFileSync(join(member.cwd, 'member.nk'), nats.seeds[name], { mode: 0o600 })
  writeFileSync(join(member.cwd, 'operator.nk'), nats.seeds.operator, { mode: 0o600 })
  return member
}

/** Starts the member that the cluster was made on, which leads; the other one gets its master key. */
export async function startFirst(a: Machine, b: Machine) {
  copyFileSync(join(a.dir, 'master.key'), join(b.dir, 'master.key'))
  const first = a.start()
  await first.ready()
  const owner = await register(first, 'alice', await first.setupToken())
  return { first, owner, key: await mintKey(first, owner) }
}

/** Resolves once the log of the process has the message; rejects where it ends before. */
export async function heard(daemon: DaemonProcess, message: string): Promise<void> {
  await until(() => {
    if (daemon.child.exitCode !== null) throw new Error(`it ended: ${daemon.err}`)
    return daemon.err.includes(message)
  })
}

/** A question starts a process. */
const askEveryMs = 1_000

/** Resolves once the member of that name has everything of a leader. `asked`: another member. */
export async function isStandby(asked: Machine, name: string): Promise<void> {
  const line = new RegExp(`^${name}: standby.* 0 records behind$`, 'm')
  const isSaid = async () => line.test((await asked.run('cluster', 'status')).said)
  await until(isSaid, patienceMs, askEveryMs)
}

export const addMonitor = (daemon: DaemonProcess, { org }: Owner, key: string, name: string) =>
  daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name, url: 'http://127.0.0.1:9/', intervalSeconds: 3_600 },
  })

/** The names of its first 200 monitors. */
export async function namesAt(
  daemon: DaemonProcess,
  { org }: Owner,
  key: string,
): Promise<string[]> {
  const monitors = await daemon.need('GET', `${org}/monitors?limit=200`, { key })
  return monitors.map(({ name }: { name: string }) => name)
}
