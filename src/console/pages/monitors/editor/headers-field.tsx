// Request headers: a name and a value in each row. Stored values come masked, and stay if they are
// left so, unless the address leads to another server.
import { useSignal } from '@preact/signals'
import { plainPart } from '../../../base/pointer.ts'
import type { Form } from '../../../parts/form/form.ts'
import { words } from '../../../words/words.ts'
import { maskedNames } from './kept-headers.ts'
import type { MonitorBody } from './monitor-body.ts'

type HeaderRow = readonly [name: string, value: string]

const recordOf = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(([name]) => name.trim() !== ''))

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

export interface HeadersFieldProps {
  readonly form: Form<MonitorBody>
  /** The address leads to another server: masks stand for nothing any more. */
  readonly mustBeTyped: boolean
}

export function HeadersField({ form, mustBeTyped }: HeadersFieldProps) {
  const texts = words.value.editor
  const value = (form.get('/headers') ?? {}) as Record<string, string>
  // Rows have an order, and may have no name yet; the record of the API has neither.
  const typed = useSignal<readonly HeaderRow[]>([])
  // The form may have taken other headers meanwhile, such as headers that somebody else stored.
  const rows = isSame(recordOf(typed.value), value) ? typed.value : Object.entries(value)
  function change(next: readonly HeaderRow[]): void {
    typed.value = next
    form.set('/headers', recordOf(next), { isSecret: true })
  }
  const changeRow = (at: number, row: HeaderRow) =>
    change(rows.map((old, index) => (index === at ? row : old)))
  const problem = [...form.fieldProblems.value.values()].find(({ pointer }) =>
    pointer.startsWith('/headers'),
  )
  // The row that it names, or else the first.
  const wrongName = problem && plainPart(problem.pointer.slice('/headers/'.length))
  const named = rows.findIndex(([name]) => name === wrongName)
  const wrongAt = problem ? Math.max(0, named) : -1
  const helpId = `${form.idOf('/headers')}-help`
  const toType = mustBeTyped ? maskedNames(value) : []
  return (
    <fieldset class="field rows" id={form.idOf('/headers')}>
      <legend>{texts.headers}</legend>
      {rows.map(([name, value], index) => (
        <div key={index} class="row">
          <input
            class="code"
            aria-invalid={index === wrongAt}
            aria-describedby={helpId}
            aria-label={texts.headerName}
            placeholder="Authorization"
            value={name}
            onInput={({ currentTarget }) => changeRow(index, [currentTarget.value, value])}
          />
          <input
            class="code"
            aria-invalid={toType.includes(name)}
            aria-describedby={helpId}
            aria-label={texts.headerValue}
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
        {texts.addHeader}
      </button>
      {toType.length > 0 ? (
        <p key="again" id={helpId} class="help wrong" role="status">
          {texts.headersAgain({ names: toType.join(', ') })}
        </p>
      ) : (
        <p key="problem" id={helpId} class="help wrong" lang={problem?.lang}>
          {problem?.message}
        </p>
      )}
    </fieldset>
  )
}
