// The steps of the page of parts: their cards with what a trial found, and the evidence of a check.
import schema from 'schema:monitors.create'
import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { StepsField } from '../monitors/editor/steps/steps-field.tsx'
import type { MonitorBody } from '../monitors/editor/trial/monitor-body.ts'
import type { Trial } from '../monitors/editor/trial/trial.ts'
import { StepLine, type StepLineProps, StepReports } from '../monitors/evidence/step-reports.tsx'

type TriedReport = StepLineProps['report']

const answer = {
  headers: [{ name: 'content-type', value: 'application/json' }],
  body: '{"order":{"id":"A17","items":[1,2]},"isNew":true}',
}
const shared = { isCleanUp: false, message: null, captures: {}, ...answer }

const signIn: TriedReport = {
  ...shared,
  ...{ name: 'Sign in', outcome: 'good', method: 'POST', url: 'https://shop.example.com/login' },
  ...{ status: 200, responseTimeMs: 84, captures: { token: 'tok_••••', id: 'A17' } },
}
const order: TriedReport = {
  ...shared,
  ...{ name: 'Order', outcome: 'failed', method: 'POST', url: 'https://shop.example.com/orders' },
  ...{ status: 500, responseTimeMs: 640, message: 'expected status 201, found 500' },
}
const look: TriedReport = {
  ...shared,
  ...{ name: 'Look', outcome: 'notRun', method: 'GET', url: 'orders/{{id}}' },
  ...{ status: null, responseTimeMs: null, headers: [], body: null },
}
const remove: TriedReport = {
  ...{ ...look, name: 'Remove', isCleanUp: true },
  message: 'id was not captured',
}
const reports = [signIn, order, look, remove]

const initial: MonitorBody = {
  name: 'Shop',
  url: 'https://shop.example.com/',
  checkType: 'steps',
  variables: { password: 'a-long-password' },
  steps: reports.map(({ name, url, isCleanUp }) => ({
    ...{ name, url, isCleanUp, method: 'POST', body: '{"a":1}', followRedirects: true },
    captures: [{ name: 'id', source: 'json', path: '$.order.id' }],
  })),
}

export function LookSteps({ mode }: { readonly mode: string }) {
  const form = useForm<MonitorBody>(
    () => ({ schema, ids: `look-${mode}-steps`, initial, submit: async () => {} }),
    [],
  )
  const trial = useMemo((): Trial => {
    const result = { steps: reports } as unknown as Trial['result']['value']
    return {
      result: signal(result),
      problem: signal(undefined),
      isRunning: signal(false),
      tried: signal(form.values.peek()),
      run: async () => {},
    }
  }, [form])
  return (
    <>
      <StepReports steps={reports} />
      <StepReports
        steps={[84, 640, 120].map((responseTimeMs) => ({
          ...signIn,
          captures: {},
          responseTimeMs,
        }))}
      />
      {reports.map((report) => (
        <StepLine key={report.name} report={report} />
      ))}
      <StepLine report={signIn} isStale />
      <FormFrame form={form} submitText="Save">
        <StepsField form={form} trial={trial} stored={undefined} pasted={signal('')} />
      </FormFrame>
    </>
  )
}
