// One page in the browser: where it goes, what it tells, and what our tools in it find.
import { readTextAsset } from '../../base/assets.ts'
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { pause } from '../../base/timeout.ts'
import { type ViewportName, viewports } from '../../domain/browser/action.ts'
import { framesOf, type Selector, type SelectorPart } from '../../domain/browser/selector.ts'
import type { TextPattern } from '../../domain/browser/text-pattern.ts'
import type { LoadedRequest } from '../../domain/checks/reading.ts'
import { type Devtools, DevtoolsError, type Fields } from './devtools.ts'
import { createRequestTrace } from './request-trace.ts'

/** What the tools in the page answer: a word (page-tools.js), and where to point. */
export interface ToolAnswer {
  readonly word: string
  readonly x?: number
  readonly y?: number
}

/** What an action needs of what its selector names. */
export interface ToolOrder {
  readonly need:
    | 'visible'
    | 'hidden'
    | 'count'
    | 'state'
    | 'text'
    | 'click'
    | 'hover'
    | 'check'
    | 'focus'
    | 'write'
    | 'select'
    | 'upload'
  readonly value?: string | boolean
  /** The text that is looked for. */
  readonly pattern?: TextPattern
  readonly isSecret?: boolean
}

/** The document in the window, as the network knows it. */
export interface ShownDocument {
  readonly url: string
  readonly status: number | undefined
  /** Chromium's, such as `net::ERR_CERT_DATE_INVALID`. */
  readonly errorText: string | undefined
}

/** What the page told, bounded and in its own words. */
export interface PageNotes {
  readonly console: readonly string[]
  readonly failedRequests: readonly string[]
  readonly requests: readonly LoadedRequest[]
}

export type Page = Awaited<ReturnType<typeof attachPage>>

const notesMax = 20
const noteCharsMax = 300
const noteUrlCharsMax = 200
const pollMs = 100
/** How long after a click a navigation may begin that the next action waits for. */
const navigationBeginsMs = 120
const world = 'stillup'
const consoleTypes: ReadonlySet<string> = new Set(['error', 'warning', 'assert'])

interface PageOptions {
  readonly viewport: ViewportName
  readonly ignoreTlsErrors: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
  /** When everything must have its answer, monotonic. */
  readonly untilMs: number
  /** The proxy, where the browser was not started with it. */
  readonly through: string | undefined
}

/** Opens the window. Rejects with a DevtoolsError. */
export async function openPage(devtools: Devtools, options: PageOptions) {
  const { clock, untilMs, through } = options
  const atBrowser = (method: string, params: Fields = {}) =>
    devtools.send(method, params, { timeoutMs: untilMs - clock.monoMs() })
  const { product } = await atBrowser('Browser.getVersion')
  // In a browser that others use too, what one check stores goes with its connection.
  const { browserContextId } =
    through === undefined
      ? {}
      : await atBrowser('Target.createBrowserContext', {
          ...{ disposeOnDetach: true, proxyServer: through, proxyBypassList: '<-loopback>' },
        })
  const own = browserContextId === undefined ? {} : { browserContextId }
  await atBrowser('Browser.setDownloadBehavior', { behavior: 'deny', ...own })
  const { targetId } = await atBrowser('Target.createTarget', { url: 'about:blank', ...own })
  const { targetInfo } = await atBrowser('Target.getTargetInfo', { targetId })
  const context = isRecord(targetInfo) ? targetInfo.browserContextId : undefined
  const tabs = createTabs(devtools, { atBrowser, context })
  await atBrowser('Target.setDiscoverTargets', { discover: true })
  const notes: MutableNotes = { console: [], failedRequests: [], trace: createRequestTrace() }
  const more = { devtools, tabs, notes, product: String(product) }
  return attachPage({ targetId: String(targetId), options: { ...options, ...more } })
}

interface MutableNotes {
  readonly console: string[]
  readonly failedRequests: string[]
  readonly trace: ReturnType<typeof createRequestTrace>
}

type Tabs = ReturnType<typeof createTabs>

/** The tabs that pages open: the first few wait until an action goes on there; the others are closed. */
function createTabs(
  devtools: Devtools,
  {
    atBrowser,
    context,
  }: {
    readonly atBrowser: (method: string, params: Fields) => Promise<Fields>
    readonly context: unknown
  },
) {
  const opened = new Map<string, string[]>()
  let total = 0
  devtools.listen((method, { targetInfo }) => {
    if (method !== 'Target.targetCreated' || !isRecord(targetInfo)) return
    const { targetId, openerId, type, browserContextId } = targetInfo
    // Others may have theirs in the same browser.
    if (type !== 'page' || typeof openerId !== 'string' || browserContextId !== context) return
    total += 1
    if (total > tabsMax) atBrowser('Target.closeTarget', { targetId }).catch(() => {})
    else opened.set(openerId, [...(opened.get(openerId) ?? []), String(targetId)])
  })
  return {
    /** The one that the page opened last, once; undefined: it opened none. */
    takeFrom(opener: string): string | undefined {
      const newest = opened.get(opener)?.pop()
      opened.delete(opener)
      return newest
    },
    close: (targetId: string) => atBrowser('Target.closeTarget', { targetId }),
  }
}

const tabsMax = 5
/** Frames of other sites that are looked into. */
const framesMax = 50

interface TabOptions extends PageOptions {
  readonly devtools: Devtools
  readonly tabs: Tabs
  readonly notes: MutableNotes
  readonly product: string
}

/** Where tools run: a document in a frame, of which those of other sites have a session of their own. */
interface ToolPlace {
  readonly session: string
  readonly contextId: number
}

/** A tab that a page opened. */
interface NewTab {
  readonly targetId: string
  readonly options: TabOptions
}

/** Goes on in a tab that is there. Rejects with a DevtoolsError. */
export async function attachPage({ targetId, options }: NewTab) {
  const { devtools, tabs, notes, product, viewport, ignoreTlsErrors, clock, signal, untilMs } =
    options
  const leftMs = () => untilMs - clock.monoMs()
  const attached = await devtools.send(
    'Target.attachToTarget',
    { targetId, flatten: true },
    { timeoutMs: leftMs() },
  )
  const sessionId = String(attached.sessionId)
  const sendTo = (session: string, method: string, params: Fields = {}, timeoutMs = leftMs()) =>
    devtools.send(method, params, { sessionId: session, timeoutMs })
  const send = (method: string, params: Fields = {}, timeoutMs = leftMs()) =>
    sendTo(sessionId, method, params, timeoutMs)

  const { console: consoleNotes, failedRequests } = notes
  const requests = new Map<string, string>()
  let frameId = ''
  /** By the frame whose document it is. */
  const places = new Map<string, ToolPlace>()
  const sessions = new Set([sessionId])
  let isCrashed = false
  /** The request of the document that is on its way. */
  let navigating: string | undefined
  let shown: ShownDocument = { url: 'about:blank', status: undefined, errorText: undefined }
  const arrived = new Set<string>()
  let loaderId = ''

  function note(list: string[], text: string): void {
    if (list.length < notesMax) list.push(clip(text, noteCharsMax))
  }

  const events: Readonly<Record<string, (params: Fields) => void>> = {
    'Inspector.targetCrashed': () => {
      isCrashed = true
    },
    'Page.javascriptDialogOpening': ({ type, message }) => {
      note(consoleNotes, `${String(type)}: ${String(message)}`)
      // A page that asks whether it may be left is left; everything else is declined.
      const accept = type === 'beforeunload'
      send('Page.handleJavaScriptDialog', { accept }).catch(() => {})
    },
    'Page.lifecycleEvent': ({ name, ...params }) => {
      if (params.frameId !== frameId) return
      arrived.add(`${String(params.loaderId)} ${String(name)}`)
      if (name === 'DOMContentLoaded' && params.loaderId === loaderId) navigating = undefined
    },
    'Page.frameNavigated': ({ frame }) => {
      if (isRecord(frame) && frame.id === frameId) loaderId = String(frame.loaderId)
    },
    'Runtime.consoleAPICalled': ({ type, args }) => {
      if (!consoleTypes.has(String(type)) || !Array.isArray(args)) return
      const words = args.map((one) =>
        isRecord(one) ? String(one.value ?? one.description ?? '') : '',
      )
      note(consoleNotes, `${String(type)}: ${words.join(' ')}`)
    },
    'Runtime.exceptionThrown': ({ exceptionDetails: details }) => {
      if (!isRecord(details)) return
      const { exception } = details
      const said = isRecord(exception) ? exception.description : undefined
      note(consoleNotes, `exception: ${String(said ?? details.text)}`)
    },
    'Network.requestWillBeSent': ({ requestId, request, type, frameId: from }) => {
      if (!isRecord(request)) return
      // Of a page that asks for ever, the newest are enough.
      if (requests.size > 1_000) requests.clear()
      requests.set(String(requestId), clip(String(request.url), noteUrlCharsMax))
      if (type === 'Document' && from === frameId) {
        navigating = String(requestId)
        shown = { url: String(request.url), status: undefined, errorText: undefined }
      }
    },
    'Network.responseReceived': ({ requestId, response }) => {
      if (!isRecord(response)) return
      const status = Number(response.status)
      if (requestId === navigating) shown = { ...shown, url: String(response.url), status }
      if (status >= 400)
        note(failedRequests, `${status} ${clip(String(response.url), noteUrlCharsMax)}`)
    },
    'Network.loadingFailed': ({ requestId, errorText, canceled }) => {
      if (requestId === navigating) {
        shown = { ...shown, errorText: String(errorText) }
        navigating = undefined
      }
      const url = requests.get(String(requestId))
      requests.delete(String(requestId))
      if (canceled !== true && url !== undefined)
        note(failedRequests, `${String(errorText)} ${url}`)
    },
    'Network.loadingFinished': ({ requestId }) => {
      requests.delete(String(requestId))
    },
  }
  /** The contexts of our tools, in every frame. */
  const contextEvents: Readonly<Record<string, (params: Fields, session: string) => void>> = {
    'Runtime.executionContextCreated': ({ context }, session) => {
      if (!isRecord(context) || !isRecord(context.auxData) || context.name !== world) return
      places.set(String(context.auxData.frameId), { session, contextId: Number(context.id) })
    },
    'Runtime.executionContextDestroyed': ({ executionContextId }, session) => {
      for (const [frame, place] of places) {
        const isGone = place.session === session && place.contextId === executionContextId
        if (isGone) places.delete(frame)
      }
    },
    'Runtime.executionContextsCleared': (_, session) => {
      for (const [frame, place] of places) if (place.session === session) places.delete(frame)
    },
    'Target.attachedToTarget': ({ sessionId: session }) => {
      watchFrame(String(session)).catch(() => {})
    },
    'Target.detachedFromTarget': ({ sessionId: session }) => {
      sessions.delete(String(session))
      for (const [frame, place] of places) if (place.session === session) places.delete(frame)
    },
  }
  devtools.listen((method, params, from) => {
    if (from === sessionId) {
      events[method]?.(params)
      notes.trace.take(method, params)
    }
    if (sessions.has(from)) contextEvents[method]?.(params, from)
  })

  /** A frame of another site waits until it is told to go on. */
  async function watchFrame(session: string): Promise<void> {
    if (sessions.size <= framesMax) {
      sessions.add(session)
      await Promise.all(
        [...toolsIn(session), frameSessions(session)].map((one) => one.catch(() => {})),
      )
    }
    await sendTo(session, 'Runtime.runIfWaitingForDebugger')
  }

  const toolsIn = (session: string) => [
    sendTo(session, 'Page.enable'),
    sendTo(session, 'Runtime.enable'),
    sendTo(session, 'Page.addScriptToEvaluateOnNewDocument', {
      ...{ source: readTextAsset('probes/browser/page-tools.js'), worldName: world },
      runImmediately: true,
    }),
  ]
  const frameSessions = (session: string) =>
    sendTo(session, 'Target.setAutoAttach', {
      ...{ autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
      filter: [{ type: 'iframe' }],
    })

  const tree = await send('Page.getFrameTree')
  const frame = isRecord(tree.frameTree) ? tree.frameTree.frame : undefined
  frameId = isRecord(frame) ? String(frame.id) : ''
  const size = viewports[viewport]
  await Promise.all([
    ...toolsIn(sessionId),
    frameSessions(sessionId),
    send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    send('Inspector.enable'),
    send('Page.setLifecycleEventsEnabled', { enabled: true }),
    send('Emulation.setDeviceMetricsOverride', { ...size, screenOrientation: undefined }),
    send('Emulation.setTouchEmulationEnabled', { enabled: size.mobile }),
    send('Emulation.setUserAgentOverride', {
      userAgent: userAgentOf(product, size.mobile),
    }),
    send('Security.setIgnoreCertificateErrors', { ignore: ignoreTlsErrors }),
  ])

  const mainPlace = () => places.get(frameId)

  /** Runs one of our tools in a place. Undefined: it is on its way to another document. */
  async function evaluate(
    expression: string,
    timeoutMs = leftMs(),
    place = mainPlace(),
  ): Promise<unknown> {
    return run(place, 'Runtime.evaluate', { expression, returnByValue: true }, timeoutMs)
  }

  /** Resolves with the value, or with the object that stands for it. */
  async function run(
    place: ToolPlace | undefined,
    method: 'Runtime.evaluate' | 'Runtime.callFunctionOn',
    params: Fields,
    timeoutMs = leftMs(),
  ): Promise<unknown> {
    if (place === undefined) return undefined
    const { session, contextId } = place
    const where = method === 'Runtime.evaluate' ? { contextId } : { executionContextId: contextId }
    const of = 'objectId' in params ? {} : where
    try {
      const { result, exceptionDetails } = await sendTo(
        session,
        method,
        { ...params, ...of, awaitPromise: true },
        timeoutMs,
      )
      if (exceptionDetails !== undefined) throw new ToolError()
      if (!isRecord(result)) return undefined
      return params.returnByValue === true ? result.value : result.objectId
    } catch (error) {
      // The context went while it worked.
      if (error instanceof DevtoolsError && error.code !== 0) return undefined
      throw error
    }
  }

  /** What has the role, as screen readers are told. */
  async function byRole(part: SelectorPart, place: ToolPlace): Promise<readonly Fields[]> {
    const { session, contextId } = place
    const objectId = await run(place, 'Runtime.evaluate', { expression: 'document' })
    const { nodes } = await sendTo(session, 'Accessibility.queryAXTree', {
      ...{ objectId, role: part.text },
    })
    const told = (Array.isArray(nodes) ? nodes.filter(isRecord) : []).filter(
      (node) => node.ignored !== true && isInStates(node, part.states ?? {}),
    )
    const few = told.slice(0, toldMax)
    const found = part.name === undefined ? told : await named(few, part.name, place)
    return Promise.all(
      found.slice(0, byRoleMax).map(async ({ backendDOMNodeId }) => {
        const resolved = await sendTo(session, 'DOM.resolveNode', {
          backendNodeId: backendDOMNodeId,
          executionContextId: contextId,
        })
        return { objectId: isRecord(resolved.object) ? resolved.object.objectId : undefined }
      }),
    )
  }

  /** The page compares: an expression may take its time, not ours. */
  async function named(
    nodes: readonly Fields[],
    pattern: TextPattern,
    place: ToolPlace,
  ): Promise<readonly Fields[]> {
    const names = nodes.map(({ name }) => (isRecord(name) ? String(name.value ?? '') : ''))
    const expression = `stillup.fitting(${JSON.stringify(names)}, ${JSON.stringify(pattern)})`
    const fits = await evaluate(expression, leftMs(), place)
    return Array.isArray(fits) ? nodes.filter((_, at) => fits[at] === true) : []
  }

  /** Calls a tool with what the parts of a selector find; elements by their role become arguments. */
  async function withFound(
    place: ToolPlace | undefined,
    parts: Selector,
    { tool, order = null, returnByValue = true }: FoundCall,
  ): Promise<unknown> {
    if (place === undefined) return undefined
    try {
      const groups = await Promise.all(
        parts.map((part) => (part.by === 'role' ? byRole(part, place) : [])),
      )
      return await run(place, 'Runtime.callFunctionOn', {
        functionDeclaration: `function (parts, counts, order, ...all) {
          const named = counts.map((count) => all.splice(0, count))
          return stillup.${tool}(stillup.find(parts, named), order)
        }`,
        arguments: [
          { value: parts },
          { value: groups.map(({ length }) => length) },
          { value: order },
          ...groups.flat(),
        ],
        returnByValue,
      })
    } catch (error) {
      if (error instanceof DevtoolsError && error.code !== 0) return undefined
      throw error
    }
  }

  /** The place that the frames of a selector lead to, and these; a word: what is in the way. */
  async function enter(frames: readonly Selector[]): Promise<EnteredFrames | string | undefined> {
    let place = mainPlace()
    const entered: EnteredFrame[] = []
    for (const parts of frames) {
      const call = { tool: 'firstOf', returnByValue: false } as const
      const objectId = await withFound(place, parts, call)
      if (place === undefined) return undefined
      if (typeof objectId !== 'string') return 'nothing'
      const { node } = await sendTo(place.session, 'DOM.describeNode', { objectId })
      const frame = isRecord(node) ? node.frameId : undefined
      if (typeof frame !== 'string') return 'noFrame'
      entered.push({ place, objectId })
      place = places.get(frame)
      if (place === undefined) return undefined
    }
    return { place, entered }
  }

  /** A point of a frame as one of the window; undefined: something covers the frame there. */
  async function inWindow(point: ToolAnswer, entered: readonly EnteredFrame[]) {
    let at: unknown = point
    for (const { place, objectId } of entered.toReversed()) {
      const { x, y } = isRecord(at) ? at : {}
      at = await run(place, 'Runtime.callFunctionOn', {
        functionDeclaration: 'function (x, y) { return stillup.around(this, x, y) }',
        ...{ objectId, arguments: [{ value: x }, { value: y }], returnByValue: true },
      })
      if (!isRecord(at)) return undefined
    }
    return at
  }

  return {
    send,
    isCrashed: () => isCrashed,
    document: () => shown,
    notes: (): PageNotes => ({ ...notes, requests: notes.trace.list() }),
    wait: (ms: number) => pause(clock, Math.min(ms, Math.max(0, leftMs())), signal),
    evaluate,

    /** The URL of the document that a selector looks into, and not on its way; '' if there is none in time. */
    async place(selector: Selector = []): Promise<string> {
      for (;;) {
        const found = await enter(framesOf(selector).frames)
        const at = typeof found === 'object' ? found.place : undefined
        const url = await evaluate('location.href', leftMs(), at)
        if (at !== undefined && typeof url === 'string') return url
        if (leftMs() <= 0 || signal.aborted || devtools.isClosed()) return ''
        await pause(clock, pollMs, signal)
      }
    },

    /** The same in every frame. False: some frame does not answer with true. */
    async everywhere(expression: string, timeoutMs: number): Promise<boolean> {
      const answers = [...places.values()].map((place) => evaluate(expression, timeoutMs, place))
      return (await Promise.all(answers)).every((answer) => answer === true || answer === undefined)
    },

    /** The tab that this one opened last; undefined: none since the last one was asked for. */
    newTab(): NewTab | undefined {
      const opened = tabs.takeFrom(targetId)
      return opened === undefined ? undefined : { targetId: opened, options }
    },
    close: () => tabs.close(targetId),

    /** Goes there; resolves once the document is parsed. */
    async open(url: string): Promise<ShownDocument> {
      const answer = await send('Page.navigate', { url })
      if (answer.errorText !== undefined) {
        return { ...shown, url, errorText: shown.errorText ?? String(answer.errorText) }
      }
      const parsed = `${String(answer.loaderId)} DOMContentLoaded`
      while (answer.loaderId !== undefined && !arrived.has(parsed) && leftMs() > 0) {
        if (isCrashed || signal.aborted || devtools.isClosed()) break
        await pause(clock, pollMs / 4, signal)
      }
      if (leftMs() <= 0) throw new DevtoolsError('the document was not parsed in time')
      return shown
    },

    /** After what may lead to another document: waits until that is parsed. */
    async settle(): Promise<void> {
      await pause(clock, Math.min(navigationBeginsMs, Math.max(0, leftMs())), signal)
      while (navigating !== undefined && leftMs() > 0 && !isCrashed && !devtools.isClosed()) {
        if (signal.aborted) return
        await pause(clock, pollMs / 4, signal)
      }
    },

    /** Waits until everything of the document is there, at most so long. */
    async load(ms: number): Promise<void> {
      const endMs = clock.monoMs() + ms
      while (!arrived.has(`${loaderId} load`) && clock.monoMs() < endMs && !devtools.isClosed()) {
        if (isCrashed || signal.aborted) return
        await pause(clock, pollMs, signal)
      }
    },

    /** Does what an action needs done with what the selector names. Undefined: between two documents. */
    async act(selector: Selector, order: ToolOrder): Promise<ToolAnswer | undefined> {
      const { frames, parts } = framesOf(selector)
      const found = await enter(frames)
      if (typeof found === 'string') return { word: isAbsent(order) ? 'done' : found }
      if (found === undefined) return undefined
      const done = await withFound(found.place, parts, { tool: 'act', order })
      if (!isRecord(done)) return undefined
      const answer: ToolAnswer = { ...done, word: String(done.word) }
      if (answer.x === undefined || found.entered.length === 0) return answer
      const at = await inWindow(answer, found.entered)
      return isRecord(at)
        ? { word: answer.word, x: Number(at.x), y: Number(at.y) }
        : { word: 'covered' }
    },
  }
}

interface FoundCall {
  readonly tool: 'act' | 'firstOf'
  readonly order?: ToolOrder | null
  readonly returnByValue?: boolean
}

interface EnteredFrame {
  readonly place: ToolPlace
  readonly objectId: string
}

interface EnteredFrames {
  readonly place: ToolPlace | undefined
  readonly entered: readonly EnteredFrame[]
}

/** Where there is no frame, there is nothing in it. */
function isAbsent({ need, value }: ToolOrder): boolean {
  return need === 'hidden' || (need === 'count' && value === '0')
}

/** Elements of one role that are looked at, and those of them that are handed to the tools. */
const toldMax = 2_000
const byRoleMax = 200

/** As the properties of the accessibility tree have it: a level is a number there. */
function isInStates({ properties }: Fields, states: Readonly<Record<string, string>>): boolean {
  const told = Array.isArray(properties) ? properties.filter(isRecord) : []
  return Object.entries(states).every(([state, wanted]) => {
    const value = told.find(({ name }) => name === state)?.value
    return String(isRecord(value) ? value.value : false) === wanted
  })
}

/** A tool threw: what it was given is not CSS. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** As the browser says of itself, and who asks. */
function userAgentOf(product: string, isPhone: boolean): string {
  const version = /\/(\d+)/.exec(product)?.[1] ?? '0'
  const [system, phone] = isPhone ? ['Linux; Android 10; K', ' Mobile'] : ['X11; Linux x86_64', '']
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0${phone} Safari/537.36 stillup`
}
