// A record of texts, such as headers or labels: a name and a value in each row.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { plainPart } from '../../base/pointer.ts'
import { words } from '../../words/words.ts'
import { useFormAround } from './form-context.ts'

type Pair = readonly [name: string, value: string]

const recordOf = (rows: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(rows.filter(([name]) => name.trim() !== ''))

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

export interface RecordFieldProps {
  readonly pointer: string
  readonly label: string
  readonly nameLabel: string
  readonly valueLabel: string
  readonly placeholder: string
  readonly addText: string
  /** Kept out of drafts. */
  readonly isSecret?: boolean
  /** The names whose values must be typed again, and what says so. */
  readonly again?: { readonly names: readonly string[]; readonly text: string } | undefined
  readonly help?: ComponentChildren
  /** What a record without rows is; default: an empty one. */
  readonly emptyAs?: undefined
}

export function RecordField(props: RecordFieldProps) {
  const form = useFormAround()
  const { pointer, label, nameLabel, valueLabel, placeholder, addText, again, help } = props
  const value = (form.get(pointer) ?? {}) as Record<string, string>
  // Rows have an order, and may have no name yet; the record of the API has neither.
  const typed = useSignal<readonly Pair[]>([])
  // The form may have taken another record meanwhile, such as one that somebody else stored.
  const rows = isSame(recordOf(typed.value), value) ? typed.value : Object.entries(value)
  function change(next: readonly Pair[]): void {
    typed.value = next
    const record = recordOf(next)
    const isNone = 'emptyAs' in props && Object.keys(record).length === 0
    form.set(pointer, isNone ? undefined : record, { isSecret: props.isSecret ?? false })
  }
  const changeRow = (at: number, row: Pair) =>
    change(rows.map((old, index) => (index === at ? row : old)))
  const problem = [...form.fieldProblems.value.values()].find(
    (one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`),
  )
  // The row that it names, or else the first.
  const wrongName = problem && plainPart(problem.pointer.slice(pointer.length + 1))
  const named = rows.findIndex(([name]) => name === wrongName)
  const wrongAt = problem ? Math.max(0, named) : -1
  const helpId = `${form.idOf(pointer)}-help`
  const toType = again?.names ?? []
  return (
    <fieldset class="field rows" id={form.idOf(pointer)}>
      <legend>{label}</legend>
      {rows.map(([name, value], index) => (
        <div key={index} class="row">
          <input
            class="code"
            aria-invalid={index === wrongAt}
            aria-describedby={helpId}
            aria-label={nameLabel}
            placeholder={placeholder}
            value={name}
            onInput={({ currentTarget }) => changeRow(index, [currentTarget.value, value])}
          />
          <input
            class="code"
            aria-invalid={toType.includes(name)}
            aria-describedby={helpId}
            aria-label={valueLabel}
            value={value}
            onInput={({ currentTarget }) => changeRow(index, [name, currentTarget.value])}
          />
          <button
            type="button"
            class="icon"
            aria-label={`${words.value.common.actions.remove} ${name}`}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...rows, ['', '']])}>
        {addText}
      </button>
      {again && toType.length > 0 ? (
        <p key="again" id={helpId} class="help wrong" role="status">
          {again.text}
        </p>
      ) : (
        <p key="problem" id={helpId} class={problem ? 'help wrong' : 'help'} lang={problem?.lang}>
          {problem?.message ?? help}
        </p>
      )}
    </fieldset>
  )
}
