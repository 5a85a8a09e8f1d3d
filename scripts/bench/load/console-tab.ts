// A tab of a real Chromium, and what can be measured in it: paints, long tasks, frames, keys.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { pathOf } from '../../../test/support/programs.ts'
import type { Daemon } from '../world/daemon.ts'

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

const viewport = { width: 1_440, height: 900 }
const waitMsMax = 30_000
/** No task follows for this long: the page has nothing more to do. */
const quietMs = 1_500
/** A frame of 60 a second that missed its turn. */
const lateMs = 20

/** Throws where there is no Chromium. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = pathOf('chromium')
  if (!executablePath) throw new Error('chromium is not installed')
  return chromium.launch({ executablePath, args })
}

export interface Tab {
  readonly page: Page
  /** What the main thread of the page has worked so far, whatever else the machine does. */
  cpuMs(): Promise<number>
  close(): Promise<void>
}

/** With nothing in any cache. */
export async function openTab(browser: Browser, { baseUrl }: Daemon, cookie: string): Promise<Tab> {
  const context = await browser.newContext({ baseURL: baseUrl, viewport })
  context.setDefaultTimeout(waitMsMax)
  const cookies = cookie.split('; ').map((one) => {
    const at = one.indexOf('=')
    return { name: one.slice(0, at), value: one.slice(at + 1), url: baseUrl }
  })
  await context.addCookies(cookies)
  await context.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    page,
    async cpuMs() {
      const { metrics } = await session.send('Performance.getMetrics')
      const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
      return 1_000 * (seconds ?? Number.NaN)
    },
    close: () => context.close(),
  }
}

export interface Loading {
  readonly firstPaintMs: number
  /** The selector is drawn, and the script has nothing more to do. */
  readonly interactiveMs: number
  readonly longTasks: readonly number[]
}

export async function load(page: Page, path: string, selector: string): Promise<Loading> {
  await page.goto(path)
  const drawnMs = await page.evaluate(`bench.drawn(${JSON.stringify(selector)})`)
  await sleep(quietMs)
  return page.evaluate(`bench.loading(${drawnMs})`)
}

export async function resetTasks(page: Page): Promise<void> {
  await page.evaluate('bench.resetTasks()')
}

/** The longest time for which the page was deaf, since the last reset. */
export function longestTaskMs(page: Page): Promise<number> {
  return page.evaluate('bench.longestTaskMs()')
}

/** Presses keys as a person does, and tells how long the slowest took to be painted. */
export async function pressKeys(
  page: Page,
  keys: readonly string[],
  delayMs: number,
): Promise<number> {
  await page.evaluate('bench.resetKeys()')
  for (const key of keys) {
    await page.keyboard.press(key)
    await sleep(delayMs)
  }
  await sleep(quietMs)
  return page.evaluate('bench.slowestKeyMs()')
}

export interface Scrolling {
  readonly frames: number
  readonly lateShare: number
  readonly worstMs: number
  /** The share of frames that showed no row in the middle of the screen. */
  readonly blankShare: number
  readonly scrolledTo: number
}

export interface ScrollInput {
  readonly seconds: number
  readonly pixelsPerSecond: number
  /** What should be in the middle of the screen. */
  readonly rows: string
}

/** Scrolls as a wheel does, and looks at every frame. */
export async function scroll(page: Page, input: ScrollInput): Promise<Scrolling> {
  const { seconds, pixelsPerSecond } = input
  const watched = page.evaluate(`bench.watchFrames(${JSON.stringify({ ...input, lateMs })})`)
  const session = await page.context().newCDPSession(page)
  await session.send('Input.synthesizeScrollGesture', {
    x: viewport.width / 2,
    y: viewport.height / 2,
    yDistance: -pixelsPerSecond * seconds,
    speed: pixelsPerSecond,
    gestureSourceType: 'mouse',
  })
  await session.detach()
  return (await watched) as Scrolling
}
