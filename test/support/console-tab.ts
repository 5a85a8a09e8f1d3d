// The console of a daemon, in tabs in which somebody is signed in.

import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import { ensureConsole } from '../../scripts/console/build.ts'
import { ensureGuide } from '../../scripts/guide/build.ts'
import { once } from '../../src/base/per-object.ts'
import { startBrowser, type Tab } from './browser.ts'
import type { Owner } from './cast.ts'
import { load, startAt } from './console-states.ts'
import { type DaemonOptions, startDaemon } from './daemon.ts'

const usual: BrowserContextOptions = { locale: 'en-GB' }

/** Playwright's own. */
const usualViewport = { width: 1_280, height: 720 }

type Person = Pick<Owner, 'cookie'>

/** Files of one process build it once. */
const built = once(() => Promise.all([ensureConsole(), ensureGuide()]))

/** It ends with the test. */
export async function startConsole(t: Test, options: DaemonOptions = {}) {
  await built()
  const daemon = await startDaemon(t, options)
  const browser = await startBrowser(daemon.url)
  const tabs = new Map<string, { readonly tab: Tab; readonly who: Person }>()

  async function signIn(page: Page, { cookie }: Person): Promise<void> {
    await page.context().addCookies([{ name: 'auth-token', value: cookie, url: daemon.url }])
  }

  /** A tab of its own context, which is gone when the test ends. */
  async function open(t: Test, who: Person, options: BrowserContextOptions = {}): Promise<Tab> {
    const tab = await browser.open(t, { ...usual, ...options })
    await signIn(tab.page, who)
    return tab
  }

  /**
   * The tab that all tests share which ask for the same options, at this page, without notes, drafts and
   * complaints of the test before. It saves them a document, which costs as much as a whole test. Somebody
   * else has another document in the same context, which takes half as long as one in another.
   */
  async function show(
    path: string,
    who: Person,
    options: BrowserContextOptions = {},
  ): Promise<Tab> {
    const key = JSON.stringify({ ...usual, ...options })
    const former = tabs.get(key)
    const { tab } = former ?? { tab: await open(t, who, options) }
    tabs.set(key, { tab, who })
    if (former === undefined || former.who.cookie === who.cookie) await startAt(tab.page, path)
    else await replaceBy(who, tab.page, path, options)
    tab.complaints.length = 0
    return tab
  }

  /** Leaves nothing of the one who was there before. */
  async function replaceBy(
    who: Person,
    page: Page,
    path: string,
    { viewport }: BrowserContextOptions,
  ): Promise<void> {
    // A page that stands still: the one before may just be leading elsewhere.
    await page.goto(`${daemon.url}/healthz`)
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.context().clearCookies()
    await signIn(page, who)
    await page.setViewportSize(viewport ?? usualViewport)
    await load(page, path)
  }

  return { daemon, browser, open, show, signIn }
}
