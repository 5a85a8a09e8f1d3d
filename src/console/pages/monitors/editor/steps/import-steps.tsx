// Makes steps of what people have elsewhere: commands of curl, a recording of a browser, a collection, a description.
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { fetchData } from '../../../../api/client.ts'
import type { ApiProblem } from '../../../../api/problem.ts'
import { asProblem } from '../../../../api/resource.ts'
import { tell } from '../../../../parts/dialog/toast.tsx'
import type { Form } from '../../../../parts/form/form.ts'
import { ProblemNote } from '../../../../parts/page/problem-note.tsx'
import { Said } from '../../../../parts/text/said.tsx'
import { orgId } from '../../../../stores/session.ts'
import { words } from '../../../../words/words.ts'
import type { MonitorBody } from '../trial/monitor-body.ts'
import { wholeStep } from './step-model.ts'

export interface ImportStepsProps {
  readonly form: Form<MonitorBody>
  /** A text that somebody pasted elsewhere, and wants steps of. */
  readonly pasted: Signal<string>
}

export function ImportSteps({ form, pasted }: ImportStepsProps) {
  const { import: texts } = words.value.editor.steps
  const text = useSignal('')
  const notes = useSignal<readonly string[]>([])
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isBusy = useSignal(false)

  async function make(from: string): Promise<void> {
    if (isBusy.peek() || from.trim() === '') return
    isBusy.value = true
    problem.value = undefined
    notes.value = []
    try {
      const path = { orgId: orgId() }
      const made = await fetchData('monitors.convertSteps', { path, body: { text: from } })
      const before = form.values.peek()
      form.set('/steps', made.steps.map(wholeStep))
      form.set('/variables', { ...before.variables, ...made.variables }, { isSecret: true })
      if (made.url !== '') form.set('/url', made.url)
      if (before.name === '' && made.name !== '') form.set('/name', made.name)
      notes.value = made.notes
      text.value = ''
      tell(texts.made({ count: made.steps.length }), () => {
        for (const name of ['steps', 'url', 'name'] as const) form.set(`/${name}`, before[name])
        form.set('/variables', before.variables, { isSecret: true })
        notes.value = []
      })
    } catch (error) {
      problem.value = asProblem(error)
    } finally {
      isBusy.value = false
    }
  }

  useSignalEffect(() => {
    const { value } = pasted
    if (value === '') return
    pasted.value = ''
    void make(value)
  })

  async function read(file: File | undefined): Promise<void> {
    if (file !== undefined) await make(await file.text())
  }

  return (
    <>
      <details class="step-import">
        <summary>{texts.open}</summary>
        <div class="section-inside">
          <p class="help">
            {texts.about} {texts.replaces}
          </p>
          <label class="field">
            {texts.text}
            <textarea
              class="code"
              rows={4}
              spellcheck={false}
              placeholder="curl https://shop.example.com/login -d user=stillup"
              value={text.value}
              onInput={({ currentTarget: { value } }) => (text.value = value)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                const [file] = event.dataTransfer?.files ?? []
                if (!file) return
                event.preventDefault()
                void read(file)
              }}
            />
          </label>
          <label class="field">
            {texts.file}
            <input
              type="file"
              accept=".har,.json,.yaml,.yml,.sh,.txt"
              onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
            />
          </label>
          <div class="actions">
            <button type="button" aria-busy={isBusy.value} onClick={() => void make(text.value)}>
              {texts.make}
            </button>
          </div>
        </div>
      </details>
      {problem.value && <ProblemNote problem={problem.value} isOfForm />}
      {notes.value.length > 0 && (
        <ul class="notes" role="status">
          {notes.value.map((note) => (
            <li key={note}>
              <Said text={note} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
