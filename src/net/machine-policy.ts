// What checks may use of this machine besides its network, and the proxies that they may go through: nothing,
// unless the operator lists it.

/** What the operator lists. */
export interface MachineRules {
  /** Engines that run containers, by name: the path of a socket, or an http(s) address. */
  readonly containers: Readonly<Record<string, string>>
  /** Units of systemd; `*` stands for anything. */
  readonly units: readonly string[]
  /** Programs with their arguments, by name. `{days}` stands for what a monitor gives as `days`. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  /** Folders. */
  readonly files: readonly string[]
  /** `memory`, `load`, `cpu`, and the paths of disks. */
  readonly host: readonly string[]
  /** Browsers that open pages: each the path of a program, or the address of one that runs; then its arguments. */
  readonly browsers: readonly string[]
  /** Checks with a browser at once. */
  readonly browsersAtOnce: number
  /** The memory of one, with all its processes. */
  readonly browserMemoryMb: number
  /** The ids of the organizations whose monitors may do so. Empty: all, unless the service is shared. */
  readonly machineOrgs: readonly string[]
  /** Proxies by name, as `readProxy` reads them. */
  readonly proxies: Readonly<Record<string, string>>
  /** The same for these. */
  readonly proxyOrgs: readonly string[]
}

export const closedMachine: MachineRules = {
  containers: {},
  units: [],
  commands: {},
  files: [],
  host: [],
  browsers: [],
  browsersAtOnce: 1,
  browserMemoryMb: 1_024,
  machineOrgs: [],
  proxies: {},
  proxyOrgs: [],
}

/** The rules of settings that have more. */
export function machineRules(settings: MachineRules): MachineRules {
  const { containers, units, commands, files, host, machineOrgs, proxies, proxyOrgs } = settings
  const { browsers, browsersAtOnce, browserMemoryMb } = settings
  const ofBrowsers = { browsers, browsersAtOnce, browserMemoryMb }
  const ofProxies = { proxies, proxyOrgs }
  return { containers, units, commands, files, host, ...ofBrowsers, machineOrgs, ...ofProxies }
}

/** Whether a list allows something to an organization. Undefined: the operator's own, or a probe's own. */
export function isOpenTo(
  orgId: string | undefined,
  listed: readonly string[],
  isShared: boolean,
): boolean {
  if (orgId === undefined || listed.includes(orgId)) return true
  return listed.length === 0 && !isShared
}

/** Whether a name fits a pattern in which `*` stands for anything. */
export function fitsStars(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at + last.length <= name.length
}
