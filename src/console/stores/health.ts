// The health of the installation, for its administrators: read rarely, because looking costs.
import { signal } from '@preact/signals'
import { type Data, fetchData } from '../api/client.ts'

export type HealthData = Data<'system.health'>

/** What is known of it; undefined before it is, and for others than administrators. */
export const health = signal<HealthData | undefined>(undefined)

/** The answers of the service are as old as that. */
const healthReadMs = 10 * 60_000

/** Keeps it fresh; returns what ends that. A failure shows nothing: the page of the health says it. */
export function followHealth(): () => void {
  const stopping = new AbortController()
  const read = () =>
    fetchData('system.health', { signal: stopping.signal }).then(
      (found) => {
        health.value = found
      },
      () => {},
    )
  void read()
  const timer = setInterval(() => void read(), healthReadMs)
  return () => {
    clearInterval(timer)
    stopping.abort()
    health.value = undefined
  }
}
