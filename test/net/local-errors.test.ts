// Whatever goes wrong on this machine while it looks or sends is never held against a target.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { addresses, startBadNameServer } from '../support/bad-name-server.ts'
import { type Serve, startBadServer } from '../support/bad-server.ts'
import { bareNode } from '../support/bare-node.ts'
import { testCertificates } from '../support/certificates.ts'
import type { InTrouble, Trouble, Troubles } from '../support/checks-in-trouble.ts'
import { makeFakePing } from '../support/fake-ping.ts'
import { skipWithout } from '../support/programs.ts'
import { startReceiver } from '../support/receiver.ts'
import { buildSocketShim } from '../support/socket-shim.ts'
import { testFolder } from '../support/test-folder.ts'
import { startEchoServer } from '../support/websocket.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../support/checks-in-trouble.ts')

/** What this machine itself says: no packet told it. */
const own: readonly Trouble[] = [
  ...(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EACCES', 'EPERM', 'EAFNOSUPPORT'] as const).map(
    (error) => ['socket', error] as const,
  ),
  ...(
    [
      ...['EADDRNOTAVAIL', 'EADDRINUSE', 'ENETDOWN', 'ENETUNREACH', 'EHOSTUNREACH', 'EACCES'],
      ...['EPERM', 'ENOBUFS', 'ENOMEM', 'EAGAIN', 'EINVAL'],
    ] as const
  ).map((error) => ['connect', error] as Trouble),
  ...(['EPERM'] as const).map((error) => ['write', error] as const),
  ...(['ENOBUFS', 'ENOMEM'] as const).map((error) => ['read', error] as const),
  ...(['EAGAIN', 'EMFILE', 'ENOMEM'] as const).map((error) => ['start', error] as const),
]
/** What a router on the way may have said as well as our own. */
const ambiguous: readonly Trouble[] = [
  ['heard', 'EHOSTUNREACH'],
  ['heard', 'ENETUNREACH'],
  ['heard', 'ETIMEDOUT'],
  ['heard', 'EACCES'],
  ['read', 'EHOSTUNREACH'],
  ['read', 'ETIMEDOUT'],
]

const byIcmp = 'ping by ICMP'

const speaks: Serve = (socket) => void socket.write('hello')
const mails: Serve = (socket) => {
  socket.write('220 mx.test\r\n')
  socket.on('data', (line) => socket.write(/^QUIT/.test(String(line)) ? '221 x\r\n' : '250 x\r\n'))
}

const skip = process.platform === 'linux' ? skipWithout('gcc') : 'LD_PRELOAD needs Linux'

t.test('faults of the prober', { skip }, async (t) => {
  const web = http2.createSecureServer({ ...testCertificates.good, allowHTTP1: true })
  web.on('request', (_, response) => response.end('hello'))
  web.on('sessionError', () => {})
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const webPort = (web.address() as AddressInfo).port
  const plain = await startReceiver()
  plain.always({ status: 200, body: 'hello' })
  const echo = await startEchoServer()
  const tcp = await startBadServer(speaks)
  const smtp = await startBadServer(mails)
  const numbers = Array.from({ length: own.length + ambiguous.length }, (_, n) => n)
  const zone = numbers.map((n) => [`n${n}.test`, addresses(['192.0.2.1'])] as const)
  const names = await startBadNameServer(Object.fromEntries(zone))
  // The program of the system may be missing, or not permitted.
  const ping = makeFakePing()
  t.teardown(async () => {
    ping.remove()
    web.close()
    echo.close()
    names.close()
    await Promise.all([plain.close(), tcp.close(), smtp.close()])
  })
  const portOf = (place: string) => Number(/:(\d+)/.exec(place)?.[1])
  const plainPort = portOf(plain.url)
  const plainPorts = [plainPort, portOf(echo.url), tcp.port, smtp.port]
  const namesPort = portOf(names.server)
  const all = [...plainPorts, webPort, namesPort]
  const expect = { bodyContains: 'hello' }
  const input: Troubles = {
    webhookUrl: plain.url,
    nameServer: names.server,
    pingPath: ping.path,
    ports: {
      ...{ socket: all, connect: all, heard: all, start: [] },
      // Node reports no error of a write below TLS: such a check ends with its time.
      write: [...plainPorts, namesPort],
      read: [...plainPorts, webPort],
    },
    troubles: [...own, ...ambiguous],
    targets: {
      'web page': { url: `http://192.0.2.1:${plainPort}/` },
      'page with a word': {
        ...{ url: `http://192.0.2.1:${plainPort}/`, checkType: 'keyword', expect },
      },
      'page by name': { url: `http://n{n}.test:${plainPort}/` },
      'page by HTTP/2': { url: `https://192.0.2.1:${webPort}/`, ignoreTlsErrors: true },
      certificate: { url: `tls://127.0.0.1:${webPort}`, checkType: 'ssl' },
      port: { url: `tcp://192.0.2.1:${tcp.port}`, checkType: 'tcp', expect },
      'port that is talked to': {
        ...{ url: `tcp://192.0.2.1:${tcp.port}`, checkType: 'tcp', body: 'hi', expect },
      },
      WebSocket: { url: echo.url.replace('127.0.0.1', '192.0.2.1'), checkType: 'websocket' },
      'WebSocket that is listened to': {
        ...{ url: echo.url.replace('127.0.0.1', '192.0.2.1'), checkType: 'websocket', expect },
      },
      'mail server': { url: `smtp://192.0.2.1:${smtp.port}`, checkType: 'smtp' },
      ping: { url: `ping://192.0.2.1:${tcp.port}`, checkType: 'ping' },
      // Its answer is that of a program, which a busy machine starts late.
      [byIcmp]: { url: 'ping://127.0.0.1', checkType: 'ping', timeoutMs: 30_000 },
      name: { url: 'dns://n{n}.test', checkType: 'dns' },
      'name at a server': {
        ...{ url: `dns://n{n}.test?server=${names.server}`, checkType: 'dns' },
      },
    },
  }
  const shim = buildSocketShim(testFolder(t))
  const { stdout } = await run(...bareNode([script, JSON.stringify(input)], shim))
  const found = JSON.parse(stdout) as InTrouble[]
  t.equal(found.length, input.troubles.length * (Object.keys(input.targets).length + 1))
  const told = ({ trouble, what, end, message }: InTrouble) => {
    return `${trouble.join(' ')}, ${what}: ${end} (${message})`
  }
  const isOwn = ({ trouble: [call, error] }: InTrouble) => {
    return own.some(([ownCall, ownError]) => ownCall === call && ownError === error)
  }

  t.same(
    found.filter((one) => isOwn(one) && /^(failed|dead)/.test(one.end)).map(told),
    [],
    'trouble of this machine is held against nobody',
  )
  const isFatal = ({ trouble: [call] }: InTrouble) => call === 'socket' || call === 'connect'
  t.same(
    found.filter((one) => isFatal(one) && one.end === 'good' && one.what !== byIcmp).map(told),
    [],
    'where there can be no connection nothing is found',
  )
  t.same(
    found.filter(({ trouble: [call], what }) => call === 'start' && what === byIcmp).map(endOf),
    Array(3).fill('unknown connect'),
    'a ping that cannot be started says nothing, and neither does a port in its place',
  )
  const isFar = ({ what }: InTrouble) => input.targets[what]?.url?.includes('192.0.2.1') === true
  const isDoubted = ({ end }: InTrouble) => /^failed \w+ \(ipv4\)$/.test(end)
  t.same(
    found
      .filter((one) => !isOwn(one) && isFar(one) && one.end !== 'good' && !isDoubted(one))
      .map(told),
    [],
    'what the network says is held against the target unless our own network is lost',
  )
  const heard = found.filter((one) => one.trouble[0] === 'heard' && isFar(one))
  t.ok(heard.length > 0 && heard.every(isDoubted))
  t.same(
    found.filter(({ after }) => after !== 'good').map((one) => `${told(one)}, then ${one.after}`),
    [],
    'all is well again with the next check',
  )
})

const endOf = ({ end }: InTrouble) => end
