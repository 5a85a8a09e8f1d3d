// Podman as Debian has it, with images and containers in a folder of its own, and its API on a port and a socket.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { skipWithout } from '../programs.ts'

/** A program that runs, ends with a code, and is healthy until it is told otherwise: no registry is needed. */
const program = `
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
  if (count > 2 && !strcmp(words[1], "exit")) return atoi(words[2]);
  if (count > 1 && !strcmp(words[1], "sicken")) return creat("/sick", 0600) < 0;
  if (count > 1 && !strcmp(words[1], "health")) return access("/sick", F_OK) == 0;
  for (;;) pause();
}`

export const image = 'localhost/stillup-test:1'

/** Why there can be none here; false if there can. */
export function podmanProblem(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  return skipWithout('podman', 'gcc')
}

export interface Podman {
  readonly port: number
  readonly socket: string
  /** Runs a command of podman, and returns what it writes. Throws if that fails. */
  run(...args: readonly string[]): string
  /** Starts a container of the image, without a network. */
  start(name: string, ...args: readonly string[]): void
}

export async function startPodman(t: Test): Promise<Podman> {
  // Podman takes short paths only. Removed last.
  const dir = mkdtempSync(join(tmpdir(), 'podman-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const source = join(dir, 'a.c')
  writeFileSync(source, program)
  execFileSync('gcc', ['-static', '-O1', '-o', join(dir, 'program'), source])
  execFileSync('tar', ['-cf', join(dir, 'image.tar'), '-C', dir, 'program'])
  const options = [
    ...['--root', join(dir, 'root'), '--runroot', join(dir, 'run'), '--storage-driver', 'vfs'],
    ...['--cgroup-manager', 'cgroupfs', '--events-backend', 'none'],
    // crun refuses machines with both versions of control groups.
    ...(skipWithout('runc') ? [] : ['--runtime', 'runc']),
  ]
  const run = (...args: readonly string[]) =>
    execFileSync('podman', [...options, ...args], { encoding: 'utf8' })
  t.teardown(() => spawnSync('podman', [...options, 'rm', '--all', '--force', '--time', '0']))
  const changes = ['--change', 'ENTRYPOINT ["/program"]']
  run('import', ...changes, join(dir, 'image.tar'), image)
  const port = await freePort()
  const socket = join(dir, 'api.sock')
  const service = [...options, 'system', 'service', '--time', '0']
  await childOf(t, 'podman').start([...service, `tcp:127.0.0.1:${port}`], () => answersOn(port))
  const connects = async () =>
    spawnSync('curl', ['-s', '--unix-socket', socket, 'http://d/_ping']).status === 0
  await childOf(t, 'podman').start([...service, `unix://${socket}`], connects)
  // This machine may permit less than the engine asks for by itself.
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=100:100']
  return {
    port,
    socket,
    run,
    start: (name, ...args) =>
      void run('run', '--detach', '--network', 'none', ...limits, '--name', name, ...args),
  }
}
