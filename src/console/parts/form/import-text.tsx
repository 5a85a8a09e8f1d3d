// Makes fields of a form of a text that people have elsewhere: pasted, chosen as a file, or dropped.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { tell } from '../dialog/toast.tsx'
import { ProblemNote } from '../page/problem-note.tsx'
import { Said } from '../text/said.tsx'

interface MadeOfText {
  readonly notes: readonly string[]
  /** What was made, in words. */
  readonly said: string
  readonly undo: () => void
}

interface ImportTextProps {
  readonly texts: Readonly<Record<'open' | 'about' | 'text' | 'file' | 'make' | 'replaces', string>>
  readonly placeholder: string
  /** The endings of files that are offered. */
  readonly accept: string
  /** Rejects with what the API said. */
  readonly make: (text: string) => Promise<MadeOfText>
  /** A text that somebody pasted elsewhere; `onTaken` clears it. */
  readonly pasted?: string
  readonly onTaken?: () => void
}

export function ImportText(props: ImportTextProps) {
  const { texts, placeholder, accept, make, pasted = '', onTaken } = props
  const text = useSignal('')
  const notes = useSignal<readonly string[]>([])
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isBusy = useSignal(false)

  async function take(from: string): Promise<void> {
    if (isBusy.peek() || from.trim() === '') return
    isBusy.value = true
    problem.value = undefined
    notes.value = []
    try {
      const made = await make(from)
      notes.value = made.notes
      text.value = ''
      tell(made.said, () => {
        made.undo()
        notes.value = []
      })
    } catch (error) {
      problem.value = asProblem(error)
    } finally {
      isBusy.value = false
    }
  }

  useEffect(() => {
    if (pasted === '') return
    onTaken?.()
    void take(pasted)
  }, [pasted])

  async function read(file: File | undefined): Promise<void> {
    if (file !== undefined) await take(await file.text())
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
              placeholder={placeholder}
              value={text.value}
              onInput={({ currentTarget }) => (text.value = currentTarget.value)}
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
              accept={accept}
              onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
            />
          </label>
          <div class="actions">
            <button type="button" aria-busy={isBusy.value} onClick={() => void take(text.value)}>
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
