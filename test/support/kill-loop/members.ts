// Two members of a cluster under a supervisor: whoever ends is started again, unless that cannot help.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { bareNode } from '../bare-node.ts'
import { freePort } from '../free-port.ts'
import type { NatsServers } from '../nats-servers.ts'
import { believing } from '../probe-program.ts'
import { program } from '../program.ts'
import { type Cable, layCable } from './cut.ts'
import { type DaemonProcess, spawnDaemon } from './daemon-process.ts'
import type { Seeded } from './seeded.ts'

/** What a supervisor starts again. */
const startedAgain: readonly unknown[] = [0, 74, 75]
const restartMsMax = 500

/** Where a member lives, and what its lives have in common. */
export interface MemberPlace {
  readonly name: 'a' | 'b'
  readonly dir: string
  readonly port: number
  /** Its ways to the NATS servers. */
  readonly cables: readonly Cable[]
  /** Begins a life. */
  start(env?: Readonly<Record<string, string>>): DaemonProcess
}

export interface Member extends Omit<MemberPlace, 'start'> {
  /** Its newest life. */
  readonly life: DaemonProcess
  /** Ends it in an orderly way, for good. */
  stop(): Promise<void>
}

export interface PlacesOptions {
  readonly nats: NatsServers
  readonly base: string
  readonly leaseSeconds: number
  readonly env: Readonly<Record<string, string>>
}

export interface MembersOptions extends PlacesOptions {
  readonly random: Seeded
  /** Hears what a supervisor cannot repair. */
  readonly problem: (text: string) => void
}

/** Two members; the first has begun the cluster, and neither runs. */
export async function prepareMembers(t: Test, options: PlacesOptions) {
  const { nats, base, leaseSeconds } = options

  async function prepare(name: 'a' | 'b') {
    const dir = join(base, name)
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    writeFileSync(join(base, `${name}.nk`), nats.seeds[name], { mode: 0o600 })
    const port = await freePort()
    const cables = await Promise.all(nats.urls.map((url) => layCable(t, Number(new URL(url).port))))
    const env = {
      ...options.env,
      STILLUP_DATA_DIR: dir,
      STILLUP_CLUSTER_SERVERS: cables.map((cable) => `nats://127.0.0.1:${cable.port}`).join(','),
      STILLUP_CLUSTER_NKEY_FILE: join(base, `${name}.nk`),
      STILLUP_CLUSTER_MEMBER: name,
      STILLUP_CLUSTER_MEMBER_URL: `http://127.0.0.1:${port}`,
      STILLUP_CLUSTER_LEASE_SECONDS: String(leaseSeconds),
      STILLUP_CLUSTER_MONITOR_URLS: nats.monitorUrls.join(','),
    }
    const start: MemberPlace['start'] = (more) =>
      spawnDaemon(t, { dir, port, env: { ...env, ...more } })
    return { name, dir, port, cables, env, start }
  }

  const [a, b] = [await prepare('a'), await prepare('b')]
  const key = join(base, 'operator.nk')
  writeFileSync(key, nats.seeds.operator, { mode: 0o600 })
  const [command, args] = bareNode([program, 'cluster', 'init', '--operator', key], a.env)
  const child = spawn(command, args, { cwd: a.dir, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`cluster init ended with ${code}`)
  const masterKeyFile = join(a.dir, 'master.key')
  copyFileSync(masterKeyFile, join(b.dir, 'master.key'))
  const places: Readonly<Record<'a' | 'b', MemberPlace>> = { a, b }
  return { ...places, masterKeyFile }
}

/** The first has begun the cluster. */
export async function startMembers(t: Test, options: MembersOptions) {
  const { random, problem } = options
  /** How often each exit was seen, for the report. */
  const exits = new Map<string, number>()
  const count = (how: string) => exits.set(how, (exits.get(how) ?? 0) + 1)

  // Nearly a day: messages, and answers to an Idempotency-Key, last for one.
  const skewed = believing(random.chance(0.5) ? '-23h' : '+23h')
  /** Now and then a clock is wrong. */
  const clockOf = () => (random.chance(0.2) ? skewed : {})

  function supervise({ name, dir, port, cables, ...place }: MemberPlace): Member {
    let isOver = false
    const start = () => place.start(clockOf())
    let life = start()

    async function keep(): Promise<void> {
      while (!isOver) {
        const { code, signal } = await life.ended
        if (isOver) return
        count(`${name} ${code ?? signal}`)
        const isUsual = signal === 'SIGKILL' || startedAgain.includes(code)
        if (!isUsual)
          problem(`${name} ended with ${code ?? signal}: ${life.lines.slice(-8).join('\n')}`)
        if (code === 78) return
        await sleep(random.between(50, restartMsMax))
        if (!isOver) life = start()
      }
    }
    void keep()
    return {
      ...{ name, dir, port, cables },
      get life() {
        return life
      },
      async stop() {
        isOver = true
        await life.kill('SIGTERM')
      },
    }
  }

  const { a, b, masterKeyFile } = await prepareMembers(t, options)
  return { members: [supervise(a), supervise(b)], exits, masterKeyFile }
}
