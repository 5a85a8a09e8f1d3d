// Which badges a page has: its own state, and for each monitor that it shows state, uptime and
// response time.
import { palettesOfLook } from '../../../base/colors.ts'
import { type PageText, pageTextOf } from '../../status/page-text.ts'
import type {
  DocumentContext,
  FigureWindow,
  OverallLevel,
  PublicMonitor,
  PublicPage,
  PublicState,
} from '../../view/public-page.ts'
import type { Badge, BadgeTone } from './badge.ts'

export const badgeMetrics = ['state', 'uptime', 'responseTime'] as const
type BadgeMetric = (typeof badgeMetrics)[number]

export interface BadgeRequest {
  readonly metric: BadgeMetric
  readonly window: FigureWindow
  /** Null: the name of the monitor, or what the badge is about. */
  readonly label: string | null
}

const levelTones: Readonly<Record<OverallLevel, BadgeTone>> = {
  up: 'good',
  degraded: 'fair',
  down: 'bad',
  maintenance: 'calm',
  unknown: 'none',
}

const stateTones: Readonly<Record<PublicState, BadgeTone>> = {
  up: 'good',
  degraded: 'fair',
  down: 'bad',
  maintenance: 'calm',
  pending: 'none',
  waiting: 'none',
  paused: 'none',
  unknown: 'none',
}

export function pageBadge({ view, language }: DocumentContext, label: string | null): Badge {
  const { words } = pageTextOf(view, language)
  return {
    label: label ?? words.badges.status,
    message: words.overall[view.overall.kind],
    tone: levelTones[view.overall.level],
    ground: groundOf(view),
  }
}

/** Badges stand on the pages of others, which are light more often than not. */
function groundOf({ look, theme }: PublicPage): string {
  return theme.accent ?? palettesOfLook(look).light.ink
}

/** Undefined if the page does not show the monitor, or the figure. */
export function monitorBadge(
  context: DocumentContext,
  monitorId: string,
  request: BadgeRequest,
): Badge | undefined {
  const { view, language } = context
  const monitor = view.monitors?.find(({ id }) => id === monitorId)
  if (!monitor) return undefined
  const text = pageTextOf(view, language)
  const { metric, window } = request
  const label = request.label ?? labelOf(monitor, request, text)
  const ground = groundOf(view)
  switch (metric) {
    case 'state':
      return {
        label,
        message: text.words.states[monitor.state],
        tone: stateTones[monitor.state],
        ground,
      }
    case 'uptime': {
      if (!view.showUptime) return undefined
      const ratio = context.figures.uptime(monitor.id, window)
      if (ratio === null) return { label, message: '—', tone: 'none', ground }
      return { label, message: text.formats.percent(ratio), tone: uptimeTone(ratio), ground }
    }
    case 'responseTime': {
      if (!view.showResponseTimes) return undefined
      const latencyMs = context.figures.responseTimeMs(monitor.id, window)
      if (latencyMs === null) return { label, message: '—', tone: 'none', ground }
      return { label, message: text.formats.responseTime(latencyMs), tone: 'calm', ground }
    }
  }
}

function labelOf({ name }: PublicMonitor, { metric, window }: BadgeRequest, text: PageText) {
  if (metric === 'state') return name
  const { badges } = text.words
  const figure = metric === 'uptime' ? badges.uptime : badges.responseTime
  return `${name} ${figure} ${window}`
}

function uptimeTone(ratio: number): BadgeTone {
  if (ratio >= 0.995) return 'good'
  return ratio >= 0.97 ? 'fair' : 'bad'
}
