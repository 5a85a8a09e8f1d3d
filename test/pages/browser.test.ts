// Status pages in a real browser, behind the real headers: hostile texts run nothing, nothing is
// hard to reach, and news arrive without a jump.

import t from 'tap'
import type { IncidentId } from '../../src/base/ids.ts'
import { fontFiles } from '../../src/pages/fonts.ts'
import { htmlType } from '../../src/pages/frame.ts'
import { toText } from '../../src/pages/html.ts'
import { pageScript, pageStyle } from '../../src/pages/status/look/page-assets.ts'
import { etagPlace } from '../../src/pages/status/page-frame.ts'
import { statusPage } from '../../src/pages/status/status-page.ts'
import type { PublicPage } from '../../src/pages/view/public-page.ts'
import { toPublicPage } from '../../src/pages/view/public-view.ts'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser } from '../support/browser.ts'
import { foreignIn } from '../support/browser-parser.ts'
import { openDetails } from '../support/console-states.ts'
import {
  makePage,
  makePublicIncident,
  makeSource,
  monitorNo,
  noonMs,
} from '../support/make-page.ts'
import { makeWindow } from '../support/make-window.ts'
import { type Seeded, seededPage } from '../support/seeded-pages.ts'
import { accent, documentUrl, openDocument } from '../support/served-document.ts'
import { until } from '../support/until.ts'
import { payloads } from '../support/xss-payloads.ts'

const skip = skipWithoutBrowser

const documentOf = (view: PublicPage) =>
  toText(statusPage({ view, language: view.language ?? 'en', root: '/status/acme' }))

const seededDocument = (seeded: Seeded) => documentOf(seededPage(seeded))

/** One page that has each payload wherever people write, and one in its own title. */
function hostilePage(title: string): string {
  const incidents = payloads.map((text, index) =>
    makePublicIncident({
      id: `inc_${index}` as IncidentId,
      title: text,
      timeline: [{ atMs: noonMs, kind: 'update', message: text, isPublic: true }],
      ...(index % 3 === 0 ? { isDeclared: true, severity: 'declared' as const } : {}),
      ...(index % 3 === 1 ? { state: 'resolved' as const, resolvedAtMs: noonMs } : {}),
    }),
  )
  const sources = payloads.map((name, index) => makeSource({ id: monitorNo(index + 1), name }))
  const sections = payloads.map((name, index) => ({ name, monitorIds: [monitorNo(index + 1)] }))
  const times = { kind: 'once', startsAtMs: noonMs, endsAtMs: noonMs + 1_000 } as const
  const windows = payloads
    .slice(0, 5)
    .map((text) => makeWindow({ name: text, description: text, times, isPublic: true }))
  const page = makePage({ title, description: title, sections })
  const view = toPublicPage(page, sources, incidents, noonMs, { windows })
  return documentOf(view!)
}

t.test('a page full of hostile texts runs nothing in a browser', { skip }, async (t) => {
  let body = ''
  const { page, asked, complaints } = await openDocument(t, () => body)
  // The text of a title ends where its element ends: each payload gets its own turn there.
  const titled = await foreignIn(page, payloads.map(hostilePage), foreignParts)
  t.same(titled, Array(payloads.length).fill(0))
  body = hostilePage(payloads.join(' '))
  await page.goto(documentUrl)
  for (const [selector, count] of [
    ...[[foreignParts, 0] as const, ['script', 1] as const],
    ...[['.svc > li', payloads.length] as const, ['.group', payloads.length] as const],
  ]) {
    t.equal(await page.locator(selector).count(), count, selector)
  }
  const width = await page.evaluate('getComputedStyle(document.body).maxWidth')
  t.equal(width, '1024px', 'it has its style')
  t.same(complaints, [], 'no dialog, no error, no violation of the policy')
  const known = ['/status/acme', pageStyle.path, pageScript.path, '/status/acme/events']
  const parts = fontFiles.flatMap(({ part, path }) => (/^latin/.test(part) ? [path] : []))
  t.same([...new Set(asked)].toSorted(), [...known, ...parts].toSorted())
})

const foreignParts = "script:not([src^='/assets/']),iframe,object,embed,form,img,base,style"

t.test('an accent of its own is no barrier, in light and in dark', { skip }, async (t) => {
  const theme = { accent, mode: 'auto' } as const
  const body = seededDocument({ monitors: 2, page: { theme, allowsSubscribers: true } })
  const { page } = await openDocument(t, () => body)
  await page.goto(documentUrl)
  await openDetails(page)
  const look = await looksOf(page, { widthMin: 390 })
  // Once in either scheme.
  for (const time of ['first', 'second']) await look(t, `the ${time} time`)
})

t.test('days are found by keyboard and by touch without a script', { skip }, async (t) => {
  const body = seededDocument({ monitors: 3 })
  const options = {
    javaScriptEnabled: false,
    hasTouch: true,
    viewport: { width: 390, height: 800 },
  }
  const { page } = await openDocument(t, () => body, options)
  await page.goto(documentUrl)
  const listed = page.locator('.svc > li:first-child ul')
  t.equal(await listed.isVisible(), false)
  await page.locator('.svc > li:first-child summary').focus()
  await page.keyboard.press('Enter')
  await listed.waitFor()
  t.match(await listed.innerText(), /\d+ \w+ \d+ (min|h)/)
  const second = page.locator('.svc > li:nth-child(2)')
  const box = await second.locator('summary').boundingBox()
  t.ok((box?.height ?? 0) >= 24, 'large enough for a finger')
  await second.locator('summary').tap()
  await second.locator('ul').waitFor()
})

t.test('a phone shows thirty days, a wide screen ninety', { skip }, async (t) => {
  const body = seededDocument({ monitors: 1 })
  const { page } = await openDocument(t, () => body)
  await page.goto(documentUrl)
  for (const [width, text] of [
    [390, '30 days ago – Today'],
    [1_280, '90 days ago – Today'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    t.equal(await page.locator('.key p').innerText(), text)
  }
})

t.test('on fire, the services begin on the first screen', { skip }, async (t) => {
  const body = seededDocument({ monitors: 20, isOnFire: true })
  const { page } = await openDocument(t, () => body, { viewport: { width: 1_280, height: 800 } })
  await page.goto(documentUrl)
  const top = await page.evaluate('document.getElementById("services").getBoundingClientRect().top')
  t.ok(Number(top) <= 720, `${top} px`)
})

t.test('times are in the zone of the reader, and say theirs', { skip }, async (t) => {
  const body = seededDocument({ monitors: 1 })
  const options = { timezoneId: 'Asia/Tokyo', locale: 'en-GB' }
  const { page } = await openDocument(t, () => body, options)
  await page.goto(documentUrl)
  const time = page.locator('.overall time')
  t.match(await time.innerText(), /15 June 2026 at 21:00 (JST|GMT\+9)/)
  t.equal(await time.getAttribute('title'), '15 June 2026 at 12:00 UTC')
  t.match(await page.locator('footer').innerText(), 'All times are in Asia/Tokyo.')
})

t.test('a pointer on a bar reads what happened on that day', { skip }, async (t) => {
  const body = seededDocument({ monitors: 1 })
  const { page } = await openDocument(t, () => body, { viewport: { width: 1_280, height: 800 } })
  await page.goto(documentUrl)
  await page.locator('.svc > li:first-child h3').hover()
  await page.locator('.svc .t').first().waitFor({ state: 'attached' })
  const titles = await page.evaluate(`[...document.querySelectorAll('.svc .t')].map((path) =>
    [path.getAttribute('d'), path.textContent])`)
  const items = await page.evaluate(
    `[...document.querySelectorAll('.svc ul li')].map((item) => item.textContent)`,
  )
  t.same(
    (titles as string[][]).map(([, text]) => text),
    items,
  )
  t.ok((items as string[]).length > 0)
})

/** The stream is another part's; here it tells of a change when the test says so. */
const streamByHand = `
  window.EventSource = class extends EventTarget {
    static OPEN = 1
    static CLOSED = 2
    readyState = 1
    constructor(url) { super(); window.stream = this; this.url = url }
  }`

/** A status page as it is served: it names its own tag. */
const taggedDocument = (tag: string, isOnFire: boolean) =>
  seededDocument({ monitors: 20, isOnFire }).replace(etagPlace, `data-etag='W/"${tag}"'`)

t.test('no news are lost while a page is on its way, or in a cache', { skip }, async (t) => {
  const { page } = await openDocument(t, () => '')
  await page.addInitScript(streamByHand)
  await page.clock.install()
  let newest = 'calm-1'
  let isKept = Promise.resolve()
  let asked = 0
  await page.route(documentUrl, async (route) => {
    asked += 1
    const tag = newest
    const body = taggedDocument(tag, tag.startsWith('fire'))
    await isKept
    const headers = { 'Content-Type': htmlType, ETag: `W/"${tag}"` }
    await route.fulfill({ body, headers }).catch(() => {})
  })
  const tell = (tag: string) =>
    page.evaluate(`stream.dispatchEvent(new MessageEvent('change', { data: 'W/"${tag}"' }))`)
  const isTold = (text: string) => page.locator('.overall h2', { hasText: text }).waitFor()
  await page.goto(documentUrl)
  const calm = await page.locator('.overall h2').innerText()
  t.not(calm, 'Partial outage')
  const icon = () => page.locator('link[rel=icon]').getAttribute('href')
  const calmIcon = await icon()
  t.match(calmIcon, /^data:image\/svg\+xml,/)
  await tell(newest)
  t.equal(asked, 1, 'what is shown is not fetched again')

  const kept = Promise.withResolvers<void>()
  isKept = kept.promise
  newest = 'calm-2'
  await tell(newest)
  await until(() => asked === 2)
  newest = 'fire-3'
  await tell(newest)
  t.equal(asked, 2, 'one at a time')
  kept.resolve()
  await isTold('Partial outage')
  t.not(await icon(), calmIcon, 'the tab shows the state, too')
  t.equal(asked, 3)

  await tell('calm-4')
  await until(() => asked === 4)
  await page.clock.runFor(5_000)
  newest = 'calm-4'
  await page.clock.runFor(10_000)
  await isTold(calm)
  t.equal(asked, 5, 'once more, after a cache has forgotten it')
  await page.clock.runFor(60_000)
  t.equal(asked, 5)
})

t.test('a page below the status page follows what the stream tells', { skip }, async (t) => {
  let body = seededDocument({ monitors: 20 }).replace(etagPlace, '')
  const { page, asked } = await openDocument(t, () => body)
  await page.addInitScript(streamByHand)
  await page.goto(documentUrl)
  const count = asked.length
  const tell = (tag: string) =>
    page.evaluate(`stream.dispatchEvent(new MessageEvent('change', { data: '${tag}' }))`)
  await tell('of the status page')
  body = seededDocument({ monitors: 20, isOnFire: true })
  t.equal(asked.length, count, 'that is what there was at first')
  await tell('another')
  await page.locator('.overall h2', { hasText: 'Partial outage' }).waitFor()
  t.equal(asked.length, count + 1)
})

t.test(
  'news replace what is shown; what was opened stays open, and nothing jumps',
  { skip },
  async (t) => {
    let body = taggedDocument('1', false)
    const options = { viewport: { width: 1_280, height: 500 } }
    const { page, complaints } = await openDocument(t, () => body, options)
    await page.addInitScript(streamByHand)
    await page.goto(documentUrl)
    t.equal(await page.evaluate('stream.url'), '/status/acme/events')
    const opened = page.locator('.svc > li:nth-child(9) summary')
    await opened.click()
    const placeOf = async () => Math.round((await opened.boundingBox())?.y ?? 0)
    const before = await placeOf()
    body = taggedDocument('2', true)
    await page.evaluate(`stream.dispatchEvent(new MessageEvent('change', { data: 'W/"2"' }))`)
    await page.locator('#news', { hasText: 'Partial outage' }).waitFor({ state: 'attached' })
    t.equal(await page.title(), 'Acme status – Partial outage')
    t.equal(await page.locator('.overall h2').innerText(), 'Partial outage')
    t.ok(Math.abs((await placeOf()) - before) <= 1, 'the row is where it was')
    t.equal(
      await page.evaluate(`document.activeElement.textContent.startsWith('Authentication')`),
      true,
    )
    t.equal(await page.locator('.svc > li:nth-child(9) details[open]').count(), 1)
    t.equal(await page.locator('.svc details[open]').count(), 1)
    t.same(complaints, [])
  },
)
