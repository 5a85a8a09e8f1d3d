// Other thresholds on what really happened: sliders, what would have been alerted, and a button that
// takes them over.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Data, fetchData } from '../../../api/client.ts'
import { waitsForReports } from '../../../api/kinds.ts'
import { useResource } from '../../../api/resource.ts'
import { act } from '../../../parts/dialog/act.ts'
import { Choices } from '../../../parts/page/choices.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { Said } from '../../../parts/text/said.tsx'
import { duration, Time } from '../../../parts/text/time.tsx'
import { mayAs, orgId } from '../../../stores/session.ts'
import { changeText } from '../../../words/direction.ts'
import { language, punctuation, words } from '../../../words/words.ts'
import {
  bandsOf,
  changedThresholds,
  comparedIncidents,
  type Outcome,
  type Simulation,
} from './bands.ts'
import { ThresholdField } from './threshold-field.tsx'

type SimulatedMonitor = Data<'monitors.get'>
type Thresholds = Outcome['thresholds']
type Wanted = Partial<Thresholds>

export interface SimulateProps {
  readonly monitor: SimulatedMonitor
  readonly onChange: (monitor: SimulatedMonitor) => void
}

const ofToday: Wanted = {}

/** A slider moves through many values: a simulation is asked for only where it rests. */
const restMs = 500
const days = [1, 7, 30] as const
const dayMs = 86_400_000

export function Simulate({ monitor, onChange }: SimulateProps) {
  const texts = words.value.simulate
  const span = useSignal<(typeof days)[number]>(7)
  const wanted = useSignal(ofToday)
  const asked = useSignal(ofToday)
  const path = { orgId: orgId(), monitorId: monitor.id }
  const simulation = useResource(
    (signal) => {
      const from = new Date(Date.now() - span.value * dayMs).toISOString()
      return fetchData('monitors.simulate', { path, body: { from, ...asked.value }, signal })
    },
    [monitor.id],
    [monitor.updatedAt, span.value, JSON.stringify(asked.value)],
  )
  useEffect(() => {
    if (wanted.value === asked.value) return
    const timer = setTimeout(() => {
      asked.value = wanted.value
    }, restMs)
    return () => clearTimeout(timer)
  }, [wanted.value, wanted, asked])
  async function apply(now: Thresholds): Promise<void> {
    const changes = changedThresholds(now, wanted.value)
    const before = Object.fromEntries(
      Object.keys(changes).map((name) => [name, now[name as keyof Thresholds]]),
    )
    const change = async (body: Wanted) => {
      onChange(await fetchData('monitors.change', { path, body }))
    }
    const isApplied = await act(
      () => change(changes),
      texts.applied,
      () => void act(() => change(before)),
    )
    if (!isApplied) return
    wanted.value = ofToday
    asked.value = ofToday
  }
  return (
    <>
      <Choices
        label={words.value.monitor.span}
        all={days}
        chosen={span.value}
        textOf={(one) => texts.days({ count: one })}
        onChoose={(one) => (span.value = one)}
      />
      <Loaded of={simulation}>
        {(shown) => {
          const now = shown.current.thresholds
          const changes = changedThresholds(now, wanted.value)
          const isChanged = Object.keys(changes).length > 0
          return (
            <div class="simulation">
              <Sliders
                monitor={monitor}
                now={now}
                wanted={{ ...now, ...wanted.value }}
                onChange={(one) => (wanted.value = { ...wanted.value, ...one })}
              />
              <div class="actions">
                {mayAs('member') && (
                  <button
                    type="button"
                    class="primary"
                    disabled={!isChanged}
                    onClick={() => void apply(now)}
                  >
                    {texts.apply}
                  </button>
                )}
                <button
                  type="button"
                  disabled={!isChanged}
                  onClick={() => (wanted.value = ofToday)}
                >
                  {texts.reset}
                </button>
              </div>
              <Results shown={shown} isStale={wanted.value !== asked.value} />
            </div>
          )
        }}
      </Loaded>
    </>
  )
}

interface SlidersProps {
  readonly monitor: SimulatedMonitor
  readonly now: Thresholds
  readonly wanted: Thresholds
  readonly onChange: (changes: Wanted) => void
}

type NumberName = Exclude<keyof Thresholds, 'degradedOpensIncident'>

/** As far as most sliders are useful; the fields take all that the API takes. */
const ranges: Readonly<
  Record<NumberName, { min: number; max: number; numberMax: number; step: number; unit?: string }>
> = {
  failureThreshold: { min: 1, max: 10, numberMax: 10, step: 1 },
  recoveryThreshold: { min: 1, max: 10, numberMax: 10, step: 1 },
  degradedThresholdMs: { min: 1, max: 10_000, numberMax: 60_000, step: 1, unit: 'ms' },
  degradedThreshold: { min: 1, max: 10, numberMax: 10, step: 1 },
  graceSeconds: { min: 0, max: 7_200, numberMax: 31_536_000, step: 1, unit: 's' },
  reminderMinutes: { min: 0, max: 1_440, numberMax: 10_080, step: 1, unit: 'min' },
}

function Sliders({ monitor, now, wanted, onChange }: SlidersProps) {
  const texts = words.value.simulate
  const names: readonly NumberName[] = waitsForReports(monitor)
    ? ['graceSeconds', 'reminderMinutes']
    : [
        'failureThreshold',
        'recoveryThreshold',
        'degradedThresholdMs',
        'degradedThreshold',
        'reminderMinutes',
      ]
  return (
    <div class="thresholds">
      {names.map((name) => (
        <ThresholdField
          key={name}
          {...ranges[name]}
          label={texts.thresholds[name]}
          value={wanted[name]}
          current={now[name]}
          currentText={texts.valueToday({ value: now[name] === null ? '–' : String(now[name]) })}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      {!waitsForReports(monitor) && (
        <label class="inline">
          <input
            type="checkbox"
            checked={wanted.degradedOpensIncident}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ degradedOpensIncident: checked })
            }
          />
          {texts.thresholds.degradedOpensIncident}
        </label>
      )}
    </div>
  )
}

const nowAndThen = (before: number, after: number) =>
  before === after ? String(after) : changeText(language.value, [before, after])

function Results({ shown, isStale }: { readonly shown: Simulation; readonly isStale: boolean }) {
  const texts = words.value.simulate
  const { current, changed, results, notes } = shown
  if (results === 0) return <p class="faint">{texts.noResults}</p>
  const compared = comparedIncidents(current, changed)
  return (
    <div class="simulation-results" aria-busy={isStale}>
      <Strip title={texts.today} shown={shown} outcome={current} />
      <Strip title={texts.simulated} shown={shown} outcome={changed} />
      <p class="strip-ends faint">
        <Time at={shown.firstResultAt ?? shown.from} form="local" />{' '}
        <Time at={shown.to} form="local" />
      </p>
      <p role="status">
        {texts.summary({
          after: changed.incidentsTotal,
          alertsAfter: changed.alertsTotal,
          before: current.incidentsTotal,
          alertsBefore: current.alertsTotal,
        })}
      </p>
      {compared.length > 0 && (
        <table class="log">
          <thead>
            <tr>
              <th>{words.value.monitor.time}</th>
              <th>{texts.lasted}</th>
              <th>{words.value.monitor.reason}</th>
              <th>{texts.change}</th>
              <th>{texts.alerts}</th>
            </tr>
          </thead>
          <tbody>
            {compared.map(({ incident, change, alertsNow, alertsThen }) => (
              <tr key={`${incident.startedAt}${change}`} class={`is-${change}`}>
                <td>
                  <Time at={incident.startedAt} form="local" />
                </td>
                <td class="figure">{duration(incident.durationSeconds)}</td>
                <td>
                  <Said text={incident.cause} />
                </td>
                <td>
                  <span class={`change is-${change}`}>{texts.changes[change]}</span>
                </td>
                <td class="figure">{nowAndThen(alertsNow, alertsThen)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {changed.channels.length > 0 && (
        <p>
          {texts.byChannel + punctuation.value.colon}
          {changed.channels
            .map(({ channelId, name, alerts }) => {
              const before = current.channels.find((one) => one.channelId === channelId)
              return `${name} ${nowAndThen(before?.alerts ?? 0, alerts)}`
            })
            .join(punctuation.value.comma)}
        </p>
      )}
      <details>
        <summary>{texts.limits}</summary>
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>
              <Said text={note} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

interface StripProps {
  readonly title: string
  readonly shown: Simulation
  readonly outcome: Outcome
}

function Strip({ title, shown, outcome }: StripProps) {
  const { incidentsTotal, seconds, incidents } = outcome
  const text = words.value.simulate.strip({
    count: incidentsTotal,
    down: duration(seconds.down),
  })
  return (
    <div class="strip">
      <span>{title}</span>
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={text}>
        {bandsOf({ ...shown, from: shown.firstResultAt ?? shown.from }, incidents).map(
          ({ state, from, to }) => (
            <rect
              key={from}
              class={`hour is-${state}`}
              x={Math.min(from * 1_000, 996)}
              y="0"
              height="10"
              // A short incident of a long time would be too thin to see.
              width={Math.max((to - from) * 1_000, state === 'up' || state === 'none' ? 0 : 4)}
            />
          ),
        )}
      </svg>
      <span class="faint">{text}</span>
    </div>
  )
}
