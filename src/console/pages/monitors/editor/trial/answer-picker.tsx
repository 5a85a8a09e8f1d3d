// The answer of a trial, to pick assertions from: its status, its headers, and its body as a tree.

import { tell } from '../../../../parts/dialog/toast.tsx'
import type { Form } from '../../../../parts/form/form.ts'
import { words } from '../../../../words/words.ts'
import {
  type Assertion,
  assertionFor,
  headerAssertion,
  type Json,
  type JsonObject,
  jsonIn,
} from './json-path.ts'
import type { MonitorBody } from './monitor-body.ts'
import type { TargetAnswer } from './trial.ts'

/** A value of the answer that somebody clicked. */
export interface PickedValue {
  /** Expects that it stays as it is. */
  readonly assertion: Assertion
  /** Where it is; null for the status, and for what has parts. */
  readonly place: { readonly header: string } | { readonly keys: JsonKeys } | null
}

export interface AnswerPickerProps {
  readonly form: Form<MonitorBody>
  readonly answer: TargetAnswer | null
}

/** Adds assertions about the answer of the monitor. */
export function AnswerPicker({ form, answer }: AnswerPickerProps) {
  const texts = words.value.editor.picker
  if (answer === null) return <p class="faint">{texts.noAnswer}</p>
  const noBody = form.get('/method') === 'HEAD' ? texts.head : texts.empty
  const onPick = (picked: PickedValue) => addAssertion(form, '/assertions', picked)
  return (
    <section class="picker" aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <p class="faint">{texts.about}</p>
      <Answer {...{ answer, noBody, onPick }} noJson={texts.noJson} />
    </section>
  )
}

export function addAssertion(form: Form<MonitorBody>, pointer: string, picked: PickedValue): void {
  const { assertion } = picked
  const before = (form.get(pointer) ?? []) as readonly Assertion[]
  form.set(pointer, [...before, assertion])
  const sentence = sentenceOf(assertion)
  tell(words.value.editor.picker.added({ sentence }), () => form.set(pointer, before))
}

export interface AnswerProps {
  readonly answer: Omit<TargetAnswer, 'status'> & { readonly status: number | null }
  /** What is said of an answer without a body, and of one that is no JSON. */
  readonly noBody: string
  readonly noJson: string
  readonly onPick: (picked: PickedValue) => void
  /** Only single values can be picked, and not the status. */
  readonly isOfValues?: boolean
}

/** An answer of which values can be picked. */
export function Answer(props: AnswerProps) {
  const { answer, noBody, noJson, onPick, isOfValues = false } = props
  const texts = words.value.editor.picker
  const { status, headers, body, isCut, note } = answer
  return (
    <>
      {status !== null && !isOfValues && (
        <ul class="picks">
          <li>
            <Pick
              label={words.value.editor.sources.status}
              text={String(status)}
              onPick={() => {
                const assertion = {
                  source: 'status',
                  type: 'equals',
                  value: String(status),
                } as const
                onPick({ assertion, place: null })
              }}
            />
          </li>
        </ul>
      )}
      {headers.length > 0 && (
        <details>
          <summary>{texts.headers({ count: headers.length })}</summary>
          <ul class="picks">
            {headers.map(({ name, value }) => (
              <li key={name}>
                <Pick
                  label={name}
                  text={value}
                  onPick={() => {
                    onPick({ assertion: headerAssertion(name, value), place: { header: name } })
                  }}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
      {note !== null && <p class="faint">{texts.hidden}</p>}
      {note === null && <Body {...{ noBody, noJson, body, isCut, onPick, isOfValues }} />}
    </>
  )
}

interface BodyProps extends Omit<Required<AnswerProps>, 'answer'> {
  readonly body: string | null
  readonly isCut: boolean
}

function Body({ noBody, noJson, body, isCut, onPick, isOfValues }: BodyProps) {
  const texts = words.value.editor.picker
  if (body === null || body === '') {
    return <p class="faint">{noBody}</p>
  }
  const json = jsonIn(body, isCut)
  if (json === undefined) {
    return (
      <>
        <p class="faint">{noJson}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it scrolls by keyboard */}
        <section class="picker-text" tabIndex={0} aria-label={texts.body}>
          <pre>{body}</pre>
        </section>
      </>
    )
  }
  return (
    <>
      <ul class="picks tree" aria-label={texts.body}>
        <Node name="$" keys={[]} value={json} {...{ onPick, isOfValues }} />
      </ul>
      {isCut && <p class="faint">{texts.cut}</p>}
    </>
  )
}

type JsonKeys = readonly (string | number)[]

interface NodeProps extends Pick<BodyProps, 'onPick' | 'isOfValues'> {
  readonly name: string
  readonly keys: JsonKeys
  readonly value: Json
}

/** The first values of a longer list or object, which are shown: the others look alike. */
const childrenMax = 100
const openDepth = 3
const openChildrenMax = 20

function Node({ name, keys, value, onPick, isOfValues }: NodeProps) {
  const texts = words.value.editor.picker
  const isSingle = typeof value !== 'object' || value === null
  const pick = () => {
    onPick({ assertion: assertionFor(keys, value), place: isSingle ? { keys } : null })
  }
  if (isSingle) {
    return (
      <li>
        <Pick label={name} text={JSON.stringify(value)} kind={kindOf(value)} onPick={pick} />
      </li>
    )
  }
  const children: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? (value as readonly Json[]).map((one, at) => [at, one] as const)
    : Object.entries(value as JsonObject)
  const shape = Array.isArray(value)
    ? texts.items({ count: children.length })
    : texts.keys({ count: children.length })
  return (
    <li>
      <details open={keys.length < openDepth && children.length <= openChildrenMax}>
        <summary>
          <code>{name}</code> <span class="faint">{shape}</span>
        </summary>
        <ul class="tree">
          {keys.length > 0 && !isOfValues && (
            <li>
              <Pick
                label={Array.isArray(value) ? texts.length : texts.exists}
                text={Array.isArray(value) ? String(value.length) : name}
                onPick={pick}
              />
            </li>
          )}
          {children.slice(0, childrenMax).map(([key, child]) => (
            <Node
              key={key}
              name={String(key)}
              keys={[...keys, key]}
              value={child}
              {...{ onPick, isOfValues }}
            />
          ))}
          {children.length > childrenMax && (
            <li class="faint">{texts.more({ count: children.length - childrenMax })}</li>
          )}
        </ul>
      </details>
    </li>
  )
}

const kindOf = (value: Json) => (value === null ? 'null' : typeof value)

interface PickProps {
  readonly label: string
  readonly text: string
  readonly kind?: string
  readonly onPick: () => void
}

function Pick({ label, text, kind, onPick }: PickProps) {
  return (
    <button type="button" class="pick" onClick={onPick}>
      <code>{label}</code>{' '}
      <span class={kind === undefined ? 'pick-value' : `pick-value is-${kind}-value`}>{text}</span>
    </button>
  )
}

function sentenceOf({ source, path, type, value }: Assertion): string {
  const { sources, comparisons } = words.value.editor
  const subject = source === 'json' ? path : [sources[source], path].filter(Boolean).join(' ')
  return [subject, comparisons[type], value].filter((part) => part != null).join(' ')
}
