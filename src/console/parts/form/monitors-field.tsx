// Chooses monitors by name.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { monitors } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'
import { type FieldProps, MoreInGuide, Wrong } from './fields.tsx'
import { problemAt } from './form.ts'
import { useFormAround } from './form-context.ts'

const shownMax = 50

interface MonitorsFieldProps extends FieldProps {
  /** The monitor that is edited does not choose itself. */
  readonly except?: string | undefined
}

export function MonitorsField({ pointer, label, help, except }: MonitorsFieldProps) {
  const form = useFormAround()
  const id = form.idOf(pointer)
  const wrong = problemAt(form, pointer)
  const wanted = useSignal('')
  const chosen = (form.get(pointer) ?? []) as readonly string[]
  const text = wanted.value.trim().toLocaleLowerCase()
  // The monitors that were chosen before come first, because of thousands only some are shown.
  const first = useRef(new Set(chosen)).current
  const fitting = [...monitors.value.values()]
    .filter(({ id, name }) => chosen.includes(id) || name.toLocaleLowerCase().includes(text))
    .filter(({ id }) => id !== except)
    .toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)))
  const toggle = (id: string, isOn: boolean) =>
    form.set(pointer, isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <fieldset class={wrong === undefined ? 'field' : 'field is-wrong'}>
      <legend>{label}</legend>
      <input
        id={id}
        type="search"
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-help`}
        aria-label={words.value.overview.search}
        placeholder={words.value.overview.search}
        value={wanted.value}
        onInput={({ currentTarget: { value } }) => (wanted.value = value)}
      />
      <div class="pick-list">
        {fitting.slice(0, shownMax).map(({ id, name }) => (
          <label key={id} class="inline">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) => toggle(id, checked)}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
        {fitting.length > shownMax && <p class="faint">…</p>}
      </div>
      <p id={`${id}-help`} class="help">
        <Wrong problem={wrong} />
        {help}
        <MoreInGuide pointer={pointer} />
      </p>
    </fieldset>
  )
}
