// FerretDB, which speaks the protocol of MongoDB over SQLite.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { builtWithGo, type GoProgram, skipWithoutGo } from '../built-with-go.ts'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'

const version = 'v1.24.0'
const module = 'github.com/FerretDB/FerretDB'
/** It takes two minutes, and less without its other database. The module lacks the file with its version, and does not run without. */
const ferretdb: GoProgram = {
  name: 'ferretdb',
  version,
  build: `rm -rf source go.mod && go mod init stillup-test && go get ${module}/cmd/ferretdb@${version} &&
    cp -r "$(go list -m -f '{{.Dir}}' ${module})" source && chmod -R u+w source &&
    echo ${version} >source/build/version/version.txt && go mod edit -replace ${module}=./source &&
    mkdir -p building && go build -tags ferretdb_no_postgresql -o building/ferretdb ${module}/cmd/ferretdb && rm -rf source`,
}

/** Throws if it cannot be built. */
export function buildFerretdb(): string {
  return builtWithGo(ferretdb)
}

/** Why tests with MongoDB are skipped. */
export function skipWithoutFerretdb(): string | false {
  return skipWithoutGo(ferretdb)
}

export interface Ferretdb {
  readonly port: number
  readonly tlsPort: number
}

/** Signs in `ada` with the password `s3cret`, whom the database `admin` has. */
export async function startFerretdb(t: Test): Promise<Ferretdb> {
  const dir = innerFolder(t, 'ferretdb')
  const [port, tlsPort] = [await freePort(), await freePort()]
  for (const one of ['key', 'cert'] as const) {
    writeFileSync(join(dir, `${one}.pem`), testCertificates.good[one])
  }
  const child = childOf(t, buildFerretdb())
  const tls = [`--listen-tls-cert-file=${dir}/cert.pem`, `--listen-tls-key-file=${dir}/key.pem`]
  const user = ['--setup-database=admin', '--setup-username=ada', '--setup-password=s3cret']
  const quiet = ['--telemetry=disable', '--debug-addr=-', '--log-level=ERROR']
  const place = [`--state-dir=${dir}`, '--handler=sqlite', `--sqlite-url=file:${dir}/`]
  const ports = [`--listen-addr=127.0.0.1:${port}`, `--listen-tls=127.0.0.1:${tlsPort}`]
  const given = ['--test-enable-new-auth', ...user, ...quiet, ...place, ...ports, ...tls]
  await child.start(given, () => answersOn(tlsPort))
  return { port, tlsPort }
}
