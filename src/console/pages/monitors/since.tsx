// For how long something has been so; the moment is in the tooltip.
import { duration, now, timeTitle } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

export function Since({ at }: { readonly at: string }) {
  const seconds = Math.max(0, (now.value - Date.parse(at)) / 1_000)
  const text = seconds < 60 ? words.value.monitor.justNow : duration(seconds)
  return (
    <time class="faint" dateTime={at} title={timeTitle(at)}>
      {seconds < 60 ? text : words.value.monitor.lasts({ time: text })}
    </time>
  )
}
