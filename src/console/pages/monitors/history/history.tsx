// The history of a monitor: the outcome of each part of a time as bars, and its response times as a
// chart and as a table.

import { useSignal } from '@preact/signals'
import { ChartLine } from 'lucide'
import { type DownWhen, neededOf } from '../../../../domain/locations/choice.ts'
import { type Data, everyPage, fetchData } from '../../../api/client.ts'
import { useResource } from '../../../api/resource.ts'
import { Choices } from '../../../parts/page/choices.tsx'
import { Empty } from '../../../parts/page/empty.tsx'
import { later } from '../../../parts/page/later.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { localTime, milliseconds, Time } from '../../../parts/text/time.tsx'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import { barStates } from './bar-states.ts'
import { PlaceChoice, usePlaces } from './place-choice.tsx'
import { type MonitorIncident, type ResponseTimes, type Shade, shadesOf } from './shades.ts'

// The chart library is large, and most visits only read the state.
const Chart = later(() => import('./response-chart.tsx').then((m) => m.ResponseChart))

const hourMs = 3_600_000
const spans = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160, '365d': 8_760 } as const
type SpanName = keyof typeof spans
const spanNames = ['1h', '24h', '7d', '30d', '90d', '365d'] as const
const pointsMax = 180
/** The newest incidents of a longer time are enough: more would not be told apart. */
const incidentsMax = 200

interface Shown {
  readonly times: ResponseTimes
  /** Made with the answer: a new array would have the chart drawn anew. */
  readonly shades: readonly Shade[]
}

/** `place`: only what was seen from there. */
async function load(
  monitorId: string,
  { span, place }: { readonly span: SpanName; readonly place: string },
  signal: AbortSignal,
): Promise<Shown> {
  const path = { orgId: orgId(), monitorId }
  const from = new Date(Date.now() - spans[span] * hourMs).toISOString()
  const points = span === '90d' ? 90 : pointsMax
  const [times, incidents] = await Promise.all([
    fetchData('monitors.responseTimes', {
      path,
      query: { from, points, ...(place === '' ? {} : { location: place }) },
      signal,
    }),
    incidentsSince(monitorId, from, signal),
  ])
  return { times, shades: shadesOf(times, incidents) }
}

async function incidentsSince(monitorId: string, from: string, signal: AbortSignal) {
  const path = { orgId: orgId(), monitorId }
  const found: MonitorIncident[] = []
  for await (const page of everyPage('monitors.incidents', {
    path,
    query: { limit: 100 },
    signal,
  })) {
    found.push(...page)
    const last = page.at(-1)
    if (found.length >= incidentsMax || (last?.resolvedAt ?? from) < from) break
  }
  return found
}

type Watched = Pick<
  Data<'monitors.get'>,
  | 'id'
  | 'state'
  | 'stateSince'
  | 'intervalSeconds'
  | 'graceSeconds'
  | 'schedule'
  | 'locations'
  | 'downWhen'
>

/** Until a report is late; by a schedule it counts until the next one comes. */
const heldMsOf = ({ intervalSeconds, graceSeconds, schedule }: Watched) =>
  schedule === null ? (intervalSeconds + graceSeconds) * 1_000 : Number.POSITIVE_INFINITY

/** Undefined where there is no vote. */
function votingShareOf({ locations = [], downWhen = 'majority' }: Watched): number | undefined {
  const all = locations.length
  return all > 1 ? neededOf(downWhen as DownWhen, all) / all : undefined
}

export interface HistoryProps {
  readonly monitor: Watched
  /** Changes when an incident begins or ends. */
  readonly version: string
}

export function History({ monitor, version }: HistoryProps) {
  const { id: monitorId } = monitor
  const texts = words.value.monitor
  const span = useSignal<SpanName>('24h')
  const place = useSignal('')
  const places = usePlaces(monitor)
  const history = useResource(
    (signal) => load(monitorId, { span: span.value, place: place.value }, signal),
    [monitorId],
    [span.value, place.value, version],
  )
  return (
    <section class="card" aria-busy={history.isLoading.value}>
      <header class="card-head">
        <h2>{texts.history}</h2>
        <PlaceChoice places={places} chosen={place} />
        <Choices
          label={texts.span}
          all={spanNames}
          chosen={span.value}
          textOf={(name) => texts.windows[name]}
          onChoose={(name) => (span.value = name)}
        />
      </header>
      <Loaded of={history}>
        {(shown) => (
          <>
            <OutcomeBars monitor={monitor} shown={shown} isOfPlace={place.value !== ''} />
            {shown.times.total.count > 0 ? (
              <>
                <Chart {...shown} />
                <Totals times={shown.times} />
                <PointsTable times={shown.times} />
              </>
            ) : (
              <Empty icon={ChartLine} about={texts.noTimes} />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const states = ['up', 'degraded', 'down', 'none'] as const

const isMaintenance = ({ kind }: Shade) => kind === 'maintenance'

interface OutcomeBarsProps {
  readonly monitor: Watched
  readonly shown: Shown
  /** What one place saw is told by its results alone: state and incidents are those of all together. */
  readonly isOfPlace: boolean
}

function OutcomeBars({ monitor, shown, isOfPlace }: OutcomeBarsProps) {
  const { points, to } = shown.times
  const { stateSince } = monitor
  const state = isOfPlace ? 'none' : monitor.state
  const shades = isOfPlace ? shown.shades.filter(isMaintenance) : shown.shades
  const heldMs = heldMsOf(monitor)
  const votingShare = isOfPlace ? undefined : votingShareOf(monitor)
  const bars = barStates({ points, to, shades, state, stateSince, heldMs, votingShare })
  const bad = bars.filter((one) => one === 'down').length
  const text = words.value.monitor.barsText({ all: points.length, bad })
  return (
    <svg
      class="outcome-bars"
      viewBox={`0 0 ${Math.max(1, points.length)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      {states.map((state) => (
        <path
          key={state}
          class={`hour is-${state}`}
          d={bars.map((one, at) => (one === state ? `M${at} 0h.8v1h-.8z` : '')).join('')}
        />
      ))}
      {points.map(({ at, results, p50Ms }, index) => (
        <rect key={at} class="outcome-hit" x={index} y="0" width="1" height="1">
          <title>
            {`${localTime(at)}\n${words.value.monitor.pointText({ good: results.up + results.degraded, bad: results.down })}`}
            {p50Ms === null ? '' : `\n${milliseconds(p50Ms)}`}
          </title>
        </rect>
      ))}
    </svg>
  )
}

const percentileNames = ['p50Ms', 'p95Ms', 'p99Ms', 'maxMs'] as const

const shownMs = (ms: number | null) => (ms === null ? '–' : milliseconds(ms))

function Totals({ times: { total } }: { readonly times: ResponseTimes }) {
  return (
    <dl class="facts">
      {percentileNames.map((name) => (
        <div key={name}>
          <dt>{words.value.monitor.percentiles[name]}</dt>
          <dd class="figure">{shownMs(total[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The same numbers as in the chart, for people who cannot see it or want them exactly. */
function PointsTable({ times }: { readonly times: ResponseTimes }) {
  const texts = words.value.monitor
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{texts.asTable}</summary>
      {isOpen.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it scrolls by keyboard
        <section class="points" tabIndex={0} aria-label={texts.chart}>
          <table>
            <thead>
              <tr>
                <th>{texts.time}</th>
                {percentileNames.map((name) => (
                  <th key={name}>{texts.percentiles[name]}</th>
                ))}
                <th>{texts.failed}</th>
              </tr>
            </thead>
            <tbody>
              {times.points
                .filter(({ count, results }) => count + results.down > 0)
                .toReversed()
                .map((point) => (
                  <tr key={point.at}>
                    <td>
                      <Time at={point.at} form="local" />
                    </td>
                    {percentileNames.map((name) => (
                      <td key={name} class="figure">
                        {shownMs(point[name])}
                      </td>
                    ))}
                    <td class="figure">{point.results.down}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
