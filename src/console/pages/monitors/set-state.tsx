// The state of a manual monitor: what a person last said, and the buttons that say something else.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { Reason } from './evidence/evidence.tsx'

interface SetStateProps {
  readonly monitor: Data<'monitors.get'>
  readonly latest: Data<'monitors.latest'> | undefined
  readonly onChange: (monitor: Data<'monitors.get'>) => void
}

const settable = ['up', 'degraded', 'down'] as const

export function SetState({ monitor, latest, onChange }: SetStateProps) {
  const texts = words.value.monitor.setState
  const message = useSignal('')
  const busy = useSignal<(typeof settable)[number] | undefined>(undefined)
  const { isActive } = monitor
  async function set(state: (typeof settable)[number]): Promise<void> {
    if (busy.value) return
    busy.value = state
    const why = message.value.trim()
    await act(async () => {
      const path = { orgId: orgId(), monitorId: monitor.id }
      const body = { state, ...(why === '' ? {} : { message: why }) }
      onChange(await fetchData('monitors.setState', { path, body }))
      message.value = ''
    })
    busy.value = undefined
  }
  return (
    <section class="card" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      {latest && <Reason of={latest} />}
      {isActive && mayAs('member') && (
        <>
          <label class="field">
            <span class="label">{texts.message}</span>
            <input
              type="text"
              maxLength={300}
              placeholder={texts.example}
              value={message.value}
              onInput={({ currentTarget: { value } }) => (message.value = value)}
            />
          </label>
          <div class="actions">
            {settable.map((state) => (
              <button
                key={state}
                type="button"
                aria-busy={busy.value === state}
                onClick={() => void set(state)}
              >
                <StateMark state={state} />
              </button>
            ))}
          </div>
        </>
      )}
    </section>
  )
}
