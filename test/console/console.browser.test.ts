// The console in a real browser, on a whole daemon: what people do with it, by pointer and by
// keyboard, in two tabs, as a viewer, with wrong input, and when their session ends meanwhile.
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { addJob, needOf, type Owner, password, registerWithKey } from '../support/cast.ts'
import { drawn, follow, openDetails } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import type { Daemon } from '../support/daemon.ts'
import { amount, isDeep } from '../support/depth.ts'
import { leastOfRounds, timed } from '../support/starvation.ts'
import { startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

t.test('the console in a browser', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const shop = await openShop(daemon)

  await t.test('an outage is seen within a second, in every tab', async (t) => {
    const { page, complaints } = await show('/app', shop.owner)
    const other = await page.context().newPage()
    await other.goto('/app')
    for (const tab of [page, other]) {
      await tab.locator('.monitor-row', { hasText: 'Search' }).waitFor()
      await tab.locator('.connection.is-live').waitFor()
    }
    await page.bringToFront()
    const inState = (state: string) =>
      page.locator(`.monitor-row.is-${state}`, { hasText: 'Search' })
    const down = inState('down')
    const least = await leastOfRounds(1_000, async (round) => {
      if (round > 0) await shop.search.report('ok')
      await inState('up').waitFor()
      await shop.search.report('error')
      const [, outage] = await timed(() => down.waitFor())
      return { outage }
    })
    for (const [what, ms] of least) t.ok(ms < 1_000, `${what}: ${Math.round(ms)} ms`)
    await down.filter({ hasText: 'told by its job' }).waitFor()
    await page.locator('.open-incidents', { hasText: 'Search' }).waitFor()
    await down.locator('.hour.is-down[d^=M]').waitFor({ state: 'attached' })
    // A tab in the background shows it as soon as it is looked at.
    await other.bringToFront()
    await other.locator('.monitor-row.is-down', { hasText: 'Search' }).waitFor()
    const worst = other.locator(`.monitor-row[href='/app/monitors/${shop.pay.id}']`)
    await other.locator('.monitor-row').first().and(worst).waitFor()
    await shop.search.report('ok')
    await other.locator('.monitor-row.is-up', { hasText: 'Search' }).waitFor()
    await other.close()
    t.same(complaints, [])
  })

  await t.test(
    'a file of another product says what it would create, then creates it',
    async (t) => {
      const target = await startTarget()
      t.teardown(() => target.close())
      const mover = await openShopOf(daemon, 'mover')
      const { page, complaints } = await show('/app/monitors/new', mover.owner)
      await page.getByRole('link', { name: 'Move in' }).click()
      const send = (name: string, text: string) =>
        page.locator('input[type=file]').setInputFiles({
          name,
          mimeType: 'application/json',
          buffer: Buffer.from(text),
        })
      const web = { type: 'http', interval: 60, maxretries: 0, active: true }
      const list = (url: string) => [
        { ...web, name: 'Moved in', url },
        { ...web, type: 'globalping', name: 'Globe' },
      ]
      await send('broken.json', '{"monitorList": [')
      await page.getByRole('alert').getByText('is not YAML').waitFor()
      await send('kuma.json', JSON.stringify({ monitorList: list('nonsense') }))
      const nothing = page.getByRole('status').filter({ hasText: 'kuma.json would bring' })
      await nothing
        .getByText(/^url .*nonsense|^url must/)
        .first()
        .waitFor()
      t.equal(await page.getByLabel('Written by').inputValue(), 'kuma')
      const importing = page.getByRole('button', { name: 'Import', exact: true })
      t.ok(await importing.isDisabled(), 'what is left out is all')
      await send('kuma.json', JSON.stringify({ monitorList: list(`${target.url}/moved`) }))
      const preview = page.getByRole('status').filter({ hasText: 'kuma.json would bring' })
      await preview.locator('.plan-counts').getByText('1 monitor', { exact: true }).waitFor()
      t.match(await preview.innerText(), /Globe\s+its type/)
      await preview.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByRole('link', { name: 'Moved in', exact: true }).waitFor()
      t.same(
        complaints.filter((one) => !one.includes('422')),
        [],
      )
    },
  )

  await t.test('the mark is there before any script, and stays in its place', async (t) => {
    const { page } = await show('/app', shop.owner)
    const bare = await page.context().newPage()
    await bare.route('**/*.js', (route) => route.abort())
    for (const width of [1440, 390]) {
      for (const one of [page, bare]) await one.setViewportSize({ width, height: 800 })
      await bare.goto('/app')
      const place = await page.locator('.side .brand-mark').boundingBox()
      t.ok(place)
      t.same(await bare.locator('.boot').boundingBox(), place, `${width} px wide`)
    }
    await bare.close()
  })

  await t.test('what one tab changes, the other one shows', async () => {
    const { page } = await show('/app', shop.owner)
    const other = await page.context().newPage()
    await other.goto(`/app/monitors/${shop.mail.id}`)
    const more = other.getByRole('button', { name: 'More', exact: true })
    await more.click()
    await other.getByRole('menuitem', { name: 'Pause' }).click()
    await other.getByRole('button', { name: 'Resume' }).waitFor()
    await page.bringToFront()
    await page.locator('.monitor-row.is-paused', { hasText: 'Mail delivery' }).waitFor()
    await other.bringToFront()
    await other.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await other.getByRole('button', { name: 'Resume' }).waitFor({ state: 'detached' })
    await more.click()
    await other.getByRole('menuitem', { name: 'Pause' }).waitFor()
    await other.goto('/app/monitors/new')
    await other.fill('#field-url', `${daemon.url}/healthz`)
    await other.fill('#field-name', 'Night job')
    await other.getByRole('button', { name: 'Add the monitor' }).click()
    await other.getByRole('heading', { level: 1, name: 'Night job' }).waitFor()
    await page.bringToFront()
    await page.locator('.monitor-row', { hasText: 'Night job' }).waitFor()
    await other.close()
  })

  await t.test('a storm of outages freezes nothing and moves nobody', async (t) => {
    const site = await openShopOf(daemon, 'storm')
    const jobs: Awaited<ReturnType<typeof site.addMonitor>>[] = []
    for (let number = 1; number <= 40; number += 1) {
      jobs.push(await site.addMonitor(`Job ${number}`))
    }
    const { page, complaints } = await show('/app', site.owner)
    await page.setViewportSize({ width: 1_200, height: 600 })
    await page.locator('.connection.is-live').waitFor()
    await page.locator('.monitor-row').first().waitFor()
    const down = (count: number) =>
      // As a whole: in a storm there are ten times as many, too.
      page.locator('.chips .is-down', { hasText: new RegExp(`\\b${count}\\b`) }).waitFor()
    const read = page.locator('.monitor-row', { has: page.getByText('Job 20', { exact: true }) })
    await page.evaluate('window.scrollTo(0, 1_000)')
    const before = (await read.boundingBox())?.y ?? 0
    await jobs[39]?.report('error')
    await down(1)
    await page.locator('.open-incidents').waitFor()
    const after = (await read.boundingBox())?.y ?? Number.NaN
    t.ok(Math.abs(after - before) < 2, `what is read stays where it is: ${before}, ${after}`)
    await page.evaluate('window.scrollTo(0, 0)')
    const storm = (async () => {
      for (let round = 0; round < amount(4, 12); round += 1) {
        const status = round % 2 === 0 ? 'error' : 'ok'
        await Promise.all(jobs.map((job) => job.report(status)))
      }
    })()
    await page.keyboard.press('/')
    await page.locator('[type=search]:focus').waitFor()
    await page.keyboard.type('job 1')
    await storm
    await page.getByRole('searchbox').fill('')
    for (const number of [30, 4, 7]) await jobs[number - 1]?.report('error')
    await down(3)
    const wanted = 'Job 4, Job 7, Job 30, Job 1, Job 2'
    const names = page.locator('.monitor-row strong')
    await until(async () => (await names.allTextContents()).slice(0, 5).join(', ') === wanted)
    t.same(complaints, [])
  })

  await t.test('a form with wrong input names the fields and keeps what was typed', async (t) => {
    const { page, complaints } = await show('/app/monitors/new', shop.owner)
    await page.fill('#field-url', 'https://')
    await page.fill('#field-intervalSeconds', '1')
    await page.fill('#field-name', '')
    await page.getByRole('button', { name: 'Add the monitor' }).click()
    await page.getByRole('alert').waitFor()
    const wrong = page.locator('[aria-invalid=true]')
    const names = await wrong.evaluateAll((all) => all.map(({ id }) => id))
    t.ok(names.includes('field-intervalSeconds') && names.includes('field-name'), names.join(' '))
    await page.locator('[aria-invalid=true]:focus').waitFor()
    t.equal(await page.inputValue('#field-intervalSeconds'), '1')
    await page.fill('#field-intervalSeconds', '60')
    await page.fill('#field-name', 'A fine name')
    // What only the service refuses is shown beside its field, too.
    await page.getByRole('button', { name: 'Add the monitor' }).click()
    await page.locator('#field-url[aria-invalid=true]').waitFor()
    t.equal(await page.inputValue('#field-url'), 'https://')
    t.not(await page.innerText('#field-url-help'), '')
    // Another page, and it is back; one click lets it go.
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Add a monitor' }).click()
    t.equal(await page.inputValue('#field-name'), 'A fine name')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    t.equal(await page.inputValue('#field-name'), '')
    t.same(
      complaints.filter((line) => !/status of 422/.test(line)),
      [],
    )
  })

  await t.test('a session that ends during an edit loses nothing', async (t) => {
    const guest = await openShopOf(daemon, 'guest')
    const monitor = await guest.addMonitor('Backups')
    const { page } = await show(`/app/monitors/${monitor.id}/edit`, guest.owner)
    await page.fill('#field-name', 'Backups of the night')
    await daemon.ask('POST', '/api/v1/auth/logout', { cookie: guest.owner.cookie })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    t.match(await dialog.innerText(), 'Your session ended')
    for (const _ of [1, 2]) await page.keyboard.press('Escape')
    // It cannot be escaped.
    await dialog.waitFor()
    await dialog.getByLabel('Password').fill('not this one')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Backups of the night' }).waitFor()
    const stored = await guest.need('GET', `/monitors/${monitor.id}`)
    t.equal(stored.name, 'Backups of the night')
    await page.locator('.connection.is-live').waitFor()
  })

  await t.test('nobody sees a button that is refused', async (t) => {
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const who = await shop.invite(role)
      const { page } = await show('/app', who)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${page.url()}: ${response.url()}`)
      })
      const seen = new Map<string, readonly string[]>()
      // A usual run shows a viewer all pages, the others a quarter of them each.
      const isShown = (index: number) => role === 'viewer' || role === rolesInTurn[index % 4]
      const paths = shop.paths.filter((_, index) => isDeep || isShown(index))
      for (const path of paths) {
        await follow(page, path)
        seen.set(path, await page.locator('main button, main a.button').allInnerTexts())
      }
      t.same(refused, [], `a ${role} is refused nothing that pages ask for`)
      const words = [...new Set([...seen.values()].flat())].join(' | ')
      const changing =
        /\b(Add|Edit|Delete|Clone|Pause|Check now|Acknowledge|Resolve|Declare|Plan|test|Invite|Revoke|Replace)\b/
      if (role === 'viewer') t.notMatch(words, changing)
      else t.match(words, changing)
    }
  })

  await t.test('one tap opens the menu of a phone, and the next one leads on', async (t) => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }
    const { page, complaints } = await show('/app', shop.owner, phone)
    await page.locator('.monitor-row').first().waitFor()
    const menu = page.getByRole('button', { name: en.shell.menu, exact: true })
    await menu.tap()
    await page.getByRole('link', { name: en.shell.places.channels }).tap()
    await page.getByRole('heading', { name: en.shell.places.channels, level: 1 }).waitFor()
    t.equal(await menu.getAttribute('aria-expanded'), 'false')
    t.same(complaints, [])
  })

  await t.test('everything goes by keyboard', async (t) => {
    await byKeyboard(t, await show('/app', shop.owner), shop)
  })

  await t.test('no page has a barrier, and each is German for those who read German', async (t) => {
    const { page, complaints } = await show('/app', shop.owner, { locale: 'de-DE' })
    const { page: english } = await show('/app', shop.owner)
    const look = await looksOf(page, { widthMin: 390 })
    const same = new Set<string>()
    for (const path of shop.paths) {
      await page.setViewportSize({ width: 1_440, height: 900 })
      await follow(page, path)
      t.equal(await page.getAttribute('html', 'lang'), 'de')
      await follow(english, path)
      const own = new Set(await textsOf(english))
      for (const text of await textsOf(page)) if (own.has(text)) same.add(text)
      if (isEverywhere.test(path)) continue
      await openDetails(page)
      await look(t, path)
    }
    t.same(
      [...same].filter((text) => !isSame.test(text)),
      [],
    )
    t.same(complaints, [])
  })
})

const rolesInTurn = ['member', 'admin'] as const

/** Pages that look the same without a shop: everywhere.browser.test.ts looks at them. */
const isEverywhere = /\/(profile|import|monitors\/new)$|=(members|invites|audit)$/

/** Names and numbers that tests chose, and words that are the same in both languages. */
const isSame = new RegExp(
  `^(stillup|Live|Tag|example.com|web, production|Name|Status|Person|Ping|Keyword|WebSocket|English|Deutsch|Español|Français|Italiano|Nederlands|Polski|Português|Türkçe|العربية|中文|日本語|min|ms|s|URL|Format|Downtime|` +
    `HTTP|DNS|TCP|TLS|SMTP|Push|Web|gRPC|SSH|RADIUS|IMAP|POP3|PostgreSQL|SQL Server|MongoDB|MQTT|RabbitMQ \\(AMQP\\)|Kafka|Container|Basic|HTTP Digest|Proxy|Tags|shop's|Median|Runbook.*|Cron.*|Header|Webhook|Trial|Text|` +
    `\\d.*|.*[@_/:{].*|web|Front page|Search|Payments.*|Mail delivery|Landing page|Night job|Chat|` +
    `Cards are refused|Larger disks|Read-only for an hour\\.|We are looking\\.|admin key|a test|` +
    `(April|August|September|November) \\d{4}|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|Monitor|We|` +
    `Uptime Kuma|Gatus|OneUptime|Healthchecks|UptimeRobot|Better Stack|Pingdom|Checkly|Statuspage|Blackbox exporter|CSV|told by its job|-----BEGIN (?:CERTIFICATE|PRIVATE KEY)-----|The office is closed|postmortem|anonymous)$`,
  's',
)

/** The texts that people read, without those that are data. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { parentElement, data } = walk.currentNode
      if (!parentElement.closest('code, pre, kbd, noscript, body [lang=en], .gallery, .monitor-name strong, .timeline p.lines')) found.push(data.trim())
    }
    for (const name of ['aria-label', 'title', 'placeholder']) {
      for (const one of document.querySelectorAll('[' + name + ']')) found.push(one.getAttribute(name))
    }
    return found.filter((text) => /[a-z]{2}/i.test(text))
  })()`)
}

/** Somebody with an organization and push monitors, of which tests decide what is known. */
async function openShopOf(daemon: Daemon, name: string) {
  const owner = await registerWithKey(daemon, name)
  const need = needOf(daemon, owner)
  const addMonitor = (name: string, more: object = {}) => addJob(daemon, owner, name, more)
  return { owner, need, addMonitor }
}

async function openShop(daemon: Daemon) {
  const shop = await openShopOf(daemon, 'shop')
  const { need, addMonitor, owner } = shop
  const front = await addMonitor('Front page', { tags: ['web'] })
  const search = await addMonitor('Search', { tags: ['web'] })
  const [pay, mail] = [await addMonitor('Payments'), await addMonitor('Mail delivery')]
  const http = await need('POST', '/monitors', {
    ...{ name: 'Landing page', url: `${daemon.url}/healthz`, tags: ['web'] },
    assertions: [{ source: 'status', type: 'equals', value: '200' }],
  })
  const channel = await need('POST', '/alert-channels', {
    ...{ name: 'Chat', type: 'webhook', config: { url: 'http://127.0.0.1:9/hook' } },
  })
  daemon.secrets.delete(channel.config.secret)
  await pay.report('error')
  const incident = await need('POST', '/incidents', {
    ...{ title: 'Cards are refused', message: 'We are looking.', monitorIds: [pay.id] },
  })
  await need('PATCH', `/incidents/${incident.id}`, { postmortem: '## What happened\n\nA disk.' })
  await need('POST', '/maintenance-windows', {
    ...{ name: 'Larger disks', description: 'Read-only for an hour.', monitorIds: [front.id] },
    startsAt: new Date(Date.now() + 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 7_200_000).toISOString(),
  })
  const moved = await need('POST', '/import', {
    ...{ format: 'stillup/1', source: { product: 'kuma', installation: 'of a test' } },
    secrets: [{ name: 'OLD_TOKEN', origin: 'secret/1' }],
  })
  await need('PUT', `/imports/${moved.importId}/notes`, {
    notes: [{ name: 'Payments', origin: 'monitor/1', text: 'its proxy: the monitor is paused' }],
  })
  const opened = await need('GET', '/incidents?limit=10')
  const found = opened.find(({ id }: { id: string }) => id !== incident.id)
  const people = ['members', 'invites', 'keys', 'secrets', 'audit'].map(
    (tab) => `/app/people?tab=${tab}`,
  )
  const paths = [
    ...['/app', '/app?tag=web', '/app?q=nothing', '/app/monitors/new', `/app/monitors/${http.id}`],
    ...[`/app/monitors/${pay.id}`, `/app/monitors/${http.id}/edit`, '/app/incidents'],
    ...[`/app/incidents/${incident.id}`, `/app/incidents/${found?.id}`, '/app/channels'],
    ...['/app/maintenance', '/app/locations', '/app/profile', '/app/import', ...people],
    `/app/imports/${moved.importId}`,
  ]
  async function invite(role: 'viewer' | 'member' | 'admin'): Promise<Owner> {
    const { cookie, org, orgId } = owner
    const email = `${role}@example.com`
    const { token } = await daemon.need('POST', `${org}/invites`, { cookie, json: { email, role } })
    const joined = await daemon.need('POST', `/invites/${token}/join`, { json: { password } })
    return { email, org, orgId, cookie: joined.token, userId: joined.user.id }
  }
  return { ...shop, owner, front, search, pay, mail, paths, invite }
}

interface Seen {
  readonly page: Page
}

async function byKeyboard(t: Test, { page }: Seen, shop: { pay: { id: string } }): Promise<void> {
  const focused = () =>
    page.evaluate('document.activeElement.outerHTML.slice(0, 200)') as Promise<string>
  await page.locator('.monitor-row').first().waitFor()
  await drawn(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.locator('.monitor-row[aria-current=true]').waitFor()
  // The worst is the first.
  await page.locator(`.monitor-row[href='/app/monitors/${shop.pay.id}']:focus`).waitFor()
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  t.equal(outline, 'solid', 'the focus is seen')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  await drawn(page)

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const edit = page.getByRole('link', { name: 'Edit' })
  await edit.focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.match(await focused(), 'Edit', 'the focus is where it was')
  const typing = page.getByRole('dialog').locator('[role=combobox]:focus')
  await page.keyboard.press('Control+k')
  await typing.waitFor()
  await page.keyboard.type('mail del')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Mail delivery' }).waitFor()

  await page.keyboard.press('Control+k')
  await typing.waitFor()
  await page.keyboard.type('incidents')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Declare an incident' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#field-title:focus').waitFor()
  await page.keyboard.type('The office is closed')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'The office is closed' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
