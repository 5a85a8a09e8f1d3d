// chronyd as Debian has it, which tells the time and sets no clock.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf } from '../programs.ts'
import { answersDatagrams } from './datagrams.ts'
import { nobody } from './nobody.ts'

export interface Chrony {
  readonly port: number
  /** Starts it anew with another source of time, in the words of its configuration. */
  restart(source: string): Promise<void>
  stop(): Promise<void>
}

export async function startChrony(t: Test, source: string): Promise<Chrony> {
  const dir = mkdtempSync(join(tmpdir(), 'chrony-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const port = await freePort()
  const as = nobody()
  chmodSync(dir, 0o755)
  if (as.uid !== undefined) chownSync(dir, as.uid, as.gid ?? as.uid)
  const child = childOf(t, pathOf('chronyd') ?? '', {}, as)
  const question = Buffer.alloc(48)
  question[0] = 0x23
  const restart = (line: string) => {
    const file = join(dir, 'chrony.conf')
    const conf = [
      `port ${port}`,
      'cmdport 0',
      'bindcmdaddress /',
      'bindaddress 127.0.0.1',
      'allow 127.0.0.1',
      `pidfile ${join(dir, 'pid')}`,
      line,
    ]
    writeFileSync(file, conf.join('\n'))
    return child.start(['-x', '-d', '-U', '-f', file], () => answersDatagrams(port, question))
  }
  await restart(source)
  return { port, restart, stop: child.stop }
}
