// The newest 24 hours as bars, with the response time as a line above them.
import type { Recent } from '../../../stores/monitors.ts'
import { words } from '../../../words/words.ts'

const step = 5
const width = 24 * step
const barTop = 22
const height = 30

export function HourBars({ recent }: { readonly recent: Recent | undefined }) {
  if (!recent) return <svg class="hours" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />
  const states = ['up', 'degraded', 'down', 'none'] as const
  const hoursDown = recent.hours.filter((state) => state === 'down').length
  const text = words.value.overview.lastDay({ bad: hoursDown })
  return (
    <svg
      class="hours"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      {states.map((state) => (
        <path key={state} class={`hour is-${state}`} d={barsOf(recent.hours, state)} />
      ))}
      <path class="spark" d={lineOf(recent.medianMs)} />
    </svg>
  )
}

/** One path for all bars of a state: a row is drawn often, and has few nodes. */
function barsOf(hours: Recent['hours'], wanted: Recent['hours'][number]): string {
  return hours
    .map((state, hour) =>
      state === wanted
        ? `M${hour * step} ${barTop}h${step - 1}v${height - barTop}h${1 - step}z`
        : '',
    )
    .join('')
}

function lineOf(medians: Recent['medianMs']): string {
  const most = Math.max(1, ...medians.map((median) => median ?? 0))
  let isDown = false
  return medians
    .map((median, hour) => {
      if (median === null) {
        isDown = false
        return ''
      }
      const x = hour * step + (step - 1) / 2
      const y = (barTop - 4) * (1 - median / most) + 1
      const command = isDown ? 'L' : 'M'
      isDown = true
      return `${command}${x} ${y.toFixed(1)}`
    })
    .join('')
}
