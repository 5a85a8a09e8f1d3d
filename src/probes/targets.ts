// Says which URLs a monitor of each kind may have, and which host its check contacts.
import { isIP } from 'node:net'
import { connectToRule, readConnectTo } from '../domain/monitors/connect-to.ts'
import type { IpFamily } from '../net/dns/resolver.ts'
import {
  blanksAround,
  forbidden,
  type Guard,
  isLocalName,
  type UrlProblem,
} from '../net/egress-policy.ts'
import type { OpenedKind, UrlDestination } from './run/kind.ts'

export type TargetRules = ReturnType<typeof createTargetRules>

/** How a check gets to its target: what of a monitor's fields says that. */
export interface CheckWay {
  readonly connectTo?: string | null | undefined
  readonly proxy?: string | null | undefined
}

const noProxy =
  'is no proxy that this organization may use: the operator decides with checks.proxies and checks.proxyOrgs'

/** Never throws: an invalid URL is a value. A kind that is not opened has no URL. */
export function createTargetRules(
  guard: Guard,
  opened: ReadonlyMap<string, Pick<OpenedKind, 'destination' | 'judge' | 'portOf'>>,
) {
  /** Judges what is known before any look-up: addresses, and names of this machine. */
  function judgeAim({ host, port }: UrlDestination): UrlProblem | null {
    if (host === null) return null
    const address = isLocalName(host) ? '127.0.0.1' : host
    if (isIP(address) !== 0) return forbidden(guard.judgeAddress(address, port ?? undefined))
    return port == null ? null : forbidden(guard.judgePort(port))
  }

  function wayProblem(
    { connectTo, proxy, ipFamily = 'any' }: CheckWay & { readonly ipFamily?: IpFamily },
    kind: Pick<OpenedKind, 'destination' | 'portOf'>,
    url: string,
    orgId: string | undefined,
  ): UrlProblem | null {
    const place = connectTo ? readConnectTo(connectTo) : undefined
    if (connectTo && place === undefined) {
      return { code: 'validation_failed', reason: connectToRule, field: 'connectTo' }
    }
    if (place !== undefined) {
      // The usual port of a kind is usual at another host, too.
      const isSamePort = place.port === null || place.port === kind.portOf(url)
      const destination = kind.destination(url)
      const port = isSamePort && 'port' in destination ? destination.port : place.port
      const found = judgeAim({ host: place.host, port: port ?? null })
      if (found !== null) return { ...found, field: 'connectTo' }
      const wrongFamily = familyProblem(place.host, ipFamily)
      if (wrongFamily !== null) return wrongFamily
    }
    if (!proxy || guard.proxyNamed(proxy, orgId) !== undefined) return null
    return { code: 'target_not_allowed', reason: noProxy, field: 'proxy' }
  }

  return {
    /** What is wrong with a URL as the target of such a check, or null. */
    judgeUrl(
      checkType: string,
      url: string,
      ipFamily: IpFamily = 'any',
      orgId?: string,
      way: CheckWay = {},
    ): UrlProblem | null {
      const kind = opened.get(checkType)
      if (!kind) return null
      if (url !== url.trim()) return { code: 'validation_failed', reason: blanksAround }
      const found = kind.destination(url)
      if ('problem' in found) return { code: 'validation_failed', reason: found.problem }
      const problem = familyProblem(found.host, ipFamily) ?? judgeAim(found)
      return (
        problem ??
        forbidden(kind.judge(url, orgId)) ??
        wayProblem({ ...way, ipFamily }, kind, url, orgId)
      )
    },
    /** The host that a check contacts, for limiting checks per host. '' if the URL has none. */
    hostOf(checkType: string, url: string, connectTo?: string | null): string {
      const place = connectTo ? readConnectTo(connectTo) : undefined
      if (place !== undefined) return place.host
      const found = opened.get(checkType)?.destination(url)
      if (!found || 'problem' in found) return ''
      // All checks without a host contact the same servers, so the name itself is the key.
      return found.host ?? url
    },
  }
}

/** A literal address has a family, so a different `ipFamily` would be ignored silently. */
function familyProblem(host: string | null, ipFamily: IpFamily): UrlProblem | null {
  const version = isIP(host ?? '')
  if (version === 0 || ipFamily === 'any' || ipFamily === `ipv${version}`) return null
  const reason = `must not be ${ipFamily} where the url names the IPv${version} address ${host}`
  return { code: 'validation_failed', field: 'ipFamily', reason }
}
