// How many checks confirm an outage and its end, and a drawing of what that means: with how much delay
// an outage becomes an alert.
import { NumberField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { duration } from '../../../parts/text/time.tsx'
import { punctuation, words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

/** What the service takes where a field is empty. */
const usual = { intervalSeconds: 300, failureThreshold: 3, recoveryThreshold: 2 }
const retryLimits = { least: 5, most: 30 }

/** Checks that the drawing has at most; the sentence says the number. */
const drawnMax = 10

export function ConfirmationFields({ form }: { readonly form: Form<MonitorBody> }) {
  const texts = words.value.editor
  return (
    <>
      <div class="form-row">
        <NumberField pointer="/failureThreshold" label={texts.failures} />
        <NumberField pointer="/recoveryThreshold" label={texts.recoveries} />
        <NumberField
          pointer="/retryIntervalSeconds"
          label={texts.retry}
          unit="s"
          usual={usualRetry(numberAt(form, 'intervalSeconds') ?? 0)}
        />
      </div>
      <Meaning form={form} />
    </>
  )
}

function numberAt(form: Form<MonitorBody>, name: string): number | undefined {
  const value = form.get(`/${name}`)
  if (typeof value === 'number') return value
  return Object.entries(usual).find(([one]) => one === name)?.[1]
}

/** Half of the interval, within limits. */
const usualRetry = (intervalSeconds: number) =>
  Math.max(retryLimits.least, Math.min(retryLimits.most, Math.ceil(intervalSeconds / 2)))

function Meaning({ form }: { readonly form: Form<MonitorBody> }) {
  const { confirmation } = words.value.editor
  const failures = numberAt(form, 'failureThreshold') ?? 0
  const recoveries = numberAt(form, 'recoveryThreshold') ?? 0
  const retry =
    numberAt(form, 'retryIntervalSeconds') ?? usualRetry(numberAt(form, 'intervalSeconds') ?? 0)
  if (!(failures >= 1 && recoveries >= 1 && retry >= 1)) return null
  const after = (count: number) => duration((count - 1) * retry)
  return (
    <div class="confirmation">
      <span class="confirmation-steps" aria-hidden="true">
        <Steps count={failures} first="is-confirming" last="is-down" />
        <Steps count={recoveries} first="is-recovering" last="is-up" />
      </span>
      <p class="help">
        {failures === 1
          ? confirmation.downAtOnce
          : confirmation.down({ count: failures, time: after(failures) })}
        {punctuation.value.gap}
        {recoveries === 1
          ? confirmation.upAtOnce
          : confirmation.up({ count: recoveries, time: after(recoveries) })}
        {punctuation.value.gap}
        {words.value.editor.retryHelp}
      </p>
    </div>
  )
}

/** A dot for each check; the last one decides. */
function Steps(props: { readonly count: number; readonly first: string; readonly last: string }) {
  const drawn = Math.min(props.count, drawnMax)
  return (
    <>
      {Array.from({ length: drawn }, (_, at) => (
        <i key={at} class={at === drawn - 1 ? `is-last ${props.last}` : props.first} />
      ))}
    </>
  )
}
