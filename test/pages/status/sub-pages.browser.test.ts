// The pages of incidents and months in a real browser: hostile texts run nothing, axe finds nothing.
import axe from 'axe-core'
import t from 'tap'
import { required } from '../../../src/base/assert.ts'
import { htmlType, pageHeaders } from '../../../src/pages/frame.ts'
import { toText } from '../../../src/pages/html.ts'
import { historyPage } from '../../../src/pages/status/history-page.ts'
import { incidentPage } from '../../../src/pages/status/incident-page.ts'
import { pageScript, pageStyle } from '../../../src/pages/status/look/page-assets.ts'
import type { PublicIncident, PublicMonth } from '../../../src/pages/view/public-page.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { launchBrowser, skipWithoutBrowser } from '../../support/browser.ts'
import { documentContext } from '../../support/document-context.ts'
import { noonMs } from '../../support/make-page.ts'
import { seededPage } from '../../support/seeded-pages.ts'
import { payloads } from '../../support/xss-payloads.ts'

const skip = skipWithoutBrowser

const written = `# What happened

The **disk** of a database was full. See [the report](https://acme.test/report).

## What follows

1. Alert at 80 %.
2. \`df -h\` every hour.

> We are sorry.

\`\`\`
${'long '.repeat(60)}
\`\`\``

const view = seededPage({ monitors: 20, isOnFire: true })
const sample = required(view.incidents?.[0])
const updates = [
  { atMs: noonMs, kind: 'resolved', message: 'All is well again. Thank you for your patience.' },
  { atMs: noonMs - 1_800_000, kind: 'identified', message: '- a disk is **full**\n- we add one' },
  { atMs: noonMs - 3_600_000, kind: 'detected', message: '' },
] as const
const calm: PublicIncident = { ...sample, updates, postmortem: written }

function month(incidents: readonly PublicIncident[]): PublicMonth {
  const { maintenance } = view
  return {
    month: '2026-05',
    earlier: '2026-04',
    later: '2026-06',
    incidents,
    isWhole: true,
    maintenance,
  }
}

function pagesOf(language: Language, incident: PublicIncident): readonly string[] {
  const context = documentContext(view, { language })
  const history = historyPage(context, month([incident, ...(view.incidents ?? [])]))
  return [toText(incidentPage(context, incident)), toText(history)]
}

t.test('pages of incidents and months in a browser', { skip }, async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const seen: string[] = []
  let body = ''

  async function open(colorScheme: 'light' | 'dark', width: number) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    context.on('console', (message) => seen.push(message.text()))
    context.on('dialog', async (dialog) => {
      seen.push(dialog.message())
      await dialog.dismiss()
    })
    await context.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url())
      const file = [pageStyle, pageScript].find(({ path }) => path === pathname)
      if (file) return route.fulfill({ body: file.bytes, contentType: file.contentType })
      if (pathname.endsWith('/events')) return route.fulfill({ contentType: 'text/event-stream' })
      const headers = { 'Content-Type': htmlType, ...Object.fromEntries(pageHeaders) }
      return route.fulfill({ body, headers })
    })
    const page = await context.newPage()
    // Not as a script of the page, which its policy would refuse.
    const session = await context.newCDPSession(page)
    return { page, session }
  }

  t.test('axe finds nothing, and all fits, from the left and from the right', async (t) => {
    const looks = [
      ['light', 1_280, 'en'],
      ['dark', 390, 'de'],
      ['light', 390, 'ar'],
    ] as const
    for (const [colorScheme, width, language] of looks) {
      const { page, session } = await open(colorScheme, width)
      for (const [at, text] of pagesOf(language, calm).entries()) {
        body = text
        await page.goto('https://up.test/status/acme')
        const shots = process.env.STILLUP_SHOTS
        if (shots) await page.screenshot({ path: `${shots}/${language}-${at}.png`, fullPage: true })
        await session.send('Runtime.evaluate', { expression: axe.source })
        const found = await page.evaluate(
          'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))',
        )
        t.same(found, [], `${language} ${at}`)
        const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        t.equal(overhang, 0, `${language} ${at} fits into ${width} pixels`)
        const direction = await page.evaluate('getComputedStyle(document.body).direction')
        t.equal(direction, language === 'ar' ? 'rtl' : 'ltr')
      }
    }
  })

  t.test('no hostile text in a title, an update or a post-mortem runs', async (t) => {
    const { page } = await open('light', 1_280)
    // Each title has a document of its own, so each message needs only one of them.
    const entries = payloads.map((message) => ({ atMs: noonMs, kind: 'update', message }) as const)
    for (const [at, text] of payloads.entries()) {
      const hostile = {
        ...calm,
        title: text,
        titleKind: null,
        monitorNames: [text],
        updates: entries.slice(at, at + 1),
        postmortem: `# ${text}\n\n[a](${text})\n\n${text}`,
      }
      for (const made of pagesOf('en', hostile)) {
        body = made
        await page.goto('https://up.test/status/acme', { waitUntil: 'domcontentloaded' })
        const foreign = await page.evaluate(
          `document.querySelectorAll(
            "script:not([src^='/assets/']),iframe,object,embed,form,img,base,style,svg").length`,
        )
        t.equal(foreign, 0)
      }
    }
    t.same(seen, [], 'no dialog, no error, no violation of the policy')
  })
})
