// A daemon with two organizations, and the command line beside it.
import type { Test } from 'tap'
import { catalog } from '../../src/commands/catalog.ts'
import { runCommandLine } from '../../src/commands/command-line.ts'
import type { Host } from '../../src/commands/model/host.ts'
import { convertFile, type ForeignFile } from '../../src/services/orgs/foreign-files.ts'
import { register } from './cast.ts'
import { startDaemon } from './daemon.ts'
import { fakeHost } from './fake-host.ts'
import { testFolder } from './test-folder.ts'

/** Runs a command beside a daemon that uses a directory. */
export function runBeside(cwd: string, dir: string, ...argv: string[]) {
  return runWith({}, cwd, dir, argv)
}

/** Converts here: a process takes half a second, and yields to all others. */
const here: Pick<Host, 'convert'> = {
  convert: async (job) => {
    const file = job as ForeignFile
    return JSON.stringify(convertFile(file.product, file.text, file))
  },
}

async function runWith(
  parts: Partial<Host>,
  cwd: string,
  dir: string,
  argv: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { printed, complaints, ...host } = fakeHost(cwd, { STILLUP_DATA_DIR: dir })
  const code = await runCommandLine({ ...host, ...parts }, catalog, argv)
  return { code, out: printed.join('\n'), err: complaints.join('\n') }
}

export async function movingWorld(t: Test, env: Readonly<Record<string, string>> = {}) {
  const daemon = await startDaemon(t, { env })
  const alice = await register(daemon, 'alice')
  const bob = await register(daemon, 'bob')
  const make = (path: string, json: object) =>
    daemon.need('POST', `${alice.org}${path}`, { cookie: alice.cookie, json })
  await make('/monitors', { name: 'Site', url: 'http://127.0.0.1:9/', tags: ['web'] })
  await make('/monitors', { name: 'Job', checkType: 'push' })
  await make('/alert-channels', {
    name: 'Hook',
    type: 'webhook',
    config: { url: 'http://127.0.0.1:9/hook' },
  })
  const cwd = testFolder(t)
  return {
    daemon,
    alice,
    bob,
    cwd,
    cli: (...argv: string[]) => runWith(here, cwd, daemon.dir, argv),
  }
}
