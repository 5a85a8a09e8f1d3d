// A network of its own for a daemon: a namespace with two cables to ours. The first carries all its
// traffic and can be cut; the second is for what the test asks it. Needs root, `ip` and `nft`.
import { execFileSync } from 'node:child_process'
import type { Test } from 'tap'

export interface NetworkNamespace {
  /** The command that runs another one inside. */
  readonly within: readonly string[]
  /** The daemon's end of the second cable, and ours. */
  readonly daemonAddress: string
  readonly testAddress: string
  /** `unplugged`: no carrier. `silent`: every packet vanishes, in both directions. */
  cut(how: 'unplugged' | 'silent'): void
  mend(): void
}

const testAddress = '10.254.0.1'
const daemonAddress = '10.254.0.2'

/** Why there can be none here; false if there can. */
export function namespaceProblem(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  try {
    run('ip', 'netns', 'add', 'stillup-try')
    run('ip', 'netns', 'delete', 'stillup-try')
    return false
  } catch {
    return 'network namespaces cannot be made here'
  }
}

/** `addresses` are ours, at the far end of the first cable. Removed with the test. */
export function openNamespace(t: Test, addresses: readonly string[]): NetworkNamespace {
  const id = process.pid % 100_000
  const name = `stillup-${id}`
  const [far, near, ours, its] = [`sf${id}`, `sn${id}`, `so${id}`, `si${id}`] as const
  run('ip', 'netns', 'add', name)
  t.teardown(() => run('ip', 'netns', 'delete', name))
  const inside = (...words: string[]) => run('ip', 'netns', 'exec', name, ...words)
  run('ip', 'link', 'add', far, 'type', 'veth', 'peer', 'name', near, 'netns', name)
  run('ip', 'link', 'add', ours, 'type', 'veth', 'peer', 'name', its, 'netns', name)
  run('ip', 'address', 'add', '10.253.0.1/24', 'dev', far)
  run('ip', 'address', 'add', `${testAddress}/24`, 'dev', ours)
  for (const address of addresses) run('ip', 'address', 'add', `${address}/32`, 'dev', far)
  for (const link of [far, ours]) run('ip', 'link', 'set', link, 'up')
  inside('ip', 'address', 'add', '10.253.0.2/24', 'dev', near)
  inside('ip', 'address', 'add', `${daemonAddress}/24`, 'dev', its)
  for (const link of ['lo', near, its]) inside('ip', 'link', 'set', link, 'up')
  const route = () => inside('ip', 'route', 'replace', 'default', 'via', '10.253.0.1')
  route()
  let isCut: 'unplugged' | 'silent' | null = null
  return {
    within: ['ip', 'netns', 'exec', name],
    daemonAddress,
    testAddress,
    cut(how) {
      isCut = how
      if (how === 'unplugged') run('ip', 'link', 'set', far, 'down')
      else {
        const rule = `table inet cut {
          chain in { type filter hook input priority 0; iifname "${near}" drop; }
          chain out { type filter hook output priority 0; oifname "${near}" drop; }
        }`
        execFileSync('ip', ['netns', 'exec', name, 'nft', '-f', '-'], { input: rule })
      }
    },
    mend() {
      if (isCut === 'silent') inside('nft', 'delete', 'table', 'inet', 'cut')
      if (isCut === 'unplugged') {
        run('ip', 'link', 'set', far, 'up')
        // Some kernels lose it with the carrier.
        route()
      }
      isCut = null
    },
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
