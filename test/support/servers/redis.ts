// Redis as Debian has it, in memory only.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'

export interface Redis {
  readonly port: number
  readonly tlsPort: number
  stop(): Promise<void>
}

/** Signs in with the password `s3cret`, or as `ada` with `l0velace`, who may only read. */
export async function startRedis(t: Test): Promise<Redis> {
  const dir = innerFolder(t, 'redis')
  const [port, tlsPort] = [await freePort(), await freePort()]
  writeFileSync(join(dir, 'key.pem'), testCertificates.good.key)
  writeFileSync(join(dir, 'cert.pem'), testCertificates.good.cert)
  const conf = `
    bind 127.0.0.1
    port ${port}
    tls-port ${tlsPort}
    tls-cert-file cert.pem
    tls-key-file key.pem
    tls-ca-cert-file cert.pem
    tls-auth-clients no
    dir ${dir}
    save ""
    requirepass s3cret
    user ada on >l0velace ~* +@read +ping`
  writeFileSync(join(dir, 'redis.conf'), conf.replaceAll(/^ +/gm, ''))
  const child = childOf(t, 'redis-server')
  const paths = ['--tls-cert-file', join(dir, 'cert.pem'), '--tls-key-file', join(dir, 'key.pem')]
  const ca = ['--tls-ca-cert-file', join(dir, 'cert.pem')]
  await child.start([join(dir, 'redis.conf'), ...paths, ...ca], () => answersOn(port))
  return { port, tlsPort, stop: child.stop }
}
