// A Chromium that listens at a port, as operators run one beside the daemon.
import { spawn } from 'node:child_process'
import type { Test } from 'tap'
import { browserPath } from './programs.ts'
import { testFolder } from './test-folder.ts'

export interface RunningBrowser {
  readonly port: number
  readonly switches?: readonly string[]
  /** A program with its arguments that runs it, such as `ip netns exec …`. */
  readonly within?: readonly string[]
}

/** Ended with the test, together with its processes: what Debian installs as Chromium is a script. */
export function startRunningBrowser(
  t: Test,
  { port, switches = [], within = [] }: RunningBrowser,
): void {
  const usual = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${testFolder(t)}`]
  const own = [...usual, ...switches, `--remote-debugging-port=${port}`]
  const [program = '', ...args] = [...within, browserPath() ?? '', ...own]
  const { pid } = spawn(program, args, { stdio: 'ignore', detached: true })
  t.teardown(() => pid !== undefined && process.kill(-pid, 'SIGKILL'))
}
