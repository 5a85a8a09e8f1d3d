// The members of a group, with their states as they turn.
import type { Data } from '../../api/client.ts'
import { Said } from '../../parts/text/said.tsx'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { monitors } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'

export function Members({ monitor }: { readonly monitor: Data<'monitors.get'> }) {
  const texts = words.value.editor.members
  const { memberIds = [], lastError } = monitor
  return (
    <section class="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {lastError && (
        <p class="reason is-down">
          <Said text={lastError.message} />
        </p>
      )}
      {memberIds.length === 0 && <p class="faint">{texts.none}</p>}
      <ul class="plain">
        {memberIds.map((id) => {
          const member = monitors.value.get(id)
          return (
            <li key={id}>
              {member && <StateMark state={member.state} />}{' '}
              <a href={`/app/monitors/${id}`}>
                <bdi>{member?.name ?? id}</bdi>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
