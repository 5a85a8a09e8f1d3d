// The open incidents of the organization, above everything else.
import { useEffect } from 'preact/hooks'
import { fetchData } from '../../api/client.ts'
import { onLive } from '../../api/live.ts'
import { useResource } from '../../api/resource.ts'
import { settled } from '../../base/settled.ts'
import { ProblemNote } from '../../parts/page/problem-note.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { monitorsProblem } from '../../stores/monitors.ts'
import { organization, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

const shownMax = 5
const quietMs = 100
/** In a storm of incidents. */
const everyMs = 2_500
/** The summary of a large organization may be two seconds old. */
const confirmMs = 2_500

export function OpenIncidents() {
  const id = organization.value?.id
  const summary = useResource(
    (signal) => fetchData('orgs.summary', { path: { orgId: orgId() }, signal }),
    [id],
  )
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
    return () => {
      end()
      clearTimeout(timer)
      reload.stop()
    }
  }, [summary])
  const problem = summary.problem.value
  const open = summary.value.value?.openIncidents
  // Nothing here would mean that nothing is open. The list says itself when nothing answers.
  if (problem && !open && !monitorsProblem.value)
    return <ProblemNote problem={problem} onRetry={() => void summary.reload()} />
  if (!open || open.count === 0) return null
  const texts = words.value.overview.incidents
  return (
    <section class="open-incidents" aria-label={texts.title}>
      <h2>{texts.count({ count: open.count })}</h2>
      <ul>
        {open.newest.slice(0, shownMax).map(({ id, title, cause, severity, state, startedAt }) => (
          <li key={id} class={severity === 'degraded' ? 'is-degraded' : 'is-down'}>
            <a href={`/app/incidents/${id}`}>
              <strong>{title}</strong>{' '}
              <span class="faint">
                <Said text={cause} />
              </span>
            </a>
            <span class="faint">
              {state === 'acknowledged' && `${texts.acknowledged} · `}
              <Time at={startedAt} />
            </span>
          </li>
        ))}
      </ul>
      {open.count > shownMax && <a href="/app/incidents">{texts.all}</a>}
    </section>
  )
}
