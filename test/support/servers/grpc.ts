// A gRPC server of grpc-go: see grpc/main.go.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { builtFrom, builtWithGo, skipWithoutGo } from '../built-with-go.ts'
import { testCertificates } from '../certificates.ts'
import { innerFolder } from '../test-folder.ts'

const grpcServer = builtFrom('grpc-server', join(import.meta.dirname, 'grpc'))

/** Throws if it cannot be built. */
export function buildGrpcServer(): string {
  return builtWithGo(grpcServer)
}

/** Why tests with gRPC are skipped. */
export function skipWithoutGrpc(): string | false {
  return skipWithoutGo(grpcServer)
}

interface GrpcServerOptions {
  readonly tls?: boolean
  readonly reflection?: 'both' | 'alpha' | 'none'
  /** What the metadata `authorization` must be. */
  readonly token?: string
  readonly health?: boolean
}

/** Its services `shop` and `stock`: the one is served, the other is not. Returns the port. */
export async function startGrpcServer(
  t: Test,
  { tls = false, reflection = 'both', token = '', health = true }: GrpcServerOptions = {},
): Promise<number> {
  const dir = innerFolder(t, 'grpc')
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')]
  writeFileSync(cert, testCertificates.good.cert)
  writeFileSync(key, testCertificates.good.key)
  const args = [`-reflection=${reflection}`, `-token=${token}`, `-health=${health}`]
  const secured = tls ? [`-cert=${cert}`, `-key=${key}`] : []
  const child = spawn(buildGrpcServer(), [...args, ...secured], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return Number(line.toString())
}
