// A chart that is read by pointer and by the arrow keys, and drawn anew with the theme and the width.
import 'uplot/dist/uPlot.min.css'
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type Uplot from 'uplot'
import { theme } from '../../stores/theme.ts'
import { language, locale } from '../../words/words.ts'

export interface PlotProps {
  readonly label: string
  readonly height: number
  /** When the points are, in seconds. */
  readonly seconds: readonly number[]
  /** The point that is read; charts that share it are read together. */
  readonly index: Signal<number | null>
  readonly draw: (element: HTMLElement, onPoint: (index: number | null) => void) => Uplot
  /** What is drawn: the chart is drawn anew when it changes. */
  readonly of: readonly unknown[]
  readonly children?: ComponentChildren
}

export function PlotFigure(props: PlotProps) {
  const { label, height, seconds, index, children } = props
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<Uplot | undefined>(undefined)
  const newest = useRef(props)
  newest.current = props
  // Before anything else happens: a key must not meet the chart of a former time.
  useLayoutEffect(() => {
    const element = holder.current
    if (!element) return
    const own = newest.current
    own.index.value = null
    const made = own.draw(element, (at) => {
      own.index.value = at
    })
    plot.current = made
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth
      // It also tells the first size, and a new size forgets the place of the cursor.
      if (width !== made.width) made.setSize({ width, height: own.height })
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
    }
  }, [...props.of, theme.value, language.value, height])
  // The charts beside the one that is pointed at.
  const shown = index.value
  useEffect(() => {
    const made = plot.current
    if (!made || (made.cursor.idx ?? null) === shown) return
    const at = shown === null ? undefined : seconds[shown]
    made.setCursor({ left: at === undefined ? -10 : made.valToPos(at, 'x'), top: 0 }, false)
  }, [shown, seconds])
  function step(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const made = plot.current
    if (by === undefined || !made) return
    event.preventDefault()
    const last = seconds.length - 1
    const next = Math.min(last, Math.max(0, (index.value ?? (by < 0 ? last + 1 : -1)) + by))
    made.setCursor({ left: made.valToPos(seconds[next] ?? 0, 'x'), top: 0 })
  }
  return (
    <figure class="chart">
      <div
        ref={holder}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its cursor
        tabIndex={0}
        role="img"
        aria-label={label}
        onKeyDown={step}
      />
      {children}
    </figure>
  )
}

/** The colours that hold where the chart is. */
export function themeColors(chart: Element): (name: string) => string {
  const style = getComputedStyle(chart)
  return (name) => style.getPropertyValue(name).trim()
}

/** In the language of the person: times within a day or two, else days. */
export function timeLabels(firstMs: number, lastMs: number) {
  const days = (lastMs - firstMs) / 86_400_000
  const form: Intl.DateTimeFormatOptions =
    days < 3 ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }
  const format = new Intl.DateTimeFormat(locale.value, form)
  return (_: Uplot, seconds: readonly number[]) =>
    seconds.map((one) => format.format(new Date(one * 1_000)))
}

/** The width of an axis: at least this, and enough for its longest label. */
export const axisWidth = (leastPx: number) => (_: Uplot, labels: readonly string[] | null) =>
  Math.max(leastPx, ...(labels ?? []).map((label) => 20 + label.length * 6.5))
