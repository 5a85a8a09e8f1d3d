// Case (m): the console in a real Chromium, with very many monitors: how soon the overview is there,
// how it scrolls, what a storm of outages does to it, and what an open one costs the daemon.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { buildConsole } from '../../console/build.ts'
import {
  load,
  longestTaskMs,
  openBrowser,
  openTab,
  pressKeys,
  resetTasks,
  type Scrolling,
  scroll,
  type Tab,
} from '../load/console-tab.ts'
import { startStorm } from '../load/storm.ts'
import { signIn } from '../world/account.ts'
import type { Daemon } from '../world/daemon.ts'
import { atLeast, atMost, type CaseResult, type Figure, info } from '../world/figure.ts'
import { cpuSecondsOf } from '../world/procfs.ts'
import { scrape, stallFigures, sumOf } from '../world/scrape.ts'
import type { Workplace } from '../world/workplace.ts'
import { startChecked } from './checked.ts'

export interface ConsoleOptions {
  readonly monitors: number
  /** With that many monitors, it says how many checks run meanwhile. */
  readonly intervalSeconds: number
  /** The length of each window in which the daemon's CPU time is counted, and of the storm. */
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

const rounds = 5
const costRounds = 4
/** Jobs that fail and recover in turns. */
const jobs = 500
const changesPerSecond = 500
const stormSeconds = 8
const scrollSeconds = 4
const pixelsPerSecond = 4_000
const keyDelayMs = 80
const row = '.monitor-row'

export async function measureConsole(
  work: Workplace,
  options: ConsoleOptions,
): Promise<CaseResult> {
  const { monitors, intervalSeconds, nodeArgs } = options
  await buildConsole()
  const tokens: string[] = []
  const { made, daemon, stop } = await startChecked(work, {
    name: 'console',
    count: monitors,
    intervalSeconds,
    fields: { tags: ['shop'] },
    nodeArgs,
    async also(daemon, account) {
      for (let number = 0; number < jobs; number += 1) {
        const job = { name: `Job ${number}`, checkType: 'push', intervalSeconds: 3_600 }
        const created = await account.create(daemon, '/monitors', job)
        tokens.push(/spp_[0-9A-Za-z]+/.exec(JSON.stringify(created))?.[0] ?? '')
      }
    },
  })
  const cookie = await signIn(daemon)
  const browser = await openBrowser()
  try {
    // Every monitor was checked once before anything is measured.
    await sleep(intervalSeconds * 1_000)
    const loading = await measureLoading(daemon, browser, cookie)
    const answer = await measureAnswer(daemon, made.account)
    const use = await measureUse(daemon, browser, cookie)
    const storm = await measureStorm(daemon, browser, cookie, tokens)
    const cost = await measureCost(daemon, browser, cookie, options.seconds)
    return {
      title: `console: ${monitors + jobs} monitors, checked at ${intervalSeconds} s`,
      figures: [...loading.figures, ...answer, ...use.figures, ...storm.figures, ...cost.figures],
      details: { options, loading, use, storm, cost },
    }
  } finally {
    await browser.close()
    await stop()
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function measureLoading(daemon: Daemon, browser: Browser, cookie: string) {
  const loads = []
  const floors = []
  const cpus: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const floor = await openTab(browser, daemon, cookie)
    floors.push(await load(floor.page, '/docs/guide/none', 'body'))
    await floor.close()
    const { page, cpuMs, close } = await openTab(browser, daemon, cookie)
    loads.push(await load(page, '/app', row))
    cpus.push(await cpuMs())
    await close()
  }
  const paints = loads.map(({ firstPaintMs }) => firstPaintMs)
  const actives = loads.map(({ interactiveMs }) => interactiveMs)
  const floorMs = median(floors.map(({ firstPaintMs }) => firstPaintMs))
  return {
    loads,
    floors,
    figures: [
      info('floor: a short page without script, first paint', floorMs, 'ms'),
      atMost('overview, nothing cached: first paint', median(paints), 'ms', 500),
      info('overview, nothing cached: first paint, worst', Math.max(...paints), 'ms'),
      atMost('overview, nothing cached: interactive', median(actives), 'ms', 1_500),
      info('overview, nothing cached: interactive, worst', Math.max(...actives), 'ms'),
      info('overview, nothing cached: CPU of the page', median(cpus), 'ms'),
    ],
  }
}

/** The answer that holds all monitors. */
async function measureAnswer(
  { baseUrl }: Daemon,
  { orgId, apiKey }: { readonly orgId: string; readonly apiKey: string },
): Promise<Figure[]> {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    const response = await fetch(`${baseUrl}/api/v1/orgs/${orgId}/overview`, {
      headers: { 'x-api-key': apiKey },
    })
    bytes = (await response.arrayBuffer()).byteLength
    times.push(performance.now() - startedMs)
  }
  return [
    info('all monitors at a glance: answered after', median(times), 'ms'),
    info('all monitors at a glance: size', bytes / 1_024, 'KB'),
  ]
}

interface ScrollCost extends Scrolling {
  readonly cpuMs: number
}

async function scrollRows({ page, cpuMs }: Tab, rows: string): Promise<ScrollCost> {
  const before = await cpuMs()
  const scrolling = await scroll(page, { seconds: scrollSeconds, pixelsPerSecond, rows })
  return { ...scrolling, cpuMs: (await cpuMs()) - before }
}

function scrollFigures(name: string, cost: ScrollCost): Figure[] {
  const { lateShare, worstMs, blankShare, frames, cpuMs } = cost
  return [
    info(`${name}: CPU of the page while it scrolls`, cpuMs / (10 * scrollSeconds), '%'),
    info(`${name}: frames`, frames / scrollSeconds, '/s'),
    info(`${name}: frames later than 20 ms`, 100 * lateShare, '%'),
    info(`${name}: longest frame`, worstMs, 'ms'),
    info(`${name}: frames without rows`, 100 * blankShare, '%'),
  ]
}

/** Scrolls a page without any script, the overview, and the overview with every monitor selected. */
async function measureScrolling(daemon: Daemon, browser: Browser, cookie: string) {
  const floor = await openTab(browser, daemon, cookie)
  await load(floor.page, '/docs/guide/none', 'body')
  await floor.page.evaluate('bench.makePlainRows(1_000)')
  const floorFrames = await scrollRows(floor, 'li')
  await floor.close()
  const tab = await openTab(browser, daemon, cookie)
  const { page } = tab
  await load(page, '/app', row)
  await resetTasks(page)
  const frames = await scrollRows(tab, row)
  const taskMs = await longestTaskMs(page)
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('.list-head [type=checkbox]').click()
  await page.locator('.picked-bar').waitFor()
  await sleep(settleMs)
  const selectedFrames = await scrollRows(tab, row)
  await tab.close()
  return { floorFrames, frames, selectedFrames, taskMs }
}

/** The median of each figure: what else the machine does falls on single runs. */
function medianOf(costs: readonly ScrollCost[]): ScrollCost {
  const of = (field: keyof ScrollCost) => median(costs.map((cost) => cost[field]))
  return {
    frames: of('frames'),
    lateShare: of('lateShare'),
    worstMs: of('worstMs'),
    blankShare: of('blankShare'),
    scrolledTo: of('scrolledTo'),
    cpuMs: of('cpuMs'),
  }
}

async function measureUse(daemon: Daemon, browser: Browser, cookie: string) {
  const tab = await openTab(browser, daemon, cookie)
  const { page } = tab
  await load(page, '/app', row)
  await page.keyboard.press('/')
  if (!(await page.locator('[type=search]:focus').isVisible())) throw new Error('/ is no search')
  const typedMs = await pressKeys(page, [...'checked99'], keyDelayMs)
  const erasedMs = await erase(page)
  await tab.close()
  const scrolls = []
  for (let round = 0; round < rounds; round += 1) {
    scrolls.push(await measureScrolling(daemon, browser, cookie))
  }
  const floorFrames = medianOf(scrolls.map((one) => one.floorFrames))
  const frames = medianOf(scrolls.map((one) => one.frames))
  const selectedFrames = medianOf(scrolls.map((one) => one.selectedFrames))
  // One task that is long is one too many.
  const longestMs = Math.max(...scrolls.map((one) => one.taskMs))
  const beyondFloor = (name: string, { lateShare }: ScrollCost) => {
    const figure = `${name}: frames later than 20 ms, beyond the floor`
    return atMost(figure, 100 * (lateShare - floorFrames.lateShare), '%', 2)
  }
  return {
    scrolls,
    figures: [
      atMost('a key in the search, to its paint, worst', typedMs, 'ms', 100),
      atMost('the search emptied, to its paint', erasedMs, 'ms', 100),
      ...scrollFigures('floor: plain rows', floorFrames),
      ...scrollFigures('overview', frames),
      beyondFloor('overview', frames),
      atMost('overview: longest task while it scrolls', longestMs, 'ms', 50),
      ...scrollFigures('overview, all selected', selectedFrames),
      beyondFloor('overview, all selected', selectedFrames),
    ],
  }
}

/** Every row is back: tells how long that took to be painted. */
async function erase(page: Page): Promise<number> {
  await page.locator('[type=search]').selectText()
  return pressKeys(page, ['Delete'], keyDelayMs)
}

async function measureStorm(
  daemon: Daemon,
  browser: Browser,
  cookie: string,
  tokens: readonly string[],
) {
  const tab = await openTab(browser, daemon, cookie)
  const { page, close } = tab
  await load(page, '/app', row)
  const before = await scrape(daemon)
  await resetTasks(page)
  const storm = startStorm(daemon, tokens, changesPerSecond)
  await sleep(1_000)
  await page.keyboard.press('/')
  const typedMs = await pressKeys(page, [...'job1'], 300)
  await erase(page)
  const frames = await scrollRows(tab, row)
  await sleep(stormSeconds * 1_000)
  const longestMs = await longestTaskMs(page)
  const { perSecond, seconds } = await storm.stop()
  const after = await scrape(daemon)
  const settledMs = await untilTrue(page, daemon)
  await close()
  return {
    frames,
    figures: [
      atLeast('storm: changes of state', perSecond, '/s', 0.9 * changesPerSecond),
      atMost('storm: longest task of the page', longestMs, 'ms', 200),
      atMost('storm: a key in the search, to its paint, worst', typedMs, 'ms', 200),
      ...scrollFigures('storm', frames),
      atMost('storm: over, and what is shown is right after', settledMs, 'ms', 2_000),
      ...stallFigures(before, after, seconds),
    ],
  }
}

/** How long until the page counts as many monitors in each state as the service. */
async function untilTrue(page: Page, { baseUrl }: Daemon): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const isRight = await page.evaluate('bench.isRight()')
    const passedMs = performance.now() - startedMs
    if (isRight) return passedMs
    if (passedMs > 20_000) throw new Error(`${baseUrl}/app shows other states than the service`)
  }
}

/** The CPU time of the daemon without an overview and with one, in turns. */
async function measureCost(daemon: Daemon, browser: Browser, cookie: string, seconds: number) {
  const without: number[] = []
  const withOne: number[] = []
  const checked: number[] = []
  for (let round = 0; round < costRounds; round += 1) {
    without.push((await cpuShare(daemon, seconds)).share)
    const { page, close } = await openTab(browser, daemon, cookie)
    await load(page, '/app', row)
    await page.locator('.connection.is-live').waitFor()
    await sleep(settleMs)
    const { share, checks } = await cpuShare(daemon, seconds)
    withOne.push(share)
    checked.push(checks)
    await close()
    await sleep(settleMs)
  }
  const cost = withOne.map((share, round) => share - (without[round] ?? 0))
  const mean = cost.reduce((sum, one) => sum + one, 0) / costRounds
  return {
    without,
    withOne,
    figures: [
      info('checks meanwhile', median(checked), '/s'),
      info('CPU of the daemon, no overview open', 100 * median(without), '%'),
      info('CPU of the daemon, one overview open', 100 * median(withOne), '%'),
      atMost('an open overview costs, of a core', 100 * mean, '%', 2),
      info('an open overview costs, least', 100 * Math.min(...cost), '%'),
      info('an open overview costs, most', 100 * Math.max(...cost), '%'),
    ],
  }
}

const settleMs = 3_000

async function cpuShare(daemon: Daemon, seconds: number) {
  const checksBefore = sumOf(await scrape(daemon), 'stillup_checks_total')
  const startedMs = performance.now()
  const before = cpuSecondsOf(daemon.pid)
  await sleep(seconds * 1_000)
  const spent = cpuSecondsOf(daemon.pid) - before
  const elapsed = (performance.now() - startedMs) / 1_000
  const checks = sumOf(await scrape(daemon), 'stillup_checks_total') - checksBefore
  return { share: spent / elapsed, checks: checks / elapsed }
}
