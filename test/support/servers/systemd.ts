// systemd as Debian has it, as the manager of a user, in namespaces of its own; and a systemctl that asks it.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { innerFolder } from '../test-folder.ts'
import { until } from '../until.ts'

const manager = '/lib/systemd/systemd'
const unshare = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'] as const

/** Why there can be none here; false if there can. */
export function systemdProblem(): string | false {
  if (!existsSync(manager)) return 'not installed: systemd'
  const { status } = spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'none', '/run'])
  return status !== 0 && 'namespaces cannot be made here'
}

export interface Systemd {
  /** Has the program `systemctl`. */
  readonly folder: string
  systemctl(...args: readonly string[]): string
}

/** `units`: the lines of each by its name. Removed with the test. */
export async function startSystemd(
  t: Test,
  units: Readonly<Record<string, readonly string[]>>,
): Promise<Systemd> {
  const folder = innerFolder(t, 'systemd')
  const files = Object.entries(units).map(([name, lines]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(folder, name)
  })
  const steps = [
    'mount -t tmpfs none /run && mkdir -p /run/systemd/system /run/x/systemd/user',
    `cp ${files.join(' ')} /run/x/systemd/user`,
    // As the first process of its namespace it would be the manager of the system.
    `XDG_RUNTIME_DIR=/run/x ${manager} --user --unit=basic.target & wait`,
  ]
  const child = spawn('unshare', [...unshare, 'sh', '-ec', steps.join('\n')], { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  const program = join(folder, 'systemctl')
  // It answers only who is in the same namespaces.
  const first = `/proc/${child.pid}/task/${child.pid}/children`
  await until(() => readFileSync(first, 'utf8') !== '')
  const inside = `nsenter -m -p -t ${readFileSync(first, 'utf8')} env XDG_RUNTIME_DIR=/run/x`
  writeFileSync(program, `#!/bin/sh\nexec ${inside} /usr/bin/systemctl --user "$@"\n`)
  chmodSync(program, 0o755)
  const systemctl = (...args: readonly string[]) =>
    spawnSync(program, args, { encoding: 'utf8' }).stdout.trim()
  await until(() => /running|degraded|starting/.test(systemctl('is-system-running')))
  return { folder, systemctl }
}
