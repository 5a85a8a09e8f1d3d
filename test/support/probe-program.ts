// stillup probe as a process of its own, as people start it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { bareNode } from './bare-node.ts'
import { program as ownProgram } from './program.ts'

interface ProbeRun {
  /** A command that runs it, such as `ip netns exec`. */
  readonly within?: readonly string[]
  /** Instead of the one that people start. */
  readonly program?: string
}

interface StartedProbe {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** The lines on standard error. */
  lines(): string[]
  /** The messages of the log from warnings on. */
  problems(): string[]
}

/** The probe looks at no sentinels unless `env` names some. It is killed with the test. */
export function startProbeProcess(
  t: Test,
  token: string,
  args: readonly string[],
  env: Record<string, string> = {},
  { within = [], program = ownProgram }: ProbeRun = {},
): StartedProbe {
  const all = {
    STILLUP_LOG_FORMAT: 'json',
    STILLUP_OBSERVER_SENTINELS: 'off',
    STILLUP_PROBE_TOKEN: token,
    ...env,
  }
  const [command, words] = bareNode([program, 'probe', ...args], all)
  const [first = '', ...rest] = [...within, command, ...words]
  const child = spawn(first, rest, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close').then(([code]): number | null => code)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = () => said.split('\n').filter((line) => line !== '')
  return {
    ...{ child, ended, lines },
    problems: () =>
      lines()
        // bin/start.cjs may say that it makes the bundle.
        .filter((line) => line.startsWith('{'))
        .map((line): { level?: string; message?: string } => JSON.parse(line))
        .filter(({ level }) => level === 'warn' || level === 'error')
        .map(({ message = '' }) => message)
        // It depends on the machine.
        .filter((message) => !message.startsWith('ping ')),
  }
}

/** What a process needs to believe in this time, such as `-1d`; its monotonic clock stays right. */
export function believing(offset: string): Record<string, string> {
  const env = execFileSync('faketime', ['-m', '-f', offset, 'env'], { encoding: 'utf8' })
  const preload = /^LD_PRELOAD=(.*)$/m.exec(env)?.[1] ?? ''
  return { LD_PRELOAD: preload, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
