// Valid monitor URLs per kind, and the host that a check contacts.
import { isIP } from 'node:net'
import type { CheckType } from '../domain/checks/check-type.ts'
import type { IpFamily } from '../net/dns/resolver.ts'
import {
  blanksAround,
  forbidden,
  type Guard,
  hostOf,
  isLocalName,
  type UrlProblem,
} from '../net/egress-policy.ts'
import { parseDnsUrl } from './dns/dns.ts'
import { parseDomainUrl } from './domain/domain.ts'
import { type RdapBootstrap, rdapProblem } from './domain/rdap-bootstrap.ts'
import { parsePingUrl } from './ping/ping.ts'
import { mailPorts, parseSmtpUrl } from './smtp/smtp.ts'
import { parseTcpUrl } from './tcp.ts'
import { parseSslUrl, tlsPorts } from './tls/ssl.ts'
import { parseWebsocketUrl } from './websocket/websocket.ts'

export type TargetRules = ReturnType<typeof createTargetRules>

export interface TargetRulesDeps {
  readonly guard: Guard
  readonly bootstrap: RdapBootstrap
}

/** Where a check connects. The host is null if the URL does not determine it. */
interface UrlDestination {
  readonly host: string | null
  /** Absent: the standard port of the kind's own protocol, which every policy allows. */
  readonly port?: number
  readonly problem?: never
}

type UrlReader = (url: string) => UrlDestination | { readonly problem: string }

type UrlReaders = { readonly [Kind in Exclude<CheckType, 'push'>]: UrlReader }

/** Never throws: an invalid URL is a value. */
export function createTargetRules({ guard, bootstrap }: TargetRulesDeps) {
  const readWeb: UrlReader = (url) => {
    const parsed = URL.parse(url)
    return parsed ? { host: hostOf(parsed) } : { problem: 'is not a valid URL' }
  }
  const readers: UrlReaders = {
    endpoint: readWeb,
    health: readWeb,
    keyword: readWeb,
    websocket(url) {
      const read = parseWebsocketUrl(url)
      return read.problem === undefined ? readWeb(read.url) : read
    },
    ssl: usualPorts(tlsPorts, parseSslUrl),
    smtp: usualPorts(mailPorts, parseSmtpUrl),
    tcp: parseTcpUrl,
    ping(url) {
      const read = parsePingUrl(url)
      if (read.problem !== undefined) return read
      return read.port === null ? { host: read.host } : { host: read.host, port: read.port }
    },
    dns(url) {
      const read = parseDnsUrl(url)
      if (read.problem !== undefined) return read
      const { server, address = null } = read
      if (!server) return { host: address }
      return server.port === dnsPort ? { host: server.host } : server
    },
    domain(url) {
      const read = parseDomainUrl(url)
      if (read.problem !== undefined) return read
      const problem = rdapProblem(read.name, bootstrap)
      return problem === null ? { host: null } : { problem }
    },
  }

  /** Judges what is known before any look-up: addresses, and names of this machine. */
  function judgeAim({ host, port }: UrlDestination): UrlProblem | null {
    if (host === null) return null
    const address = isLocalName(host) ? '127.0.0.1' : host
    if (isIP(address) !== 0) return forbidden(guard.judgeAddress(address, port))
    return port === undefined ? null : forbidden(guard.judgePort(port))
  }

  function judgeWeb(
    url: string,
    read: ReturnType<UrlReader>,
    ipFamily: IpFamily,
  ): UrlProblem | null {
    const problem = guard.judgeUrl(url)
    if (problem?.code === 'validation_failed' || read.problem !== undefined) return problem
    return familyProblem(read.host, ipFamily) ?? problem
  }

  return {
    /** What is wrong with a URL as the target of such a check, or null. */
    judgeUrl(checkType: CheckType, url: string, ipFamily: IpFamily = 'any'): UrlProblem | null {
      if (checkType === 'push') return null
      if (url !== url.trim()) return { code: 'validation_failed', reason: blanksAround }
      if (isWeb(checkType)) return judgeWeb(url, readWeb(url), ipFamily)
      const read = readers[checkType](url)
      if (read.problem !== undefined) return { code: 'validation_failed', reason: read.problem }
      if (checkType === 'websocket')
        return judgeWeb(`http${url.slice('ws'.length)}`, read, ipFamily)
      return familyProblem(read.host, ipFamily) ?? judgeAim(read)
    },
    /** The host that a check contacts, for limiting checks per host. '' if the URL has none. */
    hostOf(checkType: CheckType, url: string): string {
      if (checkType === 'push') return ''
      const read = readers[checkType](url)
      if (read.problem !== undefined) return ''
      // All such checks contact the same servers, so the name itself is the key.
      return read.host ?? url
    },
  }
}

const dnsPort = 53

/** A literal address has a family, so a different `ipFamily` would be ignored silently. */
function familyProblem(host: string | null, ipFamily: IpFamily): UrlProblem | null {
  const version = isIP(host ?? '')
  if (version === 0 || ipFamily === 'any' || ipFamily === `ipv${version}`) return null
  const reason = `must not be ${ipFamily} where the url names the IPv${version} address ${host}`
  return { code: 'validation_failed', field: 'ipFamily', reason }
}

function isWeb(checkType: CheckType): boolean {
  return checkType === 'endpoint' || checkType === 'health' || checkType === 'keyword'
}

/** The standard ports of a protocol are allowed under every policy. */
function usualPorts(
  ports: ReadonlySet<number>,
  read: (
    url: string,
  ) => (UrlDestination & { readonly port: number }) | { readonly problem: string },
): UrlReader {
  return (url) => {
    const found = read(url)
    return 'host' in found && ports.has(found.port) ? { host: found.host } : found
  }
}
