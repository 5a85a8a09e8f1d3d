// FreeRADIUS as Debian has it, with a configuration of its own.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf } from '../programs.ts'
import { innerFolder } from '../test-folder.ts'
import { answersDatagrams } from './datagrams.ts'

/** Lets `ada` in with `l0velace`; `otp` is asked for more. The shared secret is `sh4red`. */
export async function startRadius(t: Test): Promise<{ readonly port: number }> {
  const dir = innerFolder(t, 'radius')
  const port = await freePort()
  const one = (name: string) => `${name} = 1`
  const threads = ['start_servers', 'max_servers', 'min_spare_servers', 'max_spare_servers'].map(
    one,
  )
  const conf = `
    prefix = ${dir}
    libdir = /usr/lib/freeradius
    logdir = ${dir}
    run_dir = ${dir}
    raddbdir = ${dir}
    security {
      status_server = yes
      reject_delay = 0
    }
    thread pool {
      ${threads.join('\n')}
      max_requests_per_server = 0
    }
    modules {
      pap {
      }
    }
    client localhost {
      ipaddr = 127.0.0.1
      secret = sh4red
      require_message_authenticator = yes
    }
    server default {
      listen {
        type = auth
        ipaddr = 127.0.0.1
        port = ${port}
      }
      authorize {
        if (&User-Name == "ada") {
          update control {
            Cleartext-Password := "l0velace"
          }
          update reply {
            Reply-Message := "Hello from %{Called-Station-Id}"
          }
        }
        if (&User-Name == "otp") {
          update control {
            Response-Packet-Type := Access-Challenge
            Auth-Type := Accept
          }
        }
        pap
      }
      authenticate {
        Auth-Type PAP {
          pap
        }
      }
    }
  `
  writeFileSync(join(dir, 'radiusd.conf'), conf)
  writeFileSync(join(dir, 'dictionary'), '')
  const child = childOf(t, pathOf('freeradius') ?? '')
  await child.start(['-f', '-d', dir, '-n', 'radiusd', '-l', 'stdout'], () =>
    answersDatagrams(port, Buffer.alloc(1), { isSilent: true }),
  )
  return { port }
}
