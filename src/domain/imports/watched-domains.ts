// Products that warn of the expiry of the domains that their monitors look at; here a monitor of the domain does.
import { limits } from '../limits/limits.ts'
import { publicSuffixes } from '../public-suffixes.ts'
import { type ForeignFields, type ForeignMonitor, listOf } from './foreign.ts'

/** One monitor for each domain, with the channels of all monitors that look at it; `looking` are these. */
export function domainMonitors(
  looking: readonly ForeignMonitor[],
  domainWarnDays: readonly number[],
): readonly ForeignMonitor[] {
  const found = looking.flatMap((monitor) => {
    const domain = domainOf(monitor)
    return domain === undefined ? [] : [{ domain, monitor }]
  })
  return [...Map.groupBy(found, ({ domain }) => domain)].map(([domain, those]) => {
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
      ...(those.every(({ monitor }) => monitor.alertsNobody === true)
        ? { alertsNobody: true }
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
