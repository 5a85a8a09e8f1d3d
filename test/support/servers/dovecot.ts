// Dovecot as Debian has it, with a mailbox of its own. It starts as root only.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { nobody } from './nobody.ts'

export const skipWithoutRoot = process.getuid?.() === 0 ? false : 'only root can start it'

export interface Dovecot {
  readonly imap: number
  readonly imaps: number
  readonly pop3: number
  readonly pop3s: number
  stop(): Promise<void>
}

/** Signs in `ada` with `s3cret`, who has two messages, one of them read. Over TLS only, unless `plain`. */
export async function startDovecot(
  t: Pick<Test, 'teardown'>,
  { tls = true, plain = false } = {},
): Promise<Dovecot> {
  const dir = mkdtempSync(join(tmpdir(), 'dovecot-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  chmodSync(dir, 0o755)
  const { uid = 0, gid = 0 } = nobody()
  const mailbox = join(dir, 'mail')
  for (const folder of ['', 'cur', 'new', 'tmp']) {
    mkdirSync(join(mailbox, folder), { recursive: true })
    chownSync(join(mailbox, folder), uid, gid)
  }
  for (const name of ['new/1.a', 'cur/2.b:2,S']) {
    const file = join(mailbox, name)
    writeFileSync(file, 'From: a@example.com\nSubject: b\n\nc\n')
    chownSync(file, uid, gid)
  }
  const { key, cert } = testCertificates.good
  const files = {
    'key.pem': key,
    'cert.pem': cert,
    users: `ada:{PLAIN}s3cret:${uid}:${gid}::${dir}::\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const ports = {
    imap: await freePort(),
    imaps: await freePort(),
    pop3: await freePort(),
    pop3s: await freePort(),
  }
  const listener = (name: keyof typeof ports, isTls: boolean) =>
    `inet_listener ${name} {\n address = 127.0.0.1\n port = ${ports[name]}\n ${isTls ? 'ssl = yes\n' : ''}}`
  const conf = `
    base_dir = ${dir}/run
    log_path = /dev/stderr
    protocols = imap pop3
    ssl = ${tls ? 'yes' : 'no'}
    ssl_cert = <${dir}/cert.pem
    ssl_key = <${dir}/key.pem
    disable_plaintext_auth = ${plain ? 'no' : 'yes'}
    login_trusted_networks =
    mail_location = maildir:${mailbox}
    first_valid_uid = 1
    auth_failure_delay = 0
    passdb {
      driver = passwd-file
      args = ${dir}/users
    }
    userdb {
      driver = passwd-file
      args = ${dir}/users
    }
    service anvil {
      unix_listener anvil-auth-penalty {
        mode = 0
      }
    }
    service imap-login {
      ${listener('imap', false)}
      ${listener('imaps', true)}
    }
    service pop3-login {
      ${listener('pop3', false)}
      ${listener('pop3s', true)}
    }`
  writeFileSync(join(dir, 'dovecot.conf'), conf)
  const child = childOf(t, 'dovecot')
  await child.start(['-F', '-c', join(dir, 'dovecot.conf')], () => answersOn(ports.pop3))
  return { ...ports, stop: child.stop }
}
