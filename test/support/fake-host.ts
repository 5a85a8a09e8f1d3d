// The process as a command sees it, with what it printed and how it ended.
import type { Host } from '../../src/commands/host.ts'
import { FakeClock } from './fake-clock.ts'

export interface FakeHost extends Host {
  readonly clock: FakeClock & Host['clock']
  readonly printed: string[]
  readonly complaints: string[]
  readonly exits: number[]
  /** What the watchdogs allow that were started and not stopped. */
  readonly watchdogs: ReadonlySet<number>
  signal(name: string): void
  bug(error: unknown): void
}

/** A host in `cwd`; the daemon it starts would listen on any free port. */
export function fakeHost(cwd: string, env: Record<string, string> = {}): FakeHost {
  const printed: string[] = []
  const complaints: string[] = []
  const exits: number[] = []
  const watchdogs = new Set<number>()
  let onSignal = (_name: string) => {}
  let onBug = (_error: unknown) => {}
  return {
    env: {
      STILLUP_HTTP_LISTEN: '127.0.0.1:0',
      STILLUP_OBSERVER_SENTINELS: 'off',
      STILLUP_LOG_LEVEL: 'error',
      ...env,
    },
    cwd,
    version: '1.2.3',
    isTerminal: false,
    clock: Object.assign(new FakeClock(), { onJump() {}, stop() {} }),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    onSignal(run) {
      onSignal = run
    },
    onBug(run) {
      onBug = run
    },
    startWatchdog(silenceMsMax) {
      watchdogs.add(silenceMsMax)
      return { stop: async () => watchdogs.delete(silenceMsMax) }
    },
    watchdogs,
    exit: (code) => void exits.push(code),
    printed,
    complaints,
    exits,
    signal: (name) => onSignal(name),
    bug: (error) => onBug(error),
  }
}
