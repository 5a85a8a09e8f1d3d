// One measure of the service over time: what it is now in words, and a small chart that shares its place in
// time with those beside it.
import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import Plot from 'uplot'
import { axisWidth, PlotFigure, themeColors, timeLabels } from '../../../parts/chart/plot.tsx'
import { punctuation, words } from '../../../words/words.ts'
import { niceTop } from './nice-top.ts'

export type ChartValue = number | null

export interface SystemChartProps {
  readonly title: string
  /** In words: of the point that is read, or of now. */
  readonly value: string
  /** What else is to be said of it. */
  readonly note?: ComponentChildren
  readonly seconds: readonly number[]
  /** The lines from the usual to the worst, or the bars. */
  readonly lines: readonly (readonly ChartValue[])[]
  readonly areBars?: boolean
  /** 1,024 for bytes. */
  readonly base?: number
  readonly axisText: (value: number) => string
  readonly index: Signal<number | null>
}

const height = 128
const strokes = ['--accent', '--slow'] as const
/** With more points, dots would hide the line. */
const dotsMax = 3

export function SystemChart(props: SystemChartProps) {
  const { title, value, note, seconds, lines, index } = props
  const isRead = useSignal(false)
  return (
    <section
      class="card system-chart"
      onFocusIn={() => (isRead.value = true)}
      onFocusOut={() => (isRead.value = false)}
    >
      <h3>{title}</h3>
      <p class="system-value figure" aria-live={isRead.value ? 'polite' : 'off'}>
        {value}
      </p>
      <PlotFigure
        label={
          title + punctuation.value.stop + punctuation.value.gap + words.value.monitor.chartKeys
        }
        height={height}
        seconds={seconds}
        index={index}
        of={[seconds, lines]}
        draw={(element, onPoint) => draw(element, props, onPoint)}
      />
      {note !== undefined && <p class="help">{note}</p>}
    </section>
  )
}

function draw(
  element: HTMLElement,
  { seconds, lines, areBars = false, base = 1_000, axisText }: SystemChartProps,
  onPoint: (index: number | null) => void,
): Plot {
  const color = themeColors(element)
  const first = seconds[0] ?? 0
  const last = seconds.at(-1) ?? first
  const most = Math.max(0, ...lines.flat().map((value) => value ?? 0))
  const top = niceTop(most, base)
  const axis = { stroke: color('--soft'), ticks: { show: false }, font: '11px Inter, sans-serif' }
  const known = lines[0]?.filter((value) => value !== null).length ?? 0
  return new Plot(
    {
      width: element.clientWidth,
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { range: () => [first, last] }, y: { range: () => [0, top] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          space: 64,
          values: timeLabels(first * 1_000, last * 1_000),
        },
        {
          ...axis,
          grid: { stroke: color('--line'), width: 1 },
          size: axisWidth(62),
          splits: () => [0, top / 2, top],
          values: (_, values) => values.map(axisText),
        },
      ],
      series: [
        {},
        ...lines.map((_, at) => ({
          stroke: color(strokes[at] ?? strokes[0]),
          width: 1.5,
          spanGaps: false,
          ...(at === 0 ? { fill: color('--accent-wash') } : {}),
          ...(areBars && Plot.paths.bars ? { paths: Plot.paths.bars({ size: [0.7, 12] }) } : {}),
          points: { show: known <= dotsMax, size: 5 },
        })),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
    },
    [[...seconds], ...lines.map((line) => [...line])],
    element,
  )
}
