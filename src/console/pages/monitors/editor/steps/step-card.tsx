// One step of the form: its request is always seen, the rest of it opens; below it what the trial found.
import { useRef } from 'preact/hooks'
import { schemaAt } from '../../../../base/json-schema.ts'
import { isWithin } from '../../../../base/pointer.ts'
import {
  CheckField,
  ListField,
  NumberField,
  SelectField,
  TextField,
} from '../../../../parts/form/fields.tsx'
import type { Form } from '../../../../parts/form/form.ts'
import { RecordField } from '../../../../parts/form/record-field.tsx'
import { words } from '../../../../words/words.ts'
import { StepLine } from '../../evidence/step-reports.tsx'
import { AssertionRows, answerParts } from '../trial/assertions-field.tsx'
import type { MonitorBody } from '../trial/monitor-body.ts'
import type { Trial } from '../trial/trial.ts'
import { CapturesField } from './captures-field.tsx'
import { InsertNames, type TemplateField } from './insert-names.tsx'
import { StepAnswer } from './step-answer.tsx'
import { type FormStep, jsonState, type KnownName, type TriedStep } from './step-model.ts'

export interface StepCardProps {
  readonly form: Form<MonitorBody>
  readonly trial: Trial
  readonly place: number
  readonly step: FormStep
  readonly names: readonly KnownName[]
  readonly secrets: readonly string[]
  /** What became of it in the trial; undefined: it was not part of one. */
  readonly report: TriedStep | undefined
  /** Whether the form was changed since. */
  readonly isStale: boolean
  /** The same after another trial. */
  readonly newestReport: () => TriedStep | undefined
  /** Absent: there are as many as there may be. */
  readonly onDuplicate: (() => void) | undefined
}

export function StepCard(props: StepCardProps) {
  const { form, trial, place, step, names, secrets, report, isStale, newestReport } = props
  const texts = words.value.editor
  const at = `/steps/${place}`
  const field = useRef<TemplateField>(null)
  const methods = (form.schema && schemaAt(form.schema, `${at}/method`)?.enum) ?? []
  const { headers = {}, body, captures = [], assertions = [] } = step
  const counts = [
    { text: texts.headers, count: Object.keys(headers ?? {}).length },
    { text: texts.body, count: body ? 1 : 0 },
    { text: texts.steps.captures, count: (captures ?? []).length },
    { text: texts.assertions, count: (assertions ?? []).length },
  ].filter(({ count }) => count > 0)
  /** The reports of a failure say nothing of the step: it is that of the one that failed. */
  function failedNow() {
    const isOurs = newestReport()?.outcome === 'failed' && !step.isCleanUp
    return (isOurs && trial.result.value?.failure?.failedAssertions) || []
  }
  function urlField() {
    const found = document.getElementById(form.idOf(`${at}/url`))
    return found instanceof HTMLInputElement ? found : null
  }
  const refused = trial.problem.value?.fields.filter(({ pointer }) => isWithin(pointer, at)) ?? []
  return (
    <div
      class="step"
      onFocusIn={({ target }) => {
        const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
        if (isText && target.closest('[data-templates]')) field.current = target
      }}
    >
      <div class="step-name">
        <TextField pointer={`${at}/name`} label={texts.name} />
      </div>
      <div class="step-request" data-templates>
        <SelectField
          pointer={`${at}/method`}
          label={texts.method}
          choices={methods
            .filter((value) => value !== null)
            .map((value) => ({ value: String(value), text: String(value) }))}
        />
        <TextField
          pointer={`${at}/url`}
          label={texts.url}
          placeholder={place === 0 ? 'login' : 'orders/{{id}}'}
          isCode
        />
        <NumberField pointer={`${at}/expectedStatus`} label={texts.steps.status} usual={200} />
      </div>
      {refused.map(({ pointer, message, lang }) => (
        <p key={pointer} class="step-line is-down">
          <code>{pointer.slice(at.length + 1)}</code> <span lang={lang}>{message}</span>
        </p>
      ))}
      {report && <StepLine report={report} isStale={isStale} />}
      {report?.status != null && (
        <details class="step-more">
          <summary>{texts.steps.answer}</summary>
          <StepAnswer {...{ form, report }} pointer={at} />
        </details>
      )}
      <details class="step-more">
        <summary>
          {texts.steps.more}
          {step.isCleanUp && <span class="tag">{texts.steps.cleansUp}</span>}
          {counts.map(({ text, count }) => (
            <span key={text} class="tag">
              {text} {count}
            </span>
          ))}
        </summary>
        <div class="section-inside">
          <InsertNames {...{ names, secrets, field }} usual={urlField} />
          <div class="step-templates" data-templates>
            <RecordField
              pointer={`${at}/headers`}
              label={texts.headers}
              nameLabel={texts.headerName}
              valueLabel={texts.headerValue}
              placeholder="Authorization"
              addText={texts.addHeader}
            />
            <TextField
              pointer={`${at}/body`}
              label={texts.body}
              rows={4}
              isCode
              emptyAs={null}
              help={<BodyHelp {...{ form, at, step }} />}
            />
          </div>
          <CapturesField pointer={`${at}/captures`} />
          <div data-templates>
            <AssertionRows
              {...{ form, trial, failedNow }}
              pointer={`${at}/assertions`}
              sources={answerParts}
              isPickable={false}
            />
          </div>
          <div class="form-row">
            <ListField
              pointer={`${at}/acceptedStatuses`}
              label={texts.statuses}
              placeholder="200-299, 301"
            />
            <NumberField
              pointer={`${at}/degradedThresholdMs`}
              label={texts.slow}
              unit="ms"
              placeholder={words.value.common.never}
            />
          </div>
          <CheckField pointer={`${at}/followRedirects`} label={texts.followRedirects} />
          <CheckField
            pointer={`${at}/isCleanUp`}
            label={texts.steps.cleansUp}
            help={texts.steps.cleansUpHelp}
          />
          {props.onDuplicate && (
            <div class="actions">
              <button type="button" onClick={props.onDuplicate}>
                {texts.steps.duplicate}
              </button>
            </div>
          )}
        </div>
      </details>
    </div>
  )
}

interface BodyHelpProps {
  readonly form: Form<MonitorBody>
  readonly at: string
  readonly step: FormStep
}

/** Whether the body is JSON; servers rarely read JSON that is not called so. */
function BodyHelp({ form, at, step }: BodyHelpProps) {
  const texts = words.value.editor.steps
  const { headers } = step
  const state = jsonState(step.body ?? '')
  if (state === undefined) return null
  if (state === 'broken') return <>{texts.brokenJson}</>
  const isNamed = Object.keys(headers ?? {}).some((name) => /^content-type$/i.test(name))
  if (isNamed) return <>{texts.isJson}</>
  return (
    <>
      {texts.unnamedJson}{' '}
      <button
        type="button"
        class="link"
        onClick={() =>
          form.set(`${at}/headers`, { ...headers, 'Content-Type': 'application/json' })
        }
      >
        Content-Type: application/json
      </button>
    </>
  )
}
