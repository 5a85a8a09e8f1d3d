// Three NATS servers on loopback with a log that is on disk before it is acknowledged, and the key of a member.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newUserKey } from '../../../../src/cluster/user-key.ts'
import { buildNatsServer } from '../../../../test/support/nats-server.ts'
import { freePort } from '../../world/daemon.ts'
import { ended, type Workplace } from '../../world/workplace.ts'

const servers = [1, 2, 3] as const
const readyPollMs = 50
const readyMsMax = 30_000
const endMsMax = 10_000

export interface NatsCluster {
  readonly pids: readonly number[]
  /** What a member is told of it. */
  readonly settings: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/** The only user may do everything: what is measured is not who may what. */
export async function startNats(work: Workplace): Promise<NatsCluster> {
  const program = buildNatsServer()
  const key = newUserKey()
  const keyFile = join(work.root, 'member.nk')
  writeFileSync(keyFile, key.seed, { mode: 0o600 })
  const each = await Promise.all(
    servers.map(async (number) => ({
      name: `n${number}`,
      port: await freePort(),
      monitorPort: await freePort(),
      routePort: await freePort(),
    })),
  )
  const routes = each.map(({ routePort }) => `nats://127.0.0.1:${routePort}`)
  const children = each.map(({ name, port, monitorPort, routePort }) => {
    const dir = join(work.root, name)
    mkdirSync(dir)
    const config = {
      server_name: name,
      listen: `127.0.0.1:${port}`,
      http: `127.0.0.1:${monitorPort}`,
      max_payload: 8 * 1024 ** 2,
      jetstream: { store_dir: dir, max_file: 64 * 1024 ** 3, sync_interval: 'always' },
      cluster: { name: 'bench', listen: `127.0.0.1:${routePort}`, routes },
      authorization: { users: [{ nkey: key.user }] },
    }
    const file = join(work.root, `${name}.conf`)
    writeFileSync(file, JSON.stringify(config))
    const logFile = join(work.root, `${name}.log`)
    return work.run(program, ['-c', file], { env: process.env, cwd: work.root, logFile })
  })
  const urls = each.map(({ monitorPort }) => `http://127.0.0.1:${monitorPort}`)
  const untilMs = performance.now() + readyMsMax
  for (const url of urls) {
    while (!(await isHealthy(url))) {
      if (performance.now() > untilMs) throw new Error('the NATS servers are not ready')
      await sleep(readyPollMs)
    }
  }
  return {
    pids: children.map(({ pid }) => pid ?? 0),
    settings: {
      STILLUP_CLUSTER_SERVERS: each.map(({ port }) => `nats://127.0.0.1:${port}`).join(),
      STILLUP_CLUSTER_NKEY_FILE: keyFile,
      STILLUP_CLUSTER_MONITOR_URLS: urls.join(),
    },
    async stop() {
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(children.map((child) => ended(child, endMsMax)))
    },
  }
}

const isHealthy = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
