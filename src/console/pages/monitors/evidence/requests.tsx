// What a page loaded in the browser: a table, and the same as a HAR that tools of browsers open.
import { milliseconds } from '../../../parts/text/time.tsx'
import { words } from '../../../words/words.ts'
import { harOf, type LoadedRequests } from './har.ts'

interface RequestsProps {
  readonly of: LoadedRequests
  /** When the check began. */
  readonly at: string
}

export function Requests({ of: requests, at }: RequestsProps) {
  const texts = words.value.monitor.requests
  const har = `data:application/json;charset=utf-8,${encodeURIComponent(harOf(requests, at))}`
  return (
    <details>
      <summary>{texts.title({ count: requests.length })}</summary>
      <p>
        <a href={har} download="requests.har">
          {texts.download}
        </a>
      </p>
      <table class="requests">
        <thead>
          <tr>
            <th scope="col">{texts.start}</th>
            <th scope="col">{texts.duration}</th>
            <th scope="col">{texts.answer}</th>
            <th scope="col">URL</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ method, url, startMs, durationMs, status, error }, place) => (
            <tr key={place}>
              <td class="figure">{milliseconds(startMs)}</td>
              <td class="figure">{durationMs !== null && milliseconds(durationMs)}</td>
              <td class={error !== null || (status ?? 0) >= 400 ? 'is-down' : undefined}>
                {error ?? status}
              </td>
              <td class="code">
                {method} {url}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
