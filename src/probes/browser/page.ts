// One page in the browser: where it goes, what it tells, and what our tools in it find.
import { readTextAsset } from '../../base/assets.ts'
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { pause } from '../../base/timeout.ts'
import { type ViewportName, viewports } from '../../domain/browser/action.ts'
import type { Selector, SelectorPart } from '../../domain/browser/selector.ts'
import type { TextPattern } from '../../domain/browser/text-pattern.ts'
import { type Devtools, DevtoolsError, type Fields } from './devtools.ts'

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
}

export type Page = Awaited<ReturnType<typeof openPage>>

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
export async function openPage(
  devtools: Devtools,
  { viewport, ignoreTlsErrors, clock, signal, untilMs, through }: PageOptions,
) {
  const leftMs = () => untilMs - clock.monoMs()
  const atBrowser = (method: string, params: Fields = {}) =>
    devtools.send(method, params, { timeoutMs: leftMs() })
  const { product } = await atBrowser('Browser.getVersion')
  // In a browser that others use too, what one check stores goes with its connection.
  const { browserContextId } =
    through === undefined
      ? {}
      : await atBrowser('Target.createBrowserContext', {
          ...{ disposeOnDetach: true, proxyServer: through, proxyBypassList: '<-loopback>' },
        })
  const own = browserContextId === undefined ? {} : { browserContextId }
  const { targetId } = await atBrowser('Target.createTarget', { url: 'about:blank', ...own })
  const attached = await atBrowser('Target.attachToTarget', { targetId, flatten: true })
  const sessionId = String(attached.sessionId)
  const send = (method: string, params: Fields = {}, timeoutMs = leftMs()) =>
    devtools.send(method, params, { sessionId, timeoutMs })

  const consoleNotes: string[] = []
  const failedRequests: string[] = []
  const requests = new Map<string, string>()
  let frameId = ''
  let contextId: number | undefined
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
    'Runtime.executionContextCreated': ({ context }) => {
      if (!isRecord(context) || !isRecord(context.auxData) || context.name !== world) return
      if (context.auxData.frameId === frameId) contextId = Number(context.id)
    },
    'Runtime.executionContextDestroyed': ({ executionContextId }) => {
      if (executionContextId === contextId) contextId = undefined
    },
    'Runtime.executionContextsCleared': () => {
      contextId = undefined
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
  devtools.listen((method, params, from) => {
    if (from === sessionId) events[method]?.(params)
  })

  const tree = await send('Page.getFrameTree')
  const frame = isRecord(tree.frameTree) ? tree.frameTree.frame : undefined
  frameId = isRecord(frame) ? String(frame.id) : ''
  const size = viewports[viewport]
  await Promise.all([
    send('Page.enable'),
    send('Runtime.enable'),
    send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    send('Inspector.enable'),
    send('Page.setLifecycleEventsEnabled', { enabled: true }),
    send('Page.addScriptToEvaluateOnNewDocument', {
      source: readTextAsset('probes/browser/page-tools.js'),
      worldName: world,
    }),
    send('Emulation.setDeviceMetricsOverride', { ...size, screenOrientation: undefined }),
    send('Emulation.setTouchEmulationEnabled', { enabled: size.mobile }),
    send('Emulation.setUserAgentOverride', {
      userAgent: userAgentOf(String(product), size.mobile),
    }),
    send('Security.setIgnoreCertificateErrors', { ignore: ignoreTlsErrors }),
    atBrowser('Browser.setDownloadBehavior', { behavior: 'deny', ...own }),
  ])

  /** Runs one of our tools. Undefined: the page is on its way to another document. */
  async function evaluate(expression: string, timeoutMs = leftMs()): Promise<unknown> {
    if (contextId === undefined) return undefined
    try {
      const { result, exceptionDetails } = await send(
        'Runtime.evaluate',
        { expression, contextId, awaitPromise: true, returnByValue: true },
        timeoutMs,
      )
      if (exceptionDetails !== undefined) throw new ToolError()
      return isRecord(result) ? result.value : undefined
    } catch (error) {
      // The context went while it worked.
      if (error instanceof DevtoolsError && error.code !== 0) return undefined
      throw error
    }
  }

  /** What has the role, as screen readers are told. */
  async function byRole(part: SelectorPart): Promise<readonly Fields[]> {
    const { root } = await send('DOM.getDocument', { depth: 0 })
    const { nodeId } = isRecord(root) ? root : {}
    const { nodes } = await send('Accessibility.queryAXTree', { nodeId, role: part.text })
    const told = (Array.isArray(nodes) ? nodes.filter(isRecord) : []).filter(
      (node) => node.ignored !== true && isInStates(node, part.states ?? {}),
    )
    const found = part.name === undefined ? told : await named(told.slice(0, toldMax), part.name)
    return Promise.all(
      found.slice(0, byRoleMax).map(async ({ backendDOMNodeId }) => {
        const resolved = await send('DOM.resolveNode', {
          backendNodeId: backendDOMNodeId,
          executionContextId: contextId,
        })
        return { objectId: isRecord(resolved.object) ? resolved.object.objectId : undefined }
      }),
    )
  }

  /** The page compares: an expression may take its time, not ours. */
  async function named(nodes: readonly Fields[], pattern: TextPattern): Promise<readonly Fields[]> {
    const names = nodes.map(({ name }) => (isRecord(name) ? String(name.value ?? '') : ''))
    const fits = await evaluate(
      `stillup.fitting(${JSON.stringify(names)}, ${JSON.stringify(pattern)})`,
    )
    return Array.isArray(fits) ? nodes.filter((_, at) => fits[at] === true) : []
  }

  /** With parts that say a role, whose elements become arguments. */
  async function actByRole(selector: Selector, order: ToolOrder): Promise<unknown> {
    if (contextId === undefined) return undefined
    try {
      const groups = await Promise.all(
        selector.map((part) => (part.by === 'role' ? byRole(part) : [])),
      )
      const { result, exceptionDetails } = await send('Runtime.callFunctionOn', {
        functionDeclaration: `function (parts, counts, order, ...all) {
          const named = counts.map((count) => all.splice(0, count))
          return stillup.act(stillup.find(parts, named), order)
        }`,
        executionContextId: contextId,
        arguments: [
          { value: selector },
          { value: groups.map(({ length }) => length) },
          { value: order },
          ...groups.flat(),
        ],
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined) throw new ToolError()
      return isRecord(result) ? result.value : undefined
    } catch (error) {
      if (error instanceof DevtoolsError && error.code !== 0) return undefined
      throw error
    }
  }

  return {
    send,
    isCrashed: () => isCrashed,
    document: () => shown,
    notes: (): PageNotes => ({ console: consoleNotes, failedRequests }),
    wait: (ms: number) => pause(clock, Math.min(ms, Math.max(0, leftMs())), signal),
    evaluate,

    /** The URL of the document that is in the window, and not on its way; '' if there is none in time. */
    async place(): Promise<string> {
      for (;;) {
        const found = await evaluate('location.href')
        if (typeof found === 'string') return found
        if (leftMs() <= 0 || signal.aborted || devtools.isClosed()) return ''
        await pause(clock, pollMs, signal)
      }
    },

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
      const found = selector.some(({ by }) => by === 'role')
        ? await actByRole(selector, order)
        : await evaluate(
            `stillup.act(stillup.find(${JSON.stringify(selector)}), ${JSON.stringify(order)})`,
          )
      return isRecord(found) ? { ...found, word: String(found.word) } : undefined
    },
  }
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
