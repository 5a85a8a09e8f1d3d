// Live updates of public pages: readers who keep a stream open get a signal when the document that they
// see has changed, and fetch it then. A stream is a convenience: a page without one asks again now and
// then. The signals to many readers take a second, so that they do not all fetch at once.
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import type { PageVisibility } from '../../domain/pages/page.ts'
import {
  type PageAddress,
  type PublicPages,
  pageRenderGapMs,
  pageViewMsMax,
  type WantedDocument,
} from './public-pages.ts'

/** A reader's stream. None of these may throw. */
export interface PageStream {
  /** `version` is the id of the event. */
  readonly tell: (etag: string, version: string) => void
  readonly beat: () => void
  /** The page is gone, or wants another password. Nothing follows. */
  readonly end: () => void
}

/** Readers of the same document. */
interface PageAudience {
  readonly key: string
  readonly orgId: OrgId
  readonly pageId: string
  readonly passwordHash: string | null
  readonly visibility: PageVisibility
  readonly address: PageAddress
  readonly wanted: WantedDocument
  readonly streams: Map<PageStream, string>
  version: string
  /** The timer of the look that is due. */
  timer: unknown
  /** Increases with each round of telling, so that an earlier one stops. */
  round: number
}

export interface PageStreamsDeps {
  readonly clock: Clock
  readonly publicPages: Pick<PublicPages, 'find' | 'render' | 'listen'>
  /** Streams of all pages together: each is a connection. */
  readonly streamsMax: number
}

export interface OpenedStream {
  /** Undefined if the reader has the newest version already. */
  readonly etag: string | undefined
  readonly version: string
  readonly leave: () => void
}

/** The share of all streams that one page may have. */
const pageStreamsShare = 1 / 2
export const pageStreamsPerCallerMax = 30
export const pageStreamBeatMs = 20_000
/** How many streams get a signal at once, and how long before the next ones: ten thousand within a second. */
export const pageStreamsTogether = 500
const pageStreamsGapMs = 50
const pageStreamRetrySeconds = 30

export function createPageStreams({ clock, publicPages, streamsMax }: PageStreamsDeps) {
  const audiences = new Map<string, PageAudience>()
  const ofPage = new Map<string, number>()
  const ofCaller = new Map<string, number>()
  const perPageMax = Math.max(1, Math.floor(streamsMax * pageStreamsShare))
  let open = 0
  let beatTimer: unknown

  function leave(audience: PageAudience, stream: PageStream): void {
    const caller = audience.streams.get(stream)
    if (caller === undefined) return
    audience.streams.delete(stream)
    open -= 1
    change(ofPage, audience.pageId, -1)
    change(ofCaller, caller, -1)
    if (audience.streams.size > 0) return
    clock.clearTimeout(audience.timer)
    audiences.delete(audience.key)
  }

  function end(audience: PageAudience): void {
    for (const stream of [...audience.streams.keys()]) {
      leave(audience, stream)
      stream.end()
    }
  }

  /** A few hundred streams at a time, until a later round begins. */
  function inRounds(audience: PageAudience, act: (stream: PageStream) => void): void {
    audience.round += 1
    const { round } = audience
    const streams = [...audience.streams.keys()]
    function next(from: number): void {
      if (audience.round !== round) return
      for (const stream of streams.slice(from, from + pageStreamsTogether)) {
        if (audience.streams.has(stream)) act(stream)
      }
      const after = from + pageStreamsTogether
      if (after < streams.length) clock.setTimeout(() => next(after), pageStreamsGapMs)
    }
    next(0)
  }

  /** Null: it cannot be made at the moment. */
  function rendered(address: PageAddress, wanted: WantedDocument) {
    try {
      return publicPages.render(address, wanted, clock.nowMs())
    } catch (error) {
      if (error instanceof Fault && error.code === 'unavailable') return null
      throw error
    }
  }

  /** Tells the readers if what they see has changed. */
  function look(audience: PageAudience): void {
    // A beat looks before the look that is due, and takes its place.
    clock.clearTimeout(audience.timer)
    audience.timer = undefined
    const { address, wanted } = audience
    const page = publicPages.find(address)
    const isSame =
      page?.id === audience.pageId &&
      page.passwordHash === audience.passwordHash &&
      page.visibility === audience.visibility
    const document = isSame ? rendered(address, wanted) : undefined
    if (document === null) {
      lookSoon(audience, pageViewMsMax)
      return
    }
    if (!document) {
      end(audience)
      return
    }
    if (!document.isNewest()) lookSoon(audience, pageRenderGapMs)
    if (document.version === audience.version) return
    audience.version = document.version
    const { etag, version } = document
    inRounds(audience, (stream) => stream.tell(etag, version))
  }

  function lookSoon(audience: PageAudience, delayMs: number): void {
    audience.timer ??= clock.setTimeout(() => look(audience), delayMs)
  }

  function beat(): void {
    for (const audience of [...audiences.values()]) {
      const { round } = audience
      look(audience)
      // A stream that just got a signal needs no sign of life.
      if (audience.round === round) inRounds(audience, (stream) => stream.beat())
    }
    beatTimer = audiences.size === 0 ? undefined : clock.setTimeout(beat, pageStreamBeatMs)
  }

  function refuseTooMany(pageId: string, caller: string): void {
    const isFull =
      open >= streamsMax ||
      (ofPage.get(pageId) ?? 0) >= perPageMax ||
      (caller !== '' && (ofCaller.get(caller) ?? 0) >= pageStreamsPerCallerMax)
    if (!isFull) return
    throw new Fault('unavailable', 'Too many readers follow this page', {
      headers: [['Retry-After', String(pageStreamRetrySeconds)]],
    })
  }

  publicPages.listen((orgId) => {
    if (audiences.size === 0) return
    for (const audience of audiences.values()) if (audience.orgId === orgId) lookSoon(audience, 0)
  })

  return {
    /**
     * Undefined if there is no such page. `caller` is whom the stream counts for; '' if for nobody.
     * `lastVersion` is the version that the reader heard of last; '' at first. Throws unavailable if
     * there are too many.
     */
    follow(
      address: PageAddress,
      wanted: WantedDocument,
      { caller, lastVersion }: { readonly caller: string; readonly lastVersion: string },
      stream: PageStream,
    ): OpenedStream | undefined {
      const page = publicPages.find(address)
      if (!page) return undefined
      refuseTooMany(page.id, caller)
      const document = publicPages.render(address, wanted, clock.nowMs())
      if (!document) return undefined
      const place = 'slug' in address ? `/${address.slug}` : address.host
      const key = `${place} ${wanted.language ?? ''} ${page.id} ${page.revision}`
      const audience: PageAudience = audiences.get(key) ?? {
        key,
        orgId: page.orgId,
        pageId: page.id,
        passwordHash: page.passwordHash,
        visibility: page.visibility,
        address,
        wanted,
        streams: new Map(),
        version: document.version,
        timer: undefined,
        round: 0,
      }
      audiences.set(key, audience)
      audience.streams.set(stream, caller)
      open += 1
      change(ofPage, page.id, 1)
      change(ofCaller, caller, 1)
      beatTimer ??= clock.setTimeout(beat, pageStreamBeatMs)
      const { etag, version } = document
      return {
        etag: lastVersion === version ? undefined : etag,
        version,
        leave: () => leave(audience, stream),
      }
    },
    size: () => open,
    stop(): void {
      clock.clearTimeout(beatTimer)
      for (const audience of [...audiences.values()]) end(audience)
    },
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
