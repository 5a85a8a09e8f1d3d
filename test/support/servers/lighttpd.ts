// lighttpd as Debian has it, with paths that ask for a sign-in.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf } from '../programs.ts'
import { innerFolder } from '../test-folder.ts'

/** `/basic`, `/md5` and `/sha256` are for `ada`, whose password is `s3cret: "x"`. Returns the port. */
export async function startLighttpd(t: Test): Promise<number> {
  const dir = innerFolder(t, 'lighttpd')
  const port = await freePort()
  const paths = ['basic', 'md5', 'sha256']
  for (const path of paths) writeFileSync(join(dir, path), `in ${path}`)
  writeFileSync(join(dir, 'users'), 'ada:s3cret: "x"\n')
  const rule = (method: string, algorithm?: string) =>
    `"method" => "${method}", "realm" => "a, Basic b=c", "require" => "user=ada"` +
    (algorithm === undefined ? '' : `, "algorithm" => "${algorithm}"`)
  const conf = `
    server.modules = ("mod_auth", "mod_authn_file", "mod_redirect")
    server.document-root = "${dir}"
    server.bind = "127.0.0.1"
    server.port = ${port}
    auth.backend = "plain"
    auth.backend.plain.userfile = "${join(dir, 'users')}"
    auth.require = (
      "/basic" => (${rule('basic')}),
      "/md5" => (${rule('digest')}),
      "/sha256" => (${rule('digest', 'SHA-256|MD5')})
    )
    url.redirect = ("^/to-sha256$" => "/sha256?again")`
  writeFileSync(join(dir, 'lighttpd.conf'), conf)
  const child = childOf(t, pathOf('lighttpd') ?? '')
  await child.start(['-D', '-f', join(dir, 'lighttpd.conf')], () => answersOn(port))
  return port
}
