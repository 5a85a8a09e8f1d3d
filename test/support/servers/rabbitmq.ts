// RabbitMQ as Debian has it, with a virtual host, users and TLS.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'

/** The script on PATH would change the user and the folder. */
const program = '/usr/lib/rabbitmq/bin/rabbitmq-server'

export const skipWithoutRabbitmq = existsSync(program) ? false : 'not installed: rabbitmq-server'

export interface Rabbitmq {
  readonly port: number
  readonly tlsPort: number
  /** Puts three messages into `letters`, and consumes `mails`. */
  startWorker(): void
}

/** The server takes longer than all others. */
const startMsMax = 180_000

const salt = Buffer.from('salt')
const hashOf = (password: string): string =>
  Buffer.concat([salt, createHash('sha256').update(salt).update(password).digest()]).toString(
    'base64',
  )
const algorithm = 'rabbit_password_hashing_sha256'

/** The virtual host `shop` has the queues `mails` and `letters`. */
const definitions = {
  vhosts: [{ name: '/' }, { name: 'shop' }],
  users: [
    { name: 'ada', password_hash: hashOf('s3cret'), hashing_algorithm: algorithm, tags: '' },
    { name: 'eve', password_hash: hashOf('s3cret'), hashing_algorithm: algorithm, tags: '' },
  ],
  permissions: [
    { user: 'ada', vhost: 'shop', configure: '', write: '.*', read: '.*' },
    { user: 'eve', vhost: 'shop', configure: '', write: '', read: '' },
  ],
  queues: ['mails', 'letters'].map((name) => {
    return { name, vhost: 'shop', durable: true, auto_delete: false, arguments: {} }
  }),
}

const short = (text: string): Buffer =>
  Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
const long = (text: string): Buffer => Buffer.concat([wide(text.length), Buffer.from(text)])
const wide = (value: number): Buffer => Buffer.from([0, 0, value >> 8, value & 0xff])
const frame = (type: number, channel: number, ...parts: readonly Buffer[]): Buffer => {
  const payload = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([type, 0, channel]), wide(payload.length), payload, end])
}
const method = (channel: number, classId: number, id: number, ...args: readonly Buffer[]): Buffer =>
  frame(1, channel, Buffer.from([0, classId, 0, id]), ...args)
const end = Buffer.from([0xce])
const zeros = (count: number): Buffer => Buffer.alloc(count)

/** A worker, in frames as they are: it puts three messages into `letters`, and waits for some of `mails`. */
function startWorker(t: Test, port: number): void {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  const login = [zeros(4), short('PLAIN'), long('\0ada\0s3cret'), short('en_US')]
  const message = [
    method(1, 60, 40, zeros(3), short('letters'), zeros(1)),
    frame(2, 1, Buffer.from([0, 60, 0, 0]), zeros(4), wide(2), zeros(2)),
    frame(3, 1, Buffer.from('hi')),
  ]
  const said = [
    method(0, 10, 11, ...login),
    method(0, 10, 31, Buffer.from([0, 1]), wide(8_192), zeros(2)),
    method(0, 10, 40, short('shop'), zeros(2)),
    method(1, 20, 10, zeros(1)),
    ...[1, 2, 3].flatMap(() => message),
    method(1, 60, 20, zeros(2), short('mails'), zeros(1), zeros(1), zeros(4)),
  ]
  socket.write(Buffer.concat([Buffer.from('AMQP\0\0\x09\x01', 'latin1'), ...said]))
}

/** Signs in `ada` and `eve` with the password `s3cret`; `eve` has no rights in any queue. */
export async function startRabbitmq(t: Test): Promise<Rabbitmq> {
  // It waits for the disk dozens of times before it answers.
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'rabbitmq-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const [port, tlsPort, names, nodes] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const put = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const conf = `
    listeners.tcp.1 = 127.0.0.1:${port}
    listeners.ssl.1 = 127.0.0.1:${tlsPort}
    ssl_options.certfile = ${put('cert.pem', testCertificates.good.cert)}
    ssl_options.keyfile = ${put('key.pem', testCertificates.good.key)}
    load_definitions = ${put('definitions.json', JSON.stringify(definitions))}
    log.file = false`
  const env = {
    HOME: dir,
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: 'rabbit@localhost',
    RABBITMQ_DIST_PORT: String(nodes),
    RABBITMQ_CONFIG_FILE: put('rabbitmq.conf', conf.replaceAll(/^ +/gm, '')),
    RABBITMQ_ENABLED_PLUGINS_FILE: put('plugins', '[].'),
    RABBITMQ_MNESIA_BASE: join(dir, 'data'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    // In the foreground, so that it ends with the test.
    RABBITMQ_ALLOW_INPUT: '1',
    // One scheduler, and none that waits busily: other tests want the processor.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none -noinput',
  }
  // The server would start one that stays.
  const epmd = childOf(t, 'epmd', env)
  await epmd.start(['-address', '127.0.0.1', '-port', String(names)], () => answersOn(names))
  const child = childOf(t, program, env, { cwd: dir })
  await child.start([], () => answersOn(tlsPort), startMsMax)
  return { port, tlsPort, startWorker: () => startWorker(t, port) }
}
