// The trial of what a form says: one check that stores nothing, and its answer for the assertions.
import { type Signal, useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../../../api/client.ts'
import type { ApiProblem } from '../../../../api/problem.ts'
import { asProblem } from '../../../../api/resource.ts'
import { appliesTo } from '../../../../base/json-schema.ts'
import type { Form } from '../../../../parts/form/form.ts'
import { orgId } from '../../../../stores/session.ts'
import { words } from '../../../../words/words.ts'
import { kindIn, type MonitorBody, sentBody } from './monitor-body.ts'

type TrialResult = Data<'monitors.test'>
export type TargetAnswer = NonNullable<TrialResult['answer']>

export interface Trial {
  readonly result: Signal<TrialResult | undefined>
  readonly problem: Signal<ApiProblem | undefined>
  readonly isRunning: Signal<boolean>
  /** What the form said when the last one that ended began. */
  readonly tried: Signal<MonitorBody | undefined>
  run(): Promise<void>
}

/**
 * Whether a check of this kind that goes well has an answer over HTTP. A websocket has one only when
 * the handshake is refused.
 */
export function hasAnswer(form: Pick<Form<MonitorBody>, 'schema' | 'get'>): boolean {
  return appliesTo(form.schema, 'method', kindIn(form))
}

/** What is sent of what the form says: a trial needs no name yet. */
export function triedBody({ name, ...rest }: MonitorBody): MonitorBody {
  return sentBody({ ...rest, name: name === '' ? words.value.editor.trial : name })
}

/** `monitorId`: of the monitor that is changed, whose headers come masked. */
export function useTrial(form: Form<MonitorBody>, monitorId: string | undefined): Trial {
  const result = useSignal<TrialResult | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isRunning = useSignal(false)
  const tried = useSignal<MonitorBody | undefined>(undefined)
  async function run(): Promise<void> {
    if (isRunning.value) return
    isRunning.value = true
    problem.value = undefined
    const values = form.values.value
    try {
      const body = triedBody(values)
      result.value = await fetchData('monitors.test', {
        path: { orgId: orgId() },
        query: monitorId === undefined ? {} : { monitorId },
        body,
      })
    } catch (error) {
      result.value = undefined
      problem.value = asProblem(error)
    } finally {
      tried.value = values
      isRunning.value = false
    }
  }
  return { result, problem, isRunning, tried, run }
}
