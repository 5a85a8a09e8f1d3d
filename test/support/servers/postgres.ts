// PostgreSQL as Debian has it, with a data directory of its own.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCa, testCertificates } from '../certificates.ts'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { copyPrepared, type PreparedFolder } from '../prepared-folder.ts'
import { nobody } from './nobody.ts'

/** Its programs are not on PATH. */
const [bin] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()

export const skipWithoutPostgres =
  bin !== undefined && existsSync(join(bin, 'initdb')) ? false : 'not installed: postgresql'

export interface Postgres {
  readonly port: number
  /** Runs SQL as the owner of the server. */
  sql(text: string): string
  stop(): Promise<void>
  /** Starts it again, where it was stopped. */
  start(): Promise<void>
}

function own(folder: string): void {
  const as = nobody()
  chmodSync(folder, 0o700)
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid ?? as.uid)
}

const firstData: PreparedFolder = {
  name: 'postgres-data',
  program: join(bin ?? '', 'initdb'),
  make(data) {
    mkdirSync(data)
    own(data)
    const ways = ['--auth-local=trust', '--auth-host=scram-sha-256']
    const args = ['-D', data, '-U', 'owner', '--no-sync', ...ways]
    execFileSync(join(bin ?? '', 'initdb'), args, { ...nobody(), cwd: data, stdio: 'pipe' })
  },
}

/**
 * Signs in by SCRAM, as `ada` with the password `s3cret`, and `good` by a client certificate; offers TLS unless
 * `tls` is false.
 */
export async function startPostgres(
  t: Pick<Test, 'teardown'>,
  { tls = true } = {},
): Promise<Postgres> {
  // Not the folder of the test: the path of a socket has at most 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'postgres-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const data = join(dir, 'data')
  const as = nobody()
  const port = await freePort()
  own(dir)
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(join(bin ?? '', program), args, {
      ...as,
      cwd: dir,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  copyPrepared(firstData, data)
  const files = {
    'server.key': testCertificates.good.key,
    'server.crt': testCertificates.good.cert,
    'ca.crt': testCa,
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(data, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (as.uid !== undefined) chownSync(file, as.uid, as.gid ?? as.uid)
  }
  const rules = join(data, 'pg_hba.conf')
  const usual = readFileSync(rules, 'utf8')
  writeFileSync(rules, `hostssl all good 127.0.0.1/32 cert\n${usual}`)
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: dir,
    fsync: 'off',
    ssl: tls ? 'on' : 'off',
    ssl_cert_file: 'server.crt',
    ssl_key_file: 'server.key',
    ssl_ca_file: 'ca.crt',
  }
  const child = childOf(t, join(bin ?? '', 'postgres'), {}, as)
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const sql = (text: string): string =>
    run('psql', ['-h', dir, '-p', String(port), '-U', 'owner', '-d', 'postgres', '-At', '-c', text])
  const isReady = (): boolean => {
    try {
      return sql('SELECT 1') !== ''
    } catch {
      return false
    }
  }
  const start = () => child.start(['-D', data, ...given], async () => isReady())
  await start()
  sql("CREATE ROLE ada LOGIN PASSWORD 's3cret'")
  sql('CREATE ROLE good LOGIN')
  sql('CREATE DATABASE shop OWNER ada')
  return {
    port,
    sql,
    start,
    async stop() {
      // In order, so that nothing of it is left when it starts again.
      run('pg_ctl', ['-D', data, '-m', 'fast', 'stop'])
      await child.stop()
    },
  }
}
