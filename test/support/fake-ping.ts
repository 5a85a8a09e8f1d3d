// A program in place of the system's ping, which does what a test says, and tells what it was told.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FakePing {
  readonly path: string
  /** The arguments of every call so far. */
  calls(): readonly string[]
  /** The ids of every process so far. */
  pids(): readonly number[]
  /** What it does from now on, in the words of a shell; `$address` is what it is to ping. */
  script(lines: string): void
  remove(): void
}

/** What iputils prints of an answer. */
export const answeredIn = (ms: string): string =>
  `echo "64 bytes from $address: icmp_seq=1 ttl=64 time=${ms} ms"`

/** Answers for this machine, which is how ping shows that it works; `then` is for the others. */
export const worksAnd = (then: string): string =>
  `if [ "$address" = 127.0.0.1 ]; then ${answeredIn('0.02')}; exit 0; fi\n${then}`

export function makeFakePing(lines = answeredIn('1.5')): FakePing {
  const folder = mkdtempSync(join(tmpdir(), 'stillup-ping-'))
  const path = join(folder, 'ping')
  const callsFile = join(folder, 'calls')
  const script = (body: string): void => {
    const head = `#!/bin/sh\necho "$$ $*" >> '${callsFile}'\nfor address in "$@"; do :; done\n`
    writeFileSync(path, `${head}${body}\n`)
    chmodSync(path, 0o755)
  }
  const told = (): readonly string[] => {
    return existsSync(callsFile) ? readFileSync(callsFile, 'utf8').trim().split('\n') : []
  }
  script(lines)
  return {
    path,
    calls: () => told().map((line) => line.slice(line.indexOf(' ') + 1)),
    pids: () => told().map((line) => Number(line.split(' ')[0])),
    script,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Whether the process is still there, also where it has ended and nobody has asked how. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
