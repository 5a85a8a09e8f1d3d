// The path of an alert: which channels get it, when, and why others do not.
import type { ChannelId } from '../../base/ids.ts'
import { type CheckType, isGroup } from '../checks/check-type.ts'
import type { Severity } from '../incidents/incident.ts'
import { type Channel, type ChannelEvent, isLoudEnough } from './channel.ts'
import { isLetOut, quietUntilMs } from './quiet-hours.ts'

/** Why a channel does not get an alert. */
export const refusals = [
  'organization_off',
  'other_channels_named',
  'not_default',
  'alerts_nobody',
  'group',
  'tags',
  'switched_off',
  'switched_off_by_service',
  'event',
  'severity',
  'flapping',
  'acknowledged',
  'dependency',
  'quiet_hours',
  'maintenance',
  'shadow',
] as const
export type Refusal = (typeof refusals)[number]

export type AlertRoute =
  | { readonly kind: 'now' }
  /** The wait that ends last is the reason. */
  | { readonly kind: 'later'; readonly atMs: number; readonly because: 'delay' | 'quiet_hours' }
  | {
      readonly kind: 'none'
      readonly because: Refusal
      /** With `dependency`: the name of the monitor that is down. */
      readonly blockerName?: string
    }

/** What is to be announced. */
export interface RoutedNews {
  readonly event: ChannelEvent
  readonly severity: Severity
  /** Why people are spared news of the incident, if they are. */
  readonly sparedBy?: 'flapping' | 'acknowledged' | 'dependency' | 'maintenance' | 'shadow'
  /** With `dependency`: the name of the monitor that is down. */
  readonly blockerName?: string
}

/** The fields of a monitor that choose its channels. */
interface Chooser {
  readonly checkType: CheckType
  readonly notifyChannelIds: readonly ChannelId[]
  readonly tags: readonly string[]
  readonly alertsNobody: boolean
}

/** Default channels hear of the members of a group, so it alerts only channels that it names. */
const isQuiet = (monitor: Chooser) => isGroup(monitor) && monitor.notifyChannelIds.length === 0

const alertsSomebody = ({ alertsNobody }: Chooser) => !alertsNobody

/** The channel takes alerts of at least one of the monitors. */
function takesOne({ tags }: Channel, monitors: readonly Chooser[]): boolean {
  if (tags.length === 0) return true
  return monitors.some((monitor) => monitor.tags.some((tag) => tags.includes(tag)))
}

/**
 * The channels that monitors alert: the ones that they name, unless they are for other tags. If none is
 * left, the default channels with the right tags: they are better than silence. If there are no monitors,
 * all default channels, but channels for tags only if there is no other. A group that names none has none, and
 * so has a monitor that alerts nobody.
 */
export function chosenChannels(
  all: readonly Chooser[],
  named: readonly Channel[],
  defaults: () => readonly Channel[],
): Channel[] {
  const monitors = all.filter(alertsSomebody)
  if (all.length > 0 && monitors.length === 0) return []
  const taken = named.filter((channel) => takesOne(channel, monitors))
  if (taken.length > 0) return taken
  if (monitors.length > 0 && monitors.every(isQuiet)) return []
  const usual = defaults()
  const fitting = usual.filter((channel) => takesOne(channel, monitors))
  return fitting.length === 0 && monitors.length === 0 ? [...usual] : fitting
}

/** What becomes of news for a channel that was chosen, or already knows of the incident. */
export function routeTo(channel: Channel, news: RoutedNews, nowMs: number): AlertRoute {
  const because = refusalOf(channel, news)
  if (because !== null) {
    const { blockerName } = news
    const isNamed = because === 'dependency' && blockerName !== undefined
    return { kind: 'none', because, ...(isNamed ? { blockerName } : {}) }
  }
  const { quietHours, delayMinutes } = channel
  const { event, severity } = news
  const delayMs = event === 'incident.opened' ? delayMinutes * 60_000 : 0
  const dueAtMs = nowMs + delayMs
  const isOut = quietHours !== null && isIncident(event) && isLetOut(quietHours, severity)
  const quietEndMs = isOut ? null : quietUntilMs(quietHours, dueAtMs)
  if (quietEndMs !== null) {
    // A reminder of the night is no use in the morning.
    if (event === 'incident.reminder') return { kind: 'none', because: 'quiet_hours' }
    return { kind: 'later', atMs: quietEndMs, because: 'quiet_hours' }
  }
  return delayMs > 0 ? { kind: 'later', atMs: dueAtMs, because: 'delay' } : { kind: 'now' }
}

function isIncident(event: ChannelEvent): boolean {
  return event.startsWith('incident.')
}

/** Events for which `minSeverity` counts: later ones follow on an opening. */
const beginnings: ReadonlySet<ChannelEvent> = new Set([
  'incident.opened',
  'certificate.expiring',
  'domain.expiring',
])

function refusalOf(channel: Channel, { event, severity, sparedBy }: RoutedNews): Refusal | null {
  if (!channel.isActive) {
    return channel.disabledReason === null ? 'switched_off' : 'switched_off_by_service'
  }
  if (!channel.events.includes(event)) return 'event'
  if (beginnings.has(event) && !isLoudEnough(channel, severity)) return 'severity'
  return sparedBy ?? null
}

export interface ChannelRoute {
  readonly channel: Channel
  readonly route: AlertRoute
}

export interface PathRequest {
  readonly channels: readonly Channel[]
  /** The monitors of the news; empty for an incident that a person declared about none. */
  readonly monitors: readonly Chooser[]
  readonly news: RoutedNews
  /** The organization is switched off: nobody gets anything. */
  readonly isOrgOff: boolean
}

/** The route to every channel of an organization, in their order. */
export function pathOf(request: PathRequest, nowMs: number): ChannelRoute[] {
  const { channels, news, isOrgOff } = request
  const monitors = request.monitors.filter(alertsSomebody)
  const isNobody = request.monitors.length > 0 && monitors.length === 0
  const namedIds = new Set(monitors.flatMap(({ notifyChannelIds }) => notifyChannelIds))
  const isNamed = ({ id }: Channel) => namedIds.has(id)
  const named = channels.filter(isNamed)
  const chosen = chosenChannels(request.monitors, named, () =>
    channels.filter((one) => one.isDefault),
  )
  // Named channels that take none of the tags count as not there.
  const areNamed = chosen.some(isNamed)
  const areQuiet = monitors.length > 0 && monitors.every(isQuiet)

  function spared(channel: Channel): Refusal {
    if (isNobody) return 'alerts_nobody'
    const isMeant = isNamed(channel) || (!areNamed && channel.isDefault)
    if (isMeant) return areQuiet ? 'group' : 'tags'
    return areNamed ? 'other_channels_named' : 'not_default'
  }

  const isChosen = new Set(chosen)
  return channels.map((channel) => {
    if (isOrgOff) return { channel, route: { kind: 'none', because: 'organization_off' } }
    return isChosen.has(channel)
      ? { channel, route: routeTo(channel, news, nowMs) }
      : { channel, route: { kind: 'none', because: spared(channel) } }
  })
}
