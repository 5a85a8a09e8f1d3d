// The newest incidents of a monitor.

import { ShieldCheck } from 'lucide'
import { useData } from '../../api/resource.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Said } from '../../parts/text/said.tsx'
import { duration, Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export interface MonitorIncidentsProps {
  readonly monitorId: string
  /** Changes when an incident begins or ends. */
  readonly version: string
}

export function MonitorIncidents({ monitorId, version }: MonitorIncidentsProps) {
  const texts = words.value.monitor
  const incidents = useData(
    'monitors.incidents',
    {
      path: { orgId: orgId(), monitorId },
      query: { limit: 10 },
    },
    [version],
  )
  return (
    <section class="card">
      <h2>{texts.incidents}</h2>
      <LogTable of={incidents} none={{ icon: ShieldCheck, about: texts.noIncidents }} isInside>
        {({ id, title, cause, startedAt, durationMs, resolvedAt }) => (
          <tr key={id}>
            <td>
              <Time at={startedAt} form="local" />
            </td>
            <td>
              <a href={`/app/incidents/${id}`}>{title}</a>{' '}
              <span class="faint">
                <Said text={cause} />
              </span>
            </td>
            <td class="figure">
              {resolvedAt === null ? texts.ongoing : duration(durationMs / 1_000)}
            </td>
          </tr>
        )}
      </LogTable>
    </section>
  )
}
