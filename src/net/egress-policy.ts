// The egress policy: which addresses and URLs the daemon may open connections to.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../base/memory/bounds.ts'
import { limits } from '../domain/limits/limits.ts'
import { type AddressKind, classifyAddress } from './address.ts'
import { type Failure, failure } from './failure.ts'
import { closedMachine, isOpenTo, type MachineRules } from './machine-policy.ts'
import { type ProxyAddress, readProxy } from './proxy-address.ts'

/** `public`: addresses on the internet. `any`: also the operator's own network. */
export type TargetPolicy = 'public' | 'any'

export interface Listener {
  /** `0.0.0.0` and `::` stand for every address of this machine. */
  readonly address: string
  readonly port: number
}

/** The rules that the operator sets. */
export interface TargetPolicyRules {
  readonly targets: TargetPolicy
  /** CIDRs or addresses allowed despite `public`; a metadata address needs its own entry. */
  readonly allow?: readonly string[]
  /** Ports above 1023 that are refused under `public`. */
  readonly deniedPorts?: readonly number[]
  /** A remote probe: what it may not open says nothing about the target. Default: the daemon. */
  readonly isProbe?: boolean
  /** Default: nothing of this machine may be looked at. */
  readonly machine?: MachineRules
}

export interface GuardOptions extends TargetPolicyRules {
  /** The daemon's own listeners: users must not make the daemon call itself. */
  readonly ownListeners?: () => readonly Listener[]
  /** Whether organizations share the service that have nothing to do with each other. Default: yes. */
  readonly isShared?: () => boolean
}

export type Judgement =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      readonly reason: string
      /** The settings that decide it; absent if nothing allows it. */
      readonly settings?: string
    }

/** Something of this machine that a check looks at. */
export interface MachineAim {
  /** Its kind, as a reason: `a unit of this machine`. */
  readonly what: string
  /** The setting that lists what may be looked at. */
  readonly settings: string
  isListed(rules: MachineRules): boolean
}

export interface UrlProblem {
  /** `validation_failed`: an invalid URL. `target_not_allowed`: the policy forbids the address. */
  readonly code: 'validation_failed' | 'target_not_allowed'
  /** A sentence without its subject, such as `must start with http:// or https://`. */
  readonly reason: string
  /** The field that the reason is about, if it is not the URL. */
  readonly field?: 'ipFamily' | 'connectTo' | 'proxy'
}

export type Guard = ReturnType<typeof createGuard>

const privilegedPortsMax = 1_023
const allowed: Judgement = { allowed: true }

/** Throws a plain error for an `allow` entry that is not a CIDR. */
export function createGuard(options: GuardOptions) {
  const { ownListeners = () => [], isShared = () => true } = options
  let { targets, allow, deniedPorts, isProbe, machine } = rulesOf(options)
  const kinds = new LRUCache<string, AddressKind>(atMostEntries(limits.dnsCacheEntriesMax))

  function kindOf(address: string): AddressKind | undefined {
    const known = kinds.get(address)
    if (known !== undefined) return known
    const kind = classifyAddress(address)
    if (kind !== undefined) kinds.set(address, kind)
    return kind
  }

  function portIsOpen(port: number): boolean {
    return port === 80 || port === 443 || (port > privilegedPortsMax && !deniedPorts.has(port))
  }

  /** Judges an IP address, and the port if one is given. */
  function judgeAddress(address: string, port?: number): Judgement {
    const kind = kindOf(address)
    if (kind === undefined) return refused('not an IP address')
    if (kind.isMetadata) {
      return covers(allow, kind.canonical, 'exact')
        ? allowed
        : refused('a cloud metadata address', 'checks.allow')
    }
    if (targets === 'any') return allowed
    if (port !== undefined && isOwn(ownListeners(), kind, port)) {
      return refused('the address of this service itself')
    }
    if (allow.length > 0 && covers(allow, kind.canonical)) return allowed
    if (kind.special !== null) return refused(kind.special, addressSettings)
    return port === undefined || portIsOpen(port) ? allowed : refused(`port ${port}`, portSettings)
  }

  /** Judges a port before the address of a name is known. */
  function judgePort(port: number): Judgement {
    // The name may resolve to an allowed address, where every port is open. With entries in `allow`
    // the port is therefore judged later, together with the address.
    const isOpen = targets === 'any' || allow.length > 0 || portIsOpen(port)
    return isOpen ? allowed : refused(`port ${port}`, portSettings)
  }

  /** Judges whether monitors of an organization may look at something of this machine. */
  function judgeMachine({ what, settings, isListed }: MachineAim, orgId?: string): Judgement {
    if (!isListed(machine)) return refused(what, settings)
    const isOpen = isOpenTo(orgId, machine.machineOrgs, isShared())
    return isOpen ? allowed : refused(what, 'checks.machineOrgs')
  }

  /** A proxy that monitors of the organization may go through; undefined: there is none of that name for them. */
  function proxyNamed(name: string, orgId?: string): ProxyAddress | undefined {
    const { proxies, proxyOrgs } = machine
    const text = Object.hasOwn(proxies, name) ? proxies[name] : undefined
    return text !== undefined && isOpenTo(orgId, proxyOrgs, isShared())
      ? readProxy(text)
      : undefined
  }

  /** The names of the proxies that monitors of the organization may go through. */
  function proxiesOf(orgId: string): readonly string[] {
    const { proxies, proxyOrgs } = machine
    return isOpenTo(orgId, proxyOrgs, isShared()) ? Object.keys(proxies).toSorted() : []
  }

  /** What is wrong with a URL before any name is resolved, or null. */
  function judgeUrl(text: string): UrlProblem | null {
    const problem = urlShapeProblem(text)
    if (problem !== null) return { code: 'validation_failed', reason: problem }
    const url = new URL(text)
    const host = hostOf(url)
    const port = portOf(url)
    if (isLocalName(host)) return forbidden(judgeAddress('127.0.0.1', port))
    return forbidden(isIP(host) === 0 ? judgePort(port) : judgeAddress(host, port))
  }

  return {
    judgeAddress,
    judgePort,
    judgeUrl,
    judgeMachine,
    proxyNamed,
    proxiesOf,
    /** What of this machine may be looked at. */
    machine: (): MachineRules => machine,
    isProbe: (): boolean => isProbe,
    /** The failure of a check that a judgement ends. `who`: what leads there, as `10.0.0.1 is`. */
    refusal(who: string, { reason, settings }: Extract<Judgement, { allowed: false }>): Failure {
      const refused = failure('blocked', `${who} ${reason}, which is not allowed`)
      if (!isProbe) return refused
      const message =
        settings === undefined ? refused.message : `${refused.message}: ${probeHint(settings)}`
      return { ...refused, result: 'unknown', message }
    },
    /** Judges by other rules from now on. */
    setRules(rules: TargetPolicyRules): void {
      ;({ targets, allow, deniedPorts, isProbe, machine } = rulesOf(rules))
    },
  }
}

function rulesOf(rules: TargetPolicyRules) {
  const { targets, allow = [], deniedPorts = limits.deniedPorts } = rules
  const { isProbe = false, machine = closedMachine } = rules
  return {
    targets,
    allow: parseEntries(allow),
    deniedPorts: new Set(deniedPorts),
    isProbe,
    machine,
  }
}

/** The variable that opens it to a probe; of several settings, the one that opens an address with all ports. */
function probeHint(settings: string): string {
  const name = settings.includes(' ') ? 'checks.allow' : settings
  const variable = name.replace(/[A-Z]/g, '_$&').replace('.', '_').toUpperCase()
  return `whoever runs the probe can allow it with STILLUP_${variable}`
}

const addressSettings = 'checks.targets and checks.allow'
const portSettings = 'checks.targets and checks.deniedPorts'

function refused(reason: string, settings?: string): Judgement {
  return settings === undefined ? { allowed: false, reason } : { allowed: false, reason, settings }
}

/** The problem of a URL whose address was judged; null if it is allowed. */
export function forbidden(judgement: Judgement): UrlProblem | null {
  if (judgement.allowed) return null
  const { reason, settings } = judgement
  const who = settings === undefined ? '' : `: the operator decides with ${settings}`
  return { code: 'target_not_allowed', reason: `leads to ${reason}, which is not allowed${who}` }
}

/**
 * Checked first: pasted spaces are invisible, and would lead to a misleading message about the
 * scheme.
 */
export const blanksAround = 'must not begin or end with a space'

/** Suggests the URL with its scheme, if only that is missing; else ''. */
export function didYouMean(text: string, scheme: string): string {
  const isPlace = /^(?:localhost\b|[\w-]+\.[\w.-]+|\[[0-9a-f:.]+\])[^\s\\@]*$/i.test(text)
  const url = `${scheme}://${text}`
  return isPlace && !text.includes('://') && URL.canParse(url) ? `; did you mean ${url}?` : ''
}

/** What is wrong with the text as an http(s) URL, or null. */
export function urlShapeProblem(text: string): string | null {
  if (text.length > limits.urlCharsMax) return `must be at most ${limits.urlCharsMax} characters`
  if (text !== text.trim()) return blanksAround
  if (!/^https?:\/\//i.test(text)) {
    return `must start with http:// or https://${didYouMean(text, 'https')}`
  }
  if (/^\w+:\/\/([/?#]|$)/.test(text)) return 'must name a host'
  // The URL parser drops tabs and newlines and reads `\` as `/`, which could hide a host.
  if (/[\0-\x20\x7f\\]/.test(text)) return 'must not contain spaces, control characters or \\'
  const url = URL.parse(text)
  if (url === null) return 'is not a valid URL'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https URL'
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    return 'must not contain a user name or password'
  }
  if (url.port === '0') return 'must not name port 0'
  return hostOf(url) === '' ? 'must name a host' : null
}

/** The host without brackets and without a trailing dot. */
export function hostOf(url: URL): string {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return host.endsWith('.') ? host.slice(0, -1) : host
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** RFC 6761: these names always mean this machine, whatever a name server says. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

type AddressRule = readonly [ipaddr.IPv4 | ipaddr.IPv6, bits: number]

function parseEntries(entries: readonly string[]): readonly AddressRule[] {
  return entries.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

function covers(entries: readonly AddressRule[], canonical: string, how: 'exact' | 'any' = 'any') {
  const address = ipaddr.parse(canonical)
  return entries.some(([base, bits]) => {
    if (base.kind() !== address.kind()) return false
    if (how === 'exact' && bits !== (base.kind() === 'ipv4' ? 32 : 128)) return false
    return address.match(base, bits)
  })
}

function isOwn(listeners: readonly Listener[], kind: AddressKind, port: number): boolean {
  return listeners.some((listener) => {
    if (listener.port !== port) return false
    if (listener.address !== '0.0.0.0' && listener.address !== '::') {
      return classifyAddress(listener.address)?.canonical === kind.canonical
    }
    return Object.values(networkInterfaces()).some((list) =>
      list?.some((own) => classifyAddress(own.address)?.canonical === kind.canonical),
    )
  })
}
