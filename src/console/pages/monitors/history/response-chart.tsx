// Response times as lines: the median, and the slow end that averages hide. Incidents and maintenance
// are shaded behind them.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import Plot from 'uplot'
import { axisWidth, PlotFigure, themeColors, timeLabels } from '../../../parts/chart/plot.tsx'
import { timeText } from '../../../parts/text/number.ts'
import { localTime, milliseconds } from '../../../parts/text/time.tsx'
import { punctuation, words } from '../../../words/words.ts'
import type { ResponseTimes, Shade } from './shades.ts'

export interface ResponseChartProps {
  readonly times: ResponseTimes
  readonly shades: readonly Shade[]
}

const height = 240
const lines = [
  ['p50Ms', '--accent', []],
  ['p95Ms', '--slow', [6, 3]],
  ['p99Ms', '--down', [2, 3]],
] as const
/** With more points, dots would hide the lines. */
const dotsMax = 40
const shadeColors = { down: '--down', degraded: '--slow', maintenance: '--calm' } as const
/** A short incident of a long time is still seen. */
const shadeWidthMin = 2

export function ResponseChart({ times, shades }: ResponseChartProps) {
  const index = useSignal<number | null>(null)
  const texts = words.value.monitor
  const seconds = useMemo(() => times.points.map(({ at }) => Date.parse(at) / 1_000), [times])
  const point = index.value === null ? undefined : times.points[index.value]
  const shown = point ?? { ...times.total, at: undefined }
  const kinds = new Set(shades.map(({ kind }) => kind))
  return (
    <PlotFigure
      label={texts.chart + punctuation.value.stop + punctuation.value.gap + texts.chartKeys}
      height={height}
      seconds={seconds}
      index={index}
      of={[times, shades]}
      draw={(element, onPoint) => draw(element, { times, shades }, seconds, onPoint)}
    >
      <figcaption class="chart-legend" aria-live="polite">
        <span class="chart-time">
          {shown.at === undefined ? texts.wholeTime : localTime(shown.at)}
        </span>
        {lines.map(([name]) => (
          <span key={name} class={`key is-${name}`}>
            {texts.percentiles[name]}{' '}
            <span class="figure">{shown[name] === null ? '–' : milliseconds(shown[name])}</span>
          </span>
        ))}
        {(['down', 'degraded', 'maintenance'] as const)
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <span key={kind} class={`key is-shade is-${kind}`}>
              {texts.shades[kind]}
            </span>
          ))}
      </figcaption>
    </PlotFigure>
  )
}

function draw(
  element: HTMLElement,
  { times: { points, from, to }, shades }: ResponseChartProps,
  seconds: number[],
  onPoint: (index: number | null) => void,
): Plot {
  const color = themeColors(element)
  const axis = {
    stroke: color('--soft'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1 },
  }
  const timed = points.filter(({ count }) => count > 0).length
  const range: [number, number] = [Date.parse(from) / 1_000, Date.parse(to) / 1_000]
  function shade({ ctx, bbox, valToPos }: Plot): void {
    ctx.save()
    for (const { kind, fromMs, toMs } of shades) {
      const left = valToPos(fromMs / 1_000, 'x', true)
      const right = valToPos(toMs / 1_000, 'x', true)
      const width = Math.max(shadeWidthMin * devicePixelRatio, right - left)
      ctx.fillStyle = color(shadeColors[kind])
      ctx.globalAlpha = 0.16
      ctx.fillRect(left, bbox.top, width, bbox.height)
      // A line above tells more than the colour of a wash.
      ctx.globalAlpha = 1
      ctx.fillRect(left, bbox.top, width, 3 * devicePixelRatio)
    }
    ctx.restore()
  }
  return new Plot(
    {
      width: element.clientWidth,
      height,
      padding: [12, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      // From zero: half a millisecond more or less is no mountain.
      scales: { x: { range }, y: { range: (_, _least, most) => [0, (most || 1) * 1.08] } },
      axes: [
        { ...axis, values: timeLabels(Date.parse(from), Date.parse(to)) },
        { ...axis, size: axisWidth(66), values: (_, ms) => ms.map(axisText) },
      ],
      series: [
        {},
        ...lines.map(([name, stroke, dash]) => ({
          label: name,
          stroke: color(stroke),
          width: 1.5,
          dash: [...dash],
          spanGaps: false,
          // One point between gaps has no line.
          points: { show: timed <= dotsMax, size: 5 },
        })),
      ],
      hooks: {
        drawClear: [shade],
        setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)],
      },
    },
    [seconds, ...lines.map(([name]) => points.map((point) => point[name]))],
    element,
  )
}

/** The ticks are round numbers, so seconds need no more digits than these. */
const axisText = (ms: number) =>
  ms < 1_000 ? timeText(ms, 'millisecond', 0, 3) : timeText(ms / 1_000, 'second', 0, 2)
