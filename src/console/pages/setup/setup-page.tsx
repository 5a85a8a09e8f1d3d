// The first run: account, first monitor, first channel, first status page. Each step can be skipped.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Page } from '../../parts/page.tsx'
import { mayAs, session } from '../../session.ts'
import { words } from '../../words/words.ts'
import { AccountStep } from './account-step.tsx'
import { ChannelStep } from './channel-step.tsx'
import { MonitorStep } from './monitor-step.tsx'
import { PageStep } from './page-step.tsx'

type Step = 'account' | 'monitor' | 'channel' | 'page' | 'done'

/** Members skip the steps that need an admin. A person without an account becomes an owner. */
const stepsOf = (): readonly Step[] =>
  !session.value || mayAs('admin')
    ? ['account', 'monitor', 'channel', 'page', 'done']
    : ['account', 'monitor', 'done']

export function SetupPage() {
  const texts = words.value.setup
  const step = useSignal<Step>(session.value ? 'monitor' : 'account')
  const pageUrl = useSignal<string | undefined>(undefined)
  const steps = stepsOf()
  const at = steps.indexOf(step.value)
  // Asked when the step is done: with the account the person got a role.
  const goOn = () => {
    const all = stepsOf()
    step.value = all[all.indexOf(step.value) + 1] ?? 'done'
  }
  // A screen reader tells of the next step. The first field gets the focus itself: taking it from
  // there would count as leaving the field empty, and show a problem before anything is typed.
  useEffect(() => {
    const section = document.getElementById('step')
    const field = section?.querySelector<HTMLElement>('[data-focus]')
    ;(field ?? section)?.focus()
  }, [step.value])
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
                {texts.steps[name]}
              </li>
            ),
        )}
      </ol>
      <section class="card" id="step" tabIndex={-1}>
        {step.value === 'account' && <AccountStep onDone={goOn} />}
        {step.value === 'monitor' && <MonitorStep onDone={goOn} />}
        {step.value === 'channel' && <ChannelStep onDone={goOn} />}
        {step.value === 'page' && (
          <PageStep
            onDone={(url) => {
              pageUrl.value = url
              goOn()
            }}
            onSkip={goOn}
          />
        )}
        {step.value === 'done' && (
          <>
            <h2>{texts.doneTitle}</h2>
            <p>{texts.doneAbout}</p>
            <div class="actions">
              <a class="button primary" href="/app">
                {texts.toOverview}
              </a>
              {pageUrl.value !== undefined && (
                <a class="button" href={pageUrl.value}>
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
