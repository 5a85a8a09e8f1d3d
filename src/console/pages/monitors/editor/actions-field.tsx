// What a browser does on the page: one action in each row, and the values that these name.
import { MoreInGuide, SelectField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { RecordField } from '../../../parts/form/record-field.tsx'
import { problemsOfRow } from '../../../parts/form/row-problems.tsx'
import { listed, words } from '../../../words/words.ts'
import { ImportScript } from './import-script.tsx'
import { maskedNames } from './kept-headers.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

type Action = NonNullable<MonitorBody['actions']>[number]
type ActionName = Action['action']

const withoutSelector = new Set<ActionName>(['open', 'popup', 'expectUrl', 'expectTitle'])
const withoutValue = new Set<ActionName>(['click', 'doubleClick', 'hover', 'check', 'uncheck'])
/** What a value may be; their order is that of the list. */
const examples: Readonly<Record<ActionName, string>> = {
  open: '/sign-in',
  click: '',
  doubleClick: '',
  hover: '',
  fill: '',
  press: 'Enter',
  select: '',
  check: '',
  uncheck: '',
  upload: 'report.csv',
  popup: 'close',
  wait: '500',
  expect: '',
  expectUrl: '/welcome',
  expectTitle: '',
  expectCount: '3',
  expectState: 'checked',
}
const names = Object.keys(examples) as readonly ActionName[]

interface ActionsFieldProps {
  readonly form: Form<MonitorBody>
  /** The address leads to another server: masks stand for nothing any more. */
  readonly mustBeTyped: boolean
}

export function ActionsField({ form, mustBeTyped }: ActionsFieldProps) {
  const { browser: texts, steps: ofValues } = words.value.editor
  const variables = (form.get('/variables') ?? {}) as Record<string, string>
  const lacking = mustBeTyped ? maskedNames(variables) : []
  const choices = (['desktop', 'phone'] as const).map((value) => ({
    value,
    text: texts.viewports[value],
  }))
  return (
    <>
      <ActionRows form={form} />
      <ImportScript form={form} />
      <RecordField
        pointer="/variables"
        label={ofValues.variables}
        nameLabel={ofValues.variableName}
        valueLabel={ofValues.variableValue}
        placeholder="password"
        addText={ofValues.addVariable}
        isSecret
        again={{ names: lacking, text: ofValues.variablesAgain({ names: listed(lacking) }) }}
      />
      <SelectField pointer="/viewport" label={texts.viewport} choices={choices} />
    </>
  )
}

function ActionRows({ form }: Pick<ActionsFieldProps, 'form'>) {
  const texts = words.value.editor.browser
  const actions = (form.get('/actions') ?? []) as readonly Action[]
  const change = (next: readonly Action[]) => form.set('/actions', next)
  const changeRow = (at: number, changes: Partial<Action>) =>
    change(actions.map((old, index) => (index === at ? { ...old, ...changes } : old)))
  function moveUp(at: number): void {
    const [moved, above] = [actions[at], actions[at - 1]]
    if (moved === undefined || above === undefined) return
    change(actions.map((one, index) => (index === at - 1 ? moved : index === at ? above : one)))
  }
  return (
    <fieldset class="field rows" id={form.idOf('/actions')}>
      <legend>{texts.actions}</legend>
      {actions.map(({ action, selector, value }, index) => {
        const at = `/actions/${index}`
        const { wrong, problemsShown } = problemsOfRow(form, at)
        const Value = action === 'upload' ? 'textarea' : 'input'
        return (
          <div key={index} class="row is-assertion">
            <select
              aria-label={`${texts.action} ${index + 1}`}
              value={action}
              onChange={({ currentTarget }) => {
                const next = currentTarget.value as ActionName
                changeRow(index, {
                  action: next,
                  ...(withoutSelector.has(next) ? { selector: null } : {}),
                  ...(withoutValue.has(next) ? { value: null } : {}),
                })
              }}
            >
              {names.map((one) => (
                <option key={one} value={one}>
                  {texts.names[one]}
                </option>
              ))}
            </select>
            {!withoutSelector.has(action) && (
              <input
                {...wrong('selector')}
                class="code"
                aria-label={texts.selector}
                placeholder="text=…"
                value={selector ?? ''}
                onInput={({ currentTarget: { value } }) =>
                  changeRow(index, { selector: value || null })
                }
              />
            )}
            {!withoutValue.has(action) && (
              <Value
                {...wrong('value')}
                class="code"
                aria-label={texts.value}
                placeholder={examples[action] || texts.value}
                value={value ?? ''}
                onInput={({ currentTarget: { value } }) =>
                  changeRow(index, { value: value || null })
                }
              />
            )}
            {index > 0 && (
              <button
                type="button"
                class="icon"
                aria-label={texts.earlier}
                title={texts.earlier}
                onClick={() => moveUp(index)}
              >
                ↑
              </button>
            )}
            <button
              type="button"
              class="icon"
              aria-label={words.value.common.actions.remove}
              onClick={() => change(actions.filter((_, at) => at !== index))}
            >
              ×
            </button>
            {problemsShown}
          </div>
        )
      })}
      <p class="help">
        {texts.help} <MoreInGuide pointer="/actions" />
      </p>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => change([...actions, { action: 'click', selector: null, value: null }])}
        >
          {texts.add}
        </button>
      </div>
    </fieldset>
  )
}
