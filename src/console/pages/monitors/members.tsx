// The members of a group, with their states as they turn.
import type { Data } from '../../api/client.ts'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { monitors } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'
import { Reason } from './evidence/evidence.tsx'

interface MembersProps {
  readonly monitor: Data<'monitors.get'>
  readonly latest: Data<'monitors.latest'> | undefined
}

export function Members({ monitor, latest }: MembersProps) {
  const texts = words.value.editor.members
  const { memberIds = [] } = monitor
  return (
    <section class="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {latest && <Reason of={latest} />}
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
