// The first run: account, first monitor, first channel, first status page. Each step can be skipped.
import { signal } from '@preact/signals'
import { Check } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Icon } from '../../parts/text/icon.tsx'
import { mayAs, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { AccountStep } from './account-step.tsx'
import { ChannelStep } from './channel-step.tsx'
import { MonitorStep } from './monitor-step.tsx'
import { PageStep } from './page-step.tsx'
import {
  findStored,
  keepProgress,
  type Progress,
  readProgress,
  type Step,
  type StoredProgress,
} from './progress.ts'

/** Members skip the steps that need an admin. A person without an account becomes an owner. */
const stepsOf = (): readonly Step[] =>
  !session.value || mayAs('admin')
    ? ['account', 'monitor', 'channel', 'page', 'done']
    : ['account', 'monitor', 'done']

export function SetupPage() {
  const texts = words.value.setup
  const progress = useMemo(() => signal(readProgress()), [])
  const stored = useResource(
    () => (session.value ? findStored(progress.value) : Promise.resolve<StoredProgress>({})),
    [],
  )
  const steps = stepsOf()
  const { step: kept, pageUrl } = progress.value
  const step = steps.includes(kept) ? kept : 'monitor'
  const at = steps.indexOf(step)
  function note(change: Partial<Progress>): void {
    progress.value = { ...progress.value, ...change }
    keepProgress(progress.value)
  }
  // Asked when the step is done: with the account the person got a role.
  const goOn = () => {
    const all = stepsOf()
    note({ step: all[all.indexOf(step) + 1] ?? 'done' })
  }
  // A screen reader tells of the next step. The first field gets the focus itself: taking it from
  // there would count as leaving the field empty, and show a problem before anything is typed.
  useEffect(() => {
    const section = document.getElementById('step')
    const field = section?.querySelector<HTMLElement>('[data-focus]')
    ;(field ?? section)?.focus()
  }, [step, stored.value.value === undefined])
  return (
    <Page title={texts.title}>
      <ol class="steps">
        {steps.map(
          (name, index) =>
            name !== 'done' && (
              <li
                key={name}
                class={index < at ? 'is-over' : undefined}
                aria-current={index === at ? 'step' : undefined}
              >
                {index < at && <Icon of={Check} />}
                {index < at && name !== 'account' ? (
                  <button type="button" class="link" onClick={() => note({ step: name })}>
                    {texts.steps[name]}
                  </button>
                ) : (
                  texts.steps[name]
                )}
              </li>
            ),
        )}
      </ol>
      <section class="card" id="step" tabIndex={-1}>
        {step === 'account' && <AccountStep onDone={goOn} />}
        {step === 'monitor' && (
          <Loaded of={stored}>
            {({ monitor }) => (
              <MonitorStep
                stored={monitor}
                address={progress.value.address ?? monitor?.url ?? ''}
                onTried={(address) => note({ address })}
                onStored={(monitor) => {
                  note({ monitorId: monitor?.id })
                  stored.set({ monitor })
                }}
                onDone={goOn}
              />
            )}
          </Loaded>
        )}
        {step === 'channel' && <ChannelStep onDone={goOn} />}
        {step === 'page' && (
          <PageStep
            monitorId={progress.value.monitorId}
            onDone={(pageUrl) => {
              note({ pageUrl })
              goOn()
            }}
            onSkip={goOn}
          />
        )}
        {step === 'done' && (
          <>
            <h2>{texts.doneTitle}</h2>
            <p>{texts.doneAbout}</p>
            <div class="actions">
              <a class="button primary" href="/app">
                {texts.toOverview}
              </a>
              {pageUrl !== undefined && (
                <a class="button" href={pageUrl}>
                  {texts.toPage}
                </a>
              )}
            </div>
          </>
        )}
      </section>
    </Page>
  )
}
