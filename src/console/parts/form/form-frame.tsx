// The frame of a form: sends by Enter, says what is wrong, and puts the focus there.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { punctuation, words } from '../../words/words.ts'
import { ProblemNote } from '../page/problem-note.tsx'
import { ConflictNote } from './conflict-note.tsx'
import type { Form } from './form.ts'
import { type AnyForm, FormContext } from './form-context.ts'

export interface FormFrameProps {
  readonly form: AnyForm
  readonly submitText: string
  /** After it is stored. */
  readonly onDone?: () => void
  /** A button that tries the values out, without storing them. */
  readonly trial?: { readonly text: string; readonly run: () => Promise<boolean> }
  /** Beside the button that sends. */
  readonly more?: ComponentChildren
  readonly children: ComponentChildren
}

export function FormFrame({ form, submitText, onDone, trial, more, children }: FormFrameProps) {
  const element = useRef<HTMLFormElement>(null)
  const problem = form.problem.value
  // A field that somebody left says itself what is wrong with it.
  const isWrong = form.isTried.value && form.fieldProblems.value.size > 0
  async function send(work: () => Promise<boolean>): Promise<void> {
    if (await work()) return onDone?.()
    requestAnimationFrame(showWrong)
  }
  /** A field in a part that is folded away could not be seen, nor have the focus. */
  function showWrong(): void {
    const wrong =
      element.current?.querySelectorAll<HTMLElement>('[aria-invalid=true]:enabled') ?? []
    for (const field of wrong) {
      let around = field.closest('details')
      while (around) {
        around.open = true
        around = around.parentElement?.closest('details') ?? null
      }
    }
    wrong[0]?.focus()
  }
  /** The buttons of a note go with it. */
  function focusSubmit(): void {
    element.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  return (
    <form
      ref={element}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send(form.submit)
      }}
    >
      <FormContext.Provider value={form}>
        {children}
        <ConflictNote
          onTakeTheirs={() => {
            focusSubmit()
            form.takeTheirs()
          }}
          onKeepMine={() => {
            focusSubmit()
            void send(form.keepMine)
          }}
        />
      </FormContext.Provider>
      {problem && problem.fields.length === 0 && <ProblemNote problem={problem} isOfForm />}
      {isWrong && (
        <p class="note is-problem" role="alert">
          {words.value.common.problems.checkFields} <OtherProblems form={form} />
        </p>
      )}
      <div class="form-foot">
        <button type="submit" class="primary" aria-busy={form.isSending.value}>
          {submitText}
        </button>
        {trial && (
          <button
            type="button"
            aria-busy={form.isSending.value}
            onClick={async () => {
              if (!(await trial.run())) requestAnimationFrame(showWrong)
            }}
          >
            {trial.text}
          </button>
        )}
        {more}
      </div>
    </form>
  )
}

/** What is wrong with fields that the form does not show would be told nowhere else. */
function OtherProblems({ form }: Pick<FormFrameProps, 'form'>) {
  const all = [...form.fieldProblems.value.values()]
  const others = all.filter(({ pointer }) => !isShown(form, pointer))
  return (
    <>
      {others.map(({ pointer, message, lang }) => (
        <span key={pointer} lang={lang}>
          <code>{pointer}</code> {message + punctuation.value.stop + punctuation.value.gap}
        </span>
      ))}
    </>
  )
}

/** Whether the form has a field for it, or for what it is a part of. */
function isShown(form: Form, pointer: string): boolean {
  const names = pointer.split('/')
  const around = names.map((_, parts) => names.slice(0, parts + 1).join('/'))
  return around.some((one) => document.getElementById(form.idOf(one)) !== null)
}
