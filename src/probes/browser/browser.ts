// The check by a real browser: opens a page, does what a person would do there, and looks at what a person would see.
import { clip } from '../../base/clip.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { within } from '../../base/timeout.ts'
import type { BrowserAction } from '../../domain/browser/action.ts'
import { actionsProblems, openings } from '../../domain/browser/action-rules.ts'
import { readSelector } from '../../domain/browser/selector.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { registeredDomain } from '../../domain/public-suffixes.ts'
import { originsOf } from '../../domain/steps/step-rules.ts'
import { placeholdersIn } from '../../domain/steps/template.ts'
import { hostOf, portOf, urlShapeProblem } from '../../net/egress-policy.ts'
import { type Failure, failure, unknownFailure } from '../../net/failure.ts'
import { type EgressProxy, openEgressProxy } from '../../net/proxy/egress-proxy.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { roomOfStep, StepValues } from '../steps/values.ts'
import { type Chromium, ChromiumMissing, startChromium } from './chromium.ts'
import { type Devtools, DevtoolsError, openDevtools } from './devtools.ts'
import { connectEndpoint, type DevtoolsEndpoint, EndpointSilent } from './endpoint.ts'
import { makeJourney, type WrittenText } from './journey.ts'
import { openPage, type Page } from './page.ts'

/** What a page and all that belongs to it may load. */
const loadedBytesMax = 64 * 1024 * 1024
const mebi = 1024 * 1024
/** How long before the deadline the actions end, so that a picture and the notes of the page can be taken. */
const closingMs = 1_500
const loadMsMax = 3_000
const picture = { format: 'jpeg', quality: 50, optimizeForSpeed: true } as const
const pictureMsMax = 2_000

export const browser = defineKind({
  type: 'browser',
  family: 'web',
  fields: ['connection', 'machine', 'browser'],
  sources: [],
  textName: 'answer',
  schemes: ['https', 'http'],
  icon: 'app-window',
  example: 'https://shop.example.com/sign-in',
  urlForm:
    '`http://host/path` or `https://host/path`, which a real browser opens, that the operator of the daemon or the ' +
    'probe provides (`checks.browsers`); `actions` says what it does there. It is down if the page does not load, or ' +
    'an action does not work. The answer is JSON with `url`, `title` and `status` of the last document, `actions` ' +
    'with the `ms` of each, `console`, `failedRequests`, and of the first document `ttfbMs`, `fcpMs`, `lcpMs`, ' +
    '`cls`, `domMs` and `loadMs`',
  finds: 'json',
  typed: { schemes: [] },
  isInOneThread: true,
  problems: actionsProblems,
  parse: parseBrowserUrl,
  destination: ({ url }) => ({ host: hostOf(url), port: portOf(url) }),
  machine: () => ({
    what: 'a browser of this machine',
    settings: 'checks.browsers',
    isListed: ({ browsers }) => browsers.length > 0,
  }),
  open({ guard, clock }) {
    const gate = createGate({ total: 1, perKey: 1 })
    let next = 0
    return {
      async look({ url }, target, run) {
        const { browsers, browsersAtOnce, browserMemoryMb } = guard.machine()
        gate.setBounds({ total: browsersAtOnce, perKey: browsersAtOnce })
        const leftMs = run.untilMs - run.clock.monoMs()
        const turn = { key: '', dueAtMs: run.untilMs, party: target.orgId ?? '' }
        if (!(await acquireWithin(gate, turn, clock, leftMs / 2))) throw new RunError(crowded)
        try {
          next += 1
          const command = (browsers[next % browsers.length] ?? '').split(/\s+/)
          const memoryBytesMax = browserMemoryMb * mebi
          return await visit({ url: url.href, command, memoryBytesMax, target, run })
        } finally {
          gate.leave(turn.key, turn.party)
        }
      },
    }
  },
})

const crowded = unknownFailure('timeout', 'earlier checks with a browser have not ended')

interface BrowserUrl {
  readonly url: URL
  readonly problem?: never
}

function parseBrowserUrl(text: string): BrowserUrl | UrlFault {
  const problem = urlShapeProblem(text)
  return problem === null ? { url: new URL(text) } : { problem }
}

interface BrowserVisit {
  readonly url: string
  readonly command: readonly string[]
  readonly memoryBytesMax: number
  readonly target: EndpointTarget
  readonly run: ProbeRun
}

async function visit({
  url,
  command,
  memoryBytesMax,
  target,
  run,
}: BrowserVisit): Promise<TargetAnswer> {
  const { clock, record } = run
  record.enter('connect')
  const { ipFamily, orgId } = target
  const [program = ''] = command
  const isEndpoint = !program.startsWith('/')
  const endpoint = isEndpoint ? await reached(run, program) : undefined
  const { client } = endpoint ?? {}
  const sought = { deps: run.deps, ipFamily, orgId, client }
  const proxy = await openEgressProxy({ ...sought, bytesMax: loadedBytesMax })
  run.track(proxy)
  const chromium =
    endpoint ?? (await started(run, { command, proxy: proxy.place, memoryBytesMax, clock }))
  const devtools = openDevtools(chromium.carrier, clock)
  const totalMs = run.untilMs - clock.monoMs()
  const untilMs = run.untilMs - Math.min(closingMs, totalMs / 4)
  const through = isEndpoint ? `http://${proxy.place}` : undefined
  const firstTab = await opened(devtools, chromium, { target, run, untilMs, through })
  /** The last one is that which actions go on in. */
  const openTabs = [firstTab]
  const tab = () => openTabs.at(-1) ?? firstTab
  const ended = () => endedBy({ proxy, chromium, devtools, page: tab(), memoryBytesMax })
  record.enter('firstByte')
  const sinceMs = clock.monoMs()
  const first = createVitals(firstTab)
  const taken: { readonly action: string; readonly ms: number }[] = []
  const values = createValues(target, { url, tab, run })
  try {
    await makeJourney(target.actions ?? [], {
      get page() {
        return tab()
      },
      goOn(next) {
        if (next === undefined && openTabs.length === 1) return false
        if (next === undefined) openTabs.pop()
        else openTabs.push(next)
        return true
      },
      ...{ clock, untilMs, baseUrl: url, ended },
      write: values.write,
      refusal: (to) => {
        const problem = run.deps.guard.judgeUrl(to)
        return problem === null ? undefined : failure('blocked', `the URL ${problem.reason}`)
      },
      failureAt: (to) => proxy.failureOf(hostOf(new URL(to)), portOf(new URL(to))),
      isOver: () => run.isOver,
      async done(words, ms) {
        taken.push({ action: clip(words, actionCharsMax), ms: Math.round(ms) })
        await first.look()
      },
    })
    const responseTimeMs = clock.monoMs() - sinceMs
    record.end()
    await tab().load(Math.min(loadMsMax, Math.max(0, untilMs - clock.monoMs())))
    await first.look()
    await conclude()
    return { ...answerOf(JSON.parse(record.text ?? '{}')), responseTimeMs }
  } catch (error) {
    if (run.isOver) throw error
    await conclude()
    throw error instanceof DevtoolsError ? new RunError(ended() ?? stoodStill) : error
  }

  /** What was seen, for people and for assertions. */
  async function conclude(): Promise<void> {
    const page = tab()
    const leftMs = () => Math.min(pictureMsMax, run.untilMs - clock.monoMs() - answerMs)
    const place = await page.evaluate('stillup.place()', leftMs()).catch(() => undefined)
    const { url: at, title } = isRecord(place) ? place : { url: page.document().url, title: '' }
    const { console, failedRequests, requests } = page.notes()
    record.requests = requests
    const found = {
      ...{ url: clip(String(at), limits.urlCharsMax), title: clip(String(title), titleCharsMax) },
      status: page.document().status ?? null,
      ...first.vitals(),
      actions: taken,
      loadedBytes: proxy.bytes(),
      ...(proxy.refused.size === 0 ? {} : { refused: [...proxy.refused] }),
      ...{ console, failedRequests },
    }
    record.text = JSON.stringify(found)
    record.addresses = proxy.addresses
    record.address = proxy.addresses[0]
    const secrets = JSON.stringify(values.secrets())
    const isHidden = await page
      .everywhere(`stillup.hideSecrets(${secrets})`, leftMs())
      .catch(() => false)
    if (isHidden !== true && values.secrets().length > 0) return
    const shot = await page.send('Page.captureScreenshot', picture, leftMs()).catch(() => undefined)
    if (typeof shot?.data === 'string' && shot.data.length <= limits.pictureCharsMax) {
      record.picture = shot.data
    }
  }
}

const titleCharsMax = 300
const actionCharsMax = 120
/** What the reading itself takes. */
const answerMs = 150
const stoodStill = failure('timeout', 'the page did not respond')

async function started(
  run: ProbeRun,
  options: Parameters<typeof startChromium>[0],
): Promise<Chromium> {
  try {
    const chromium = await startChromium(options)
    run.track(chromium)
    return chromium
  } catch (error) {
    if (!(error instanceof ChromiumMissing)) throw error
    throw new RunError(unknownFailure('connect', `the browser did not start: ${error.message}`))
  }
}

/** Connects to a browser that runs already: the operator bounds what it takes. */
async function reached(run: ProbeRun, address: string): Promise<Chromium & DevtoolsEndpoint> {
  const found = await within(
    run.clock,
    connectEndpoint(address, run.deps).catch((error) => {
      if (error instanceof EndpointSilent) return undefined
      throw error
    }),
    (run.untilMs - run.clock.monoMs()) / 2,
  )
  if (found === undefined) {
    const why = 'the browser did not start: it could not be reached'
    throw new RunError(unknownFailure('connect', why))
  }
  run.track(found)
  return { ...found, endedBy: () => undefined, complaint: () => '' }
}

interface OpenedPage {
  readonly target: EndpointTarget
  readonly run: ProbeRun
  readonly untilMs: number
  /** The proxy for a window of its own in a browser that others use too. */
  readonly through: string | undefined
}

async function opened(
  devtools: Devtools,
  chromium: Chromium,
  { target, run, untilMs, through }: OpenedPage,
): Promise<Page> {
  const { clock, signal } = run
  const { viewport = 'desktop', ignoreTlsErrors } = target
  try {
    return await openPage(devtools, { viewport, ignoreTlsErrors, clock, signal, untilMs, through })
  } catch (error) {
    if (!(error instanceof DevtoolsError)) throw error
    const complaint = chromium.complaint()
    const why =
      complaint === '' ? 'the browser did not start' : `the browser did not start: ${complaint}`
    throw new RunError(unknownFailure('connect', why))
  }
}

interface Watched {
  readonly proxy: EgressProxy
  readonly chromium: Chromium
  readonly devtools: Devtools
  readonly page: Page
  readonly memoryBytesMax: number
}

/** Why the page can go no further. What the browser itself does says nothing about the page. */
function endedBy({
  proxy,
  chromium,
  devtools,
  page,
  memoryBytesMax,
}: Watched): Failure | undefined {
  if (chromium.endedBy() === 'memory') {
    return failure(
      'body_too_large',
      `the page took more than ${memoryBytesMax / mebi} MB of memory`,
    )
  }
  if (proxy.isFull()) {
    return failure('body_too_large', `the page loaded more than ${loadedBytesMax / mebi} MB`)
  }
  if (page.isCrashed()) return failure('invalid_response', 'the page crashed the browser')
  return devtools.isClosed() ? unknownFailure('reset', 'the browser ended by itself') : undefined
}

/** What actions write, and where they may: the values of a monitor go to the sites that its author named. */
function createValues(
  target: EndpointTarget,
  { url, tab, run }: { readonly url: string; readonly tab: () => Page; readonly run: ProbeRun },
) {
  const values = new StepValues(target, run.clock.wallMs())
  const secrets = new Set<string>()
  const named = originsOf(url, openings(target.actions ?? [])).map((origin) => new URL(origin))
  const sites = new Set(named.map((origin) => registeredDomain(hostOf(origin))))
  return {
    secrets: () => [...secrets],

    /** Throws a RunError if the page is none to which the values may go. */
    async write({ action, selector, value }: BrowserAction): Promise<WrittenText> {
      const template = value ?? ''
      const placeholders = placeholdersIn(template).filter(({ kind }) => kind !== 'made')
      const text = values.in(template, roomOfStep(), (written) => {
        if (placeholders.length > 0) secrets.add(written)
        return written
      })
      if (placeholders.length === 0) return { text, isSecret: false }
      const within = selector === null ? [] : readSelector(selector)
      const to = URL.parse(action === 'open' ? text : await tab().place(within), url)
      const host = to === null ? '' : hostOf(to)
      if (!sites.has(registeredDomain(host))) {
        const who = clip(host, limits.quotedCharsMax)
        throw new RunError(failure('blocked', `its values may not be sent to ${who}`))
      }
      values.permit([template], host)
      run.record.sent.push(...secrets)
      return { text, isSecret: true }
    },
  }
}

/** The Web Vitals of the first document, as far as they were known when it was looked at last. */
function createVitals(page: Page) {
  let vitals: Record<string, unknown> | undefined
  return {
    async look(): Promise<void> {
      const found = await page.evaluate('stillup.vitals()')
      if (!isRecord(found)) return
      if (vitals === undefined || vitals.at === found.at) vitals = { ...found }
    },
    vitals() {
      const names = ['ttfbMs', 'fcpMs', 'lcpMs', 'cls', 'domMs', 'loadMs'] as const
      return Object.fromEntries(names.map((name) => [name, rounded(name, vitals?.[name])]))
    },
  }
}

function rounded(name: string, value: unknown): number | null {
  if (typeof value !== 'number') return null
  return name === 'cls' ? Math.round(value * 1_000) / 1_000 : Math.round(value)
}
