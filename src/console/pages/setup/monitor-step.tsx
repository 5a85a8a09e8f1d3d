// The first monitor: an address is enough. It is tried first, and stored when the person goes on.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { usualKind } from '../../api/kinds.ts'
import { type ApiProblem, atField } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { loadMonitors } from '../../stores/monitors.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { type Guess, guessMonitor } from '../monitors/editor/guess.ts'
import { Evidence } from '../monitors/evidence/evidence.tsx'
import type { StoredMonitor } from './progress.ts'

type TestResult = Data<'monitors.test'>

interface Tried {
  readonly body: Guess
  readonly result: TestResult
}

interface StepTrial extends Tried {
  /** As it was typed. */
  readonly address: string
  /** The same server without TLS, where only that answers. */
  readonly plain: Tried | undefined
}

export interface MonitorStepProps {
  /** What this step has stored before: it is changed, and no second one is made. */
  readonly stored: StoredMonitor | undefined
  readonly address: string
  readonly onTried: (address: string) => void
  /** Undefined: it was deleted, because another kind of check takes its place. */
  readonly onStored: (monitor: StoredMonitor | undefined) => void
  readonly onDone: () => void
}

/** The address is all that was asked for: whatever is wrong is wrong with it. */
function atAddress(problem: ApiProblem): ApiProblem {
  const [first] = problem.fields.toSorted(
    (a, b) => Number(b.pointer === '/url') - Number(a.pointer === '/url'),
  )
  return first ? atField(problem, { ...first, pointer: '/address' }) : problem
}

/** What no guess fits is sent as it is: the service says what is wrong with it. */
const asTyped = (address: string): Guess => ({
  checkType: usualKind,
  url: address,
  name: address,
})

const isGood = ({ outcome }: TestResult) => outcome === 'up' || outcome === 'degraded'

async function tryOut(body: Guess): Promise<Tried> {
  return { body, result: await fetchData('monitors.test', { path: { orgId: orgId() }, body }) }
}

/** Undefined unless the address is one of HTTPS, and HTTP answers there. */
async function tryPlain(body: Guess): Promise<Tried | undefined> {
  if (!body.url.startsWith('https://')) return undefined
  const plain = { ...body, url: body.url.replace('https:', 'http:') }
  const tried = await tryOut(plain).catch(() => undefined)
  return tried && isGood(tried.result) ? tried : undefined
}

export function MonitorStep(props: MonitorStepProps) {
  const { stored, onTried, onStored, onDone } = props
  const texts = words.value.setup
  const trial = useSignal<StepTrial | undefined>(undefined)
  const isStoring = useSignal(false)
  const form = useForm(
    () => ({
      initial: { address: props.address },
      submit: async ({ address }: { address: string }) => {
        trial.value = undefined
        const body = guessMonitor(address) ?? asTyped(address)
        const tried = await tryOut(body).catch((error: unknown) => {
          throw atAddress(asProblem(error))
        })
        const plain = isGood(tried.result) ? undefined : await tryPlain(body)
        trial.value = { ...tried, address, plain }
        onTried(body.url)
      },
    }),
    [],
  )
  const { address } = form.values.value
  const shown = trial.value?.address === address ? trial.value : undefined

  function take(plain: Tried): void {
    const address = plain.body.url
    trial.value = { ...plain, address, plain: undefined }
    form.reset({ address })
    onTried(address)
  }

  async function store({ name, url, checkType }: Guess): Promise<void> {
    if (isStoring.value) return
    isStoring.value = true
    const path = { orgId: orgId() }
    const isDone = await act(async () => {
      const one = stored && { ...path, monitorId: stored.id }
      if (one && stored.checkType === checkType) {
        onStored(await fetchData('monitors.change', { path: one, body: { name, url } }))
        return
      }
      if (one) {
        await fetchData('monitors.remove', { path: one })
        onStored(undefined)
      }
      const body = { name, url, checkType, intervalSeconds: 60 }
      onStored(await fetchData('monitors.create', { path, body }))
    })
    isStoring.value = false
    void loadMonitors()
    if (isDone) onDone()
  }

  const isKept = !shown && stored !== undefined && address === stored.url
  return (
    <>
      <h2>{texts.monitor.title}</h2>
      <p class="faint">{texts.monitor.about}</p>
      <FormFrame
        form={form}
        submitText={texts.monitor.submit}
        more={
          <button type="button" class="quiet" onClick={onDone}>
            {isKept ? texts.next : texts.skip}
          </button>
        }
      >
        <TextField
          pointer="/address"
          label={texts.monitor.address}
          placeholder="example.com"
          isCode
          isRequired
          shouldFocus
        />
      </FormFrame>
      <div aria-live="polite">
        {shown && (
          <section class="tried">
            <h3>{texts.monitor.checked}</h3>
            <p class="code">{shown.body.url}</p>
            <Evidence result={shown.result} />
            {!isGood(shown.result) && <p>{texts.monitor.correct}</p>}
            <div class="actions">
              <Choices
                shown={shown}
                isStoring={isStoring.value}
                onTake={take}
                onStore={(body) => void store(body)}
              />
            </div>
          </section>
        )}
      </div>
    </>
  )
}

interface ChoicesProps {
  readonly shown: StepTrial
  readonly isStoring: boolean
  readonly onTake: (plain: Tried) => void
  readonly onStore: (body: Guess) => void
}

function Choices({ shown, isStoring, onTake, onStore }: ChoicesProps) {
  const texts = words.value.setup
  const { plain, body } = shown
  return (
    <>
      {plain && (
        <button type="button" class="primary" onClick={() => onTake(plain)}>
          {texts.monitor.usePlain}
        </button>
      )}
      <button
        type="button"
        class={isGood(shown.result) ? 'primary' : 'quiet'}
        aria-busy={isStoring}
        onClick={() => onStore(body)}
      >
        {isGood(shown.result) ? texts.next : texts.monitor.anyway}
      </button>
    </>
  )
}
