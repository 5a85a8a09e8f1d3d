// States of the console for journeys in a browser: how to get there, and what they say.
import type { Page } from 'playwright-core'
import type { Words } from '../../src/console/words/catalogue.ts'
import { patienceMs } from './until.ts'

/** A state of the console: an address, and what is done there. */
export interface Place {
  readonly path: string
  readonly name?: string
  readonly act?: (page: Page, words: Words) => Promise<void>
  /** States that follow, one after the other, in the same document. */
  readonly more?: readonly { readonly name: string; readonly act: (page: Page) => Promise<void> }[]
}

/** The first of this name in the page itself. */
export const button = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name, exact: true }).first()

/** Goes there as a link does, does what is to be done, and opens what is folded away. */
export async function visit(page: Page, { path, act }: Place, words: Words): Promise<void> {
  await follow(page, path)
  await act?.(page, words)
  await openDetails(page)
}

/** Opens it as a document of its own, and waits until that has what it asked for. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').waitFor()
  await page.locator('main p.faint[role=status]').first().waitFor({ state: 'detached' })
}

/**
 * Goes to another page of the console in the same document, as a link of it does, and waits until that
 * has what it asked for: a new document takes ten times as long. What was there before is gone
 * first, so that nothing is taken for the page that was asked for.
 */
export const follow = (page: Page, path: string) => move(page, path, '')

/** The same for what begins in a tab that was used before: no dialog, note or draft is left. */
export const startAt = (page: Page, path: string) =>
  move(
    page,
    path,
    `for (const close of document.querySelectorAll('.toast button.icon')) close.click()
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('stillup.draft')) sessionStorage.removeItem(key)
    // A dialog that belongs to no page ends with the document only.
    if (document.querySelector('dialog')) return true`,
  )

async function move(page: Page, path: string, between: string): Promise<void> {
  const isInside = (path: string) => /\/app\b(?!\/(wall|nowhere))/.test(path)
  if (!isInside(page.url()) || !isInside(path)) return load(page, path)
  const isStuck = await page.evaluate(`(async () => {
    const go = (path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }
    const shown = (isShown) => new Promise((resolve, reject) => {
      const lateMs = performance.now() + ${patienceMs}
      const look = () => {
        if (isShown()) resolve()
        else if (performance.now() > lateMs) reject(new Error('not shown: ' + location.href))
        else requestAnimationFrame(look)
      }
      look()
    })
    const heading = () => document.querySelector('h1')
    const former = heading()
    go('/app/nowhere/' + performance.now())
    await shown(() => heading() && heading() !== former)
    ${between}
    const nowhere = heading()
    go(${JSON.stringify(path)})
    await shown(() => heading() && heading() !== nowhere)
    await shown(() => !document.querySelector('main p.faint[role=status]'))
  })()`)
  if (isStuck) await load(page, path)
}

/**
 * Waits until what was drawn hears keys: a component listens after the frame that shows it first, and
 * a key that comes before is for nobody.
 */
export const drawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')

export const openDetails = (page: Page) =>
  page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`)

/** The fields of the forms that are shown. */
export const fieldsIn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main [id^=field-]')].map(({ id }) => id)`)

/**
 * How many pixels of the page are beyond its right edge, once a frame was drawn: a chart has the width of
 * its new place from then on.
 */
export async function overhang(page: Page): Promise<number> {
  await drawn(page)
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}

/** Chooses a file of this text. */
export async function choose(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
}

/** An answer of the service, to the next question that begins with the path. */
export const answerOnce = (page: Page, path: string, status: number, code: string) =>
  page.route(`**/api/v1${path}*`, (route) => route.fulfill({ status, json: { code } }), {
    times: 1,
  })

/** A file of Uptime Kuma with these pages, and with something that cannot be taken over. */
export const kumaList = (...urls: string[]) =>
  JSON.stringify({
    monitorList: [
      ...urls.map((url) => ({ ...{ type: 'http', interval: 60, maxretries: 0 }, name: url, url })),
      { type: 'globalping', name: 'Globe', interval: 60 },
    ],
  })

/** A mail server that never answers: the service takes it that it has one. */
export const mailServer = { MAIL_SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'stillup <up@up.test>' }
