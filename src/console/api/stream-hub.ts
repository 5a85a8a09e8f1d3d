// Shares event streams among the tabs of a browser: one for each organization that a visible tab shows.

import { outward } from '../base/base-path.ts'
import { type AnyLiveEvent, type Connection, gap, liveEventTypes } from './live-events.ts'

/** What a tab is told. */
export type StreamMessage =
  /** The tab answers with the wanted organization; one that does not answer counts as closed. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'connection'; readonly orgId: string; readonly connection: Connection }
  | { readonly kind: 'event'; readonly orgId: string; readonly event: AnyLiveEvent }
  /** The service does not give the stream: the session may have ended. */
  | { readonly kind: 'refused'; readonly orgId: string }

/** What a tab wants now: the events of an organization; null while it is hidden. */
export type WantedOrgId = string | null

interface StreamTab {
  readonly tell: (message: StreamMessage) => void
  wanted: WantedOrgId
  hasAnswered: boolean
  /** Whether it was told everything since it read from the API. */
  isCurrent: boolean
}

interface Stream {
  readonly orgId: string
  readonly tabs: Set<StreamTab>
  connection: Connection
  source: EventSource | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

/** A browser opens six connections to a service at most, and the rest are for requests. */
const streamsMax = 3

/** How soon a refused stream is tried again, and how often a tab asks the API without a stream. */
const retryMs = 5_000

const askMs = 10_000

/** Returns the function that connects a tab. That returns the function by which the tab says what it wants. */
export function createStreamHub() {
  const tabs = new Set<StreamTab>()
  /** By organization; the one that a tab joined last is the last. */
  const streams = new Map<string, Stream>()
  let isAsking = false

  function tellAll({ tabs, orgId }: Stream, connection: Connection): void {
    for (const { tell } of tabs) tell({ kind: 'connection', orgId, connection })
  }

  function tellGap(tab: StreamTab, orgId: string): void {
    tab.isCurrent = true
    tab.tell({ kind: 'event', orgId, event: gap })
  }

  function open(stream: Stream): void {
    const { orgId } = stream
    close(stream)
    makeRoomFor(stream)
    const opened = new EventSource(outward(`/api/v1/orgs/${orgId}/events`))
    stream.source = opened
    // The browser reconnects by itself and says what it saw last; the service repeats what was missed,
    // or begins with stream.gap. A stream that has seen nothing yet gets neither.
    let hasSeen = false
    opened.onopen = () => {
      stream.connection = 'live'
      tellAll(stream, 'live')
      for (const tab of stream.tabs) if (!hasSeen || !tab.isCurrent) tellGap(tab, orgId)
    }
    opened.onerror = () => {
      stream.connection = 'lost'
      tellAll(stream, 'lost')
      // 2: the browser does not try again, for example after 401.
      if (opened.readyState !== 2) return
      for (const tab of stream.tabs) {
        tab.tell({ kind: 'refused', orgId })
        // Without a stream, what is shown is asked for again at each attempt.
        tellGap(tab, orgId)
      }
      stream.timer = setTimeout(() => open(stream), retryMs)
    }
    for (const type of liveEventTypes) {
      opened.addEventListener(type, (message) => {
        const { data, lastEventId } = message as MessageEvent<string>
        hasSeen ||= lastEventId !== ''
        const event = { type, data: JSON.parse(data) } as AnyLiveEvent
        for (const { tell } of stream.tabs) tell({ kind: 'event', orgId, event })
      })
    }
  }

  function close(stream: Stream): void {
    clearTimeout(stream.timer)
    stream.source?.close()
    stream.source = undefined
    stream.connection = 'connecting'
  }

  /** Beyond the streams that may be open, the tabs of the organization joined first poll instead. */
  function makeRoomFor(wanted: Stream): void {
    const opened = [...streams.values()].filter((one) => one !== wanted && one.source)
    const surplus = opened[opened.length - streamsMax]
    if (surplus) poll(surplus)
  }

  function poll(stream: Stream): void {
    close(stream)
    stream.connection = 'live'
    function askAgain(): void {
      for (const tab of stream.tabs) tellGap(tab, stream.orgId)
      stream.timer = setTimeout(askAgain, retryMs)
    }
    askAgain()
  }

  function join(tab: StreamTab, orgId: string): void {
    const found = streams.get(orgId)
    const stream: Stream = found ?? {
      orgId,
      tabs: new Set(),
      connection: 'connecting',
      source: undefined,
      timer: undefined,
    }
    streams.delete(orgId)
    streams.set(orgId, stream)
    stream.tabs.add(tab)
    tab.isCurrent = false
    const isOpen = stream.source !== undefined && stream.source.readyState !== 2
    if (!isOpen) open(stream)
    const { connection } = stream
    tab.tell({ kind: 'connection', orgId, connection })
    if (connection === 'live') tellGap(tab, orgId)
  }

  function leave(tab: StreamTab): void {
    const stream = tab.wanted === null ? undefined : streams.get(tab.wanted)
    tab.wanted = null
    if (!stream?.tabs.delete(tab) || stream.tabs.size > 0) return
    close(stream)
    streams.delete(stream.orgId)
    const waiting = [...streams.values()].findLast(({ source }) => source === undefined)
    if (waiting) open(waiting)
  }

  function ask(): void {
    for (const tab of tabs) {
      if (!tab.hasAnswered) {
        leave(tab)
        tabs.delete(tab)
        continue
      }
      tab.hasAnswered = false
      tab.tell({ kind: 'ask' })
    }
    isAsking = tabs.size > 0
    if (isAsking) setTimeout(ask, askMs)
  }

  return (tell: StreamTab['tell']): ((wanted: WantedOrgId) => void) => {
    const tab: StreamTab = { tell, wanted: null, hasAnswered: true, isCurrent: false }
    return (wanted) => {
      // A tab that counted as closed, such as after the machine slept, comes back with its answer.
      if (!tabs.has(tab)) {
        tabs.add(tab)
        tell({ kind: 'ask' })
      }
      if (!isAsking) setTimeout(ask, askMs)
      isAsking = true
      tab.hasAnswered = true
      if (tab.wanted === wanted) return
      leave(tab)
      if (wanted === null) return
      tab.wanted = wanted
      join(tab, wanted)
    }
  }
}
