// The first run: account, first monitor, first channel, first status page. Each step can be skipped.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Page } from '../../parts/page.tsx'
import { session } from '../../session.ts'
import { words } from '../../words/words.ts'
import { AccountStep } from './account-step.tsx'
import { ChannelStep } from './channel-step.tsx'
import { MonitorStep } from './monitor-step.tsx'
import { PageStep } from './page-step.tsx'

const steps = ['account', 'monitor', 'channel', 'page', 'done'] as const
type Step = (typeof steps)[number]

export function SetupPage() {
  const texts = words.value.setup
  const step = useSignal<Step>(session.value ? 'monitor' : 'account')
  const pageUrl = useSignal<string | undefined>(undefined)
  const go = (next: Step) => () => {
    step.value = next
  }
  // A screen reader tells of the next step. The first field gets the focus itself: taking it from
  // there would count as leaving the field empty, and show a problem before anything is typed.
  useEffect(() => {
    const section = document.getElementById('step')
    const field = section?.querySelector<HTMLElement>('[data-focus]')
    ;(field ?? section)?.focus()
  }, [step.value])
  const at = steps.indexOf(step.value)
  return (
    <Page title={texts.title}>
      <ol class="steps">
        {steps.slice(0, 4).map((name, index) => (
          <li
            key={name}
            class={index < at ? 'is-over' : undefined}
            aria-current={index === at ? 'step' : undefined}
          >
            {texts.steps[name as keyof typeof texts.steps]}
          </li>
        ))}
      </ol>
      <section class="card" id="step" tabIndex={-1}>
        {step.value === 'account' && <AccountStep onDone={go('monitor')} />}
        {step.value === 'monitor' && <MonitorStep onDone={go('channel')} />}
        {step.value === 'channel' && <ChannelStep onDone={go('page')} />}
        {step.value === 'page' && (
          <PageStep
            onDone={(url) => {
              pageUrl.value = url
              go('done')()
            }}
            onSkip={go('done')}
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
