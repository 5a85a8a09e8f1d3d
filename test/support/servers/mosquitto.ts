// Mosquitto as Debian has it, with users, rights and TLS.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCa, testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'
import { nobody } from './nobody.ts'

export interface Mosquitto {
  readonly port: number
  readonly tlsPort: number
  /** Asks for a client certificate. */
  readonly mutualPort: number
  /** Lets anybody in. */
  readonly openPort: number
  /** Publishes with the client that others wrote. */
  publish(topic: string, message: string, ...options: readonly string[]): void
}

/** Signs in `ada` with the password `s3cret`, who may read `sensors/#` and do all in `jobs/#`. */
export async function startMosquitto(t: Test): Promise<Mosquitto> {
  const dir = innerFolder(t, 'mosquitto')
  const [port, tlsPort, openPort] = [await freePort(), await freePort(), await freePort()]
  const mutualPort = await freePort()
  const as = nobody()
  const put = (name: string, text: string): string => {
    const file = join(dir, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (as.uid !== undefined) chownSync(file, as.uid, as.gid ?? as.uid)
    return file
  }
  const passwords = put('passwords', '')
  execFileSync('mosquitto_passwd', ['-b', passwords, 'ada', 's3cret'], { stdio: 'ignore' })
  put('rights', 'user ada\ntopic read sensors/#\ntopic readwrite jobs/#\n')
  const [cert, key] = [
    put('cert.pem', testCertificates.good.cert),
    put('key.pem', testCertificates.good.key),
  ]
  const conf = `
    per_listener_settings true
    listener ${port} 127.0.0.1
    allow_anonymous false
    password_file ${passwords}
    acl_file ${join(dir, 'rights')}
    listener ${tlsPort} 127.0.0.1
    allow_anonymous true
    certfile ${cert}
    keyfile ${key}
    listener ${mutualPort} 127.0.0.1
    allow_anonymous true
    require_certificate true
    cafile ${put('ca.pem', testCa)}
    certfile ${cert}
    keyfile ${key}
    listener ${openPort} 127.0.0.1
    allow_anonymous true`
  const file = put('mosquitto.conf', conf.replaceAll(/^ +/gm, ''))
  chmodSync(dir, 0o755)
  const child = childOf(t, 'mosquitto', {}, as)
  await child.start(['-c', file], () => answersOn(openPort))
  return {
    port,
    tlsPort,
    mutualPort,
    openPort,
    publish(topic, message, ...options) {
      const way = ['-h', '127.0.0.1', '-p', String(openPort)]
      execFileSync('mosquitto_pub', [...way, '-t', topic, '-m', message, ...options])
    },
  }
}
