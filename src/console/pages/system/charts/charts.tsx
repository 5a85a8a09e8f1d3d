// How the service was: small charts side by side, read together.

import { useSignal } from '@preact/signals'
import { ChartLine } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { useData } from '../../../api/resource.ts'
import { Choices } from '../../../parts/page/choices.tsx'
import { Empty } from '../../../parts/page/empty.tsx'
import { later } from '../../../parts/page/later.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { numberText } from '../../../parts/text/number.ts'
import { bytes } from '../../../parts/text/sizes.ts'
import { localTime, milliseconds, Time } from '../../../parts/text/time.tsx'
import { words } from '../../../words/words.ts'
import { gridOf, type SystemHistoryData, type SystemPointData } from './points.ts'
import type { ChartValue, SystemChartProps } from './system-chart.tsx'

// The chart library is large, and most visits only read the state.
const Chart = later(() => import('./system-chart.tsx').then((m) => m.SystemChart))

const ranges = ['hour', 'day', 'week', 'quarter'] as const
type ShownTime = (typeof ranges)[number]
const reloadMs = 60_000
const dayMs = 86_400_000

export function Charts() {
  const texts = words.value.system.charts
  const range = useSignal<ShownTime>('day')
  const history = useData('system.history', { query: { range: range.value } })
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void history.reload()
    }, reloadMs)
    return () => clearInterval(timer)
  }, [history])
  return (
    <section class="page-part" aria-busy={history.isLoading.value}>
      <header class="card-head">
        <h2>{texts.title}</h2>
        <Choices
          label={texts.range}
          all={ranges}
          chosen={range.value}
          textOf={(name) => texts.ranges[name]}
          onChoose={(name) => (range.value = name)}
        />
      </header>
      <Loaded of={history}>
        {(data) =>
          data.points.length === 0 ? (
            <Empty icon={ChartLine} about={texts.none} />
          ) : (
            <Grid data={data} />
          )
        }
      </Loaded>
    </section>
  )
}

type Measure = Exclude<keyof SystemPointData, 'from'>

interface MeasureChart {
  readonly name: keyof ReturnType<typeof titles>
  readonly measures: readonly [Measure, ...Measure[]]
  readonly inWords: (values: readonly ChartValue[]) => string
  readonly axisText: (value: number) => string
  readonly more?: Pick<SystemChartProps, 'areBars' | 'base'>
}

const titles = () => words.value.system.charts.titles
const sizes = { axisText: bytes, more: { base: 1_024 } }
const sizeText = ([value]: readonly ChartValue[]) => textOr(value, bytes)
const countText = (value: number) => numberText(value, 0, value < 10 ? 2 : 0)

const charts: readonly MeasureChart[] = [
  {
    name: 'checks',
    measures: ['checksPerSecond'],
    inWords: ([value]) =>
      textOr(value, (count) =>
        words.value.system.charts.perSecond({ count: numberText(count, 0, count < 10 ? 2 : 1) }),
      ),
    axisText: countText,
  },
  {
    name: 'lateness',
    measures: ['latenessP50Ms', 'latenessP99Ms'],
    inWords: ([usual, slowest]) =>
      textOr(usual, (ms) =>
        words.value.system.charts.lateness({
          usual: milliseconds(ms),
          slowest: milliseconds(slowest ?? ms),
        }),
      ),
    axisText: milliseconds,
  },
  {
    name: 'waiting',
    measures: ['waiting'],
    inWords: ([value]) => textOr(value, (count) => words.value.system.charts.alerts({ count })),
    axisText: countText,
  },
  {
    name: 'loop',
    measures: ['loopDelayP99Ms'],
    inWords: ([value]) => textOr(value, milliseconds),
    axisText: milliseconds,
  },
  { name: 'memory', measures: ['memoryBytes'], inWords: sizeText, ...sizes },
  { name: 'data', measures: ['dataBytes'], inWords: sizeText, ...sizes },
  { name: 'disk', measures: ['diskFreeBytes'], inWords: sizeText, ...sizes },
  {
    name: 'errors',
    measures: ['errors'],
    inWords: ([value]) => textOr(value, (count) => words.value.system.charts.errors({ count })),
    axisText: countText,
    more: { areBars: true },
  },
]

function textOr(value: ChartValue | undefined, text: (value: number) => string): string {
  return value === null || value === undefined ? '–' : text(value)
}

function Grid({ data }: { readonly data: SystemHistoryData }) {
  const texts = words.value.system.charts
  const index = useSignal<number | null>(null)
  const { seconds, points } = useMemo(() => gridOf(data), [data])
  // Made with the answer: a new array would have the chart drawn anew.
  const lines = useMemo(
    () =>
      charts.map(({ measures }) =>
        measures.map((name) => points.map((point) => point?.[name] ?? null)),
      ),
    [points],
  )
  const read = index.value
  const shown = read === null ? data.points.at(-1) : points[read]
  const readAt = read === null ? undefined : seconds[read]
  return (
    <>
      <p class="faint">
        {readAt === undefined ? texts.now : localTime(new Date(readAt * 1_000).toISOString())}
      </p>
      <div class="system-charts">
        {charts.map(({ name, measures, inWords, axisText, more }, at) => (
          <Chart
            key={name}
            title={titles()[name]}
            value={inWords(measures.map((measure) => shown?.[measure] ?? null))}
            seconds={seconds}
            lines={lines[at] ?? []}
            axisText={axisText}
            index={index}
            {...more}
            {...(name === 'disk' ? { note: <Forecast disk={data.disk} /> } : {})}
          />
        ))}
      </div>
    </>
  )
}

function Forecast({ disk }: { readonly disk: SystemHistoryData['disk'] }) {
  const texts = words.value.system.charts.forecast
  const { state, fullAt, bytesPerDay } = disk
  if (state !== 'fills' || fullAt === null)
    return <>{texts[state === 'fills' ? 'unclear' : state]}</>
  const days = Math.round((Date.parse(fullAt) - Date.now()) / dayMs)
  return (
    <span class={days <= soonDays ? 'wrong' : undefined}>
      {texts.fills({ days, size: bytes(bytesPerDay ?? 0) })} (<Time at={fullAt} form="day" />)
    </span>
  )
}

/** Then somebody should act. */
const soonDays = 14
