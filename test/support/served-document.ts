// A document of a status page in a real browser, behind its real headers: only the test answers.
import type { BrowserContextOptions } from 'playwright-core'
import type { Test } from 'tap'
import { htmlType, pageHeaders } from '../../src/pages/frame.ts'
import { accentStyle, pageScript, pageStyle } from '../../src/pages/status/look/page-assets.ts'
import { startBrowser, type Tab } from './browser.ts'

export const documentUrl = 'https://up.test/status/acme'
/** The accent of pages whose style sheet is there. */
export const accent = '#ffe000'
const files = [pageStyle, pageScript, accentStyle(accent)]

export interface DocumentTab extends Tab {
  /** The paths that the page asked for. */
  readonly asked: string[]
}

/** A tab in which every address has this document, apart from those of style, script and stream. */
export async function openDocument(
  t: Test,
  body: () => string,
  options: BrowserContextOptions = {},
): Promise<DocumentTab> {
  const browser = await startBrowser(new URL(documentUrl).origin)
  const tab = await browser.open(t, options)
  const asked: string[] = []
  await tab.page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    const file = files.find(({ path }) => path === pathname)
    if (file) return route.fulfill({ body: file.bytes, contentType: file.contentType })
    if (pathname.endsWith('/events')) return route.fulfill({ contentType: 'text/event-stream' })
    const headers = { 'Content-Type': htmlType, ...Object.fromEntries(pageHeaders) }
    return route.fulfill({ body: body(), headers })
  })
  return { ...tab, asked }
}
