// The address of a MariaDB or MySQL server that has the data of Uptime Kuma, with the password from elsewhere.
import { exitCodes } from '../../base/exit.ts'
import { parseDatabaseUrl } from '../../probes/databases/database-url.ts'
import type { KumaDataServer } from '../../services/orgs/kuma-data/kuma-server.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { secretOf } from './fetched.ts'

const schemes = ['mariadb', 'mysql']
const usualPort = 3_306

export function isKumaServer(text: string): boolean {
  return /^(mariadb|mysql):/i.test(text)
}

/**
 * `mariadb://user[:password]@host[:port]/database[?tls=required]`. Everybody on the machine can read a password there,
 * so it may come from the file, the environment or the terminal. Throws CommandFailure.
 */
export async function kumaServer(
  host: Pick<Host, 'env' | 'cwd' | 'ask'>,
  text: string,
  keyFile: string | undefined,
): Promise<KumaDataServer> {
  const [, scheme = '', name = '', given, place = ''] =
    /^(\w+):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?(.*)$/.exec(text) ?? []
  const url = parseDatabaseUrl(`${scheme}://${place}`, { schemes, usualPort })
  if (url.problem !== undefined) throw wrong(url.problem)
  if (name === '' || url.database === '') {
    throw wrong('must name a user and a database, as mariadb://kuma@db.example.com/kuma')
  }
  const password = given ?? (await secretOf(host, keyFile, 'The password of the database: '))
  const { database, port, tls } = url
  const [user, known] = [name, password].map(plain) as [string, string]
  const isTls = tls === 'required' || tls === 'strict'
  return { host: url.host, port, database, user, password: given ? known : password, isTls }
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function wrong(problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `the address of the database ${problem}`)
}
