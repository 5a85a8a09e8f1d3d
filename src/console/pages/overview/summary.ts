// The summary of the organization: read again when incidents change, and with the checks of the day.
import { useEffect } from 'preact/hooks'
import type { Data } from '../../api/client.ts'
import { onLive } from '../../api/live.ts'
import { type Resource, useData } from '../../api/resource.ts'
import { settled } from '../../base/settled.ts'
import { orgId } from '../../stores/session.ts'

const quietMs = 100
/** In a storm of incidents. */
const everyMs = 2_500
/** The summary of a large organization may be two seconds old. */
const confirmMs = 2_500
/** The uptime and the checks of the day grow without an event. */
const todayEveryMs = 60_000

export type Summary = Data<'orgs.summary'>

export function useSummary(): Resource<Summary> {
  const summary = useData('orgs.summary', { path: { orgId: orgId() } })
  useEffect(() => {
    const reload = settled(summary.reload, { quietMs, everyMs })
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = onLive((events) => {
      if (!events.some(({ type }) => type.startsWith('incident.') || type === 'stream.gap')) return
      reload()
      // The answer of now may be from before the incident.
      clearTimeout(timer)
      timer = setTimeout(reload, confirmMs)
    })
    const today = setInterval(reload, todayEveryMs)
    return () => {
      end()
      clearTimeout(timer)
      clearInterval(today)
      reload.stop()
    }
  }, [summary])
  return summary
}
