// What an answer must be like: one assertion in each row.

import type { Data } from '../../../../api/client.ts'
import { factsOf } from '../../../../api/kinds.ts'
import { MoreInGuide } from '../../../../parts/form/fields.tsx'
import type { Form } from '../../../../parts/form/form.ts'
import { problemsOfRow } from '../../../../parts/form/row-problems.tsx'
import { words } from '../../../../words/words.ts'
import type { Assertion } from './json-path.ts'
import { kindIn, type MonitorBody } from './monitor-body.ts'
import { hasAnswer, type Trial } from './trial.ts'

/** All parts of an answer over HTTP. */
export const answerParts: readonly Assertion['source'][] = [
  'json',
  'body',
  'status',
  'header',
  'html',
  'xml',
  'responseTime',
  'size',
  'redirects',
  'certificateDays',
  'tlsVersion',
  'tlsCipher',
  'ip',
]

const types: readonly Assertion['type'][] = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'exists',
  'notExists',
  'regex',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'type',
  'lengthEquals',
  'jsonPath',
  'jsonSchema',
  'unchanged',
]

const withPath = new Set<Assertion['source']>(['json', 'header', 'html', 'xml'])
const ofJson = new Set<Assertion['type']>(['jsonPath', 'jsonSchema'])
const withoutValue = new Set<Assertion['type']>(['exists', 'notExists'])

export interface AssertionsFieldProps {
  readonly form: Form<MonitorBody>
  /** Its answer offers values to pick. */
  readonly trial: Trial
}

/** The assertions about the answer of the monitor. */
export function AssertionsField({ form, trial }: AssertionsFieldProps) {
  const { sources } = factsOf(kindIn(form))
  const isPickable = hasAnswer(form)
  const failedNow = () => trial.result.value?.failure?.failedAssertions ?? []
  return (
    <AssertionRows {...{ form, trial, sources, isPickable, failedNow }} pointer="/assertions" />
  )
}

type FailedAssertions = NonNullable<Data<'monitors.test'>['failure']>['failedAssertions']

export interface AssertionRowsProps extends AssertionsFieldProps {
  readonly pointer: string
  /** The parts of the answer that they may examine. */
  readonly sources: readonly string[]
  /** Whether the page offers the answer of the trial beside the form. */
  readonly isPickable: boolean
  /** Which of them failed in the trial. */
  readonly failedNow: () => FailedAssertions
}

export function AssertionRows(props: AssertionRowsProps) {
  const { form, trial, pointer, isPickable, failedNow } = props
  const texts = words.value.editor
  const assertions = (form.get(pointer) ?? []) as readonly Assertion[]
  const isExaminable = (source: string) => props.sources.includes(source)
  const change = (next: readonly Assertion[]) => form.set(pointer, next)
  const changeRow = (at: number, changes: Partial<Assertion>) =>
    change(assertions.map((old, index) => (index === at ? { ...old, ...changes } : old)))
  /** Runs a check, and takes what it finds as what is accepted. */
  async function accept(at: number): Promise<void> {
    await trial.run()
    const found = failedNow().find(({ assertion }) => assertion === at)?.found
    if (found !== undefined) changeRow(at, { value: found })
  }
  /** Runs a check if there is no answer yet, and leads to it. */
  async function pick(): Promise<void> {
    if (!trial.result.value?.answer) await trial.run()
    const shown = document.querySelector<HTMLElement>('.trial')
    shown?.scrollIntoView({ block: 'nearest' })
    shown?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
  }
  return (
    <fieldset class="field rows" id={form.idOf(pointer)}>
      <legend>{texts.assertions}</legend>
      {assertions.map((assertion, index) => {
        const { source, type, path, value } = assertion
        const at = `${pointer}/${index}`
        const { wrong, problemsShown } = problemsOfRow(form, at)
        return (
          <div key={index} class="row is-assertion">
            <select
              aria-label={texts.assertionSource}
              value={source}
              onChange={({ currentTarget }) =>
                changeRow(index, { source: currentTarget.value as Assertion['source'] })
              }
            >
              {answerParts
                .filter((one) => one === source || isExaminable(one))
                .map((one) => (
                  <option key={one} value={one}>
                    {texts.sources[one]}
                  </option>
                ))}
            </select>
            {withPath.has(source) && (
              <input
                {...wrong('path')}
                class="code"
                aria-label={texts.assertionPath}
                placeholder={source === 'json' ? '$.status' : ''}
                value={path ?? ''}
                onInput={({ currentTarget: { value } }) => changeRow(index, { path: value })}
              />
            )}
            <select
              {...wrong('type')}
              aria-label={texts.assertionType}
              value={type}
              onChange={({ currentTarget }) =>
                changeRow(index, { type: currentTarget.value as Assertion['type'] })
              }
            >
              {types
                .filter((one) => one === type || source === 'json' || !ofJson.has(one))
                .map((one) => (
                  <option key={one} value={one}>
                    {texts.comparisons[one]}
                  </option>
                ))}
            </select>
            {!withoutValue.has(type) && type !== 'jsonSchema' && (
              <input
                {...wrong('value')}
                class="code"
                aria-label={texts.assertionValue}
                value={value ?? ''}
                onInput={({ currentTarget: { value } }) => changeRow(index, { value })}
              />
            )}
            <button
              type="button"
              class="icon"
              aria-label={words.value.common.actions.remove}
              onClick={() => change(assertions.filter((_, at) => at !== index))}
            >
              ×
            </button>
            {type === 'unchanged' && (
              <button
                type="button"
                aria-busy={trial.isRunning.value}
                onClick={() => void accept(index)}
              >
                {texts.acceptNow}
              </button>
            )}
            {type === 'jsonSchema' && (
              <textarea
                {...wrong('value')}
                class="code"
                rows={5}
                spellcheck={false}
                aria-label={texts.assertionValue}
                placeholder={'{"type": "object", "required": ["status"]}'}
                value={value ?? ''}
                onInput={({ currentTarget: { value } }) => changeRow(index, { value })}
              />
            )}
            {problemsShown}
          </div>
        )
      })}
      <p class="help">
        <MoreInGuide pointer="/assertions" />
      </p>
      <div class="actions">
        {isPickable && (
          <button type="button" aria-busy={trial.isRunning.value} onClick={() => void pick()}>
            {texts.picker.pick}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() =>
            change([...assertions, { source: 'json', path: '', type: 'equals', value: '' }])
          }
        >
          {texts.addAssertion}
        </button>
      </div>
      {isPickable && <p class="help">{texts.picker.pickHelp}</p>}
    </fieldset>
  )
}
