// Status pages of a whole daemon in a real browser: without a script, live, by keyboard, by touch, in
// print, for assistive technology, and full of hostile texts.
import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { htmlType, pageHeaders } from '../../src/pages/frame.ts'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser, startBrowser, type Tab, type TestBrowser } from '../support/browser.ts'
import { foreignIn } from '../support/browser-parser.ts'
import { addJob, needOf, registerWithKey } from '../support/cast.ts'
import { openDetails, overhang } from '../support/console-states.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { isDeep } from '../support/depth.ts'
import { linkIn } from '../support/read-mail.ts'
import { type SmtpInbox, startSmtpInbox } from '../support/smtp-inbox.ts'
import { leastOfRounds, timed } from '../support/starvation.ts'
import { until } from '../support/until.ts'
import { payloads } from '../support/xss-payloads.ts'

const skip = skipWithoutBrowser
const pagePassword = 'open sesame, please'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const hourMs = 3_600_000

const postmortem = `## What happened

The disk of a database was **full**. See [the report](https://acme.test/report).

1. Alert at 80 %.
2. \`df -h\` every hour.

> We are sorry.

\`\`\`
${'df -h '.repeat(60)}
\`\`\``

/** An organization with push monitors, so that tests decide what is known of them. */
async function openShop(daemon: Daemon, name: string) {
  const owner = await registerWithKey(daemon, name)
  const need = needOf(daemon, owner)
  const addMonitor = (name: string) => addJob(daemon, owner, name)
  const addPage = (slug: string, more: object) =>
    need('POST', '/status-pages', { name: 'Acme', slug, ...more })
  return { need, addMonitor, addPage }
}

type Shop = Awaited<ReturnType<typeof openShop>>

/** A calm page, one on fire, one with a password, and a subscription. */
async function seedPages(daemon: Daemon, inbox: SmtpInbox, { need, addMonitor, addPage }: Shop) {
  const [front, search] = [await addMonitor('Front page'), await addMonitor('Search')]
  const [pay, mail] = [await addMonitor('Payments'), await addMonitor('Mail delivery')]
  await pay.report('error')
  // It is well again, and its row opens to a list of days.
  await front.report('error')
  await front.report('ok')
  await need('POST', '/maintenance-windows', {
    name: 'Larger disks',
    description: 'The shop is **read-only** for an hour.',
    monitorIds: [front.id, mail.id],
    startsAt: inMs(hourMs),
    endsAt: inMs(2 * hourMs),
    isPublic: true,
  })
  const incident = await need('POST', '/incidents', {
    title: 'Cards are refused',
    message: 'We are looking, see [our bank](https://bank.test/).',
    monitorIds: [pay.id],
    isPublic: true,
  })
  await need('POST', `/incidents/${incident.id}/updates`, {
    ...{ message: '- it is the bank\n- we wait', status: 'identified', isPublic: true },
  })
  await need('PATCH', `/incidents/${incident.id}`, { postmortem })
  const sections = [
    { name: 'Shop', monitorIds: [front.id, search.id, pay.id] },
    { name: 'Office', monitorIds: [mail.id] },
  ]
  const description = 'How the shop of **Acme** is. [Contact](https://acme.test/contact)'
  const more = { description, showResponseTimes: true }
  await addPage('fire', { title: 'Acme', sections, ...more })
  await addPage('calm', { publicMonitorIds: [front.id, search.id], ...more })
  await addPage('locked', { publicMonitorIds: [search.id], password: pagePassword })
  daemon.secrets.delete(pagePassword)

  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: daemon.url }
  const body = 'kind=email&address=ann%40reader.test'
  await daemon.ask('POST', '/status/fire/subscribe', { body, headers })
  const manage = new URL(linkIn(await inbox.mailTo('ann@reader.test'))).pathname
  const incidentPath = `/status/fire/incidents/${incident.id}`
  return { front, search, pay, manage, incidentPath }
}

const evaluate = <T>(page: Page, text: string) => page.evaluate(text) as Promise<T>

t.test('status pages in a browser', { skip }, async (t) => {
  const inbox = await startSmtpInbox(t)
  const env = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'stillup <up@up.test>' }
  const daemon = await startDaemon(t, { env })
  const browser = await startBrowser(daemon.url)
  const shop = await openShop(daemon, 'shop')
  const seeded = await seedPages(daemon, inbox, shop)
  const paths = [
    ...['/status/calm', '/status/fire', seeded.incidentPath, '/status/fire/history'],
    ...['/status/fire/subscribe', '/status/locked/unlock', seeded.manage],
  ]

  await t.test('without a script everything is shown, and every form works', async (t) => {
    const { page, complaints } = await browser.open(t, { javaScriptEnabled: false })
    await page.goto('/status/fire')
    const text = await page.innerText('body')
    for (const part of [
      'Acme',
      'Front page',
      'Mail delivery',
      'Cards are refused',
      'Larger disks',
    ]) {
      t.match(text, part)
    }
    const refresh = page.locator('meta[http-equiv=refresh]')
    t.equal(await refresh.getAttribute('content'), '60')
    const days = page.locator('li', { hasText: 'Front page' }).locator('details ul').first()
    t.equal(await days.isVisible(), false)
    await page.locator('.svc summary', { hasText: 'Front page' }).click()
    t.equal(await days.isVisible(), true)

    await page.getByRole('link', { name: 'Subscribe' }).first().click()
    await page.fill('input[type=email]', 'bob@reader.test')
    await page.getByRole('checkbox', { name: 'Office' }).first().check()
    await page.getByRole('button').first().click()
    // What a click leads to is waited for: the page before it has these elements, too.
    await page.locator('h1', { hasText: /confirm/i }).waitFor()
    await page.goto(new URL(linkIn(await inbox.mailTo('bob@reader.test'))).pathname)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.locator('main', { hasText: 'You are subscribed' }).waitFor()
    t.equal(await page.getByRole('checkbox', { name: 'Office' }).isChecked(), true)
    await page.getByRole('link', { name: 'Unsubscribe' }).click()
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.locator('main', { hasText: 'You are no longer subscribed.' }).waitFor()

    await page.goto('/status/locked/history')
    await page.fill('input[type=password]', 'not this one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.fill('input[type=password]', pagePassword)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/status/locked/history')
    await page.goto('/status/locked')
    t.match(await page.innerText('main'), 'Search')
    t.same(
      complaints.filter((line) => !/status of 4\d\d/.test(line)),
      [],
    )
  })

  await t.test(
    'a verdict is seen within a second, in every tab, and nothing is lost',
    async (t) => {
      await livesOn(t, browser, seeded)
    },
  )

  await t.test('who gets no stream asks every minute, and says when nobody answers', async (t) => {
    const { page } = await browser.open(t)
    await page.clock.install()
    await page.route('**/events', (route) => route.fulfill({ status: 503 }))
    await page.goto('/status/calm')
    const row = rowOf(page, 'Search')
    const fetches: string[] = []
    // A page that waits for an answer asks nothing else.
    page.on('requestfinished', (request) => void fetches.push(request.url()))
    await seeded.search.report('error')
    t.notMatch(await row.getAttribute('class'), 'down', 'nothing tells it yet')
    await page.clock.runFor(60_000)
    await page.locator('.svc > li.down', { hasText: 'Search' }).waitFor()
    const pageFetches = () => fetches.filter((url) => url.endsWith('/status/calm')).length
    // As if that round had come half a second late, and the next is on time.
    await page.clock.setSystemTime((await evaluate<number>(page, 'Date.now()')) - 500)
    await page.clock.runFor(60_000)
    await until(() => pageFetches() === 2)
    await page.context().setOffline(true)
    await page.clock.runFor(60_000)
    await page.locator('#lost').waitFor()
    await page.unroute('**/events')
    await page.context().setOffline(false)
    const stream = page.waitForResponse('**/events')
    await page.clock.runFor(60_000)
    t.equal((await stream).status(), 200, 'it asks for the stream again')
    await page.locator('#lost').waitFor({ state: 'hidden' })
    await seeded.search.report('ok')
    await page.locator('.svc > li:not([class])', { hasText: 'Search' }).waitFor()
  })

  await t.test('colours are those of the reader, or those that the page has chosen', async (t) => {
    const { page } = await browser.open(t)
    const look = async (slug: string, colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      await page.goto(`/status/${slug}`)
      const [ground, accent] = await evaluate<string[]>(
        page,
        `[getComputedStyle(document.documentElement).backgroundColor,
          getComputedStyle(document.documentElement).borderTopColor]`,
      )
      return { ground, accent }
    }
    const accent = '#ff8800'
    const theme = (mode: string) => ({ theme: { mode, accent } })
    await shop.addPage('always-dark', theme('dark'))
    await shop.addPage('always-light', theme('light'))
    const [light, dark] = [await look('calm', 'light'), await look('calm', 'dark')]
    t.not(light.ground, dark.ground)
    const chosen = 'rgb(255, 136, 0)'
    t.same(await look('always-dark', 'light'), { ground: dark.ground, accent: chosen })
    t.same(await look('always-light', 'dark'), { ground: light.ground, accent: chosen })
  })

  await t.test('a keyboard reaches and opens whatever opens, and shows where it is', async (t) => {
    const { page } = await browser.open(t, { javaScriptEnabled: false })
    await page.goto('/status/fire')
    const wanted = await evaluate<number>(
      page,
      `[...document.querySelectorAll('a[href],summary')].filter((one) => one.checkVisibility()).length`,
    )
    const seen = new Set<string>()
    let opened = 0
    for (let step = 0; step < wanted; step += 1) {
      await page.keyboard.press('Tab')
      const at = await evaluate<{
        name: string
        isMarked: boolean
        isFold: boolean
        open: boolean
      }>(
        page,
        `(() => {
          const one = document.activeElement
          const { outlineStyle, outlineWidth } = getComputedStyle(one)
          const all = [...document.querySelectorAll('a[href],summary')]
          return {
            name: all.indexOf(one) + ' ' + one.textContent,
            isMarked: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
            isFold: one.matches('summary'),
            open: one.parentElement.open === true,
          }
        })()`,
      )
      seen.add(at.name)
      t.equal(at.isMarked, true, `${at.name} shows that it has the focus`)
      if (!at.isFold) continue
      const isOpen = () => evaluate<boolean>(page, 'document.activeElement.parentElement.open')
      await page.keyboard.press('Enter')
      t.equal(await isOpen(), !at.open, `${at.name} by Enter`)
      await page.keyboard.press('Space')
      t.equal(await isOpen(), at.open, `${at.name} by Space`)
      opened += 1
    }
    t.equal(seen.size, wanted, 'each once, in one round')
    t.ok(opened >= 5, `${opened} folds`)
  })

  await t.test('a finger opens what opens', async (t) => {
    const viewport = { width: 390, height: 844 }
    const { page } = await browser.open(t, { viewport, hasTouch: true, isMobile: true })
    await page.goto('/status/fire')
    const folds = page.locator('details:not([open]) > summary')
    const count = await folds.count()
    t.ok(count >= 2)
    for (const fold of await folds.all()) {
      t.ok(((await fold.boundingBox())?.height ?? 0) >= 24, 'as large as WCAG 2.2 wants it')
    }
    for (let left = count; left > 0; left -= 1) {
      const fold: Locator = folds.first()
      await fold.tap()
      // The browser makes a click of a touch a little later.
      await until(async () => (await folds.count()) === left - 1)
    }
  })

  await t.test('axe finds nothing in light and dark, and nothing is too wide', async (t) => {
    const locales = ['en', 'de', 'ar']
    for (const [turn, locale] of locales.entries()) {
      const { page, complaints } = await browser.open(t, { locale })
      const look = await looksOf(page)
      for (const [index, path] of paths.entries()) {
        // A usual run shows a page in one language, and the one with all colours in each.
        const isOwnTurn = index % locales.length === turn || path === '/status/fire'
        if (!isDeep && !isOwnTurn) continue
        await page.goto(path)
        // A subscription keeps the language in which it was asked for.
        if (path !== seeded.manage) {
          t.equal(await page.getAttribute('html', 'lang'), locale, path)
          const direction = await evaluate(page, 'getComputedStyle(document.body).direction')
          t.equal(direction, locale === 'ar' ? 'rtl' : 'ltr', `${path} ${locale}`)
        }
        await openDetails(page)
        await page.setViewportSize({ width: 320, height: 844 })
        t.ok((await overhang(page)) <= 0, `${path} ${locale} fits into 320`)
        await look(t, `${path} ${locale}`)
      }
      t.same(complaints, [])
    }
  })

  await t.test('in print all folds are open, on paper, with the colours of the bars', async (t) => {
    await shop.addPage('dark-fire', { theme: { mode: 'dark' } })
    const { page } = await browser.open(t)
    const inkOf = () => evaluate<string>(page, 'getComputedStyle(document.body).color')
    await page.goto('/status/fire')
    const lightInk = await inkOf()
    for (const slug of ['fire', 'dark-fire']) {
      await page.emulateMedia({ media: 'screen' })
      await page.goto(`/status/${slug}`)
      const days = rowOf(page, 'Front page').locator('ul')
      const isShown = () =>
        days.evaluate((one) => (one as unknown as { checkVisibility(): boolean }).checkVisibility())
      t.equal(await isShown(), false)
      await page.emulateMedia({ media: 'print' })
      t.equal(await isShown(), true, 'the days of a closed row')
      t.equal(await inkOf(), lightInk, 'dark on white paper')
      const kept = await evaluate<string[]>(
        page,
        `[...document.querySelectorAll('.svc summary > svg, .key i')]
          .map((one) => getComputedStyle(one).printColorAdjust)`,
      )
      t.same([...new Set(kept)], ['exact'])
      t.equal(await page.locator('.skip').isVisible(), false)
    }
  })

  await t.test('no hostile text runs, wherever it is written and shown', async (t) => {
    await hostileTexts(t, daemon, browser)
  })
})

const rowOf = (page: Page, name: string) => page.locator('.svc > li', { hasText: name })

/** Timers of a second and more never run. */
const noLaterQuestions = `{
  const own = globalThis.setTimeout
  globalThis.setTimeout = (run, ms, ...more) => ms >= 1_000 ? 0 : own(run, ms, ...more)
  globalThis.setInterval = () => 0
}`

async function livesOn(
  t: Test,
  browser: TestBrowser,
  { search }: Awaited<ReturnType<typeof seedPages>>,
) {
  const tabs: Tab[] = [await browser.open(t), await browser.open(t)]
  // Nothing is asked later: what is shown was told, and fetched then.
  for (const { page } of tabs) await page.addInitScript(noLaterQuestions)
  const streams: string[] = []
  for (const { page } of tabs) {
    page.on('request', (request) => {
      if (request.url().endsWith('/events')) streams.push(request.url())
    })
    const stream = page.waitForResponse('**/events')
    await page.goto('/status/calm')
    await stream
  }
  const [first] = tabs
  if (!first) return
  const fold = rowOf(first.page, 'Front page').locator('summary')
  await fold.click()
  const shown = (selector: string) =>
    Promise.all(tabs.map(({ page }) => page.locator(selector, { hasText: 'Search' }).waitFor()))
  const look = async () => {
    await search.report('error')
    const [, down] = await timed(() => shown('.svc > li.down'))
    t.match(await first.page.title(), /outage/i)
    await search.report('ok')
    const [, up] = await timed(() => shown('.svc > li:not([class])'))
    t.equal(await rowOf(first.page, 'Front page').locator('details[open]').count(), 1, 'still open')
    const focus = await evaluate<string>(first.page, 'document.activeElement.textContent')
    t.match(focus, /^Front page/, 'still where the reader is')
    return { down, up }
  }
  for (let round = 0; round < 2; round += 1) await look()
  const least = await leastOfRounds(1_000, look)
  for (const [what, ms] of least) t.ok(ms < 1_000, `${what} after ${Math.round(ms)} ms`)
  t.equal(streams.length, 2, 'one stream a tab, for all of it')
  t.same(
    tabs.flatMap(({ complaints }) => complaints),
    [],
  )
}

/** Some texts wherever a page can show one, and the addresses that show them. */
async function seedHostilePage(
  { need, addMonitor, addPage }: Shop,
  texts: readonly string[],
  slug: string,
) {
  const markdownOf = (text: string) =>
    `# ${text}\n\n[a](${text}) ![b](${text}) <${text}>\n\n${text}`
  const times = { startsAt: inMs(hourMs), endsAt: inMs(2 * hourMs) }
  const made = await Promise.all(
    texts.map(async (text) => {
      const monitor = await addMonitor(text)
      const about = { monitorIds: [monitor.id], isPublic: true }
      const markdown = markdownOf(text)
      const window = { name: text, description: markdown, ...times, ...about }
      await need('POST', '/maintenance-windows', window)
      const declared = { title: text, message: markdown, ...about }
      const incident = await need('POST', '/incidents', declared)
      const at = `/incidents/${incident.id}`
      await need('POST', `${at}/updates`, { message: markdown, isPublic: true })
      await need('PATCH', at, { postmortem: markdown })
      const label = encodeURIComponent(text)
      const badges = [`/badge.svg?label=${label}`, `/badge/${monitor.id}.svg`]
      return { section: { name: text, monitorIds: [monitor.id] }, incident: at, badges }
    }),
  )
  const sections = made.map(({ section }) => section)
  await addPage(slug, {
    ...{ name: texts[0], title: texts.slice(0, 2).join(' '), sections },
    description: texts.map(markdownOf).join('\n\n').slice(0, 2_000),
    publicMonitorIds: sections.flatMap(({ monitorIds }) => monitorIds),
  })
  const whole = ['', '/history', '/widget', '/subscribe', '/feed.atom', '/feed.rss', '/badge.svg']
  const below = (path: string) => `/status/${slug}${path}`
  return {
    pages: [...whole, ...made.map(({ incident }) => incident)].map(below),
    badges: made.flatMap(({ badges }) => badges).map(below),
  }
}

async function hostileTexts(t: Test, daemon: Daemon, browser: TestBrowser) {
  const hostile = await openShop(daemon, 'hostile')
  // Names have no control characters and no halves of characters; the rest of each text is taken.
  const texts = payloads.map((text) => text.replace(/[\p{Cc}\u2028\u2029\p{Cs}]/gu, '').trim())
  t.ok(texts.length >= 60)
  // As many as an organization's twenty pages hold, and as the title of one does.
  const each = 4
  const paths: string[] = []
  const badges: string[] = []
  let opened = 0
  for (let from = 0; from < texts.length; from += each) {
    const some = texts.slice(from, from + each)
    const seeded = await seedHostilePage(hostile, some, `hostile-${from}`)
    paths.push(...seeded.pages)
    opened ||= paths.length
    badges.push(...seeded.badges)
  }

  const { page, complaints } = await browser.open(t)
  const isXml = (path: string) => /\.(atom|rss|svg)$/.test(path)
  // One after the other: the daemon turns some away that are asked for at once.
  const read = async (paths: readonly string[]) => {
    const texts: string[] = []
    for (const path of paths) {
      const { status, text } = await daemon.ask('GET', path)
      t.equal(status, 200, path)
      texts.push(text)
    }
    return texts
  }
  const documents = await read(paths.filter((path) => !isXml(path)))
  const foreign = await foreignIn(page, documents, foreignParts)
  t.same(foreign, Array(documents.length).fill(0), 'pages have only what we made')
  const feeds = await read(paths.filter(isXml))
  const broken = await foreignIn(page, feeds, 'parsererror,script', 'application/xml')
  t.same(broken, Array(feeds.length).fill(0), 'feeds are what their readers expect')
  const images = await read(badges)
  const bad = await foreignIn(page, images, foreignInBadges, 'image/svg+xml')
  t.same(bad, Array(images.length).fill(0), 'badges are images')
  await openBadges(t, browser, badges.slice(0, 2 * each))
  // What is not in a document cannot run; those of the first texts are opened nevertheless.
  for (const path of paths.slice(0, opened)) {
    const reply = await page.goto(path)
    t.equal(reply?.status(), 200, path)
    // The browser shows the source of XML in a document of its own.
    if (!path.includes('/feed.')) t.equal(await page.locator(foreignParts).count(), 0, path)
    t.same(complaints.splice(0), [], path)
  }

  const body = `${payloads[0]}<img src=https://evil.test/x>`
  const headers = Object.fromEntries(pageHeaders)
  await page.route('**/bait', (route) => route.fulfill({ body, contentType: htmlType, headers }))
  await page.goto('/bait')
  for (const sign of [/policy/, /asked https:\/\/evil/]) {
    await until(() => complaints.some((line) => sign.test(line)))
    t.pass(`what runs or asks others would be seen: ${sign}`)
  }
}

/** All at once, each as a document of its own in a frame, where its scripts could run. */
async function openBadges(t: Test, browser: TestBrowser, badges: readonly string[]) {
  const { page, complaints } = await browser.open(t)
  const body = badges.map((path) => `<iframe src="${path}"></iframe>`).join('')
  await page.route('**/frames', (route) => route.fulfill({ body, contentType: htmlType }))
  await page.goto('/frames')
  const drawn = await evaluate<string[]>(
    page,
    `[...document.querySelectorAll('iframe')].map(({ contentDocument: { documentElement } }) =>
      documentElement.localName + documentElement.querySelectorAll('${foreignInBadges}').length)`,
  )
  t.same(
    drawn,
    badges.map(() => 'svg0'),
  )
  t.same(complaints, [])
}

const foreignInBadges = 'script,image,a,foreignObject,parsererror,animate,[onload]'

const foreignParts = `script:not([src^="/assets/"]),iframe,object,embed,img,
  base,form:not([method=post][action^="/status/"]),math,video,audio,[onload],[onerror],[onfocus],
  [onmouseover],[href^="javascript:"],[style]`
