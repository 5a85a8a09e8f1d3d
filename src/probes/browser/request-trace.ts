// The requests of a page: when each began, and how it ended, as the browser tells it.
// https://chromedevtools.github.io/devtools-protocol/tot/Network/
import { clip } from '../../base/clip.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { type LoadedRequest, loadedRequestsMax } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Fields } from './devtools.ts'

type Tracked = { -readonly [Field in keyof LoadedRequest]: LoadedRequest[Field] }

const wordCharsMax = 40

/** Collects the first requests of all tabs of a check. */
export function createRequestTrace() {
  const list: Tracked[] = []
  const open = new Map<string, Tracked>()
  let firstSeconds: number | undefined

  function msAt(timestamp: unknown): number {
    firstSeconds ??= Number(timestamp)
    return Math.max(0, Math.round((Number(timestamp) - firstSeconds) * 1_000)) || 0
  }

  function answered({ requestId, response }: Fields): void {
    const one = open.get(String(requestId))
    if (one && isRecord(response)) one.status = Number(response.status) || 0
  }

  function ended({ requestId, timestamp, encodedDataLength, errorText }: Fields): void {
    const one = open.get(String(requestId))
    if (one === undefined) return
    open.delete(String(requestId))
    one.durationMs = Math.max(0, msAt(timestamp) - one.startMs)
    if (Number(encodedDataLength) > 0) one.bytes = Number(encodedDataLength)
    if (errorText !== undefined) one.errorText = clip(String(errorText), wordCharsMax)
  }

  const events: Readonly<Record<string, (params: Fields) => void>> = {
    'Network.requestWillBeSent'({ requestId, request, type, timestamp, redirectResponse }) {
      if (!isRecord(request)) return
      // The request after a redirect has the id of the one before it.
      answered({ requestId, response: redirectResponse })
      ended({ requestId, timestamp })
      // What is a part of the page itself (`data:`) is not loaded.
      if (!/^https?:/.test(String(request.url)) || list.length >= loadedRequestsMax) return
      const begun: Tracked = {
        method: clip(String(request.method), wordCharsMax),
        url: clip(String(request.url), limits.loadedUrlCharsMax),
        type: clip(String(type), wordCharsMax),
        startMs: msAt(timestamp),
      }
      list.push(begun)
      open.set(String(requestId), begun)
    },
    'Network.responseReceived': answered,
    'Network.loadingFinished': ended,
    'Network.loadingFailed': ended,
  }
  return {
    take: (method: string, params: Fields) => events[method]?.(params),
    list: (): readonly LoadedRequest[] => list,
  }
}
