// Real nats-servers on loopback: one, or three that form a cluster; stopped, killed, paused and started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import type { Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { connectCluster } from '../../src/cluster/connect.ts'
import type { JetStream } from '../../src/cluster/jetstream.ts'
import { inboxOf, memberRights } from '../../src/cluster/objects.ts'
import { initialize } from '../../src/cluster/setup.ts'
import { freePort } from './free-port.ts'
import { buildNatsServer } from './nats-server.ts'
import { innerFolder } from './test-folder.ts'
import { until } from './until.ts'

export interface NatsOptions {
  /** How many servers: 1 or 3. */
  readonly count?: 1 | 3
  readonly leaseMs?: number
  /** When a server puts on disk what it acknowledges; `2m` is the default of nats-server. */
  readonly sync?: 'always' | '2m'
  readonly maxPayload?: number
  /** What JetStream may keep on disk; nothing is reserved. */
  readonly fileBytesMax?: number
  readonly jetstream?: boolean
  /** Files in PEM: clients must use TLS then. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Makes the streams of the cluster; else there are none. */
  readonly initialized?: boolean
}

type NatsUser = 'operator' | 'a' | 'b'

/** The cell whose members a and b may use the servers. */
export const natsCell = 'c0'

const mebibyte = 1024 * 1024

export type NatsServers = Awaited<ReturnType<typeof startNatsServers>>

/** Whatever connects is closed with the test, before the servers end. */
export async function startNatsServers(
  t: Test,
  {
    count = 1,
    leaseMs = 15_000,
    sync = 'always',
    maxPayload = 8 * mebibyte,
    // The log alone may have 8 GiB.
    fileBytesMax = 64 * 1024 * mebibyte,
    jetstream: hasJetStream = true,
    tls,
    initialized = true,
  }: NatsOptions = {},
) {
  const program = buildNatsServer()
  const dir = innerFolder(t, 'nats')
  const clock = startClock()
  const keys = { operator: userKey(), a: userKey(), b: userKey() }
  const each = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `n${index + 1}`,
      port: await freePort(),
      monitorPort: await freePort(),
      routePort: await freePort(),
    })),
  )
  const running = new Map<number, ChildProcess>()
  const open: JetStream[] = []

  for (const [index, { name, port, monitorPort, routePort }] of each.entries()) {
    const routes = each.map((other) => `nats://127.0.0.1:${other.routePort}`)
    const settings = {
      listen: `127.0.0.1:${port}`,
      http: `127.0.0.1:${monitorPort}`,
      server_name: name,
      max_payload: maxPayload,
      ...(hasJetStream
        ? {
            jetstream: {
              store_dir: join(dir, name),
              max_mem: 64 * mebibyte,
              max_file: fileBytesMax,
              sync_interval: sync,
            },
          }
        : {}),
      ...(count > 1 ? { cluster: { name: 'test', listen: `127.0.0.1:${routePort}`, routes } } : {}),
      ...(tls ? { tls: { cert_file: join(dir, 'cert.pem'), key_file: join(dir, 'key.pem') } } : {}),
      authorization: {
        users: [
          { nkey: keys.operator.user },
          { nkey: keys.a.user, permissions: memberRights(natsCell, 'a') },
          { nkey: keys.b.user, permissions: memberRights(natsCell, 'b') },
        ],
      },
    }
    writeFileSync(join(dir, 'cert.pem'), tls?.cert ?? '')
    writeFileSync(join(dir, 'key.pem'), tls?.key ?? '')
    writeFileSync(join(dir, `${index}.conf`), JSON.stringify(settings))
  }

  function begin(index: number): void {
    const args = ['-c', join(dir, `${index}.conf`), '-l', join(dir, `${index}.log`)]
    running.set(index, spawn(program, args, { stdio: 'ignore' }))
  }

  async function end(index: number, signal: NodeJS.Signals): Promise<void> {
    const child = running.get(index)
    running.delete(index)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  const monitorUrls = each.map(({ monitorPort }) => `http://127.0.0.1:${monitorPort}`)

  /** Whether the server has JetStream, whose group has a leader. */
  async function isReady(index: number): Promise<boolean> {
    const url = `${monitorUrls[index]}/healthz${hasJetStream ? '' : '?js-enabled-only=false'}`
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  const urls = each.map(({ port }) => `${tls ? 'tls' : 'nats'}://127.0.0.1:${port}`)

  async function connectAs(user: NatsUser, servers: readonly string[] = urls): Promise<JetStream> {
    const inbox = user === 'operator' ? '_INBOX.operator' : inboxOf(natsCell, user)
    const jetstream = await connectCluster(
      { servers, seed: keys[user].seed, name: user, inbox, clock, requestMs: 500, retryMs: 20 },
      patience(),
    )
    open.push(jetstream)
    return jetstream
  }

  t.teardown(async () => {
    await Promise.all(open.map((jetstream) => jetstream.close()))
    await Promise.all(each.map((_, index) => end(index, 'SIGKILL')))
    clock.stop()
  })
  const indexes = each.map((_, index) => index)
  for (const index of indexes) begin(index)
  await Promise.all(indexes.map((index) => until(() => isReady(index))))
  const objects = { cell: natsCell, leaseMs, replicas: count }
  if (initialized && hasJetStream) {
    const operator = await connectAs('operator')
    await initialize(operator, { ...objects, signal: patience(), settleMs: 0 })
  }
  return {
    urls,
    monitorUrls,
    clock,
    objects,
    seeds: { operator: keys.operator.seed, a: keys.a.seed, b: keys.b.seed },
    /** A connection of the user; members have the rights of members. */
    connectAs,
    /** As a power cut does, but what was written stays. */
    kill: (index: number) => end(index, 'SIGKILL'),
    stop: (index: number) => end(index, 'SIGTERM'),
    pause: (index: number) => running.get(index)?.kill('SIGSTOP'),
    resume: (index: number) => running.get(index)?.kill('SIGCONT'),
    /** Starts it again on its data. */
    async restart(index: number): Promise<void> {
      begin(index)
      await until(() => isReady(index))
    },
    /** Which server leads the stream. */
    async leaderOf(stream: string): Promise<number> {
      const operator = await connectAs('operator')
      return until(async () => {
        const ask = () => operator.asked<StreamLeader>(`STREAM.INFO.${stream}`, null)
        const { cluster } = await operator.persist(ask, patience())
        const index = each.findIndex(({ name }) => name === cluster?.leader)
        return index < 0 ? undefined : index
      })
    },
  }
}

interface StreamLeader {
  readonly cluster?: { readonly leader?: string }
}

const patienceMs = 60_000

/** The signal of a question that is answered, sooner or later. */
export const patience = () => AbortSignal.timeout(patienceMs)

function userKey() {
  const pair = nkeys.createUser()
  return { user: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString('utf8') }
}
