// Decides whether a failed check was caused by our own network or by the target, with the help of
// sentinels: hosts that are checked only to test our network.

/** What of ours may have failed instead of the target; `network` if both versions were tried. */
export type Doubt = 'dns' | 'ipv4' | 'ipv6' | 'network'

export const capabilities = ['ipv4', 'ipv6', 'dns'] as const
/** One way in which the daemon reaches the world. */
export type Capability = (typeof capabilities)[number]

/** What one sentinel check shows per capability: working or not; null if there is no evidence. */
export type Sight = { readonly [S in Capability]: boolean | null }

/** A host that is probed only to see whether it can be reached. */
export interface SentinelAnswer {
  readonly version: 'ipv4' | 'ipv6'
  readonly answers: boolean
  /** It has answered before or does now; silence of one that never answered is no evidence. */
  readonly isProven: boolean
}

/** The result of querying our name servers for a name that no cache contains. */
export interface NamesAnswer {
  readonly answers: boolean
  /** They answered better before: an answer now, or a refusal when there is only silence now. */
  readonly isProven: boolean
  /** Whether the name servers have answered any other query since the daemon started. */
  readonly hasAnsweredOthers: boolean
}

export interface SentinelReport {
  readonly sentinels: readonly SentinelAnswer[]
  /** Null if there are no name servers to query. */
  readonly names: NamesAnswer | null
}

/** Interprets a sentinel check: an IP version is lost if under half of its sentinels answer. */
export function sightOf({ sentinels, names }: SentinelReport): Sight {
  const wayOut = (version: SentinelAnswer['version']): boolean | null => {
    const proven = sentinels.filter((one) => one.version === version && one.isProven)
    const answering = proven.filter(({ answers }) => answers)
    return proven.length === 0 ? null : answering.length * 2 >= proven.length
  }
  return { ipv4: wayOut('ipv4'), ipv6: wayOut('ipv6'), dns: sightOfNames(names) }
}

function sightOfNames(names: NamesAnswer | null): boolean | null {
  if (names === null) return null
  if (names.answers) return true
  // Name servers that serve only internal names never answer others: no sign of trouble.
  return names.isProven ? false : null
}

/**
 * Whether the name servers have never answered anything, as far as known: they may be starting up,
 * or know none of the queried names.
 */
export function areUnheard({ names }: SentinelReport): boolean {
  return names !== null && !names.answers && !names.isProven && !names.hasAnsweredOthers
}

interface CapabilityState {
  /** `untold`: there is no evidence, so it counts as working. */
  readonly state: 'works' | 'lost' | 'untold'
  /** Good sentinel checks in a row since it was lost. */
  readonly goodLooks: number
}

/** The current belief about our own capabilities. */
export type Capabilities = { readonly [S in Capability]: CapabilityState }

const untold: CapabilityState = { state: 'untold', goodLooks: 0 }

export const initialCapabilities: Capabilities = { ipv4: untold, ipv6: untold, dns: untold }

const observerGoodLooks = 2

/** Lost at the first bad sentinel check; back after observerGoodLooks good ones in a row. */
export function afterSentinelCheck(before: Capabilities, sight: Sight): Capabilities {
  const capability = (name: Capability): CapabilityState => {
    const works = sight[name]
    if (works === null) return untold
    if (!works) return { state: 'lost', goodLooks: 0 }
    const goodLooks = before[name].goodLooks + 1
    const isBack = before[name].state !== 'lost' || goodLooks >= observerGoodLooks
    return isBack ? { state: 'works', goodLooks: 0 } : { state: 'lost', goodLooks }
  }
  return { ipv4: capability('ipv4'), ipv6: capability('ipv6'), dns: capability('dns') }
}

/** The lost capabilities, in a fixed order. */
export function lostCapabilities(believed: Capabilities): Capability[] {
  return capabilities.filter((capability) => believed[capability].state === 'lost')
}

/** Whether a doubtful failure must be attributed to us. */
export function isOurs(believed: Capabilities, doubt: Doubt): boolean {
  if (doubt !== 'network') return believed[doubt].state === 'lost'
  const states = [believed.ipv4.state, believed.ipv6.state]
  return states.includes('lost') && !states.includes('works')
}

/** Whether requests to this service may currently fail to arrive. */
export function isCutOff(believed: Capabilities): boolean {
  return isOurs(believed, 'network') || isOurs(believed, 'ipv4')
}

/** Whether this address needs a network: the machine itself is always reachable. */
function isFar(address: string): boolean {
  return !/^(127\.|::1$)/.test(address)
}

/** Treats IPv4-mapped addresses as IPv4, because that is how they travel. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The doubt that a failure to reach these addresses raises. */
export function doubtOver(addresses: readonly string[]): Doubt | undefined {
  const far = addresses.map(unmapped).filter(isFar)
  if (far.length === 0) return undefined
  const six = far.filter((address) => address.includes(':')).length
  if (six === 0) return 'ipv4'
  return six === far.length ? 'ipv6' : 'network'
}

/** The network of an address: /16, or /32 for IPv6. Addresses in the same one count as one sign. */
export function networkOf(address: string): string {
  const isV6 = address.includes(':')
  return address.split(isV6 ? ':' : '.', 2).join(isV6 ? ':' : '.')
}
