// One level and one kind of sentence for a whole page.
import type { PublicIncident, PublicPage, PublicState } from './public-page.ts'

/**
 * The worst state shown. If more than half of the services are down, it is a major
 * outage. Paused, pending, waiting and unknown monitors count only if there are no others.
 */
export function overallOf(
  states: readonly PublicState[],
  incidents: readonly PublicIncident[],
): PublicPage['overall'] {
  const count = (state: PublicState) => states.filter((one) => one === state).length
  const down = count('down')
  const known = count('up') + count('degraded') + down + count('maintenance')
  if (down > 0) {
    return { level: 'down', kind: down * 2 > known ? 'major_outage' : 'partial_outage' }
  }
  if (count('degraded') > 0) return { level: 'degraded', kind: 'degraded' }
  if (incidents.some(({ isOpen }) => isOpen)) {
    return { level: 'degraded', kind: 'incident' }
  }
  if (count('unknown') > 0) return { level: 'unknown', kind: 'interrupted' }
  if (count('maintenance') > 0) return { level: 'maintenance', kind: 'maintenance' }
  if (known === 0 && count('waiting') > 0) {
    return { level: 'unknown', kind: 'waiting' }
  }
  if (known === 0) return { level: 'unknown', kind: 'no_data' }
  return { level: 'up', kind: 'operational' }
}
