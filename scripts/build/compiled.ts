// The code that V8 compiles while the program starts, for processes that load it instead.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import packageFile from '../../package.json' with { type: 'json' }

/** What `npm start` tells Node: memory that V8 may use. The binary says it to itself. */
export function v8Flags(): string[] {
  return packageFile.scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/**
 * Starts the program of a bundle, and writes `compiled` into its folder once it is ready: all functions
 * that a start runs, and no others. V8 would compile each of them again, which takes a third of a start.
 */
export async function writeCompiled(folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'stillup-compile-'))
  try {
    await startOnce(folder, work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function startOnce(folder: string, dir: string): Promise<void> {
  const child = fork(join(import.meta.dirname, 'compile.cjs'), [folder], {
    // V8 takes compiled code only from a process that has the same.
    execArgv: v8Flags(),
    env: {
      STILLUP_DATA_DIR: dir,
      STILLUP_HTTP_LISTEN: '127.0.0.1:0',
      STILLUP_OBSERVER_SENTINELS: 'off',
      // Its thread sets flags of V8.
      STILLUP_SYSTEM_WATCHDOG_SECONDS: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = once(child, 'exit')
  const log: string[] = []
  if (child.stderr) {
    for await (const line of createInterface({ input: child.stderr })) {
      log.push(line)
      if (line.includes('"message":"ready"')) child.send('ready')
    }
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the program did not start:\n${log.join('\n')}`)
}
