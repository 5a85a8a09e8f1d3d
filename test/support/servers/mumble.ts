// murmurd, the server of Mumble, as Debian has it, with a database of its own.
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { pathOf } from '../programs.ts'
import { innerFolder } from '../test-folder.ts'
import { answersDatagrams } from './datagrams.ts'

const ping = Buffer.alloc(12)

/** Takes 42 users. Returns the port. */
export async function startMumble(t: Test): Promise<number> {
  const dir = innerFolder(t, 'mumble')
  const port = await freePort()
  const settings = join(dir, 'murmur.ini')
  const lines = [
    `database=${join(dir, 'murmur.sqlite')}`,
    `uname=${userInfo().username}`,
    ...['host=127.0.0.1', `port=${port}`, 'users=42', 'logfile=', 'bonjour=False'],
  ]
  writeFileSync(settings, lines.join('\n'))
  const child = childOf(t, pathOf('murmurd') ?? '')
  await child.start(['-fg', '-ini', settings], () => answersDatagrams(port, ping))
  return port
}
