// A network under a test's control: built with gcc when the test runs, told what to do by a file.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

/**
 * What fails. `heard` is a connect() that begins and then hears of it from the network; `start` is
 * that of a program.
 */
export type SocketCall = 'socket' | 'connect' | 'heard' | 'write' | 'read' | 'start'
export type SocketError = keyof typeof constants.errno

/** The environment of a process whose network it is. */
export type SocketShimEnv = Readonly<{ LD_PRELOAD: string; SOCKET_SHIM: string }>

export function buildSocketShim(dir: string): SocketShimEnv {
  const library = join(dir, 'socket-shim.so')
  const source = join(import.meta.dirname, 'socket-shim.c')
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-Wall', '-o', library, source, '-ldl'])
  return { LD_PRELOAD: library, SOCKET_SHIM: join(dir, 'socket-shim.told') }
}

/** From now on each such call to these ports fails so. */
export function failCalls(
  { SOCKET_SHIM: control }: Pick<SocketShimEnv, 'SOCKET_SHIM'>,
  call: SocketCall,
  error: SocketError,
  ports: readonly number[],
): void {
  writeFileSync(control, `${call} ${constants.errno[error]} ${ports.join(',') || '-'}\n`)
}

export function behave({ SOCKET_SHIM: control }: Pick<SocketShimEnv, 'SOCKET_SHIM'>): void {
  rmSync(control, { force: true })
}
