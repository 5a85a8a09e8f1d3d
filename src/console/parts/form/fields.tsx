// Fields of the form around them, named by the pointer that the API uses. Bounds and help come from the
// schema unless they are given.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldProblem } from '../../api/problem.ts'
import { afterClick } from '../../base/after-click.ts'
import { guideOfField } from '../../base/guide.ts'
import { schemaAt } from '../../base/json-schema.ts'
import { punctuation, words } from '../../words/words.ts'
import { symbolOf } from '../text/number.ts'
import { type Form, problemAt } from './form.ts'
import { useFormAround } from './form-context.ts'

export interface FieldProps {
  readonly pointer: string
  readonly label: string
  readonly help?: ComponentChildren
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
}

interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
  readonly 'aria-required': boolean
  readonly disabled: boolean
  readonly onBlur: (event: FocusEvent) => void
}

interface FieldFrameProps extends FieldProps {
  readonly children: (control: ControlProps) => ComponentChildren
}

/** Label, control, help and problem of a field. */
export function Field(props: FieldFrameProps) {
  const { pointer, label, help, isRequired = false, isDisabled = false, children } = props
  const form = useFormAround()
  const id = form.idOf(pointer)
  const wrong = problemAt(form, pointer)
  return (
    <div class={wrong === undefined ? 'field' : 'field is-wrong'}>
      <label for={id}>
        {label}
        {isRequired && <span class="faint"> · {words.value.common.required}</span>}
      </label>
      {children({
        id,
        'aria-invalid': wrong !== undefined,
        'aria-describedby': `${id}-help`,
        'aria-required': isRequired,
        disabled: isDisabled,
        onBlur: ({ relatedTarget }) => {
          // The button may send the form, which judges all fields.
          if (relatedTarget instanceof HTMLButtonElement) return
          afterClick(() => void form.check(pointer))
        },
      })}
      <p id={`${id}-help`} class="help">
        <Wrong problem={wrong} />
        {help}
        <MoreInGuide pointer={pointer} />
      </p>
    </div>
  )
}

/** A link to the section about a field, if the guide has one. */
export function MoreInGuide({ pointer }: { readonly pointer: string }) {
  const href = guideOfField(pointer)
  if (href === undefined) return null
  return (
    <>
      {punctuation.value.gap}
      <a class="more-in-guide" href={href} target="_blank" rel="noopener">
        {words.value.common.moreInGuide}
      </a>
    </>
  )
}

/** What is wrong with a field, in its help. */
export function Wrong({ problem }: { readonly problem: FieldProblem | undefined }) {
  return (
    problem && (
      <span class="wrong" lang={problem.lang}>
        {problem.message}
      </span>
    )
  )
}

export interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'search' | 'datetime-local'
  readonly placeholder?: string
  readonly autoComplete?: string
  /** More than one: a text area. */
  readonly rows?: number
  readonly isCode?: boolean
  /** What an empty field means; default: an empty text. */
  readonly emptyAs?: '' | null | undefined
  readonly shouldFocus?: boolean
  /** What may be chosen in place of typing it. */
  readonly choices?: readonly string[] | undefined
}

export function TextField(props: TextFieldProps) {
  const form = useFormAround()
  const { pointer, type = 'text', placeholder, autoComplete, rows = 1, isCode, choices } = props
  const emptyAs = 'emptyAs' in props ? props.emptyAs : ''
  const value = String(form.get(pointer) ?? '')
  const set = (text: string) =>
    form.set(pointer, text === '' ? emptyAs : text, { isSecret: type === 'password' })
  const element = useFocusAtFirst<HTMLInputElement & HTMLTextAreaElement>(props.shouldFocus)
  // No maxLength: browsers cut off what is pasted, and say nothing.
  const shared = {
    value,
    placeholder,
    class: isCode ? 'code' : type === 'password' && rows > 1 ? 'is-hidden' : undefined,
    'data-focus': props.shouldFocus,
    spellcheck: !isCode && type === 'text',
  }
  return (
    <Field {...props}>
      {(control) =>
        rows > 1 ? (
          <textarea
            {...control}
            {...shared}
            ref={element}
            rows={rows}
            onInput={(event) => set(event.currentTarget.value)}
          />
        ) : (
          <>
            <input
              {...control}
              {...shared}
              ref={element}
              // The types of Preact allow only literals here.
              type={type as 'text'}
              list={choices && `${control.id}-choices`}
              autoComplete={autoComplete ?? 'off'}
              onInput={(event) => set(event.currentTarget.value)}
            />
            {choices && (
              <datalist id={`${control.id}-choices`}>
                {choices.map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            )}
          </>
        )
      }
    </Field>
  )
}

/** Browsers heed `autofocus` in a new document, not in what a page shows later. */
export function useFocusAtFirst<Control extends HTMLElement>(shouldFocus = false) {
  const element = useRef<Control>(null)
  useLayoutEffect(() => {
    if (shouldFocus) element.current?.focus()
  }, [])
  return element
}

export interface NumberFieldProps extends FieldProps {
  readonly unit?: string
  readonly placeholder?: string
  /** What holds where nothing is chosen; default: what the schema says. */
  readonly usual?: number | undefined
  readonly step?: number
  /** What an empty field means; default: the value is left out, so that the default holds. */
  readonly emptyAs?: null | undefined
}

/**
 * What was typed is no number, such as "1e". Browsers tell it apart from an empty field, but not what it
 * is: this stands for it, so that it is refused and not taken for empty.
 */
const notANumber = 'not a number'

export function NumberField(props: NumberFieldProps) {
  const form = useFormAround()
  const { pointer, unit, placeholder, step, emptyAs } = props
  const schema = form.schema && schemaAt(form.schema, pointer)
  const value = form.get(pointer)
  const isTyping = useSignal(false)
  // What holds without a choice is shown as what it is; who empties the field to type sees it empty.
  const usual = props.usual ?? schema?.default
  const shown = value === undefined && !isTyping.value ? usual : value
  return (
    <Field {...props}>
      {(control) => (
        <span class="with-unit">
          <input
            {...control}
            type="number"
            inputMode="decimal"
            min={schema?.minimum}
            max={schema?.maximum}
            step={step ?? (schema?.type === 'integer' ? 1 : 'any')}
            placeholder={placeholder}
            value={typeof shown === 'number' ? shown : ''}
            onBlur={(event) => {
              isTyping.value = false
              control.onBlur(event)
            }}
            onInput={({ currentTarget: { value, valueAsNumber, validity } }) => {
              isTyping.value = true
              const empty = validity.badInput ? notANumber : emptyAs
              form.set(pointer, value === '' ? empty : valueAsNumber)
            }}
          />
          {unit && <span class="unit">{symbolOf(unit)}</span>}
        </span>
      )}
    </Field>
  )
}

interface Choice {
  readonly value: string
  readonly text: string
}

export interface SelectFieldProps extends FieldProps {
  readonly choices: readonly Choice[]
  /** The choice that leaves the field out. */
  readonly none?: string
  /** After somebody chose. */
  readonly onChange?: (value: string) => void
}

export function SelectField(props: SelectFieldProps) {
  const form = useFormAround()
  const { pointer, choices, none } = props
  // Until somebody chooses, the control shows the default, or else the first choice.
  const usual = valueOrDefault(form, pointer) ?? choices[0]?.value
  const value = none === undefined ? usual : form.get(pointer)
  return (
    <Field {...props}>
      {(control) => (
        <select
          {...control}
          value={String(value ?? '')}
          onChange={({ currentTarget: { value } }) => {
            form.set(pointer, value === '' ? undefined : value)
            props.onChange?.(value)
          }}
        >
          {none !== undefined && <option value="">{none}</option>}
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** What holds: a box that is not ticked would say that a default of yes does not. */
function valueOrDefault(form: Pick<Form, 'get' | 'schema'>, pointer: string): unknown {
  const value = form.get(pointer)
  return value === undefined && form.schema ? schemaAt(form.schema, pointer)?.default : value
}

export function CheckField({ pointer, label, help, isDisabled = false }: FieldProps) {
  const form = useFormAround()
  const id = form.idOf(pointer)
  const wrong = form.fieldProblems.value.get(pointer)
  return (
    <div class="field is-check">
      <label for={id}>
        <input
          id={id}
          type="checkbox"
          disabled={isDisabled}
          checked={valueOrDefault(form, pointer) === true}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-help`}
          onChange={({ currentTarget: { checked } }) => form.set(pointer, checked)}
        />
        {label}
      </label>
      <p id={`${id}-help`} class="help">
        <Wrong problem={wrong} />
        {help}
      </p>
    </div>
  )
}

export interface ListFieldProps extends FieldProps {
  readonly placeholder?: string
  readonly shouldFocus?: boolean
}

const itemsOf = (text: string) =>
  text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** A list of short texts, separated by commas or lines. */
export function ListField(props: ListFieldProps) {
  const form = useFormAround()
  const { pointer, placeholder, shouldFocus } = props
  const value = form.get(pointer)
  const items = Array.isArray(value) ? value.join(', ') : ''
  const typed = useSignal(items)
  // The list has no commas and blanks that are being typed; what was not typed here has none at all.
  const text = itemsOf(typed.value).join(', ') === items ? typed.value : items
  const element = useFocusAtFirst<HTMLInputElement>(shouldFocus)
  return (
    <Field {...props}>
      {(control) => (
        <input
          {...control}
          ref={element}
          type="text"
          placeholder={placeholder}
          data-focus={shouldFocus}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            typed.value = value
            form.set(pointer, itemsOf(value))
          }}
        />
      )}
    </Field>
  )
}
