// snmpd as Debian has it, with users and a folder of its own.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf } from '../programs.ts'
import { innerFolder } from '../test-folder.ts'
import { answersDatagrams } from './datagrams.ts'

/** GET of sysUpTime.0, version 2c, community s3cret. */
const question = Buffer.from(
  '302902010104067333637265' + '74a01c020400000001020100020100300e300c06082b060102010103000500',
  'hex',
)

/** The community `s3cret`; `ada` of version 3 encrypts by `pr1vatepass`, `bob` only signs by `s3cretpass`, as she does. */
export async function startSnmp(t: Test): Promise<{ readonly port: number }> {
  const dir = innerFolder(t, 'snmp')
  const port = await freePort()
  const conf = `
    agentaddress udp:127.0.0.1:${port}
    rocommunity s3cret 127.0.0.1
    createUser ada SHA-256 "s3cretpass" AES "pr1vatepass"
    createUser bob SHA "s3cretpass"
    rouser ada priv
    rouser bob auth
    sysLocation Rack 4
    sysContact \u00e4da`
  writeFileSync(join(dir, 'snmpd.conf'), conf.replaceAll(/^ +/gm, ''))
  const child = childOf(t, pathOf('snmpd') ?? '', { SNMP_PERSISTENT_DIR: dir })
  const args = ['-f', '-Le', '-C', '-c', join(dir, 'snmpd.conf'), '-I', '-smux']
  await child.start(args, () => answersDatagrams(port, question))
  return { port }
}
