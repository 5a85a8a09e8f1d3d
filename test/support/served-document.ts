// Documents of pages in a real browser, behind their real headers: only the test answers.
import type { BrowserContextOptions } from 'playwright-core'
import type { Test } from 'tap'
import { actionPageHeaders } from '../../src/pages/action-page.ts'
import { fontFiles } from '../../src/pages/fonts.ts'
import { htmlType, pageHeaders } from '../../src/pages/frame.ts'
import { type Html, toText } from '../../src/pages/html.ts'
import { accentStyle, pageScript, pageStyle } from '../../src/pages/status/look/page-assets.ts'
import { styleSheet } from '../../src/pages/style-sheet.ts'
import { startBrowser, type Tab } from './browser.ts'

export const documentUrl = 'https://up.test/status/acme'
/** The accent of pages whose style sheet is there. */
export const accent = '#ffe000'
const files = [pageStyle, pageScript, accentStyle(accent), styleSheet, ...fontFiles]

export interface DocumentTab extends Tab {
  /** The paths that the page asked for. */
  readonly asked: string[]
}

/** A tab in which every address has this document, apart from those of style, script and stream. */
export async function openDocument(
  t: Test,
  body: () => string,
  options: BrowserContextOptions = {},
  ownHeaders: typeof pageHeaders = pageHeaders,
): Promise<DocumentTab> {
  const browser = await startBrowser(new URL(documentUrl).origin)
  const tab = await browser.open(t, options)
  const asked: string[] = []
  await tab.page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    const file = files.find(({ path }) => path === pathname)
    if (file) return route.fulfill({ body: Buffer.from(file.bytes), contentType: file.contentType })
    if (pathname.endsWith('/events')) return route.fulfill({ contentType: 'text/event-stream' })
    const headers = { 'Content-Type': htmlType, ...Object.fromEntries(ownHeaders) }
    return route.fulfill({ body: body(), headers })
  })
  return { ...tab, asked }
}

/** A tab for pages that do one thing, such as those of the links in letters. */
export async function openActionPages(t: Test) {
  let body = ''
  const tab = await openDocument(t, () => body, {}, actionPageHeaders())

  /** As a document of its own. */
  async function show(shown: Html): Promise<void> {
    body = toText(shown)
    await tab.page.goto(documentUrl)
  }

  /** In the document that is there, which takes a tenth of the time. */
  const write = (shown: Html) => tab.page.setContent(toText(shown))

  return { ...tab, show, write }
}
