// Runs the steps while somebody edits them, if they want that: it is off at first where a step changes something.
import schema from 'schema:monitors.create'
import { signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Form } from '../../../../parts/form/form.ts'
import { problemsIn } from '../../../../parts/form/problems-in.ts'
import { listed, words } from '../../../../words/words.ts'
import type { MonitorBody } from '../trial/monitor-body.ts'
import { type Trial, triedBody } from '../trial/trial.ts'
import { createAutoRun } from './auto-run.ts'
import { isHarmless } from './step-model.ts'

const quietMs = 1_000
/** Where the service does not say when it takes another trial. */
const usualWaitSeconds = 60

/** What a person chose, apart for steps that change something: who runs those by themselves says so. */
const keys = { harmless: 'stillup.runs.harmless', changing: 'stillup.runs.changing' } as const
type RunChoice = keyof typeof keys
const kept = (choice: RunChoice) => localStorage.getItem(keys[choice]) ?? undefined
const choices = { harmless: signal(kept('harmless')), changing: signal(kept('changing')) }

function choose(choice: RunChoice, isOn: boolean): void {
  const text = isOn ? 'on' : 'off'
  localStorage.setItem(keys[choice], text)
  choices[choice].value = text
}

type RunState = 'idle' | 'incomplete' | { readonly waitSeconds: number }

export interface RunWhileTypingProps {
  readonly form: Form<MonitorBody>
  readonly trial: Trial
}

export function RunWhileTyping({ form, trial }: RunWhileTypingProps) {
  const texts = words.value.editor.steps
  const steps = form.values.value.steps ?? []
  const choice = isHarmless(steps) ? 'harmless' : 'changing'
  const isOn = (choices[choice].value ?? (choice === 'harmless' ? 'on' : 'off')) === 'on'
  const state = useSignal<RunState>('idle')
  const wanted = useSignal(JSON.stringify(triedBody(form.values.peek())))

  const auto = useMemo(
    () =>
      createAutoRun({
        quietMs,
        nowMs: () => performance.now(),
        setTimer: (work, ms) => setTimeout(work, ms),
        clearTimer: (timer) => clearTimeout(timer as number | undefined),
        async run() {
          const body = triedBody(form.values.peek())
          state.value = 'idle'
          if (trial.isRunning.peek()) return quietMs
          if (JSON.stringify(body) === textOf(trial.tried.peek())) return undefined
          if ((body.steps ?? []).length === 0) return undefined
          if ((await problemsIn(schema, body)).length > 0) {
            state.value = 'incomplete'
            return undefined
          }
          await trial.run()
          const problem = trial.problem.peek()
          if (problem?.status !== 429) return undefined
          const waitSeconds = problem.retryAfterSeconds ?? usualWaitSeconds
          // It was not tried, and is as soon as it may be.
          trial.problem.value = undefined
          trial.tried.value = undefined
          state.value = { waitSeconds }
          return waitSeconds * 1_000
        },
      }),
    [form, trial],
  )
  useEffect(() => auto.stop, [auto])
  useSignalEffect(() => {
    const text = JSON.stringify(triedBody(form.values.value))
    if (text === wanted.peek()) return
    wanted.value = text
    if (isOnNow(form)) auto.want()
    else auto.stop()
  })

  const changing = steps.flatMap(({ method }) => (method == null ? [] : [method]))
  const methods = [...new Set(changing)].filter((one) => one !== 'GET' && one !== 'HEAD')
  const { value: now } = state
  return (
    <div class="field is-check">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            choose(choice, checked)
            if (checked) auto.want()
            else auto.stop()
          }}
        />
        {texts.whileTyping}
      </label>
      <p class="help">
        {choice === 'changing'
          ? texts.changing({ methods: listed(methods) })
          : texts.whileTypingAbout}
      </p>
      <p class="help" role="status">
        {isOn && now === 'incomplete' && texts.incomplete}
        {isOn && typeof now === 'object' && texts.waits({ seconds: now.waitSeconds })}
      </p>
    </div>
  )
}

function isOnNow(form: Form<MonitorBody>): boolean {
  const choice = isHarmless(form.values.peek().steps ?? []) ? 'harmless' : 'changing'
  return (choices[choice].peek() ?? (choice === 'harmless' ? 'on' : 'off')) === 'on'
}

const textOf = (body: MonitorBody | undefined) =>
  body === undefined ? undefined : JSON.stringify(triedBody(body))
