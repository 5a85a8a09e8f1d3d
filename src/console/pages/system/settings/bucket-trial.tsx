// Whether the bucket in the form takes what is written to it, before it is stored.
import { type Signal, useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../../api/client.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { asProblem } from '../../../api/resource.ts'
import { Said } from '../../../parts/text/said.tsx'
import { words } from '../../../words/words.ts'
import { isLocked, type Setting } from './settings-model.ts'

type TriedBucket = Data<'settings.tryBucket'>

export interface BucketTrialForm {
  readonly result: Signal<TriedBucket | undefined>
  /** Throws ApiProblem. */
  run(values: Readonly<Record<string, unknown>>, settings: readonly Setting[]): Promise<void>
}

export function useBucketTrial(): BucketTrialForm {
  const result = useSignal<TriedBucket | undefined>(undefined)
  return {
    result,
    async run(values, settings) {
      result.value = undefined
      const given = settings.filter((one) => !isLocked(one))
      const body = Object.fromEntries(given.map(({ name }) => [name, values[name] || null]))
      try {
        result.value = await fetchData('settings.tryBucket', { body })
      } catch (error) {
        const problem = asProblem(error)
        const fields = problem.fields.map((one) => ({ ...one, pointer: `/backup${one.pointer}` }))
        throw new ApiProblem(problem.message, { ...problem, fields })
      }
    },
  }
}

export function BucketResult({ trial: { result } }: { readonly trial: BucketTrialForm }) {
  const { bucket: texts } = words.value.settings
  const tried = result.value
  const failed = tried?.steps.find(({ error }) => error !== null)
  return (
    <div role="status" aria-live="polite">
      {tried && (
        <div class={`note ${tried.isUsable ? 'is-up' : 'is-down'}`}>
          <p>
            <strong>{failed ? texts.failed[failed.step] : texts.works}</strong>
          </p>
          {failed && failed.error !== null && (
            <p>
              <Said text={failed.error} />
            </p>
          )}
        </div>
      )}
    </div>
  )
}
