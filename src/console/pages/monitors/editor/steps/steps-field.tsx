// The steps of a monitor, in order, and the variables that they name.
import { useMemo } from 'preact/hooks'
import { everyPage, wholeList } from '../../../../api/client.ts'
import { useResource } from '../../../../api/resource.ts'
import { secretMask } from '../../../../base/secret-mask.ts'
import { tell } from '../../../../parts/dialog/toast.tsx'
import { MoreInGuide, Wrong } from '../../../../parts/form/fields.tsx'
import type { Form } from '../../../../parts/form/form.ts'
import { RecordField } from '../../../../parts/form/record-field.tsx'
import { Sortable } from '../../../../parts/list/sortable.tsx'
import { orgId } from '../../../../stores/session.ts'
import { listed, words } from '../../../../words/words.ts'
import type { MonitorBody } from '../trial/monitor-body.ts'
import type { Trial } from '../trial/trial.ts'
import { ImportSteps, type ImportStepsProps } from './import-steps.tsx'
import { StepCard } from './step-card.tsx'
import { createStepKeys } from './step-keys.ts'
import {
  type Addresses,
  type FormStep,
  leadsElsewhere,
  namesFor,
  newStep,
  runOrder,
  stepsMax,
} from './step-model.ts'

export interface StepsFieldProps {
  readonly form: Form<MonitorBody>
  readonly trial: Trial
  readonly stored: Addresses | undefined
  readonly pasted: ImportStepsProps['pasted']
}

export function StepsField({ form, trial, stored, pasted }: StepsFieldProps) {
  const texts = words.value.editor
  const keys = useMemo(createStepKeys, [form])
  const steps = form.values.value.steps ?? []
  const own = keys.of(steps)
  const secrets = useResource(
    () => wholeList(everyPage('secrets.list', { path: { orgId: orgId() } })),
    [orgId()],
  )
  const secretNames = (secrets.value.value ?? []).map(({ name }) => name)

  function change(next: readonly FormStep[], nextKeys: readonly number[]): void {
    keys.name(next, nextKeys)
    form.set('/steps', next)
  }
  /** They are the same steps, in another order or without one. */
  function arrange(next: readonly FormStep[]): void {
    change(
      next,
      next.map((step) => own[steps.indexOf(step)] ?? keys.fresh()),
    )
    const gone = steps.find((step) => !next.includes(step))
    if (gone) tell(texts.steps.removed({ name: gone.name }), () => change(steps, own))
  }
  function add(): void {
    const name = texts.steps.newName({ number: steps.length + 1 })
    change([...steps, newStep(name)], [...own, keys.fresh()])
    requestAnimationFrame(() => {
      document.getElementById(form.idOf(`/steps/${steps.length}/url`))?.focus()
    })
  }
  function duplicate(place: number, step: FormStep): void {
    const copy = { ...step, name: texts.copyOf({ name: step.name }).slice(0, nameCharsMax) }
    change(steps.toSpliced(place + 1, 0, copy), own.toSpliced(place + 1, 0, keys.fresh()))
  }
  /** What became of a step in the last trial, wherever it is in the form now. */
  function reportOf(key: number) {
    const tried = trial.tried.value?.steps
    const reports = trial.result.value?.steps
    if (!tried || !reports) return undefined
    const place = (keys.shown(tried) ?? []).indexOf(key)
    return place < 0 ? undefined : reports[runOrder(tried).indexOf(place)]
  }
  const isStale = trial.tried.value !== form.values.value
  const isFull = steps.length >= stepsMax
  return (
    <>
      <Variables form={form} stored={stored} />
      <fieldset class="field rows step-list" id={form.idOf('/steps')}>
        <legend>{texts.steps.title}</legend>
        <p class="help">
          <Wrong problem={form.fieldProblems.value.get('/steps')} /> {texts.steps.about}
          <MoreInGuide pointer="/steps" />
        </p>
        <ImportSteps form={form} pasted={pasted} />
        <Sortable
          items={steps}
          label={texts.steps.title}
          nameOf={({ name }, place) => name || texts.steps.newName({ number: place + 1 })}
          keyOf={(_, place) => own[place] ?? place}
          onChange={arrange}
        >
          {(step, place) => {
            const key = own[place] ?? -1
            return (
              <StepCard
                {...{ form, trial, place, step, isStale }}
                names={namesFor(place, steps, form.values.value.variables ?? {})}
                secrets={secretNames}
                report={reportOf(key)}
                newestReport={() => reportOf(key)}
                onDuplicate={isFull ? undefined : () => duplicate(place, step)}
              />
            )
          }}
        </Sortable>
        <button type="button" disabled={isFull} onClick={add}>
          {texts.steps.add}
        </button>
        {isFull && <p class="help">{texts.steps.most({ count: stepsMax })}</p>}
      </fieldset>
    </>
  )
}

/** As long as the API takes names. */
const nameCharsMax = 100

/** Stored values come masked, and stay if they are left so, unless a step leads to another server. */
function Variables({ form, stored }: Pick<StepsFieldProps, 'form' | 'stored'>) {
  const texts = words.value.editor.steps
  const value = form.values.value.variables ?? {}
  const mustBeTyped = stored !== undefined && leadsElsewhere(stored, form.values.value)
  const names = Object.keys(value).filter((name) => mustBeTyped && value[name] === secretMask)
  return (
    <RecordField
      pointer="/variables"
      label={texts.variables}
      nameLabel={texts.variableName}
      valueLabel={texts.variableValue}
      placeholder="password"
      addText={texts.addVariable}
      isSecret
      help={texts.variablesHelp}
      again={{ names, text: texts.variablesAgain({ names: listed(names) }) }}
    />
  )
}
