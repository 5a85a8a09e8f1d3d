// One level and one sentence for a whole page.
import type { PublicIncident, PublicPage, PublicState } from './public-page.ts'

/**
 * The worst state shown, in words. If more than half of the services are down, it is a major
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
    const sentence = down * 2 > known ? 'Major outage' : 'Partial outage'
    return { level: 'down', sentence }
  }
  if (count('degraded') > 0) return { level: 'degraded', sentence: 'Degraded performance' }
  if (incidents.some(({ isOpen }) => isOpen)) {
    return { level: 'degraded', sentence: 'Ongoing incident' }
  }
  if (count('unknown') > 0) return { level: 'unknown', sentence: 'Monitoring interrupted' }
  if (count('maintenance') > 0) return { level: 'maintenance', sentence: 'Under maintenance' }
  if (known === 0 && count('waiting') > 0) {
    return { level: 'unknown', sentence: 'Waiting for the next results' }
  }
  if (known === 0) return { level: 'unknown', sentence: 'No data yet' }
  return { level: 'up', sentence: 'All systems operational' }
}
