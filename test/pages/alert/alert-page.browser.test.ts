// The page that an alert links to: hostile texts stay texts, and it can be read by everybody.
import t from 'tap'
import { type AlertView, alertPage, noAlertPage } from '../../../src/pages/alert/alert-page.ts'
import { toText } from '../../../src/pages/html.ts'
import { axeIn } from '../../support/axe.ts'
import { skipWithoutBrowser as skip } from '../../support/browser.ts'
import { overhang } from '../../support/console-states.ts'
import { isDeep } from '../../support/depth.ts'
import { openActionPages } from '../../support/served-document.ts'
import { payloads } from '../../support/xss-payloads.ts'

const time = { atMs: Date.UTC(2026, 10, 12, 9, 30), text: '12 Nov 2026, 09:30:00 UTC' }

const view: AlertView = {
  language: 'en',
  title: 'Shop is down',
  tone: 'down',
  state: 'open',
  notes: ['Nobody has acknowledged this incident yet.'],
  form: { action: '/alerts/token', button: 'Acknowledge', hint: 'Reminders stop.' },
  facts: [
    { label: 'Cause', value: 'HTTP 503' },
    { label: 'Started', value: time },
  ],
  monitorsTitle: 'Monitors',
  monitors: [
    { name: 'Shop', url: 'https://shop.test/', runbookUrl: 'https://wiki.test/shop' },
    { name: 'Till', url: null, runbookUrl: 'http://wiki.test/till' },
  ],
  moreMonitors: '3 more',
  runbookLabel: 'Run-book',
  toldTitle: 'Who was told',
  told: [
    { channel: 'Mail', tone: 'up', state: 'Told', time, reason: null },
    {
      ...{ channel: 'Slack ops', tone: 'degraded', state: 'Not told, next try:', time },
      reason: 'The receiver answered 500.',
    },
  ],
  console: { label: 'Open in the console', href: '/app/incidents/inc_1' },
  timelineTitle: 'Timeline',
  entries: [{ time, label: 'Detected', message: 'HTTP 503' }],
  statusPages: [{ label: 'Status page: Shop', href: '/status/shop' }],
}

t.test('the page says what happened and has one button', async (t) => {
  const page = toText(alertPage(view))
  t.match(page, '<html lang="en">')
  t.match(page, '<meta name="robots" content="noindex">')
  t.match(page, '<form method="post" action="/alerts/token">\n<button type="submit">Acknowledge<')
  t.equal(page.split('<button').length, 2)
  t.match(page, 'datetime="2026-11-12T09:30:00.000Z"')
  t.match(page, '<a href="https://wiki.test/shop" rel="noreferrer">Run-book</a>')
  t.match(page, '>http://wiki.test/till</span>', 'an address without TLS is only shown')
  t.match(page, '<a href="/status/shop" dir="auto">Status page: Shop</a>')
  t.match(page, '3 more')
  t.match(page, '<a href="/app/incidents/inc_1" dir="auto">Open in the console</a>')
  t.match(page, /Slack ops<.*Not told, next try:<.*The receiver answered 500/s)
  const over = toText(alertPage({ ...view, form: null, statusPages: [] }))
  t.notMatch(over, /<button|<form|\/status\//)
  t.match(toText(alertPage({ ...view, language: 'ar' })), '<html lang="ar" dir="rtl">')
  t.notMatch(toText(noAlertPage('en')), /<button|<form/)
})

t.test('hostile texts do nothing in a browser', { skip }, async (t) => {
  const { page, complaints, show } = await openActionPages(t)
  const entries = payloads.map((text) => ({ time, label: text, message: text }))
  for (const title of payloads.slice(0, 5)) {
    const monitors = payloads.map((name) => ({ name, url: name, runbookUrl: name }))
    const told = payloads.map((text) => ({
      ...{ channel: text, tone: 'down' as const, state: text, time: null, reason: text },
    }))
    const said = { title, state: title, notes: [title], told, entries, monitors }
    await show(alertPage({ ...view, ...said }))
    const counts = await page.evaluate(`({
      foreign: document.querySelectorAll('script,iframe,object,embed,img,base,style,svg').length,
      links: [...document.links].map((link) => link.protocol).filter((one) => one !== 'https:').length,
      forms: document.forms.length,
      entries: document.querySelectorAll('.updates > li').length,
    })`)
    t.same(counts, { foreign: 0, links: 0, forms: 1, entries: payloads.length })
  }
  t.same(complaints, [], 'no dialog, no error, no violation of the policy')
})

t.test(
  'axe finds nothing: wide and light, narrow and dark, both directions',
  { skip },
  async (t) => {
    const { page, show, write } = await openActionPages(t)
    await show(alertPage(view))
    const violations = await axeIn(page)
    const looks = [
      ['en', 1280, 'light'],
      ['ar', 390, 'dark'],
      ...(isDeep
        ? ([
            ['ar', 1280, 'light'],
            ['en', 390, 'dark'],
          ] as const)
        : []),
    ] as const
    for (const [language, width, colorScheme] of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const tone of ['down', 'degraded', 'maintenance', 'up'] as const) {
        await write(alertPage({ ...view, language, tone }))
        t.ok((await overhang(page)) <= 0, `${width} px are enough`)
        // Tones and schemes differ in colours, widths in sizes.
        const isFirst = colorScheme === 'light' && tone === 'down'
        const rules = isFirst ? [] : ['color-contrast', 'target-size']
        t.same(await violations(...rules), [], `${language} ${width} ${colorScheme} ${tone}`)
      }
    }
  },
)
