// Response times as lines: the median, and the slow end that averages hide. Incidents and maintenance
// are shaded behind them.
import 'uplot/dist/uPlot.min.css'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import Plot from 'uplot'
import { numberText } from '../../../parts/text/number.ts'
import { localTime, milliseconds } from '../../../parts/text/time.tsx'
import { theme } from '../../../stores/theme.ts'
import { language, locale, words } from '../../../words/words.ts'
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
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const shownIndex = useSignal<number | null>(null)
  const texts = words.value.monitor
  const look = theme.value
  const tag = language.value
  // Before anything else happens: a key must not meet the chart of a former time.
  useLayoutEffect(() => {
    const element = holder.current
    if (!element) return
    shownIndex.value = null
    const made = draw(element, { times, shades }, (index) => {
      shownIndex.value = index
    })
    plot.current = made
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth
      // It also tells the first size, and a new size forgets the place of the cursor.
      if (width !== made.width) made.setSize({ width, height })
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
    }
  }, [times, shades, look, tag, shownIndex])
  function step(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const shown = plot.current
    if (by === undefined || !shown) return
    event.preventDefault()
    const last = times.points.length - 1
    const index = Math.min(last, Math.max(0, (shownIndex.value ?? (by < 0 ? last + 1 : -1)) + by))
    const at = times.points[index]?.at ?? times.from
    shown.setCursor({ left: shown.valToPos(Date.parse(at) / 1_000, 'x'), top: 0 })
  }
  const point = shownIndex.value === null ? undefined : times.points[shownIndex.value]
  const shown = point ?? { ...times.total, at: undefined }
  const kinds = new Set(shades.map(({ kind }) => kind))
  return (
    <figure class="chart">
      <div
        ref={holder}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its cursor
        tabIndex={0}
        role="img"
        aria-label={`${texts.chart}. ${texts.chartKeys}`}
        onKeyDown={step}
      />
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
    </figure>
  )
}

function draw(
  element: HTMLElement,
  { times: { points, from, to }, shades }: ResponseChartProps,
  onPoint: (index: number | null) => void,
): Plot {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
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
      scales: { x: { range } },
      axes: [
        { ...axis, values: timeLabels(points) },
        { ...axis, size: 66, values: (_, ms) => ms.map(axisText) },
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
    [
      points.map(({ at }) => Date.parse(at) / 1_000),
      ...lines.map(([name]) => points.map((point) => point[name])),
    ],
    element,
  )
}

/** The ticks are round numbers, so seconds need no more digits than these. */
const axisText = (ms: number) =>
  ms < 1_000 ? `${numberText(ms, 0, 3)} ms` : `${numberText(ms / 1_000, 0, 2)} s`

/** In the language of the person: times within a day or two, else days. */
function timeLabels(points: ResponseTimes['points']) {
  const first = Date.parse(points[0]?.at ?? '')
  const last = Date.parse(points.at(-1)?.at ?? '')
  const days = (last - first) / 86_400_000
  const form: Intl.DateTimeFormatOptions =
    days < 3 ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }
  const format = new Intl.DateTimeFormat(locale.value, form)
  return (_: Plot, seconds: readonly number[]) =>
    seconds.map((one) => format.format(new Date(one * 1_000)))
}
