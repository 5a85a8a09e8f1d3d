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

/** Namespaces in a row: the first is a machine, the last its target, and those between are routers. */
export interface NetworkChain {
  /** The command that runs another one in the first. */
  readonly within: readonly string[]
  /** The address that the namespace has towards the first. */
  readonly addressOf: (at: number) => string
  /** What comes to the namespace, or passes it, vanishes until what it returns is called. */
  drop(at: number): () => void
}

/** Removed with the test. */
export function openChain(t: Test, length: number): NetworkChain {
  const id = process.pid % 100_000
  const spaceOf = (at: number) => `stillup-${id}-at${at}`
  const inside = (at: number, ...words: string[]) =>
    run('ip', 'netns', 'exec', spaceOf(at), ...words)
  // 10.251.0.0/24 in networks of four, one for each cable.
  const addressOf = (cable: number, side: 1 | 2) => `10.251.0.${4 * cable + side}`
  const places = Array.from({ length }, (_, at) => at)
  for (const at of places) {
    run('ip', 'netns', 'add', spaceOf(at))
    t.teardown(() => run('ip', 'netns', 'delete', spaceOf(at)))
    inside(at, 'ip', 'link', 'set', 'dev', 'lo', 'up')
    inside(at, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  }
  for (const at of places.slice(1)) {
    const [near, far] = [spaceOf(at - 1), spaceOf(at)]
    const peer = ['peer', 'name', 'back', 'netns', far]
    run('ip', 'link', 'add', 'name', 'onward', 'netns', near, 'type', 'veth', ...peer)
    inside(at - 1, 'ip', 'address', 'add', `${addressOf(at, 1)}/30`, 'dev', 'onward')
    inside(at, 'ip', 'address', 'add', `${addressOf(at, 2)}/30`, 'dev', 'back')
    inside(at - 1, 'ip', 'link', 'set', 'dev', 'onward', 'up')
    inside(at, 'ip', 'link', 'set', 'dev', 'back', 'up')
    inside(at - 1, 'ip', 'route', 'add', 'default', 'via', addressOf(at, 2))
  }
  // The way back: each knows the networks before it.
  for (const at of places.slice(2)) {
    for (const cable of places.slice(1, at)) {
      inside(at, 'ip', 'route', 'add', `10.251.0.${4 * cable}/30`, 'via', addressOf(at, 1))
    }
  }
  return {
    within: ['ip', 'netns', 'exec', spaceOf(0)],
    addressOf: (at) => addressOf(at, 2),
    drop(at) {
      const nft = (input: string) =>
        execFileSync('ip', ['netns', 'exec', spaceOf(at), 'nft', '-f', '-'], { input })
      nft(`table inet cut {
        chain in { type filter hook input priority 0; policy drop; }
        chain through { type filter hook forward priority 0; policy drop; }
      }`)
      return () => void nft('delete table inet cut')
    },
  }
}

/** Namespaces around a router, which is one, too; what passes it can be cut. Ours is joined to it. */
export interface NetworkStar<Name extends string> {
  readonly testAddress: string
  /** The command that runs another one in a namespace. */
  readonly within: (name: Name) => readonly string[]
  readonly addressOf: (name: Name) => string
  /** Packets from the one to the other vanish, and no others do, until what it returns is called. */
  drop(from: Name, to: Name): () => void
  /** Its cable has no carrier. */
  unplug(name: Name): void
  /** All of it works again. */
  heal(): void
}

/** Removed with the test. */
export function openStar<Name extends string>(t: Test, names: readonly Name[]): NetworkStar<Name> {
  const id = process.pid % 100_000
  const spaceOf = (name: string) => `stillup-${id}-${name}`
  const add = (name: string) => {
    run('ip', 'netns', 'add', spaceOf(name))
    t.teardown(() => run('ip', 'netns', 'delete', spaceOf(name)))
  }
  const inside = (name: string, ...words: string[]) =>
    run('ip', 'netns', 'exec', spaceOf(name), ...words)
  const filter = (rules: string) =>
    execFileSync('ip', ['netns', 'exec', spaceOf('router'), 'nft', '-f', '-'], { input: rules })
  // 10.252.0.0/24 in networks of four: its first address is the router's, the second one the other's.
  const addressOf = (at: number, side: 1 | 2) => `10.252.0.${4 * at + side}`
  const cable = (at: number, end: string, ...there: string[]) => {
    const own = `sr${at}`
    run('ip', 'link', 'add', end, ...there, 'type', 'veth', 'peer', own, 'netns', spaceOf('router'))
    inside('router', 'ip', 'address', 'add', `${addressOf(at, 1)}/30`, 'dev', own)
    inside('router', 'ip', 'link', 'set', own, 'up')
  }
  add('router')
  inside('router', 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  const ours = `ss${id}`
  cable(0, ours)
  run('ip', 'address', 'add', `${addressOf(0, 2)}/30`, 'dev', ours)
  run('ip', 'link', 'set', ours, 'up')
  run('ip', 'route', 'add', '10.252.0.0/24', 'via', addressOf(0, 1))
  const placeOf = (name: Name) => names.indexOf(name) + 1
  const lead = (name: Name) =>
    inside(name, 'ip', 'route', 'replace', 'default', 'via', addressOf(placeOf(name), 1))
  for (const name of names) {
    add(name)
    cable(placeOf(name), 'eth0', 'netns', spaceOf(name))
    inside(name, 'ip', 'address', 'add', `${addressOf(placeOf(name), 2)}/30`, 'dev', 'eth0')
    for (const link of ['lo', 'eth0']) inside(name, 'ip', 'link', 'set', link, 'up')
    lead(name)
  }
  const cuts = new Set<string>()
  const unplugged = new Set<Name>()
  filter('table ip cut { chain forward { type filter hook forward priority 0; }; }')
  const cut = () =>
    filter(
      `flush chain ip cut forward\n${[...cuts].map((one) => `add rule ip cut forward ${one} drop\n`).join('')}`,
    )
  return {
    testAddress: addressOf(0, 2),
    within: (name) => ['ip', 'netns', 'exec', spaceOf(name)],
    addressOf: (name) => addressOf(placeOf(name), 2),
    drop(from, to) {
      const [source, aim] = [from, to].map((name) => addressOf(placeOf(name), 2))
      const one = `ip saddr ${source} ip daddr ${aim}`
      cuts.add(one)
      cut()
      return () => {
        cuts.delete(one)
        cut()
      }
    },
    unplug(name) {
      unplugged.add(name)
      inside('router', 'ip', 'link', 'set', `sr${placeOf(name)}`, 'down')
    },
    heal() {
      cuts.clear()
      cut()
      for (const name of unplugged) {
        inside('router', 'ip', 'link', 'set', `sr${placeOf(name)}`, 'up')
        lead(name)
      }
      unplugged.clear()
    },
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
