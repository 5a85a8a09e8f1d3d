// The whole history of the organization, table by table.
import { useSignal } from '@preact/signals'
import { urlOf } from '../../api/client.ts'
import type { Words } from '../../words/catalogue.ts'
import { words } from '../../words/words.ts'

type HistoryTableName = keyof Words['people']['historyExport']['tables']

/** The names of formats are the same in every language. */
const formats = { csv: 'CSV', jsonl: 'JSON Lines', parquet: 'Parquet' } as const

export function HistoryExport({ id }: { readonly id: string }) {
  const { historyExport: texts } = words.value.people
  const table = useSignal<HistoryTableName>('days')
  const format = useSignal<keyof typeof formats>('csv')
  const query = { table: table.value, format: format.value }
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{texts.about}</p>
      <div class="form-row">
        <Choice
          label={texts.table}
          names={texts.tables}
          value={table.value}
          onChoose={(name) => {
            table.value = name
          }}
        />
        <Choice
          label={texts.format}
          names={formats}
          value={format.value}
          onChoose={(name) => {
            format.value = name
          }}
        />
      </div>
      <div class="actions">
        <a class="button" href={urlOf('history.download', { path: { orgId: id }, query })} download>
          {texts.download}
        </a>
      </div>
    </section>
  )
}

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly names: Readonly<Record<Name, string>>
  readonly value: Name
  readonly onChoose: (name: Name) => void
}

function Choice<Name extends string>({ label, names, value, onChoose }: ChoiceProps<Name>) {
  // The keys of a record are its names.
  const known = Object.keys(names) as Name[]
  return (
    <label class="field">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) =>
          onChoose(known.find((name) => name === currentTarget.value) ?? value)
        }
      >
        {known.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
