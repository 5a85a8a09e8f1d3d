// Kafka clusters: those of franz-go (kfake), built where there is Go, with users and TLS.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { builtFrom, builtWithGo, skipWithoutGo } from '../built-with-go.ts'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'

const kfake = builtFrom('kfake', join(import.meta.dirname, 'kafka'))

/** Throws if it cannot be built. */
export function buildKafka(): string {
  return builtWithGo(kfake)
}

/** Why tests with Kafka are skipped. */
export function skipWithoutKafka(): string | false {
  return skipWithoutGo(kfake)
}

export interface KafkaClusters {
  /** A cluster of three brokers without a sign-in: its group `shop` is 18 orders behind. */
  readonly port: number
  /** The other brokers of it. */
  readonly otherPorts: readonly number[]
  /** A cluster with users: `ada`, `bob` and `eve`, each with a mechanism, and the password `s3cret`. */
  readonly userPort: number
  /** The same with TLS. */
  readonly tlsPort: number
}

export async function startKafka(t: Test): Promise<KafkaClusters> {
  const dir = innerFolder(t, 'kafka')
  const put = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const ports: number[] = []
  while (ports.length < 5) ports.push(await freePort())
  const [port = 0, second = 0, third = 0, userPort = 0, tlsPort = 0] = ports
  const { cert, key } = testCertificates.good
  const child = childOf(t, buildKafka())
  const args = [...ports.map(String), put('cert.pem', cert), put('key.pem', key)]
  // The last that it starts.
  await child.start(args, () => answersOn(tlsPort))
  return { port, otherPorts: [second, third], userPort, tlsPort }
}
