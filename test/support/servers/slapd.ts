// OpenLDAP's server as Debian has it, with a directory of its own.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testCertificates } from '../certificates.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf, skipWithout } from '../programs.ts'
import { innerFolder } from '../test-folder.ts'

const schemas = '/etc/ldap/schema'

export const skipWithoutSlapd =
  skipWithout('slapd') || (!existsSync(schemas) && 'not installed: slapd')

export const ada = { username: 'cn=Ada,dc=example,dc=com', password: 's3cret-lovelace' } as const

export interface Slapd {
  readonly port: number
  readonly tlsPort: number
}

/** Ada and 150 printers; TLS by STARTTLS and on a port of its own, unless `tls` is false. */
export async function startSlapd(t: Test, { tls = true } = {}): Promise<Slapd> {
  const dir = innerFolder(t, 'slapd')
  const [port, tlsPort] = [await freePort(), await freePort()]
  mkdirSync(join(dir, 'db'))
  writeFileSync(join(dir, 'key.pem'), testCertificates.good.key, { mode: 0o600 })
  writeFileSync(join(dir, 'cert.pem'), testCertificates.good.cert)
  const conf = [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`),
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    ...(tls
      ? [
          `TLSCertificateFile ${join(dir, 'cert.pem')}`,
          `TLSCertificateKeyFile ${join(dir, 'key.pem')}`,
        ]
      : []),
    'database mdb',
    'suffix "dc=example,dc=com"',
    `directory ${join(dir, 'db')}`,
    'dbnosync',
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by users read by * none',
  ]
  const entries = [
    'dn: dc=example,dc=com\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example',
    `dn: ${ada.username}\nobjectClass: inetOrgPerson\ncn: Ada\nsn: Lovelace\nmail: ada@example.com\njpegPhoto:: /9j/4AAQ\nuserPassword: ${ada.password}`,
    ...Array.from(
      { length: 150 },
      (_, i) => `dn: cn=printer-${i},dc=example,dc=com\nobjectClass: device\ncn: printer-${i}`,
    ),
  ]
  const [confFile, dataFile] = [join(dir, 'slapd.conf'), join(dir, 'data.ldif')]
  writeFileSync(confFile, `${conf.join('\n')}\n`)
  writeFileSync(dataFile, `${entries.join('\n\n')}\n`)
  const program = pathOf('slapd') ?? ''
  execFileSync(program.replace(/slapd$/, 'slapadd'), ['-q', '-f', confFile, '-l', dataFile], {
    stdio: 'pipe',
  })
  const places = `ldap://127.0.0.1:${port}${tls ? ` ldaps://127.0.0.1:${tlsPort}` : ''}`
  const child = childOf(t, program)
  await child.start(['-d', '0', '-f', confFile, '-h', places], () => answersOn(port))
  return { port, tlsPort }
}
