// A form: its values, what is wrong with them, and a draft that survives a reload, a lost session
// and another page.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { revisionOf } from '../../api/client.ts'
import type { ApiProblem, FieldProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { draftOf, draftText, secretsIn } from '../../base/drafts.ts'
import type { JsonSchema } from '../../base/json-schema.ts'
import { differences, merged } from '../../base/merge.ts'
import { isWithin, valueAt, withValueAt } from '../../base/pointer.ts'
import { isLeaving, ownDraftKey } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { tell } from '../dialog/toast.tsx'
import { type Conflict, lastEditor } from './conflict.ts'
import { fieldId } from './field-id.ts'
import { problemsIn } from './problems-in.ts'

/** A record that a form changes, and that others may change meanwhile. */
interface Stored<Value extends object> {
  readonly record: { readonly id: string }
  /** Reads it again. */
  readonly read: () => Promise<{ readonly id: string }>
  /** What the form shows of a record. */
  readonly shownOf: (record: never) => Value
}

export interface FormOptions<Value extends object> {
  /** What the form begins with, or what is stored. */
  readonly initial: Value
  /** The schema of the request body. Without it only the service judges. */
  readonly schema?: JsonSchema
  /** Begins the ids of its controls, where it lies above a form that may have the same fields. */
  readonly ids?: string
  /** Keeps a draft in this browser tab under this name. */
  readonly draft?: string
  readonly stored?: Stored<Value> | undefined
  /** Asks before it is stored; false: not yet. */
  readonly confirm?: (value: Value) => Promise<boolean>
  /**
   * Stores it: `revision` is the one that was read, `before` the values that it had. Returns the
   * stored record if the form stays open. Throws ApiProblem; its fields are shown beside theirs.
   */
  readonly submit: (
    value: Value,
    revision: string | undefined,
    before: Value,
    // biome-ignore lint/suspicious/noConfusingVoidType: most forms return nothing
  ) => Promise<object | void>
}

export interface Form<Value extends object = object> {
  readonly values: Signal<Value>
  readonly schema: JsonSchema | undefined
  /** What is wrong with which field, by pointer. */
  readonly fieldProblems: ReadonlySignal<ReadonlyMap<string, FieldProblem>>
  /** What kept the form from being sent, apart from fields. */
  readonly problem: ReadonlySignal<ApiProblem | undefined>
  /** Somebody else changed what is stored. */
  readonly conflict: ReadonlySignal<Conflict<Value> | undefined>
  readonly isSending: ReadonlySignal<boolean>
  /** Whether it was sent or tried since it began. */
  readonly isTried: ReadonlySignal<boolean>
  readonly isChanged: ReadonlySignal<boolean>
  /** The id of the control of a field in the document. */
  idOf(pointer: string): string
  get(pointer: string): unknown
  /** `isSecret`: kept out of the draft, as are the fields that the schema calls secret. */
  set(pointer: string, value: unknown, options?: { readonly isSecret?: boolean }): void
  /** Checks a field against the schema, when somebody leaves it. */
  check(pointer: string): Promise<void>
  /** True once it is stored. */
  submit(): Promise<boolean>
  /** Tries the values out without storing them: `before` are the stored ones. False if it did not work. */
  tryOut(work: (value: Value, before: Value) => Promise<void>): Promise<boolean>
  /** Shows their version of a conflict; a note offers the own one again. */
  takeTheirs(): void
  /** Stores the own version of a conflict, without what only they changed. True once it is stored. */
  keepMine(): Promise<boolean>
  /** Goes on from a newer record, which this page itself stored, unless both changed the same. */
  follow(record: Stored<Value>['record']): void
  /** Back to the given values, or to what the form began with. */
  reset(values?: Value): void
}

/** What is wrong with a field, or with a part of it, such as an entry of a list. */
export function problemAt(form: Form, pointer: string): FieldProblem | undefined {
  const problems = form.fieldProblems.value
  const own = problems.get(pointer)
  if (own !== undefined) return own
  const part = [...problems.values()].find((one) => isWithin(one.pointer, pointer))
  if (!part) return undefined
  const value = form.get(part.pointer)
  const name = typeof value === 'string' ? value : part.pointer
  return { ...part, message: `${name}: ${part.message}` }
}

const byPointer = (problems: readonly FieldProblem[]) =>
  new Map(problems.map((one) => [one.pointer, one]))

const attemptsMax = 3

/** The forms of the page. */
const openForms = new Set<Pick<Form, 'isChanged'>>()

/** Whether something on the page would be lost. */
export function hasUnsavedForms(): boolean {
  return [...openForms].some(({ isChanged }) => isChanged.peek())
}

function createForm<Value extends object>(options: FormOptions<Value>): Form<Value> {
  const { schema, draft, confirm, submit, stored } = options
  const initial = signal(options.initial)
  const values = signal(options.initial)
  const fieldProblems = signal<ReadonlyMap<string, FieldProblem>>(new Map())
  const problem = signal<ApiProblem | undefined>(undefined)
  const conflict = signal<Conflict<Value> | undefined>(undefined)
  const isSending = signal(false)
  const isTried = signal(false)
  const secrets = new Set(schema ? secretsIn(schema) : [])
  const draftKey = draft === undefined ? undefined : ownDraftKey(draft)
  let revision = stored && revisionOf(stored.record)

  function keepDraft(): void {
    if (draftKey === undefined) return
    const kept = { values: values.value, initial: initial.value, revision }
    sessionStorage.setItem(draftKey, draftText(kept, secrets))
  }

  function dropDraft(): void {
    if (draftKey !== undefined) sessionStorage.removeItem(draftKey)
  }

  function restoreDraft(): void {
    const text = draftKey === undefined ? null : sessionStorage.getItem(draftKey)
    if (text === null) return
    const kept = draftOf(text, options.initial)
    if (differences(kept.initial, kept.values).length === 0) return
    const before = { initial: initial.value, revision }
    initial.value = kept.initial
    values.value = kept.values
    // If somebody changed it since, the service says so when the draft is sent.
    revision = kept.revision ?? revision
    tell(words.value.common.drafts.restored, () => {
      revision = before.revision
      form.reset(before.initial)
    })
  }

  function setFieldProblem(pointer: string, found: FieldProblem | undefined): void {
    const next = new Map(fieldProblems.value)
    if (found === undefined) next.delete(pointer)
    else next.set(pointer, found)
    fieldProblems.value = next
  }

  /** Undefined if nothing that the form shows is different; then it goes on from what is stored now. */
  async function findConflict({ read, shownOf }: Stored<Value>): Promise<typeof conflict.value> {
    const record = await read()
    const theirs = shownOf(record as never)
    const changed = differences(initial.value, theirs).map((name) => `/${name}`)
    if (changed.length === 0) {
      revision = revisionOf(record)
      return undefined
    }
    const who = await lastEditor(record.id)
    return { theirs, revision: revisionOf(record), changed, who }
  }

  /** False if somebody else changed something of it. */
  async function send(value: Value): Promise<boolean> {
    // What the service or somebody else changes elsewhere in the record can be changed again and again.
    for (let attempts = 0; ; attempts += 1) {
      try {
        const saved = await submit(value, revision, initial.value)
        if (saved) revision = revisionOf(saved) ?? revision
        return true
      } catch (error) {
        if (!stored || asProblem(error).status !== 412 || attempts === attemptsMax) throw error
      }
      conflict.value = await findConflict(stored)
      if (conflict.value) return false
    }
  }

  function noteProblem(error: unknown): void {
    const found = asProblem(error)
    fieldProblems.value = byPointer(found.fields)
    problem.value = found
  }

  /** Does something with values that are right; false if they are not, or if it fails. */
  async function checked(work: () => Promise<boolean>): Promise<boolean> {
    if (isSending.value) return false
    isSending.value = true
    isTried.value = true
    problem.value = undefined
    conflict.value = undefined
    try {
      const found = schema ? await problemsIn(schema, values.value) : []
      fieldProblems.value = byPointer(found)
      return found.length === 0 && (await work())
    } catch (error) {
      noteProblem(error)
      return false
    } finally {
      isSending.value = false
    }
  }

  const form: Form<Value> = {
    values,
    schema,
    fieldProblems,
    problem,
    conflict,
    isSending,
    isTried,
    isChanged: computed(() => JSON.stringify(values.value) !== JSON.stringify(initial.value)),
    idOf: (pointer) => fieldId(pointer, options.ids),
    get: (pointer) => valueAt(values.value, pointer),
    set(pointer, value, { isSecret = false } = {}) {
      if (isSecret) secrets.add(pointer)
      values.value = withValueAt(values.value, pointer, value)
      // The message of a field goes away with its next change.
      for (const one of fieldProblems.value.keys()) {
        if (one === pointer || isWithin(one, pointer)) setFieldProblem(one, undefined)
      }
      keepDraft()
    },
    async check(pointer) {
      if (!schema) return
      const found = await problemsIn(schema, values.value)
      setFieldProblem(
        pointer,
        found.find((one) => one.pointer === pointer),
      )
    },
    submit: () =>
      checked(async () => {
        const sent = values.value
        const before = initial.value
        if (confirm && !(await confirm(sent))) return false
        if (!(await send(sent))) return false
        // Some forms begin anew. What was typed while it was sent is not stored yet.
        if (initial.value === before) initial.value = sent
        if (form.isChanged.value) keepDraft()
        else dropDraft()
        return true
      }),
    tryOut: (work) =>
      checked(async () => {
        await work(values.value, initial.value)
        return true
      }),
    takeTheirs() {
      const found = conflict.value
      if (!found) return
      const before = { initial: initial.value, values: values.value, revision }
      revision = found.revision
      form.reset(found.theirs)
      tell(words.value.common.conflict.loaded, () => {
        initial.value = before.initial
        values.value = before.values
        revision = before.revision
        keepDraft()
      })
    },
    keepMine() {
      const found = conflict.value
      if (!found) return Promise.resolve(false)
      const { theirs } = found
      values.value = merged(initial.value, values.value, theirs)
      initial.value = theirs
      revision = found.revision
      keepDraft()
      return form.submit()
    },
    follow(record) {
      const next = revisionOf(record)
      if (!stored || next === undefined || next === revision) return
      const shown = stored.shownOf(record as never)
      const isSame = differences(initial.peek(), shown).length === 0
      if (!isSame && form.isChanged.peek()) return
      revision = next
      if (!isSame) form.reset(shown)
    },
    reset(next = initial.value) {
      initial.value = next
      values.value = next
      fieldProblems.value = new Map()
      problem.value = undefined
      conflict.value = undefined
      isTried.value = false
      dropDraft()
    },
  }
  restoreDraft()
  return form
}

/** A form of a component, made anew when `keys` change. */
export function useForm<Value extends object>(
  make: () => FormOptions<Value>,
  keys: readonly unknown[],
): Form<Value> {
  const form = useMemo(() => createForm(make()), keys)
  const record = make().stored?.record
  useEffect(() => {
    if (record) form.follow(record)
  }, [form, record])
  // Other effects end some time after their component: a form that is gone would hold the page.
  useLayoutEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (form.isChanged.value && !isLeaving()) event.preventDefault()
    }
    openForms.add(form)
    window.addEventListener('beforeunload', warn)
    return () => {
      openForms.delete(form)
      window.removeEventListener('beforeunload', warn)
    }
  }, [form])
  return form
}
