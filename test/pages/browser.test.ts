// Hostile texts in a real browser, behind the real headers: nothing runs, nothing is even refused.
import { chromium } from 'playwright-core'
import t from 'tap'
import type { IncidentId } from '../../src/base/ids.ts'
import { pageHeaders } from '../../src/pages/frame.ts'
import { toText } from '../../src/pages/html.ts'
import { toPublicPage } from '../../src/pages/public-view.ts'
import { statusPage } from '../../src/pages/status-page.ts'
import { styleSheet } from '../../src/pages/style-sheet.ts'
import {
  makePage,
  makePublicIncident,
  makeSource,
  monitorNo,
  noonMs,
} from '../support/make-page.ts'
import { pathOf, skipWithout } from '../support/programs.ts'
import { payloads } from '../support/xss-payloads.ts'

const executablePath = pathOf('chromium') ?? ''
const skip = skipWithout('chromium')

/** One page that has each payload in a name, a title and an update, and one in its own title. */
function hostilePage(title: string): string {
  const incidents = payloads.map((text, index) =>
    makePublicIncident({
      id: `inc_${index}` as IncidentId,
      title: text,
      timeline: [{ atMs: noonMs, kind: 'update', message: text, isPublic: true }],
    }),
  )
  const sources = payloads.map((name, index) => makeSource({ id: monitorNo(index + 1), name }))
  const view = toPublicPage(makePage({ title, description: title }), sources, incidents, noonMs)
  return toText(statusPage(view!))
}

t.test('a page full of hostile texts runs nothing in a browser', { skip }, async (t) => {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--no-first-run',
  ]
  const browser = await chromium.launch({ executablePath, args })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const asked: string[] = []
  const said: string[] = []
  page.on('dialog', async (dialog) => {
    said.push(dialog.message())
    await dialog.dismiss()
  })
  page.on('console', (message) => said.push(message.text()))
  let body = ''
  // Nothing leaves the browser: every request is answered here.
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    if (pathname === styleSheet.path) {
      return route.fulfill({ body: styleSheet.bytes, contentType: 'text/css' })
    }
    return route.fulfill({ body, headers: Object.fromEntries(pageHeaders) })
  })
  // The text of a title ends where its element ends: each payload gets its own turn there.
  for (const title of payloads.slice(0, 12)) {
    body = hostilePage(title)
    await page.goto('https://up.test/status/acme')
    // As text, because the product's own types know no browser.
    const counts = await page.evaluate(`({
      names: document.querySelectorAll('.monitors > li').length,
      foreign: document.querySelectorAll('script,iframe,object,embed,form,img,base,style').length,
      styled: getComputedStyle(document.body).maxWidth,
    })`)
    t.same(counts, { names: payloads.length, foreign: 0, styled: '800px' })
  }
  t.same(said, [], 'no dialog, no error, no violation of the policy')
  t.same([...new Set(asked)], ['/status/acme', styleSheet.path])
})
