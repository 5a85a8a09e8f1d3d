// The process as a command sees it, with what it printed and how it ended.
import { catalog } from '../../src/commands/catalog.ts'
import { runCommandLine } from '../../src/commands/command-line.ts'
import type { Host } from '../../src/commands/model/host.ts'
import { FakeClock } from './fake-clock.ts'

export interface FakeHost extends Host {
  readonly clock: FakeClock & Host['clock']
  readonly printed: string[]
  readonly complaints: string[]
  readonly exits: number[]
  /** What the watchdogs allow that were started and not stopped. */
  readonly watchdogs: ReadonlySet<number>
  signal(name: string): void
  /** A SIGHUP. */
  hangUp(): void
  bug(error: unknown): void
}

/** Runs a command of stillup as if it was typed; resolves with the exit code. */
export function typed(host: FakeHost, ...argv: string[]): Promise<number> {
  return runCommandLine(host, catalog, argv)
}

/** A host in `cwd`; the daemon it starts would listen on any free port. */
export function fakeHost(cwd: string, env: Record<string, string> = {}): FakeHost {
  const printed: string[] = []
  const complaints: string[] = []
  const exits: number[] = []
  const watchdogs = new Set<number>()
  let onSignal = (_name: string) => {}
  let onReload = () => {}
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
    program: 'stillup',
    libraries: { lmdb: '1.0.0' },
    isTerminal: false,
    isOutputTerminal: false,
    isInteractive: false,
    ask: async () => '',
    clock: Object.assign(new FakeClock(), { onJump() {}, stop() {} }),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    onSignal(run) {
      onSignal = run
    },
    onReload(run) {
      onReload = run
    },
    onBug(run) {
      onBug = run
    },
    startWatchdog(silenceMsMax) {
      watchdogs.add(silenceMsMax)
      return { stop: async () => watchdogs.delete(silenceMsMax) }
    },
    watchdogs,
    loadApp: () => Promise.reject(new Error('this host has no daemon to start')),
    loadMember: () => Promise.reject(new Error('this host has no member to start')),
    loadStandby: () => Promise.reject(new Error('this host has no standby to start')),
    loadProbe: () => Promise.reject(new Error('this host has no probe to start')),
    exit: (code) => void exits.push(code),
    printed,
    complaints,
    exits,
    signal: (name) => onSignal(name),
    hangUp: () => onReload(),
    bug: (error) => onBug(error),
  }
}
