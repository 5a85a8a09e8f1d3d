// MariaDB as Debian has it, with a data directory of its own.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { copyPrepared, type PreparedFolder } from '../prepared-folder.ts'
import { nobody } from './nobody.ts'

/** It is not on the PATH of everybody. */
const program = '/usr/sbin/mariadbd'

export const skipWithoutMariadb = existsSync(program) ? false : 'not installed: mariadb-server'

export interface Mariadb {
  readonly port: number
  /** Runs SQL as the owner of the server. */
  sql(text: string): string
  /** Starts it again, so that it does not offer TLS. */
  withoutTls(): Promise<void>
  /** What the server wrote into its log. */
  log(): string
}

const small = ['--innodb-log-file-size=4M', '--innodb-flush-log-at-trx-commit=0']

const firstData: PreparedFolder = {
  name: 'mariadb-data',
  program,
  make(data) {
    const as = nobody()
    mkdirSync(data)
    if (as.uid !== undefined) chownSync(data, as.uid, as.gid ?? as.uid)
    const auth = '--auth-root-authentication-method=normal'
    const made = [`--datadir=${data}`, auth, '--skip-test-db', ...small]
    const quiet = { ...as, cwd: data, stdio: 'pipe' } as const
    execFileSync('mariadb-install-db', ['--no-defaults', ...made], quiet)
  },
}

/** Signs in `ada` with the password `s3cret`, to the database `shop`; offers TLS. */
export async function startMariadb(t: Test): Promise<Mariadb> {
  // Not the folder of the test: the path of a socket has at most 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'mariadb-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const as = nobody()
  const port = await freePort()
  const own = (path: string, mode: number): void => {
    chmodSync(path, mode)
    if (as.uid !== undefined) chownSync(path, as.uid, as.gid ?? as.uid)
  }
  own(dir, 0o700)
  for (const one of ['key', 'cert'] as const) {
    writeFileSync(join(dir, `${one}.pem`), testCertificates.good[one])
    own(join(dir, `${one}.pem`), 0o600)
  }
  const [data, socket, log] = [join(dir, 'data'), join(dir, 'socket'), join(dir, 'log.err')]
  const quiet = { ...as, cwd: dir, encoding: 'utf8', stdio: 'pipe' } as const
  copyPrepared(firstData, data)
  const sql = (text: string): string =>
    execFileSync('mariadb', [`--socket=${socket}`, '-u', 'root', '-BN', '-e', text], quiet)
  const isReady = (): boolean => {
    try {
      return sql('SELECT 1') !== ''
    } catch {
      return false
    }
  }
  const secured = [`--ssl-key=${join(dir, 'key.pem')}`, `--ssl-cert=${join(dir, 'cert.pem')}`]
  const paths = [`--datadir=${data}`, `--socket=${socket}`, `--log-error=${log}`, `--tmpdir=${dir}`]
  const where = [`--port=${port}`, '--bind-address=127.0.0.1', `--pid-file=${join(dir, 'pid')}`]
  const given = ['--no-defaults', '--log-warnings=4', ...paths, ...where, ...small]
  const child = childOf(t, program, {}, as)
  const start = (args: readonly string[]) => child.start(args, async () => isReady())
  await start([...given, ...secured])
  sql("CREATE DATABASE shop; CREATE USER ada IDENTIFIED BY 's3cret'; GRANT ALL ON shop.* TO ada")
  return { port, sql, withoutTls: () => start(given), log: () => readFileSync(log, 'utf8') }
}
