// A real browser for journeys: nothing but loopback answers it, and what it complains of is kept.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { shareInProcess } from '../../scripts/test/current-test.ts'
import { isDeep } from './depth.ts'
import { browserPath } from './programs.ts'
import { patienceMs } from './until.ts'

const usualArgs = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  // All tabs share a process: starting one costs more than most pages do.
  ...['--process-per-site', '--renderer-process-limit=1'],
  // Scripts of a page run for less time than it takes to optimize them.
  '--js-flags=--no-maglev --no-turbofan',
]
// No other host has an address, so that nothing is asked even where a page wants it.
const loopbackOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

const executablePath = browserPath()

/**
 * Notes of the console go after eight seconds. A busy machine may take longer from what shows one to
 * the click on its button: here they stay, except where a test has a clock of its own.
 */
const longNotes = `{
  const own = globalThis.setTimeout
  globalThis.setTimeout = (run, ms, ...more) => own(run, ms === 8_000 ? 3_600_000 : ms, ...more)
}`

/** Makes it a browser without shared workers, in which each tab has an event stream of its own. */
export const noSharedWorkers = 'delete window.SharedWorker'

/** Why a test that needs a browser is skipped; false where there is one. */
export const skipWithoutBrowser = executablePath === undefined && 'not installed: chromium'

/** Whoever starts it closes it. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: [...usualArgs, ...args],
  })
}

export interface Tab {
  readonly page: Page
  /** Dialogs, what the console said, violations of the policy, and requests to other hosts. */
  readonly complaints: string[]
}

export interface TestBrowser {
  /** A tab of its own context, which is gone when the test ends. */
  open(t: Test, options?: BrowserContextOptions): Promise<Tab>
}

let shared: Promise<Browser> | undefined

/** One browser for all files of the process: a start costs as much as a page, and its code is warm then. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= shareInProcess(
    () => launchBrowser([loopbackOnly]),
    (browser) => browser.close(),
  )
  return shared
}

/** The tabs of a test; they are gone when it ends. */
export async function startBrowser(origin: string): Promise<TestBrowser> {
  const browser = await sharedBrowser()

  async function open(t: Test, options: BrowserContextOptions = {}): Promise<Tab> {
    // What moves is drawn sixty times a second: only deep runs see it.
    const reducedMotion = isDeep ? null : 'reduce'
    const context = await browser.newContext({ baseURL: origin, reducedMotion, ...options })
    context.setDefaultTimeout(patienceMs)
    t.teardown(() => context.close())
    const complaints: string[] = []
    context.on('dialog', async (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      await dialog.dismiss()
    })
    context.on('console', (message) => {
      const { url } = message.location()
      // Advice for whoever writes pages; and documents without a head cannot name their icon.
      if (message.text().startsWith('[DOM]') || url === `${origin}/favicon.ico`) return
      complaints.push(`${message.text()} ${url}`)
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
    context.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complaints.push(`asked ${url}`)
    })
    await context.addInitScript(longNotes)
    // The console tells of most violations; of those that it does not, the document does.
    await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
      console.error('refused by policy: ' + event.violatedDirective + ' ' + event.blockedURI)
    })`)
    return { page: await context.newPage(), complaints }
  }

  return { open }
}
