// What a step takes from its answer for later steps: a name, a part of the answer and a path in each row.
import { useFormAround } from '../../../../parts/form/form-context.ts'
import { problemsOfRow } from '../../../../parts/form/row-problems.tsx'
import { words } from '../../../../words/words.ts'
import type { Capture } from './step-model.ts'

const sources: readonly Capture['source'][] = ['json', 'header', 'html', 'xml', 'body']

const examples: Readonly<Record<Capture['source'], string>> = {
  json: '$.token',
  header: 'Location',
  html: 'input[name=csrf]@value',
  xml: 'order > id',
  body: 'id=(\\d+)',
}

export function CapturesField({ pointer }: { readonly pointer: string }) {
  const texts = words.value.editor
  const form = useFormAround()
  const captures = (form.get(pointer) ?? []) as readonly Capture[]
  const change = (next: readonly Capture[]) => form.set(pointer, next)
  const changeRow = (at: number, changes: Partial<Capture>) =>
    change(captures.map((old, index) => (index === at ? { ...old, ...changes } : old)))
  return (
    <fieldset class="field rows" id={form.idOf(pointer)}>
      <legend>{texts.steps.captures}</legend>
      {captures.map(({ name, source, path }, index) => {
        const at = `${pointer}/${index}`
        const { wrong, problemsShown } = problemsOfRow(form, at)
        return (
          <div key={index} class="row is-capture">
            <input
              {...wrong('name')}
              class="code"
              aria-label={texts.steps.captureName}
              placeholder="token"
              value={name}
              onInput={({ currentTarget: { value } }) => changeRow(index, { name: value })}
            />
            <select
              aria-label={texts.assertionSource}
              value={source}
              onChange={({ currentTarget: { value } }) =>
                changeRow(index, { source: value as Capture['source'] })
              }
            >
              {sources.map((one) => (
                <option key={one} value={one}>
                  {texts.sources[one]}
                </option>
              ))}
            </select>
            <input
              {...wrong('path')}
              class="code"
              aria-label={texts.assertionPath}
              placeholder={examples[source]}
              value={path}
              onInput={({ currentTarget: { value } }) => changeRow(index, { path: value })}
            />
            <button
              type="button"
              class="icon"
              aria-label={`${words.value.common.actions.remove} ${name}`}
              onClick={() => change(captures.filter((_, at) => at !== index))}
            >
              ×
            </button>
            {problemsShown}
          </div>
        )
      })}
      <button
        type="button"
        class="quiet"
        onClick={() => change([...captures, { name: '', source: 'json', path: '' }])}
      >
        {texts.steps.addCapture}
      </button>
    </fieldset>
  )
}
