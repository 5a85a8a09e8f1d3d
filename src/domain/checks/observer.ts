// The observer: is it them or us? What our own sentinels say of our network, and what follows.
import { limits } from '../limits/limits.ts'

/** What of ours may have failed in place of the target: `network` where both versions were tried. */
export type Doubt = 'dns' | 'ipv4' | 'ipv6' | 'network'

export const capabilities = ['ipv4', 'ipv6', 'dns'] as const
/** One way in which the daemon perceives the world. */
export type Capability = (typeof capabilities)[number]

/** What one look at the sentinels says of each sense: it works or not; null where nothing tells. */
export type Sight = { readonly [S in Capability]: boolean | null }

/** One place that is looked at only to see whether it can be reached. */
export interface SentinelAnswer {
  readonly version: 'ipv4' | 'ipv6'
  readonly answers: boolean
  /** It has answered before or does now: the silence of one that never did says nothing. */
  readonly isProven: boolean
}

/** What came of asking our name servers for a name that no cache holds. */
export interface NamesAnswer {
  readonly answers: boolean
  /** They have said more before: such an answer, or a refusal where there is only silence now. */
  readonly isProven: boolean
  /** Whether the name servers have answered any question of ours in this life. */
  readonly hasAnsweredOthers: boolean
}

export interface SentinelReport {
  readonly sentinels: readonly SentinelAnswer[]
  /** Null where there are no name servers to ask. */
  readonly names: NamesAnswer | null
}

/** What a look at the sentinels means: a version is lost where fewer than half of its answer. */
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
  // Name servers that know our own names only never answer for others: no sign of trouble.
  return names.isProven ? false : null
}

/**
 * Whether the name servers have never answered anything, as far as we know: they may be about to
 * start as we are, or know none of the names that they were asked for.
 */
export function areUnheard({ names }: SentinelReport): boolean {
  return names !== null && !names.answers && !names.isProven && !names.hasAnsweredOthers
}

interface CapabilityState {
  /** `untold`: nothing can tell, so it counts as working until something does. */
  readonly state: 'works' | 'lost' | 'untold'
  /** Good looks in a row since it was lost. */
  readonly goodLooks: number
}

/** What we believe of ourselves. */
export type Capabilities = { readonly [S in Capability]: CapabilityState }

const untold: CapabilityState = { state: 'untold', goodLooks: 0 }

export const initialCapabilities: Capabilities = { ipv4: untold, ipv6: untold, dns: untold }

/** Lost at the first look that says so; back after limits.observerGoodLooks in a row. */
export function afterLook(before: Capabilities, sight: Sight): Capabilities {
  const capability = (name: Capability): CapabilityState => {
    const works = sight[name]
    if (works === null) return untold
    if (!works) return { state: 'lost', goodLooks: 0 }
    const goodLooks = before[name].goodLooks + 1
    const isBack = before[name].state !== 'lost' || goodLooks >= limits.observerGoodLooks
    return isBack ? { state: 'works', goodLooks: 0 } : { state: 'lost', goodLooks }
  }
  return { ipv4: capability('ipv4'), ipv6: capability('ipv6'), dns: capability('dns') }
}

/** The senses that are lost, in a fixed order. */
export function lostCapabilities(believed: Capabilities): Capability[] {
  return capabilities.filter((capability) => believed[capability].state === 'lost')
}

/** Whether a failure that could be ours has to be taken for ours. */
export function isOurs(believed: Capabilities, doubt: Doubt): boolean {
  if (doubt !== 'network') return believed[doubt].state === 'lost'
  const states = [believed.ipv4.state, believed.ipv6.state]
  return states.includes('lost') && !states.includes('works')
}

/** Whether what others send us may be lost on the way. */
export function isCutOff(believed: Capabilities): boolean {
  return isOurs(believed, 'network') || isOurs(believed, 'ipv4')
}

/** Whether it takes a network to reach this address: this machine itself is never lost. */
function isFar(address: string): boolean {
  return !/^(127\.|::1$)/.test(address)
}

/** What travels over IPv4 is IPv4, however it is spelled. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** What a failure to reach these addresses leaves in doubt. */
export function doubtOver(addresses: readonly string[]): Doubt | undefined {
  const far = addresses.map(unmapped).filter(isFar)
  if (far.length === 0) return undefined
  const six = far.filter((address) => address.includes(':')).length
  if (six === 0) return 'ipv4'
  return six === far.length ? 'ipv6' : 'network'
}

/** The network that an address lies in: /16, or /32 of IPv6. Those of the same one are one sign. */
export function networkOf(address: string): string {
  const isV6 = address.includes(':')
  return address.split(isV6 ? ':' : '.', 2).join(isV6 ? ':' : '.')
}
