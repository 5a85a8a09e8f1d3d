// Pebble, a certificate authority for tests, with a name server that has every name on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import type { Test } from 'tap'
import { testCa, testCertificates } from './certificates.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export interface Pebble {
  /** What the settings of a daemon need, without `STILLUP_`. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
  /** Anew after a stop: it has forgotten every account and order. */
  start(): Promise<void>
}

export interface PebbleOptions {
  /** Where it asks for the answers to its challenges. */
  readonly httpPort: number
  /** How many of a hundred good nonces it refuses. */
  readonly noncesRefused?: number
}

export async function startPebble(
  t: Test,
  { httpPort, noncesRefused = 0 }: PebbleOptions,
): Promise<Pebble> {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-pebble-'))
  const [port, managementPort, dnsPort, dnsManagementPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const files = {
    'ca.pem': testCa,
    'cert.pem': testCertificates.good.cert,
    'key.pem': testCertificates.good.key,
    'pebble.json': JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: join(dir, 'cert.pem'),
        privateKey: join(dir, 'key.pem'),
        httpPort,
        tlsPort: httpPort,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      },
    }),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const running: ChildProcess[] = []

  function run(program: string, args: readonly string[], env: Record<string, string> = {}): void {
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
    running.push(child)
  }

  async function stop(): Promise<void> {
    for (const child of running.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }

  async function start(): Promise<void> {
    run('pebble-challtestsrv', [
      ...['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-dns01', `127.0.0.1:${dnsPort}`],
      ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
      ...['-management', `127.0.0.1:${dnsManagementPort}`],
    ])
    const dnsServer = `127.0.0.1:${dnsPort}`
    run('pebble', ['-config', join(dir, 'pebble.json'), '-dnsserver', dnsServer], {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_AUTHZREUSE: '0',
      PEBBLE_WFE_NONCEREJECT: String(noncesRefused),
    })
    await until(() => answers(port))
    await until(() => answers(managementPort))
    // It asks for the names of whom it is to certify as soon as it is told to.
    await until(() => resolves(dnsServer))
  }

  t.teardown(async () => {
    await stop()
    rmSync(dir, { recursive: true })
  })
  await start()
  return {
    env: {
      ACME_DIRECTORY_URL: `https://127.0.0.1:${port}/dir`,
      ACME_CA_FILE: join(dir, 'ca.pem'),
      ACME_EMAIL: 'hostmaster@up.example',
    },
    stop,
    start,
  }
}

async function resolves(server: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 500, tries: 1 })
  resolver.setServers([server])
  return resolver.resolve4('up.example').then(
    () => true,
    () => false,
  )
}

/** Whether somebody speaks TLS there. */
async function answers(port: number): Promise<boolean> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
