// The requests of a page in the format that browsers export and import.
// http://www.softwareishard.com/blog/har-12-spec/
import type { Data } from '../../../api/client.ts'

export type LoadedRequests = NonNullable<Data<'monitors.latest'>['failure']>['requests']

/** As text; `at` is when the first request began. Headers and contents are not known. */
export function harOf(requests: LoadedRequests, at: string): string {
  const sinceMs = Date.parse(at)
  const version = 'HTTP/1.1'
  const unknown = { httpVersion: version, cookies: [], headers: [], headersSize: -1 }
  const entries = requests.map(
    ({ method, url, type, startMs, durationMs, status, bytes, error }) => {
      const time = durationMs ?? 0
      return {
        startedDateTime: new Date(sinceMs + startMs).toISOString(),
        time,
        request: {
          ...{ method, url, ...unknown, bodySize: -1 },
          queryString: [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({
            name,
            value,
          })),
        },
        response: {
          ...{ status: status ?? 0, statusText: error ?? '', ...unknown, redirectURL: '' },
          content: { size: bytes ?? 0, mimeType: '' },
          bodySize: bytes ?? -1,
          ...(error === null ? {} : { _error: error }),
        },
        cache: {},
        timings: { send: 0, wait: time, receive: 0 },
        _resourceType: type.toLowerCase(),
      }
    },
  )
  const creator = { name: 'stillup', version: '1' }
  return JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 2)
}
