// The values that a step may name, each to be inserted where somebody types.
import type { RefObject } from 'preact'
import { words } from '../../../../words/words.ts'
import { type KnownName, madeNames } from './step-model.ts'

/** A text in which placeholders may stand. */
export type TemplateField = HTMLInputElement | HTMLTextAreaElement

export interface InsertNamesProps {
  readonly names: readonly KnownName[]
  readonly secrets: readonly string[]
  /** The text that somebody typed into last. */
  readonly field: RefObject<TemplateField | null>
  /** Where it is inserted before that. */
  readonly usual: () => TemplateField | null
}

export function InsertNames({ names, secrets, field, usual }: InsertNamesProps) {
  const texts = words.value.editor.steps
  function insert(name: string): void {
    const current = field.current?.isConnected ? field.current : usual()
    if (!current) return
    const { selectionStart, selectionEnd, value } = current
    const at = selectionStart ?? value.length
    current.setRangeText(`{{${name}}}`, at, selectionEnd ?? at, 'end')
    current.dispatchEvent(new Event('input', { bubbles: true }))
    current.focus()
  }
  const all = [
    ...names.map(({ name, from }) => {
      return { name, title: from === undefined ? texts.variables : texts.fromStep({ name: from }) }
    }),
    ...secrets.map((name) => ({ name: `secret.${name}`, title: texts.secretOfOrg })),
    ...madeNames.map((name) => ({ name, title: texts.madeAnew })),
  ]
  return (
    <fieldset class="chips insert-names">
      <legend class="help">{texts.insert}</legend>
      {all.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          title={title}
          // The text keeps the focus, and the place in it.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => insert(name)}
        >
          <code>{`{{${name}}}`}</code>
        </button>
      ))}
    </fieldset>
  )
}
