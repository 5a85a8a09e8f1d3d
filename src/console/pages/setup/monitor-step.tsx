// The first monitor: an address is enough. It is checked at once, and the result is shown.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { type ApiProblem, atField } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { orgId } from '../../session.ts'
import { loadMonitors } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'
import { guessMonitor } from '../monitors/editor/guess.ts'
import { Evidence } from '../monitors/evidence.tsx'

/** The address is all that was asked for: whatever is wrong is wrong with it. */
function atAddress(problem: ApiProblem): ApiProblem {
  const [first] = problem.fields.toSorted(
    (a, b) => Number(b.pointer === '/url') - Number(a.pointer === '/url'),
  )
  return first ? atField(problem, { ...first, pointer: '/address' }) : problem
}

export function MonitorStep({ onDone }: { readonly onDone: () => void }) {
  const texts = words.value.setup
  const found = useSignal<Data<'monitors.latest'> | undefined>(undefined)
  const form = useForm(
    () => ({
      initial: { address: '' },
      submit: async ({ address }: { address: string }) => {
        const guess = guessMonitor(address)
        const body = guess ?? { name: address, url: address }
        const path = { orgId: orgId() }
        const made = await fetchData('monitors.create', {
          path,
          body: { ...body, isPublic: true, intervalSeconds: 60 },
        }).catch((error: unknown) => {
          throw atAddress(asProblem(error))
        })
        const one = { ...path, monitorId: made.id }
        // The first check may be running already: then this waits for its result.
        await fetchData('monitors.run', { path: one }).catch(() => undefined)
        void loadMonitors()
        // It is made; if its result cannot be shown, another one must not be made by a second try.
        found.value = await fetchData('monitors.latest', { path: one }).catch(() => undefined)
        if (!found.value) onDone()
      },
    }),
    [],
  )
  if (found.value) {
    return (
      <>
        <h2>{texts.monitor.checked}</h2>
        <Evidence result={found.value} />
        <div>
          <button type="button" class="primary" onClick={onDone}>
            {texts.next}
          </button>
        </div>
      </>
    )
  }
  return (
    <>
      <h2>{texts.monitor.title}</h2>
      <p class="faint">{texts.monitor.about}</p>
      <FormFrame
        form={form}
        submitText={texts.monitor.submit}
        more={
          <button type="button" class="quiet" onClick={onDone}>
            {texts.skip}
          </button>
        }
      >
        <TextField
          form={form}
          pointer="/address"
          label={texts.monitor.address}
          placeholder="example.com"
          isCode
          isRequired
          shouldFocus
        />
      </FormFrame>
    </>
  )
}
