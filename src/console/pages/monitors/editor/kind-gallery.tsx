// The kinds of checks to choose from by families, each with a drawing; a search finds them by what they are for.
import { useSignal } from '@preact/signals'
import { type CheckType, factsOf } from '../../../api/kinds.ts'
import { textOfKind } from '../../../base/json-schema.ts'
import type { KindFacts } from '../../../base/kind-facts.ts'
import { Wrong } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { Icon } from '../../../parts/text/icon.tsx'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

export interface KindGalleryProps {
  readonly form: Form<MonitorBody>
  readonly kinds: readonly CheckType[]
  readonly chosen: CheckType
  readonly onChoose: (kind: CheckType) => void
}

export function KindGallery({ form, kinds, chosen, onChoose }: KindGalleryProps) {
  const texts = words.value.editor
  const wanted = useSignal('')
  const id = form.idOf('/checkType')
  const wrong = form.fieldProblems.value.get('/checkType')
  const nameOf = (kind: CheckType) => textOfKind(texts.kinds, kind) ?? kind
  const fitting = kinds.filter((kind) => {
    const all = [
      kind,
      nameOf(kind),
      textOfKind(texts.kindHelp, kind),
      textOfKind(texts.kindUses, kind),
    ]
    return all.join(' ').toLowerCase().includes(wanted.value.trim().toLowerCase())
  })
  return (
    <div class={wrong === undefined ? 'field' : 'field is-wrong'}>
      <span class="gallery-head">
        <span id={`${id}-label`} class="label">
          {texts.kind}
        </span>
        <input
          type="search"
          aria-label={texts.searchKinds}
          placeholder={texts.searchKinds}
          value={wanted.value}
          onInput={({ currentTarget: { value } }) => (wanted.value = value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // It would send the form.
            event.preventDefault()
            if (fitting[0]) onChoose(fitting[0])
          }}
        />
      </span>
      <div
        id={id}
        class="kinds"
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-help`}
      >
        {familiesOf(fitting).map(([family, ofFamily]) => (
          <fieldset key={family} class="kind-family" aria-label={texts.families[family]}>
            <span class="family-name" aria-hidden="true">
              {texts.families[family]}
            </span>
            <div class="family-kinds">
              {ofFamily.map((kind) => (
                <label key={kind} class="kind">
                  <input
                    type="radio"
                    name="checkType"
                    value={kind}
                    checked={kind === chosen}
                    onChange={() => onChoose(kind)}
                  />
                  <Icon of={factsOf(kind).icon} />
                  {nameOf(kind)}
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <p id={`${id}-help`} class="help" role="status">
        <Wrong problem={wrong} />
        {fitting.length === 0 ? texts.noKind : textOfKind(texts.kindHelp, chosen)}
      </p>
    </div>
  )
}

type Family = KindFacts['family']

/** The families that have one of the kinds, in the order of their texts. */
function familiesOf(kinds: readonly CheckType[]): readonly [Family, readonly CheckType[]][] {
  const all = Object.keys(words.value.editor.families) as Family[]
  return all.flatMap((family) => {
    const ofFamily = kinds.filter((kind) => factsOf(kind).family === family)
    return ofFamily.length === 0 ? [] : [[family, ofFamily] as const]
  })
}
