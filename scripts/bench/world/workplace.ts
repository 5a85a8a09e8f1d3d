// One run's temporary directory and processes: all gone at its end, also on Ctrl-C.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import {
  closeSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

export interface Workplace {
  readonly root: string
  /** A fresh directory. */
  directory(name: string): string
  /** A command, its output in a file. */
  run(command: string, args: readonly string[], options: RunOptions): ChildProcess
  /** A script of the bench, by its room, with a channel for messages. The words are for Node itself. */
  fork(script: string, input: object, nodeArgs?: readonly string[]): ChildProcess
  /** The ends of what its commands said. */
  logs(): string
  /** Kills what still runs and removes the directory. */
  close(): void
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly logFile: string
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const logCharsShown = 2_000

/** @param parent where the temporary directory is made: measure on the disk you mean. */
export function openWorkplace(parent: string): Workplace {
  const root = mkdtempSync(join(parent, 'stillup-bench-'))
  const children = new Set<ChildProcess>()

  function keep(child: ChildProcess): ChildProcess {
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }

  function close(): void {
    process.off('exit', close)
    for (const signal of signals) process.off(signal, stop)
    for (const child of children) child.kill('SIGKILL')
    children.clear()
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }

  process.once('exit', close)
  for (const signal of signals) process.once(signal, stop)

  return {
    root,
    directory(name) {
      const path = join(root, name)
      mkdirSync(path)
      return path
    },
    run(command, args, { env, cwd, logFile }) {
      const log = openSync(logFile, 'a')
      try {
        return keep(spawn(command, args, { env, cwd, stdio: ['ignore', log, log] }))
      } finally {
        closeSync(log)
      }
    },
    fork(script, input, nodeArgs = []) {
      const path = join(import.meta.dirname, '..', script)
      const execArgv = [...nodeArgs]
      return keep(fork(path, [JSON.stringify(input)], { stdio: 'inherit', execArgv }))
    },
    logs() {
      const files = globSync('*.log', { cwd: root })
      const ends = files.map((file) => readFileSync(join(root, file), 'utf8').slice(-logCharsShown))
      return ends.join('\n')
    },
    close,
  }
}

// The handler of 'exit' cleans up.
function stop(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal])
}

/** The next message of a child; rejects where it ends or takes too long. */
export function nextMessage<T>(child: ChildProcess, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(new Error('a helper process took too long')), timeoutMs)
    const onExit = (code: number | null) => done(new Error(`a helper process ended: ${code}`))
    const onMessage = (message: unknown) => done(null, message as T)
    function done(error: Error | null, message?: T): void {
      clearTimeout(timer)
      child.off('exit', onExit)
      child.off('message', onMessage)
      if (error) reject(error)
      else resolve(message as T)
    }
    child.once('exit', onExit)
    child.once('message', onMessage)
  })
}

/** Resolves when the child has ended; kills it where that takes too long. */
export function ended(child: ChildProcess, timeoutMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}
