// The answer of a trial, to pick assertions from: its status, its headers, and its body as a tree.

import { tell } from '../../../parts/dialog/toast.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { words } from '../../../words/words.ts'
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

export interface AnswerPickerProps {
  readonly form: Form<MonitorBody>
  readonly answer: TargetAnswer | null
}

export function AnswerPicker({ form, answer }: AnswerPickerProps) {
  const texts = words.value.editor.picker
  function pick(assertion: Assertion): void {
    const before = form.values.value.assertions ?? []
    form.set('/assertions', [...before, assertion])
    tell(texts.added({ sentence: sentenceOf(assertion) }), () => form.set('/assertions', before))
  }
  if (answer === null) return <p class="faint">{texts.noAnswer}</p>
  const { status, headers, body, isCut, note } = answer
  return (
    <section class="picker" aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <p class="faint">{texts.about}</p>
      <ul class="picks">
        <li>
          <Pick
            label={words.value.editor.sources.status}
            text={String(status)}
            onPick={() => pick({ source: 'status', type: 'equals', value: String(status) })}
          />
        </li>
      </ul>
      {headers.length > 0 && (
        <details>
          <summary>{texts.headers({ count: headers.length })}</summary>
          <ul class="picks">
            {headers.map(({ name, value }) => (
              <li key={name}>
                <Pick label={name} text={value} onPick={() => pick(headerAssertion(name, value))} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {note !== null && <p class="faint">{texts.hidden}</p>}
      {note === null && <Body form={form} body={body} isCut={isCut} onPick={pick} />}
    </section>
  )
}

interface BodyProps extends Pick<AnswerPickerProps, 'form'> {
  readonly body: string | null
  readonly isCut: boolean
  readonly onPick: (assertion: Assertion) => void
}

function Body({ form, body, isCut, onPick }: BodyProps) {
  const texts = words.value.editor.picker
  if (body === null || body === '') {
    return <p class="faint">{form.get('/method') === 'HEAD' ? texts.head : texts.empty}</p>
  }
  const json = jsonIn(body, isCut)
  if (json === undefined) {
    return (
      <>
        <p class="faint">{texts.noJson}</p>
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
        <Node name="$" keys={[]} value={json} onPick={onPick} />
      </ul>
      {isCut && <p class="faint">{texts.cut}</p>}
    </>
  )
}

interface NodeProps {
  readonly name: string
  readonly keys: readonly (string | number)[]
  readonly value: Json
  readonly onPick: (assertion: Assertion) => void
}

/** The first values of a longer list or object, which are shown: the others look alike. */
const childrenMax = 100
const openDepth = 3
const openChildrenMax = 20

function Node({ name, keys, value, onPick }: NodeProps) {
  const texts = words.value.editor.picker
  const pick = () => onPick(assertionFor(keys, value))
  if (typeof value !== 'object' || value === null) {
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
          {keys.length > 0 && (
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
              onPick={onPick}
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
