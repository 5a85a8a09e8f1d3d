// Servers that others wrote, as child processes of a test: nginx, Caddy, dnsmasq and Prometheus, on
// their own ports.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from './certificates.ts'
import { freePort } from './free-port.ts'
import { testFolder } from './test-folder.ts'
import { until } from './until.ts'

/** A program that is started and stopped again and again, and gone when the test ends. */
export interface Child {
  /** Starts it, anew where it runs already; resolves once it answers, rejects if it is late. */
  start(args: readonly string[], answers: () => Promise<boolean>, timeoutMs?: number): Promise<void>
  stop(): Promise<void>
}

/** `uid` and `gid`: as whom it runs, where the test runs as root; `cwd`: where it may leave files. */
export function childOf(
  t: Pick<Test, 'teardown'>,
  program: string,
  env: Readonly<Record<string, string>> = {},
  as: { readonly uid?: number; readonly gid?: number; readonly cwd?: string } = {},
): Child {
  let running: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    const child = running
    running = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  t.teardown(stop)
  return {
    stop,
    async start(args, answers, timeoutMs) {
      await stop()
      let said = ''
      const child = spawn(program, args, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...env },
        ...as,
      })
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      running = child
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
        return answers()
      }, timeoutMs)
    },
  }
}

export interface Nginx {
  /** Where it speaks HTTP/1.1. */
  readonly port: number
  /** Where it speaks TLS, and HTTP/2 with whoever offers it. */
  readonly tlsPort: number
  /** Starts it, or starts it anew with other locations or another certificate. */
  start(settings?: NginxSettings): Promise<void>
  stop(): Promise<void>
}

interface NginxSettings {
  /** In the words of nginx. */
  readonly locations?: string
  readonly certificate?: { readonly key: string; readonly cert: string }
}

/** nginx with a directory and a configuration of its own, not started yet. */
export async function prepareNginx(t: Test, usual: string): Promise<Nginx> {
  const dir = testFolder(t, { temp: {} })
  const [port, tlsPort] = [await freePort(), await freePort()]
  const child = childOf(t, 'nginx')
  return {
    port,
    tlsPort,
    stop: child.stop,
    async start({ locations = usual, certificate = testCertificates.good } = {}) {
      mkdirSync(join(dir, 'temp'), { recursive: true })
      writeFileSync(join(dir, 'key.pem'), certificate.key)
      writeFileSync(join(dir, 'cert.pem'), certificate.cert)
      writeFileSync(join(dir, 'nginx.conf'), nginxConf({ port, tlsPort, locations }))
      await child.start(['-p', dir, '-e', 'stderr', '-c', 'nginx.conf'], () => answersOn(tlsPort))
    },
  }
}

interface NginxConf {
  readonly port: number
  readonly tlsPort: number
  readonly locations: string
}

/** Paths are below the directory; one process, so that killing it ends all of it. */
function nginxConf({ port, tlsPort, locations }: NginxConf): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off; master_process off; pid nginx.pid;
    events {}
    http {
      ${kinds.map((kind) => `${kind}_temp_path temp;`).join(' ')}
      access_log off; default_type text/plain;
      server {
        listen 127.0.0.1:${port};
        listen 127.0.0.1:${tlsPort} ssl http2;
        ssl_certificate cert.pem; ssl_certificate_key key.pem;
        ${locations}
      }
    }`
}

export interface Caddy {
  /** Where it speaks HTTP/1.1, to redirect. */
  readonly port: number
  /** Where it speaks TLS. */
  readonly tlsPort: number
  /**
   * Starts it with the sites of a Caddyfile and more global options. `answersAt`: the port of the sites, by
   * default that for TLS.
   */
  start(sites: string, options?: string, answersAt?: number): Promise<void>
}

/** Caddy with a certificate authority and a directory of its own, not started yet. */
export async function prepareCaddy(t: Test): Promise<Caddy> {
  const dir = testFolder(t, { data: {} })
  const [port, tlsPort] = [await freePort(), await freePort()]
  // It keeps a copy of its configuration there.
  const child = childOf(t, 'caddy', { XDG_CONFIG_HOME: dir })
  const usual = `
    admin off
    local_certs
    skip_install_trust
    default_bind 127.0.0.1
    http_port ${port}
    https_port ${tlsPort}
    storage file_system ${join(dir, 'data')}`
  return {
    port,
    tlsPort,
    async start(sites, options = '', answersAt = tlsPort) {
      const file = join(dir, 'Caddyfile')
      writeFileSync(file, `{${usual}\n${options}\n}\n\n${sites}`)
      const args = ['run', '--config', file, '--adapter', 'caddyfile']
      await child.start(args, () => answersOn(answersAt))
    },
  }
}

export interface Dnsmasq {
  /** As `address:port`. */
  readonly server: string
  /** Starts it, or starts it anew, with records in the words of its options. */
  start(records: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** dnsmasq for the zone `test`, not started yet. */
export async function prepareDnsmasq(t: Test): Promise<Dnsmasq> {
  const port = await freePort()
  const child = childOf(t, 'dnsmasq')
  const usual = [
    ...['--keep-in-foreground', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', '--pid-file'],
    ...[`--port=${port}`, '--listen-address=127.0.0.1', '--bind-interfaces', '--log-facility=-'],
    ...['--local=/test/', '--local-ttl=60'],
  ]
  return {
    server: `127.0.0.1:${port}`,
    stop: child.stop,
    // It takes connections as well as packets.
    start: (records) => child.start([...usual, ...records], () => answersOn(port)),
  }
}

export interface Prometheus {
  /** What its interface answers below /api/v1. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(path: string): Promise<any>
}

/** Prometheus with a settings file, started; `dir` gets its data. */
export async function startPrometheus(t: Test, dir: string, settings: string): Promise<Prometheus> {
  const port = await freePort()
  const file = join(dir, 'prometheus.yml')
  writeFileSync(file, settings)
  const child = childOf(t, 'prometheus')
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await child.start(args, () =>
    get('/-/ready').then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    async ask(path) {
      const response = await get(`/api/v1/${path}`)
      const { data } = (await response.json()) as { readonly data: unknown }
      return data
    },
  }
}

export async function answersOn(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' })
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
