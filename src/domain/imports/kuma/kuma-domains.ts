// Uptime Kuma warns of the expiry of the domains that its monitors look at; here a monitor of the domain does.
import { limits } from '../../limits/limits.ts'
import { publicSuffixes } from '../../public-suffixes.ts'
import { type ForeignFields, type ForeignMonitor, flagOf, listOf } from '../foreign.ts'
import type { BoundMonitor } from './channels/kuma-channels.ts'

/** One monitor for each domain, with the channels of all monitors that look at it. */
export function domainMonitors(
  bound: readonly BoundMonitor[],
  domainWarnDays: readonly number[],
): readonly ForeignMonitor[] {
  const looking = bound.flatMap(({ item, monitor }) => {
    const domain = flagOf(item.domainExpiryNotification) ? domainOf(monitor) : undefined
    return domain === undefined ? [] : [{ domain, monitor }]
  })
  return [...Map.groupBy(looking, ({ domain }) => domain)].map(([domain, those]) => {
    const channels = those.flatMap(({ monitor }) => listOf(monitor.notifyChannelIds))
    return {
      origin: `domain/${domain}`,
      name: domain,
      checkType: 'domain',
      url: `domain://${domain}`,
      isActive: those.some(({ monitor }) => monitor.isActive !== false),
      tags: [],
      domainWarnDays,
      ...(channels.length > 0
        ? { notifyChannelIds: [...new Set(channels)].slice(0, limits.notifyChannelsMax) }
        : {}),
    }
  })
}

/** The registered domain of what it looks at; undefined for addresses, and for names that nobody registers. */
function domainOf({ url }: ForeignFields): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { domain, isIcann } = publicSuffixes().parse(new URL(url).hostname)
  return isIcann === true ? (domain ?? undefined) : undefined
}
