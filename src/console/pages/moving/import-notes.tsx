// The notes of an import, which somebody ticks when they are dealt with; everybody of the organization sees that.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { Said } from '../../parts/text/said.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

type KeptNote = Data<'imports.get'>['notes'][number]

interface ImportNotesProps {
  readonly importId: string
  readonly notes: readonly KeptNote[]
}

/** Notes that are shown at first. */
const shownMax = 100

export function ImportNotes({ importId, notes }: ImportNotesProps) {
  const { moving: texts } = words.value
  const all = useSignal(notes)
  const most = useSignal(shownMax)
  const open = all.value.filter(({ isDone }) => !isDone).length
  const tick = (place: number, isDone: boolean) =>
    act(async () => {
      const path = { orgId: orgId(), importId }
      const body = { places: [place], isDone }
      all.value = (await fetchData('imports.tickNotes', { path, body })).notes
    })
  return (
    <section class="card">
      <div class="card-head">
        <h2>{texts.notesTitle}</h2>
        <span class="faint figure">{texts.notesOpen({ count: open })}</span>
      </div>
      <p class="help">{texts.notesHelp}</p>
      <ul class="import-notes">
        {all.value.slice(0, most.value).map(({ name, text, isDone }, place) => (
          // The list keeps its order, and a place is what a note is known by.
          <li key={place} class={isDone ? 'is-done' : undefined}>
            <label class="inline">
              <input
                type="checkbox"
                checked={isDone}
                onChange={({ currentTarget }) => void tick(place, currentTarget.checked)}
              />
              <span>
                {name !== null && <strong>{name} </strong>}
                <Said text={text} />
              </span>
            </label>
          </li>
        ))}
      </ul>
      {all.value.length > most.value && (
        <button type="button" class="more-rows" onClick={() => (most.value += shownMax)}>
          {words.value.common.actions.more}
        </button>
      )}
    </section>
  )
}
