// Proxies as Debian has them: tinyproxy for HTTP, microsocks and Dante for SOCKS 5.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'
import { nobody } from './nobody.ts'

/** Signs in `ada` with the password `s3cret`, if `login`; lets through to `ports` alone. Returns its port. */
export async function startTinyproxy(
  t: Test,
  { login = false, ports = [] as readonly number[] } = {},
): Promise<number> {
  const port = await freePort()
  const conf = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Timeout 20',
    'LogLevel Critical',
    ...(login ? ['BasicAuth ada s3cret'] : []),
    ...ports.map((one) => `ConnectPort ${one}`),
  ]
  const file = join(innerFolder(t, 'tinyproxy'), 'tinyproxy.conf')
  writeFileSync(file, `${conf.join('\n')}\n`)
  await childOf(t, 'tinyproxy').start(['-d', '-c', file], () => answersOn(port))
  return port
}

/** Signs in `ada` with the password `s3cret`, if `login`. Returns its port. */
export async function startMicrosocks(t: Test, { login = false } = {}): Promise<number> {
  const port = await freePort()
  const args = ['-i', '127.0.0.1', '-p', String(port)]
  const users = login ? ['-u', 'ada', '-P', 's3cret'] : []
  await childOf(t, 'microsocks').start([...args, ...users], () => answersOn(port))
  return port
}

/** Lets nobody through to `blockedPort`. Returns its port. */
export async function startDante(t: Test, blockedPort: number): Promise<number> {
  const port = await freePort()
  const dir = innerFolder(t, 'dante')
  chmodSync(dir, 0o777)
  const both = 'from: 0/0 to: 0/0'
  const conf = `
    logoutput: /dev/null
    internal: 127.0.0.1 port = ${port}
    external: lo
    clientmethod: none
    socksmethod: none
    client pass { from: 0/0 to: 0/0 }
    socks block { ${both} port = ${blockedPort} }
    socks pass { ${both} }`
  const file = join(dir, 'danted.conf')
  writeFileSync(file, conf)
  // It shares memory through files of its own.
  const child = childOf(t, 'danted', { TMPDIR: dir }, nobody())
  await child.start(['-f', file, '-p', join(dir, 'danted.pid')], () => answersOn(port))
  return port
}
