// Chooses monitors by name.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { FieldProps } from '../../parts/form/fields.tsx'
import { monitors } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'

const shownMax = 50

export function MonitorsField({ form, pointer, label }: FieldProps) {
  const wanted = useSignal('')
  const chosen = (form.get(pointer) ?? []) as readonly string[]
  const text = wanted.value.trim().toLocaleLowerCase()
  // Those that were chosen before come first: of thousands only some are shown.
  const first = useRef(new Set(chosen)).current
  const fitting = [...monitors.value.values()]
    .filter(({ id, name }) => chosen.includes(id) || name.toLocaleLowerCase().includes(text))
    .toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)))
  const toggle = (id: string, isOn: boolean) =>
    form.set(pointer, isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <input
        type="search"
        aria-label={words.value.overview.search}
        placeholder={words.value.overview.search}
        value={wanted.value}
        onInput={({ currentTarget: { value } }) => {
          wanted.value = value
        }}
      />
      <div class="pick-list">
        {fitting.slice(0, shownMax).map(({ id, name }) => (
          <label key={id} class="inline">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) => toggle(id, checked)}
            />
            {name}
          </label>
        ))}
        {fitting.length > shownMax && <p class="faint">…</p>}
      </div>
    </fieldset>
  )
}
