// Where a job reports to, with the line that goes into its cron table.
import type { Data } from '../../api/client.ts'
import { Copyable } from '../../parts/text/copyable.tsx'
import { words } from '../../words/words.ts'

export function PushAddress({ monitor }: { readonly monitor: Data<'monitors.get'> }) {
  const texts = words.value.monitor.push
  if (monitor.pushUrl === null) return null
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      <Copyable text={monitor.pushUrl} label={texts.title} />
      <p class="faint">{texts.cron}</p>
      <Copyable text={`backup.sh && curl -fsS -m 10 --retry 5 -o /dev/null ${monitor.pushUrl}`} />
    </section>
  )
}
