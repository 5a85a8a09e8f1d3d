// The signed report of a month: a page that prints well, and the statement with its signature.
import { useSignal } from '@preact/signals'
import { type Data, urlOf } from '../../api/client.ts'
import { orgId } from '../../stores/session.ts'
import { language, locale, words } from '../../words/words.ts'
import { monthsSince } from './months.ts'

export function ReportLinks({ monitor }: { readonly monitor: Data<'monitors.get'> }) {
  const texts = words.value.monitor.report
  const months = monthsSince(monitor.createdAt, Date.now())
  // The last complete month is what is sent around; the running one changes.
  const month = useSignal(months[1] ?? months[0] ?? '')
  const path = { orgId: orgId(), monitorId: monitor.id }
  const query = { month: month.value }
  // The browser asks for its own language, and the console may be in another one.
  const page = { path, query: { ...query, language: language.value } }
  const format = new Intl.DateTimeFormat(locale.value, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      <div class="actions">
        <select
          aria-label={texts.month}
          value={month.value}
          onChange={({ currentTarget: { value } }) => (month.value = value)}
        >
          {months.map((one, at) => (
            <option key={one} value={one}>
              {format.format(new Date(`${one}-01T00:00:00Z`))}
              {at === 0 ? ` ${texts.soFar}` : ''}
            </option>
          ))}
        </select>
        <a class="button" href={urlOf('monitors.reportPage', page)} target="_blank" rel="noopener">
          {texts.open}
        </a>
        <a
          class="button"
          href={urlOf('monitors.report', { path, query })}
          download={`report-${month.value}.json`}
        >
          {texts.download}
        </a>
      </div>
    </section>
  )
}
