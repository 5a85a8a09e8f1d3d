// Kafka clusters: those of franz-go (kfake), built where there is Go, with users and TLS.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { skipWithout } from '../programs.ts'
import { innerFolder } from '../test-folder.ts'

const source = join(import.meta.dirname, 'kafka')
const cache = join(import.meta.dirname, '../../../node_modules/.cache')
const buildMsMax = 400_000

/** The program, built once; a sentence why there is none. */
function built(): { readonly program: string } | { readonly problem: string } {
  const missing = skipWithout('go')
  if (missing !== false) return { problem: missing }
  const hash = createHash('sha256')
  for (const name of ['main.go', 'go.sum']) hash.update(readFileSync(join(source, name)))
  const program = join(cache, `kfake-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(program)) return { program }
  try {
    const env = { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' }
    const options = { cwd: source, env, stdio: 'ignore', timeout: buildMsMax } as const
    execFileSync('go', ['build', '-o', program, '.'], options)
    return { program }
  } catch {
    return { problem: 'could not be built: kfake' }
  }
}

const kfake = built()
export const skipWithoutKafka = 'problem' in kfake && kfake.problem

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
  const child = childOf(t, 'program' in kfake ? kfake.program : '')
  const args = [...ports.map(String), put('cert.pem', cert), put('key.pem', key)]
  // The last that it starts.
  await child.start(args, () => answersOn(tlsPort))
  return { port, otherPorts: [second, third], userPort, tlsPort }
}
