// The uptime of every monitor, for an order by it. Asked for only while somebody wants that.
import { computed, signal } from '@preact/signals'
import { fetchData } from '../api/client.ts'
import { organization } from './session.ts'

const loaded = signal<{ readonly orgId: string; readonly byId: ReadonlyMap<string, number> }>({
  orgId: '',
  byId: new Map(),
})

/** By the id of the monitor; empty until they were asked for. */
export const uptimes = computed(() =>
  loaded.value.orgId === organization.value?.id ? loaded.value.byId : new Map<string, number>(),
)

const everyMs = 60_000

/** Asks for them now and each minute, until the function that it returns is called. */
export function followUptimes(orgId: string): () => void {
  const ended = new AbortController()
  async function load(): Promise<void> {
    try {
      const path = { orgId }
      const { monitors } = await fetchData('overview.uptimes', { path, signal: ended.signal })
      const byId = new Map(monitors.map(({ monitorId, uptime }) => [monitorId, uptime]))
      loaded.value = { orgId, byId }
    } catch {
      // What is known stays; the next minute asks again.
    }
  }
  void load()
  const timer = setInterval(() => void load(), everyMs)
  return () => {
    clearInterval(timer)
    ended.abort()
  }
}
