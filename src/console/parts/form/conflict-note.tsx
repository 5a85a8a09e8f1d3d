// Says that somebody else changed what a form changes, and offers both versions.
import { listed, punctuation, words } from '../../words/words.ts'
import type { Form } from './form.ts'
import { useFormAround } from './form-context.ts'

export interface ConflictNoteProps {
  readonly onTakeTheirs: () => void
  readonly onKeepMine: () => void
}

export function ConflictNote({ onTakeTheirs, onKeepMine }: ConflictNoteProps) {
  const form = useFormAround()
  const { conflict: texts, problems } = words.value.common
  const conflict = form.conflict.value
  if (!conflict) return null
  const { who, changed } = conflict
  return (
    <div class="note is-problem" role="alert">
      <p>
        <strong>{who === undefined ? problems.changedElsewhere : texts.by({ who })}</strong>
        {punctuation.value.gap}
        {changed.length > 0 &&
          texts.fields({
            names: listed(changed.map((one) => labelOf(form, one))),
          })}
      </p>
      <p>{texts.about}</p>
      <div class="form-foot">
        <button type="button" onClick={onTakeTheirs}>
          {texts.takeTheirs}
        </button>
        <button type="button" onClick={onKeepMine}>
          {texts.keepMine}
        </button>
      </div>
    </div>
  )
}

/** As the form names it; fields that it does not show have only the name of the API. */
function labelOf(form: Form, pointer: string): string {
  const control = document.getElementById(form.idOf(pointer))
  const label = control && document.querySelector(`label[for="${control.id}"]`)
  return label?.firstChild?.textContent || label?.textContent || pointer.slice(1)
}
