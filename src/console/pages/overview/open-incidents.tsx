// The open incidents of the organization, above everything else.
import type { Resource } from '../../api/resource.ts'
import { ProblemNote } from '../../parts/page/problem-note.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { monitorsProblem } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'
import type { Summary } from './summary.ts'

const shownMax = 5
export function OpenIncidents({ summary }: { readonly summary: Resource<Summary> }) {
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
