// pyftpdlib as Debian has it (python3-pyftpdlib, python3-openssl), with one file.
import { spawnSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'

/** The one of Debian's packages, whatever else is on PATH. */
const python = '/usr/bin/python3'
const isThere = spawnSync(python, ['-c', 'import pyftpdlib, OpenSSL']).status === 0
export const skipWithoutFtp = isThere ? false : 'not installed: python3-pyftpdlib, python3-openssl'

const script = `
import sys
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer
port, tlsPort, folder, cert = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
users = DummyAuthorizer()
users.add_user('ada', 's3cret', folder, perm='elr')
class Plain(FTPHandler): authorizer, auth_failed_timeout = users, 0
class Secure(TLS_FTPHandler):
  authorizer, auth_failed_timeout, certfile, tls_control_required = users, 0, cert, True
FTPServer(('127.0.0.1', tlsPort), Secure)
FTPServer(('127.0.0.1', port), Plain).serve_forever()
`

export interface FtpServer {
  readonly port: number
  /** Where TLS begins by AUTH TLS, and before a sign-in. */
  readonly tlsPort: number
}

/** Signs in `ada` with `s3cret`; `/backups/db.dump` has five bytes and the time that is given. */
export async function startFtp(t: Test, modifiedAtMs: number): Promise<FtpServer> {
  const dir = innerFolder(t, 'ftp')
  const [port, tlsPort] = [await freePort(), await freePort()]
  mkdirSync(join(dir, 'files/backups'), { recursive: true })
  const file = join(dir, 'files/backups/db.dump')
  writeFileSync(file, 'dumps')
  utimesSync(file, modifiedAtMs / 1_000, modifiedAtMs / 1_000)
  const { key, cert } = testCertificates.good
  writeFileSync(join(dir, 'both.pem'), `${key}${cert}`)
  const child = childOf(t, python)
  const args = [
    '-c',
    script,
    String(port),
    String(tlsPort),
    join(dir, 'files'),
    join(dir, 'both.pem'),
  ]
  await child.start(args, () => answersOn(port))
  return { port, tlsPort }
}
