// OpenSSH's server as Debian has it, with keys of its own, and with users that only it knows.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf, skipWithout } from '../programs.ts'
import { nobody } from './nobody.ts'

/** It answers the server's questions about users out of files. */
const [wrapper] = globSync('/usr/lib/*/libnss_wrapper.so')

export const skipWithoutSsh =
  skipWithout('sshd', 'openssl') || (wrapper === undefined && 'not installed: libnss-wrapper')

export interface SshServer {
  readonly port: number
  /** The fingerprint of its key of that kind, as ssh-keygen shows it. */
  fingerprint(type: string): string
  /** Starts it anew with other settings. */
  restart(settings: Readonly<Record<string, string>>): Promise<void>
}

/** `ada` may sign in with the password `s3cret`. */
export async function startSsh(t: Test): Promise<SshServer> {
  const dir = mkdtempSync(join(tmpdir(), 'sshd-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const port = await freePort()
  const as = nobody()
  // It runs as one user, and lets in only that one.
  const uid = as.uid ?? process.getuid?.()
  const hash = execFileSync('openssl', ['passwd', '-6', 's3cret'], { encoding: 'utf8' }).trim()
  const types = ['ed25519', 'rsa', 'ecdsa']
  const keyOf = (type: string) => join(dir, `key-${type}`)
  for (const type of types) {
    // Larger ones take long to find.
    const size = type === 'rsa' ? ['-b', '2048'] : []
    execFileSync('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-f', keyOf(type)])
  }
  const files = {
    passwd: `ada:x:${uid}:${uid}::${dir}:/bin/sh\n`,
    group: `ada:x:${uid}:\n`,
    shadow: `ada:${hash}:19000:0:99999:7:::\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  chmodSync(dir, 0o755)
  for (const name of readdirSync(dir)) {
    if (as.uid !== undefined) chownSync(join(dir, name), as.uid, as.gid ?? as.uid)
  }
  const env = {
    LD_PRELOAD: wrapper ?? '',
    ...Object.fromEntries(
      Object.keys(files).map((name) => [`NSS_WRAPPER_${name.toUpperCase()}`, join(dir, name)]),
    ),
  }
  const child = childOf(t, pathOf('sshd') ?? '', env, as)
  const restart = (settings: Readonly<Record<string, string>>) => {
    const all = {
      Port: String(port),
      ListenAddress: '127.0.0.1',
      PidFile: 'none',
      UsePAM: 'no',
      StrictModes: 'no',
      MaxStartups: '1000',
      ...settings,
    }
    const options = Object.entries(all).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const keys = types.flatMap((type) => ['-h', keyOf(type)])
    return child.start(['-D', '-e', '-f', '/dev/null', ...options, ...keys], () => answersOn(port))
  }
  await restart({})
  return {
    port,
    restart,
    fingerprint(type) {
      const shown = execFileSync('ssh-keygen', ['-lf', `${keyOf(type)}.pub`], { encoding: 'utf8' })
      return shown.split(' ')[1] ?? ''
    },
  }
}
