// Runs a program of this machine for a check: without a shell, alone, and not beyond the check.
import { type ChildProcess, spawn } from 'node:child_process'
import { codeOf } from '../../net/failure.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { cannotLook } from './found.ts'

export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string
  readonly output: string
  readonly errors: string
}

/** What is kept of each stream; the rest is read and forgotten. */
const streamBytesMax = 64 * 1024
/** How long output is waited for that was on its way when the program ended. */
const drainMs = 200
const usualPath =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin'

/**
 * Runs the program with nothing of the environment but PATH. It leads a process group, which is killed when the
 * program or the check ends.
 */
export function runProgram(
  run: ProbeRun,
  program: string,
  args: readonly string[],
  path = usualPath,
): Promise<ProgramEnd> {
  const { clock, record } = run
  record.enter('firstByte')
  return new Promise((resolve, reject) => {
    let child: ChildProcess
    const env = { PATH: path, LC_ALL: 'C' }
    try {
      // Detached: in a session of its own, so that its children can be killed with it.
      child = spawn(program, args, {
        cwd: '/',
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    } catch (cause) {
      return reject(unstarted(cause))
    }
    const output = kept(child.stdout)
    const errors = kept(child.stderr)
    let timer: unknown
    let isReaped = false
    function end(): void {
      clock.clearTimeout(timer)
      child.stdout?.destroy()
      child.stderr?.destroy()
      const { exitCode, signalCode } = child
      resolve({ exitCode, signal: signalCode ?? '', output: output(), errors: errors() })
    }
    function kill(): void {
      const { pid } = child
      if (pid === undefined || isReaped) return
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {
        // The group has ended.
      }
    }
    child.once('error', (cause) => reject(unstarted(cause)))
    child.once('exit', () => {
      kill()
      isReaped = true
      timer = clock.setTimeout(end, drainMs)
    })
    child.once('close', end)
    run.track({
      destroy() {
        kill()
        child.stdout?.destroy()
        child.stderr?.destroy()
      },
    })
  })
}

function kept(stream: ChildProcess['stdout']): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream?.on('error', () => {})
  stream?.on('data', (chunk: Buffer) => {
    if (bytes < streamBytesMax) chunks.push(chunk.subarray(0, streamBytesMax - bytes))
    bytes += chunk.length
  })
  return () => Buffer.concat(chunks).toString().trim()
}

const startProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'this machine does not permit it',
  EPERM: 'this machine does not permit it',
}

function unstarted(cause: unknown) {
  return cannotLook(startProblems[codeOf(cause)] ?? 'a program could not be started')
}
