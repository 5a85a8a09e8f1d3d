// One level and one sentence for a whole page.
import type { PublicIncident, PublicPage, PublicState } from './public-page.ts'

/**
 * The worst that is shown, in words. More than half of the services down is a major outage. What is
 * paused, pending or not looked at says nothing, unless it is all there is.
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
  if (known === 0) return { level: 'unknown', sentence: 'No data yet' }
  return { level: 'up', sentence: 'All systems operational' }
}
