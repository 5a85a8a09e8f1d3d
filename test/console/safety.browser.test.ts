// What the console keeps from others: texts that are no markup, links that end, and what was typed.
// And what its forms and dialogs keep for whoever types, also when it is wrong.

import type { FrameLocator, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { buildConsole } from '../../scripts/console/build.ts'
import { hotp, totpStep } from '../../src/domain/sign-in/totp.ts'
import { axeIn } from '../support/axe.ts'
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts'
import { mintKey, type Owner, password, register } from '../support/cast.ts'
import {
  answerOnce,
  button,
  choose,
  follow,
  kumaList,
  mailServer,
  openDetails,
  overhang,
  type Place,
  visit,
} from '../support/console-states.ts'
import { de, en } from '../support/console-words.ts'
import { startDaemon } from '../support/daemon.ts'
import { person } from '../support/kyc-person.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutBrowser

/** Tries to leave as soon as the dialog is gone: `isFree` is false if the browser would ask whether to stay. */
const leaveAfterwards = `new MutationObserver((_, watch) => {
  if (document.querySelector('dialog')) return
  watch.disconnect()
  isFree = dispatchEvent(new Event('beforeunload', { cancelable: true }))
}).observe(document.body, { childList: true, subtree: true })`

const markup = '<img src=x onerror="hacked=1"><script>hacked=1</script>"\'>'
const link = '[here](javascript:hacked=1)'

/** How many pixels of the document of a frame are below its edge. */
const hiddenInFrame = 'frames[0].document.documentElement.scrollHeight - frames[0].innerHeight'
const frameColour = 'getComputedStyle(frames[0].document.documentElement).backgroundColor'
const cardColour =
  "getComputedStyle(document.querySelector('iframe').closest('.card')).backgroundColor"

t.test('the console among strangers', { skip }, async (t) => {
  await buildConsole()
  const daemon = await startDaemon(t, { env: mailServer })
  const browser = await startBrowser(daemon.url)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const bob = await register(daemon, 'bob')
  const key = await mintKey(daemon, ann)
  const need = (method: string, path: string, json?: object) =>
    daemon.need(method, `${ann.org}${path}`, json ? { key, json } : { key })

  async function open(t: Test, who: Owner = ann, options: object = { locale: 'en-GB' }) {
    const tab = await browser.open(t, options)
    await signIn(tab.page, who)
    return tab
  }
  const signIn = (page: Page, { cookie }: Owner) =>
    page.context().addCookies([{ name: 'auth-token', value: cookie, url: daemon.url }])
  const drafts = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage })')

  async function leaveForm(page: Page): Promise<void> {
    await page.locator('a.brand').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }

  await t.test('texts of members, targets and senders stay texts', async (t) => {
    const job = await need('POST', '/monitors', {
      ...{ name: markup, checkType: 'push', intervalMinutes: 5, isPublic: true },
      ...{ description: markup, tags: ['<b>', '__proto__'], failureThreshold: 1 },
      runbookUrl: 'https://example.com/"><script>hacked=1</script>',
    })
    const report = { status: 'error', message: markup, metadata: { a: markup } }
    await daemon.ask('POST', `/api/v1/push/${job.pushToken}`, { json: report })
    const incident = await need('POST', '/incidents', {
      ...{ title: markup, message: `${markup} ${link}`, isPublic: true, monitorIds: [job.id] },
    })
    await need('PATCH', `/incidents/${incident.id}`, { postmortem: `${markup} ${link}` })
    const channel = await need('POST', '/alert-channels', {
      ...{ name: markup, type: 'webhook', config: { url: 'http://127.0.0.1:9/' } },
    })
    daemon.secrets.delete(channel.config.secret)
    await need('POST', '/maintenance-windows', {
      ...{ name: markup, description: markup, tags: ['<b>'] },
      startsAt: new Date(Date.now() + 3_600_000).toISOString(),
      endsAt: new Date(Date.now() + 7_200_000).toISOString(),
    })
    const shown = await need('POST', '/status-pages', {
      ...{ name: markup, title: markup, description: `${markup} ${link}` },
    })
    const found = await need('GET', '/incidents?limit=10')
    const { page, complaints } = await open(t)
    for (const path of [
      ...['', '?by=tag', '?tag=__proto__', '?q=<img>', `/monitors/${job.id}`, '/incidents'],
      ...found.map(({ id }: { id: string }) => `/incidents/${id}`),
      ...[`/monitors/${job.id}/edit`, `/monitors/new?from=${job.id}`, '/maintenance', '/channels'],
      ...[`/channels/${channel.id}`, '/channels/new?type=__proto__', '/pages', '/people?tab=audit'],
      `/pages/${shown.id}`,
    ]) {
      await follow(page, `/app${path}`)
      t.equal(await page.locator('img[onerror], script:not([src])').count(), 0, path)
      const addresses = await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
      t.notMatch(addresses.join('\n'), /^javascript:/m, path)
    }
    const preview = page.frameLocator('iframe')
    await preview.locator('h1').waitFor()
    t.equal(await preview.locator('img[onerror]').count(), 0, 'the preview of a page')
    t.equal(await page.evaluate('typeof hacked'), 'undefined')
    t.same(
      // The preview runs nothing, and Chromium says so.
      complaints.filter((line) => !/sandboxed/.test(line)),
      [],
    )
  })

  await t.test('a post-mortem looks as readers see it, and runs nothing', async (t) => {
    const incident = await need('POST', '/incidents', { title: 'A full disk' })
    await need('POST', `/incidents/${incident.id}/resolve`, {})
    const path = `/app/incidents/${incident.id}`
    const { page, complaints } = await open(t)
    await visit(page, { path }, en)
    await button(page, en.common.actions.edit).click()
    const writing = page.frameLocator(`iframe[title="${en.incidents.preview.title}"]`)
    const card = page.locator('section', { has: page.locator('iframe') }).first()
    await page.keyboard.type('The **disk** was full.')
    await writing.locator('strong', { hasText: /^disk$/ }).waitFor()
    const text = `# Why\n\nThe **disk** was *full*.\n\n${markup}\n\n${link} [there](${daemon.url}/docs)`
    await page.fill('#field-postmortem', text)
    await writing.locator('em', { hasText: /^full$/ }).waitFor()
    const isSafe = async (frame: FrameLocator, where: string) => {
      t.equal(await frame.locator('img, script').count(), 0, where)
      t.match(await frame.locator('body').innerText(), markup, where)
      t.equal(await frame.locator('a').count(), 1, where)
      t.equal(await page.evaluate('typeof hacked'), 'undefined', where)
      t.equal(await page.evaluate('typeof frames[0].hacked'), 'undefined', where)
    }
    await isSafe(writing, 'the preview')
    await page.fill('#field-postmortem', 'x'.repeat(16_385))
    await card.getByText(en.incidents.preview.waits).waitFor()
    await page.fill('#field-postmortem', text)
    await button(page, en.common.actions.save).click()
    await page.locator('#field-postmortem').waitFor({ state: 'detached' })
    const stored = page.frameLocator(`iframe[title="${en.incidents.postmortem}"]`)
    await stored.locator('h3', { hasText: /^Why$/ }).waitFor()
    await isSafe(stored, 'what is stored')
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      stored.getByRole('link', { name: 'there' }).click(),
    ])
    await tab.waitForURL('**/docs')
    t.equal(await tab.evaluate('opener'), null)
    await tab.close()

    // All of it is seen, in the colours that were chosen.
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`localStorage.setItem('stillup.theme', '${theme}')`)
      await visit(page, { path }, en)
      await stored.locator('em').waitFor()
      await until(async () => (await page.evaluate(hiddenInFrame)) === 0)
      t.equal(await page.evaluate(frameColour), await page.evaluate(cardColour), theme)
    }
    const json = { email: 'reader@example.com', role: 'viewer' }
    const { cookie, org, orgId } = ann
    const { token } = await daemon.need('POST', `${org}/invites`, { cookie, json })
    const joined = await daemon.need('POST', `/invites/${token}/join`, { json: { password } })
    const reader = await browser.open(t, { locale: 'en-GB' })
    await signIn(reader.page, { ...ann, cookie: joined.token })
    await reader.page.addInitScript(`localStorage.setItem('stillup.organization', '${orgId}')`)
    await visit(reader.page, { path }, en)
    await reader.page
      .frameLocator('iframe')
      .locator('strong', { hasText: /^disk$/ })
      .waitFor()
    t.same([...complaints, ...reader.complaints], [])
  })

  await t.test('the wall ends with its key', async (t) => {
    const { cookie, org } = ann
    const json = { name: 'Wall', role: 'viewer' }
    const made = await daemon.need('POST', `${org}/api-keys`, { cookie, json })
    const { page } = await browser.open(t, { locale: 'en-GB' })
    await page.clock.install()
    await page.goto(`/app/wall#${made.key}`)
    await page.locator('.tile').first().waitFor()
    await daemon.need('DELETE', `${org}/api-keys/${made.id}`, { cookie })
    await page.clock.fastForward(6_000)
    await page.getByRole('heading', { name: 'This link was revoked' }).waitFor()
    t.equal(await page.locator('.tile').count(), 0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.clock.fastForward(60_000)
    t.same(asked, [], 'it does not go on asking')
  })

  await t.test('the wall shows nothing as good that is not known', async (t) => {
    const { page } = await open(t)
    const summary = '**/api/v1/orgs/*/summary'
    const key = await mintKey(daemon, ann)
    await page.route(summary, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      const states = { up: 1, degraded: 0, down: 0, unknown: 2 }
      Object.assign(json.data.monitors, states)
      await route.fulfill({ response, json })
    })
    await page.goto(`/app/wall#${key}`)
    await page.getByRole('heading', { name: '2 monitors have no result' }).waitFor()
    t.equal(await page.locator('.wall.is-up').count(), 0)
  })

  await t.test('what cannot be loaded or shown says so, and the rest goes on', async (t) => {
    const { page } = await open(t)
    await page.goto('/app')
    await page.locator('.monitor-row').first().waitFor()
    // An update took the files of the former console away.
    await page.route('**/app/assets/*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Channels' }).click()
    await page.getByRole('alert').getByText('This could not be loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor()
    await page.route('**/alert-channels?*', (route) => route.fulfill({ json: { data: [{}] } }))
    await page.getByRole('link', { name: 'Maintenance' }).click()
    await page.getByRole('heading', { level: 1, name: 'Maintenance' }).waitFor()
    await page.getByRole('link', { name: 'Channels' }).click()
    await page.getByRole('alert').getByText('This page failed').waitFor()
    await page.getByRole('link', { name: 'Maintenance' }).click()
    await page.getByRole('heading', { level: 1, name: 'Maintenance' }).waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  })

  await t.test('without https an address is copied nevertheless', async (t) => {
    const { page } = await open(t)
    await page.addInitScript('delete Navigator.prototype.clipboard')
    const { id } = await need('POST', '/monitors', { name: 'Copied job', checkType: 'push' })
    await page.goto(`/app/monitors/${id}`)
    const copy = page.getByRole('button', { name: 'Copy Report address' })
    await copy.click()
    await copy.getByText('Copied').waitFor()
    t.equal(
      await page.evaluate('getSelection().toString()'),
      await page.locator('.copyable code').first().innerText(),
    )
  })

  await t.test('an address shows nobody a form that their role is refused', async (t) => {
    const { cookie, org } = ann
    const json = { email: 'eve@example.com', role: 'viewer' }
    const invited = await daemon.need('POST', `${org}/invites`, { cookie, json })
    const eve = await daemon.need('POST', `/invites/${invited.token}/join`, { json: { password } })
    const { page } = await open(t, { ...ann, cookie: eve.token })
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    for (const path of ['/channels/new', '/monitors/new', '/pages/new', '/setup', '/system']) {
      await page.goto(`/app${path}`)
      await page.getByRole('heading', { level: 1, name: /does not allow/ }).waitFor()
      t.equal(await page.locator('main button').count(), 0, path)
    }
    t.same(refused, [])
    // A member may add a monitor, but neither a channel nor a status page.
    const mail = { email: 'mia@example.com', role: 'member' }
    const second = await daemon.need('POST', `${org}/invites`, { cookie, json: mail })
    const mia = await daemon.need('POST', `/invites/${second.token}/join`, { json: { password } })
    const member = await open(t, { ...ann, cookie: mia.token })
    await member.page.goto('/app/setup')
    await member.page.getByLabel(en.setup.monitor.address).waitFor()
    t.equal(await member.page.locator('.steps li').count(), 2)
    await member.page.getByRole('button', { name: en.setup.skip }).click()
    await member.page.getByRole('heading', { name: en.setup.doneTitle }).waitFor()
    await visit(member.page, { path: '/app/channels' }, en)
    t.equal(await member.page.getByRole('link', { name: en.channels.add }).count(), 0)
    await member.page.goto('/app/channels/new')
    await member.page.getByRole('heading', { level: 1, name: /does not allow/ }).waitFor()
  })

  await t.test('an identity is decided by somebody who saw it', async (t) => {
    const headers = { 'auth-token': bob.cookie }
    await daemon.need('POST', '/identity/kyc/verify', { headers, json: person })
    const { page } = await open(t)
    await page.goto('/app/system?tab=kyc')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Date of birth').waitFor()
    t.notMatch(await dialog.innerText(), person.lastName)
    await dialog.getByRole('button', { name: 'Show in full' }).click()
    await dialog.getByText(person.lastName, { exact: true }).waitFor()
    const violations = await axeIn(page)
    t.same(await violations(), [])
    await dialog.getByLabel('Reason').fill('The passport has expired.')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Rejected' }).click()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await dialog.getByText('The passport has expired.').waitFor()
    t.equal(await dialog.getByRole('button', { name: 'Approve' }).count(), 0)
  })

  await t.test('a refusal says why', async (t) => {
    const { page } = await open(t, bob)
    await page.goto('/app')
    await page.locator('.empty').waitFor()
    const { cookie } = ann
    const path = `/system${bob.org}`
    await daemon.need('PATCH', path, { cookie, json: { isDisabled: true } })
    await page.goto('/app/channels')
    await page.getByRole('alert').getByText('switched off by the operator').waitFor()
    await daemon.need('PATCH', path, { cookie, json: { isDisabled: false } })
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('Nobody is told yet').waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  })

  await t.test('drafts hold no secrets', async (t) => {
    const { page } = await open(t)
    await page.goto('/app/channels/new?type=telegram')
    await page.fill('#field-name', 'The chat')
    await page.fill('#field-config-botToken', '123456:a-secret-token')
    await page.fill('#field-config-chatId', '-1001')
    t.match(await drafts(page), '-1001')
    t.notMatch(await drafts(page), 'a-secret-token')
    await leaveForm(page)
    await page.goto('/app/channels/new?type=telegram')
    t.equal(await page.inputValue('#field-config-chatId'), '-1001')
    t.equal(await page.inputValue('#field-config-botToken'), '')
  })

  await t.test(
    'what is typed while a form is sent stays, and is not taken for stored',
    async (t) => {
      const made = await need('POST', '/status-pages', { name: 'Slow to save' })
      const { page } = await open(t)
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route(`**/status-pages/${made.id}`, async (route) => {
        if (route.request().method() === 'PATCH') await held
        await route.continue()
      })
      await page.goto(`/app/pages/${made.id}`)
      await page.fill('#field-title', 'First')
      const sent = page.waitForRequest((one) => one.method() === 'PATCH')
      await page.getByRole('button', { name: 'Save' }).click()
      await sent
      await page.fill('#field-title', 'First and second')
      answer()
      await page.getByText('Readers see it now').waitFor()
      t.equal(await page.inputValue('#field-title'), 'First and second')
      t.match(await drafts(page), 'First and second')
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Readers see it now').nth(1).waitFor()
      t.notMatch(await drafts(page), 'First and second')
      t.equal((await need('GET', `/status-pages/${made.id}`)).title, 'First and second')
    },
  )

  await t.test('a field that is emptied is emptied where it is stored, too', async (t) => {
    const { page } = await open(t)
    const chosen = { degradedThresholdMs: 1_500, sloPercent: 99.5, reminderMinutes: 30 }
    const headers = { 'x-kept': 'a', 'x-gone': 'b' }
    const shop = await need('POST', '/monitors', {
      ...{ name: 'Shop', url: 'https://shop.test/', intervalSeconds: 90, isActive: false },
      ...{ ...chosen, headers },
    })
    await visit(page, { path: `/app/monitors/${shop.id}/edit` }, en)
    for (const name of [...Object.keys(chosen), 'intervalSeconds']) {
      await page.fill(`#field-${name}`, '')
    }
    await button(page, `${en.common.actions.remove} x-gone`).click()
    await button(page, en.common.actions.save).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    t.match(await need('GET', `/monitors/${shop.id}`), {
      ...{ degradedThresholdMs: null, sloPercent: null, reminderMinutes: 0, intervalSeconds: 300 },
      headers: { 'x-kept': /./, 'x-gone': undefined },
    })
    await visit(page, { path: `/app/monitors/${shop.id}/edit` }, en)
    t.equal(await page.getAttribute('#field-degradedThresholdMs', 'placeholder'), 'never')

    const config = { url: 'http://127.0.0.1:9/', headers }
    const hook = await need('POST', '/alert-channels', {
      ...{ name: 'Hook', type: 'webhook', config, delayMinutes: 5, minSeverity: 'down' },
    })
    await visit(page, { path: `/app/channels/${hook.id}` }, en)
    await page.fill('#field-delayMinutes', '')
    await page.locator('#field-minSeverity').selectOption('')
    await page.fill('#field-config-headers', '{"x-kept": "a"}')
    await page.fill('#field-config-secret', '')
    await button(page, en.common.actions.save).click()
    // A secret that was taken away is made anew, and shown this once.
    const dialog = page.getByRole('dialog')
    const fresh = await dialog.locator('code').first().innerText()
    t.match(fresh, /^whsec_/)
    t.not(fresh, hook.config.secret)
    const stored = await need('GET', `/alert-channels/${hook.id}`)
    t.match(stored, { delayMinutes: 0, minSeverity: 'degraded' })
    t.same(Object.keys(stored.config.headers), ['x-kept'])
  })

  await t.test('a monitor that is led to another server needs its headers again', async (t) => {
    const { page } = await open(t)
    const shop = await need('POST', '/monitors', {
      ...{ name: 'Moved', url: 'https://moved.test/', isActive: false },
      headers: { 'x-key': 'the-key-of-this-shop' },
    })
    await visit(page, { path: `/app/monitors/${shop.id}/edit` }, en)
    const asked = page.getByText(en.editor.headersAgain({ names: 'x-key' }))
    t.equal(await asked.count(), 0)
    await page.fill('#field-url', 'https://another.test/')
    await asked.waitFor()
    const refused = page.waitForResponse((one) => one.status() === 422)
    await button(page, en.common.actions.save).click()
    await refused
    t.match(await need('GET', `/monitors/${shop.id}`), { url: 'https://moved.test/' })
    await page.getByLabel(en.editor.headerValue).fill('another-key-1234')
    t.equal(await asked.count(), 0)
    await button(page, en.common.actions.save).click()
    await page.getByRole('heading', { level: 1, name: 'Moved' }).waitFor()
    t.match(await need('GET', `/monitors/${shop.id}`), { url: 'https://another.test/' })
  })

  await t.test('a channel is changed without its secrets', async (t) => {
    const { page } = await open(t)
    const config = { topic: 'acme-alerts-7Qm3xT', token: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' }
    const made = await need('POST', '/alert-channels', { name: 'Phone', type: 'ntfy', config })
    await visit(page, { path: `/app/channels/${made.id}` }, en)
    await page.fill('#field-name', 'Pager')
    await button(page, en.common.actions.save).click()
    await until(async () => (await need('GET', `/alert-channels/${made.id}`)).name === 'Pager')
  })

  await t.test('what was made although its answer was lost is not made twice', async (t) => {
    const { page } = await open(t)
    await page.goto('/app/pages/new')
    await page.fill('#field-name', 'Made once')
    await page.route(
      '**/api/v1/orgs/*/status-pages',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const make = button(page, en.statusPages.create)
    await make.click()
    await page.getByRole('alert').getByText(en.common.problems.unreachable).waitFor()
    await make.click()
    await page.getByRole('heading', { level: 1, name: 'Made once' }).waitFor()
    const pages: { name: string }[] = await need('GET', '/status-pages')
    t.equal(pages.filter(({ name }) => name === 'Made once').length, 1)
  })

  await t.test('a new form shows what holds where nothing was chosen', async (t) => {
    const { page } = await open(t)
    await page.goto('/app/monitors/new')
    await button(page, en.editor.create).click()
    await page.locator('#field-url:focus').waitFor()
    t.equal(await page.getAttribute('#field-checkType', 'aria-invalid'), 'false')
    await page.getByText('Request', { exact: true }).click()
    t.ok(await page.getByLabel('Follow redirects').isChecked())
    t.equal(await page.getByLabel('Method').inputValue(), 'GET')
    await page.goto('/app/channels/new?type=telegram')
    await page.getByText('What it hears').click()
    t.ok(await page.getByLabel('On', { exact: true }).isChecked())
    await page.getByLabel('On', { exact: true }).uncheck()
    t.notOk(await page.getByLabel('On', { exact: true }).isChecked())
    await leaveForm(page)
    await page.goto('/app/incidents')
    await page.getByRole('button', { name: 'Declare an incident' }).click()
    t.equal(await page.getByLabel('Severity').inputValue(), 'declared')
  })

  await t.test('a draft of work that recurs comes back as that', async (t) => {
    const { page } = await open(t)
    const begin = () =>
      page.getByRole('button', { name: 'Plan maintenance', exact: true }).first().click()
    await page.goto('/app/maintenance')
    await begin()
    await page.fill('#field-name', 'Each night')
    await page.getByLabel('It recurs').check()
    await page.fill('#field-cron', '30 2 * * *')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await begin()
    t.equal(await page.inputValue('#field-cron'), '30 2 * * *')
    t.ok(await page.getByLabel('It recurs').isChecked())
    await page.getByLabel('It recurs').uncheck()
    t.not(await page.inputValue('#field-startsAt'), '')
  })

  await t.test('a message that comes with a click does not move the click away', async (t) => {
    const { page } = await open(t)
    await page.goto('/app/maintenance')
    await page.getByRole('button', { name: 'Plan maintenance', exact: true }).first().click()
    await page.locator('#field-name:focus').waitFor()
    const box = await page.getByText('It recurs').boundingBox()
    if (!box) throw new Error('it is not shown')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 3)
    await page.mouse.down()
    // The press takes the focus; a slow hand then holds the button for many frames.
    await page.locator('#field-name:not(:focus)').waitFor()
    await page.evaluate(`new Promise((resolve) => {
      const wait = (left) => left === 0 ? resolve() : requestAnimationFrame(() => wait(left - 1))
      wait(20)
    })`)
    await page.mouse.up()
    t.ok(await page.getByLabel('It recurs').isChecked())
    await page.locator('#field-name-help .wrong').waitFor()
  })

  await t.test('what one person typed, the next one at the computer does not find', async (t) => {
    const { page } = await open(t)
    await page.goto('/app/monitors/new')
    await page.fill('#field-name', 'The secret project')
    t.match(await drafts(page), 'The secret project')
    // Away without signing out.
    await leaveForm(page)
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await signIn(page, bob)
    await page.goto('/app/monitors/new')
    await page.locator('#field-name').waitFor()
    t.equal(await page.inputValue('#field-name'), '')
    t.notMatch(await drafts(page), 'The secret project')
  })

  await t.test('whoever else signs in to a form begins anew', async (t) => {
    const { name, id } = await need('POST', '/monitors', { name: 'Pumps', checkType: 'push' })
    const own = await daemon.need('POST', '/auth/login', {
      json: { email: ann.email, password },
    })
    const { page } = await open(t, { ...ann, cookie: own.token })
    await page.goto(`/app/monitors/${id}/edit`)
    await page.fill('#field-name', 'Pumps of Ann')
    // Where the session ends before the click, the event stream may ask for a sign-in first.
    await page.route(`**/monitors/${id}`, async (route) => {
      const isSave = route.request().method() !== 'GET'
      if (isSave) await daemon.ask('POST', '/api/v1/auth/logout', { cookie: own.token })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill(bob.email)
    await dialog.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app')
    await page.locator('.empty').waitFor()
    t.notMatch(await drafts(page), 'Pumps of Ann')
    t.equal((await need('GET', `/monitors/${id}`)).name, name)
  })

  await t.test('a tab that nobody looks at leaves the connections to others', async (t) => {
    const { page } = await open(t)
    await page.clock.install()
    const look = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    // The stream is no request of the tab, but of the worker that all tabs share.
    const streamsAre = (count: number) =>
      until(async () => {
        const { text } = await daemon.ask('GET', '/metrics')
        return text.includes(`\nstillup_event_streams ${count}\n`)
      })
    await page.goto('/app')
    await page.locator('.connection.is-live').waitFor()
    await streamsAre(1)
    await look('hidden')
    await page.clock.fastForward(6_000)
    await streamsAre(0)
    // What it missed is asked for.
    const reloaded = page.waitForRequest((one) => one.url().endsWith('/overview'))
    await look('visible')
    await streamsAre(1)
    await page.clock.runFor(2_000)
    await reloaded
    await page.locator('.connection.is-live').waitFor()
    t.pass()
  })

  // Nobody else has anything there.
  const typist = await register(daemon, 'forms')
  const needTypist = (method: string, path: string, json?: object) =>
    daemon.need(method, `${typist.org}${path}`, json ? { cookie: typist.cookie, json } : typist)
  const { id: pageId } = await needTypist('POST', '/status-pages', { name: 'A page' })

  await t.test('every form of a channel is fit to be used', async (t) => {
    const { page } = await open(t, typist, {
      locale: 'de-DE',
      viewport: { width: 390, height: 844 },
    })
    await page.goto('/app/channels/new')
    await page.locator('.gallery a').first().waitFor()
    const violations = await axeIn(page)
    const links = await page
      .locator('.gallery a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    t.ok(links.length > 20)
    for (const path of links) {
      await follow(page, path)
      await openDetails(page)
      t.same(await violations(), [], path)
      t.ok((await overhang(page)) <= 0, `${path} fits into 390 px`)
      // Without anything filled in, what is needed is said at the field, and the focus is there.
      await page.fill('#field-name', '')
      await page.getByRole('button', { name: de.channels.create }).click()
      const isTold = await page
        .locator('[aria-invalid=true]:focus')
        .waitFor()
        .then(
          () => true,
          () => false,
        )
      t.ok(isTold, `${path} says at the field what is missing`)
    }
  })

  await t.test('every form says at the field what is wrong, and keeps it', async (t) => {
    const tab = await open(t, typist)
    const { id: incidentId } = await needTypist('POST', '/incidents', { title: 'A short outage' })
    await needTypist('POST', `/incidents/${incidentId}/resolve`, {})
    for (const wrong of [...wrongInput, ...wrongInputOf(pageId, incidentId)]) {
      const page = await tab.page.context().newPage()
      await visit(page, wrong, en)
      for (const [field, value] of Object.entries(wrong.fields)) {
        await page.locator(`#field-${field}`).fill(value)
      }
      // What is folded away is opened where something is wrong.
      await page.evaluate(
        `document.querySelectorAll('details').forEach((one) => { one.open = false })`,
      )
      const [first = ''] = Object.keys(wrong.fields)
      const at = page.locator(`#field-${wrong.at ?? first}`)
      // A page may have the same button twice: the one that sends the form.
      await page.locator('form', { has: at }).locator('[type=submit]').click()
      await page.locator(`#field-${wrong.at ?? first}[aria-invalid=true]`).waitFor()
      await page.locator('[aria-invalid=true]:focus').waitFor()
      t.not(await page.innerText(`#field-${wrong.at ?? first}-help .wrong`), '', wrong.path)
      for (const [field, value] of Object.entries(wrong.fields)) {
        t.equal(await page.inputValue(`#field-${field}`), value, `${wrong.path} ${field}`)
      }
      await page.close()
    }
    // Fields that stand in rows.
    const rows = [
      { add: en.editor.addHeader, name: en.editor.headerName, value: 'no name' },
      { add: en.editor.addAssertion, name: en.editor.assertionPath, value: 'status' },
    ]
    for (const { add, name, value } of rows) {
      const page = await tab.page.context().newPage()
      await visit(page, { path: '/app/monitors/new' }, en)
      await page.fill('#field-url', daemon.url)
      await page.fill('#field-name', 'Shop')
      await button(page, add).click()
      await page.getByLabel(name).fill(value)
      await page.setViewportSize({ width: 320, height: 844 })
      t.ok((await overhang(page)) <= 0, `${name} fits into 320 px`)
      await page.locator('form [type=submit]').click()
      const wrong = page.locator('[aria-invalid=true]:focus')
      await wrong.waitFor()
      t.equal(await wrong.inputValue(), value, name)
      const help = await wrong.getAttribute('aria-describedby')
      t.match(await page.innerText(`[id="${help}"]`), /[a-z]/, name)
      await page.close()
    }
  })

  await t.test('a file that is no export says so, and stays chosen', async (t) => {
    const { page } = await open(t, typist)
    await page.goto('/app/import')
    await choose(page, 'gatus.yaml', 'endpoints: [')
    await page.getByRole('alert').getByText('not YAML').waitFor()
    await page.locator('main select').selectOption('stillup')
    await page.getByRole('alert').getByText(en.moving.noJson).waitFor()
    t.equal(await page.getAttribute('input[type=file]', 'aria-invalid'), 'true')
    const chosen = await page.evaluate(`document.querySelector('input[type=file]').files[0].name`)
    t.equal(chosen, 'gatus.yaml')
  })

  await t.test('a dialog gives back the focus, and keeps what was typed', async (t) => {
    const { id: jobId, pushUrl } = await needTypist('POST', '/monitors', {
      ...{ name: 'Backup', checkType: 'push', intervalMinutes: 5 },
    })
    const report = { method: 'POST', body: 'no space left' }
    await fetch(`${pushUrl}/3?runId=n1&durationMs=8320`, report)
    await needTypist('POST', '/maintenance-windows', { name: 'Disks', ...soon() })
    const { page } = await open(t, typist)
    const dialog = page.getByRole('dialog')
    for (const { path, opener, field, close } of dialogs(pageId, jobId)) {
      await visit(page, { path }, en)
      const from = opener(page)
      for (const round of ['first', 'again']) {
        await from.focus()
        await page.keyboard.press(round === 'first' ? 'Enter' : 'Space')
        await dialog.locator(':focus').waitFor()
        if (field !== undefined && round === 'first') {
          await page.locator(`#field-${field}:focus`).waitFor()
          await page.keyboard.type('half@a.thought, ')
        }
        if (field !== undefined && round === 'again')
          t.match(await page.inputValue(`#field-${field}`), 'half@a.thought', path)
        await page.evaluate(leaveAfterwards)
        if (close) await dialog.getByRole('button', { name: close }).last().press('Enter')
        else await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        const isBack = await from.evaluate((one) => one.matches(':focus'))
        t.ok(isBack, `${path}: the focus is back at ${await from.innerText()}`)
        const isFree = await page.evaluate('isFree')
        t.ok(isFree, `${path}: what was typed is kept, and does not hold the page`)
      }
    }
    await page.locator('a.brand').focus()
    await page.keyboard.press('?')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('a.brand:focus').waitFor()

    // A note can be heard and taken back although a dialog is open.
    await visit(page, { path: '/app/incidents' }, en)
    await button(page, en.incidents.declare).press('Enter')
    const undo = dialog.getByRole('status').getByRole('button', { name: en.common.actions.undo })
    await undo.click()
    t.equal(await page.inputValue('#field-title'), '')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // What had the focus is deleted: it goes on at the content, not at the beginning of the page.
    await visit(page, { path: '/app/maintenance' }, en)
    await button(page, en.common.actions.remove).press('Enter')
    const confirm = dialog.getByRole('button', { name: en.common.actions.remove })
    await answerOnce(page, '/orgs/*/maintenance-windows/', 503, 'unavailable')
    await confirm.press('Enter')
    // What went wrong is told in the dialog, too.
    await dialog.locator('.toast.is-problem').waitFor()
    await confirm.press('Enter')
    await page.getByText(en.maintenance.empty.title).waitFor()
    await page.locator('main:focus').waitFor()
  })

  await t.test('a note waits for whoever has the focus in it', async (t) => {
    const { page } = await open(t, typist)
    await page.clock.install()
    await visit(page, { path: `/app/pages/${pageId}` }, en)
    await button(page, en.statusPages.disable).or(button(page, en.statusPages.enable)).click()
    const undo = page.locator('.toast').getByRole('button', { name: en.common.actions.undo })
    await undo.focus()
    await page.clock.fastForward(60_000)
    t.equal(await undo.count(), 1)
    await page.locator('a.brand').focus()
    await page.clock.fastForward(10_000)
    await undo.waitFor({ state: 'detached' })
    // Whoever takes it back goes on where they were.
    const toggle = button(page, en.statusPages.disable).or(button(page, en.statusPages.enable))
    await toggle.press('Enter')
    await undo.press('Enter')
    await undo.waitFor({ state: 'detached' })
    t.ok(await toggle.evaluate((one) => one.matches(':focus')), 'the focus is where it was')
  })

  await t.test('dates, numbers and plurals follow the language that was chosen', async (t) => {
    const { page } = await open(t, typist, { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    const [{ id: jobId }] = await needTypist('GET', '/monitors')
    await needTypist('POST', '/maintenance-windows', { name: 'Disks', ...soon() })
    const main = () => page.innerText('main')
    await visit(page, { path: `/app/monitors/${jobId}` }, de)
    t.match(await main(), /8,32 s/)
    t.match(await main(), /\d\d\.\d\d\.20\d\d, \d\d:\d\d:\d\d/)
    t.match(await main(), /(vor|in) \d+ (Sek|Min)/)
    await visit(page, { path: '/app/maintenance' }, de)
    t.same((await page.locator('.calendar th').allInnerTexts()).slice(0, 3), ['Mo', 'Di', 'Mi'])
    await visit(page, { path: '/app/import' }, de)
    for (const [urls, told] of [
      [1, '1 Monitor'],
      [2, '2 Monitore'],
    ] as const) {
      await choose(page, 'kuma.json', kumaList(...Array(urls).fill(daemon.url)))
      await page.getByText(told, { exact: true }).waitFor()
    }
    await visit(page, { path: '/app/people?tab=keys' }, de)
    await page.fill('#field-name', 'x'.repeat(1_200))
    await page.locator('main form [type=submit]').click()
    const wrong = page.locator('.wrong', { hasText: 'Höchstens 120 Zeichen' })
    t.equal(await wrong.getAttribute('lang'), null)
    // What the service says is English, and read as such.
    await page.fill('#field-name', '')
    await visit(page, { path: `/app/pages/${pageId}?tab=domain` }, de)
    await page.fill('#field-hostname', 'no host name')
    await page.keyboard.press('Enter')
    await page.locator('#field-hostname-help .wrong[lang=en]').waitFor()
    await page.fill('#field-hostname', '')

    await visit(page, { path: '/app/profile' }, de)
    await page.getByRole('combobox', { name: de.shell.language }).selectOption('en')
    await page.getByRole('heading', { level: 1, name: en.profile.title }).waitFor()
    await page.locator('html[lang=en]').waitFor()
    // The title follows after the frame that shows the heading.
    await until(async () => (await page.title()).includes(`${en.profile.title} ·`))
    await visit(page, { path: `/app/monitors/${jobId}` }, en)
    t.match(await main(), /8\.32 s/)
    t.match(await main(), /[A-Z][a-z]+ \d+, 20\d\d, \d+:\d\d:\d\d [AP]M/)
    t.match(await main(), /in \d+ (sec|min)|\d+ (sec|min)\. ago/)
    t.equal(await page.getAttribute('html', 'lang'), 'en', 'also after it was loaded anew')
  })

  await t.test('a wrong second factor is told at its field', async (t) => {
    const { page } = await open(t, typist)
    const wrong = page.locator('[aria-invalid=true]:focus')
    await page.goto('/app/profile')
    await button(page, en.profile.factor.turnOn).focus()
    await page.keyboard.press('Enter')
    // The button is gone; the focus is where the code belongs.
    await page.locator('#field-code:focus').waitFor()
    await page.keyboard.type('123 456')
    await page.keyboard.press('Enter')
    await wrong.waitFor()
    t.equal(await page.innerText('#field-code-help .wrong'), en.shell.signIn.wrongCode)
    t.equal(await page.inputValue('#field-code'), '123 456')
    t.equal(await page.getByRole('dialog').count(), 0, 'nobody is asked to sign in again')
    const secret = fromBase32(await page.locator('.qr + .copyable code').innerText())
    const code = (steps: number) => hotp(secret, totpStep(Date.now()) + steps)
    await page.fill('#field-code', code(0))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: en.common.actions.close }).click()

    await page.goto('/app/monitors/new')
    await page.fill('#field-name', 'Half a thought')
    await page.fill('#field-url', `${daemon.url}/healthz`)
    await daemon.ask('POST', '/api/v1/auth/logout', { cookie: typist.cookie })
    await page.locator('main [type=submit]').click()
    const { signIn } = en.shell
    const passwordField = dialog.getByLabel(signIn.password)
    await passwordField.fill('not this one')
    await page.keyboard.press('Enter')
    await wrong.waitFor()
    t.equal(await wrong.inputValue(), 'not this one')
    await passwordField.fill(password)
    await page.keyboard.press('Enter')
    const codeField = dialog.getByLabel(signIn.code)
    await dialog.getByText(signIn.codeNeeded).waitFor()
    t.equal(await wrong.getAttribute('id'), await codeField.getAttribute('id'))
    await page.keyboard.type('000 000')
    await page.keyboard.press('Enter')
    await dialog.getByText(signIn.wrongCode).waitFor()
    t.equal(await wrong.inputValue(), '000 000')
    t.equal(await passwordField.inputValue(), password)
    // The code of enrolment was used up.
    await codeField.fill(code(1))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Half a thought' }).waitFor()
  })
})

/** RFC 4648, without the sign for what is missing at the end. */
function fromBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

const hourMs = 3_600_000

const soon = () => ({
  startsAt: new Date(Date.now() + hourMs).toISOString(),
  endsAt: new Date(Date.now() + 2 * hourMs).toISOString(),
})

interface Opened {
  readonly path: string
  readonly opener: (page: Page) => Locator
  /** Has the focus first, and a draft. */
  readonly field?: string
  /** The button that closes what Escape must not, because it is shown once. */
  readonly close?: string
}

const dialogs = (pageId: string, jobId: string): readonly Opened[] => {
  const { close, edit, remove } = en.common.actions
  const inMain = (name: string) => (page: Page) => button(page, name)
  return [
    { path: '/app', opener: (page) => page.getByRole('button', { name: /Ctrl K/ }) },
    { path: '/app', opener: inMain(en.wall.make), close },
    { path: '/app/incidents', opener: inMain(en.incidents.declare), field: 'title' },
    { path: '/app/maintenance', opener: inMain(en.maintenance.add), field: 'name' },
    { path: '/app/maintenance', opener: inMain(edit), field: 'name' },
    { path: '/app/maintenance', opener: inMain(remove) },
    { path: `/app/pages/${pageId}`, opener: inMain(remove) },
    {
      path: `/app/pages/${pageId}?tab=subscribers`,
      opener: inMain(en.statusPages.subscribers.add),
      field: 'emails',
    },
    { path: `/app/monitors/${jobId}`, opener: inMain(en.monitor.testAlert) },
    { path: `/app/monitors/${jobId}`, opener: inMain(en.monitor.runs.showOutput) },
    { path: `/app/monitors/${jobId}`, opener: inMain(remove) },
  ]
}

interface Wrong extends Place {
  readonly fields: Readonly<Record<string, string>>
  /** The field with the message; default: the first. */
  readonly at?: string
}

const long = 'x'.repeat(41)
const wrongInput: readonly Wrong[] = [
  { path: '/app/profile', fields: { email: 'no address' } },
  {
    path: '/app/profile',
    fields: { newPassword: 'short', currentPassword: 'not this one' },
  },
  { path: '/app/people?tab=invites', fields: { email: 'nobody' } },
  { path: '/app/people?tab=keys', fields: { name: '' } },
  {
    path: '/app/people?tab=organization',
    fields: { timezone: 'Mars/Olympus', name: 'Acme' },
  },
  { path: '/app/people?tab=organization', fields: { name: '' } },
  {
    path: '/app/pages/new',
    fields: { slug: 'Not A Slug', name: 'A page', timezone: 'Nowhere' },
  },
  {
    path: '/app/incidents',
    act: (page, words) => button(page, words.incidents.declare).click(),
    fields: { title: '', message: long },
  },
  {
    path: '/app/maintenance',
    act: (page, words) => button(page, words.maintenance.add).click(),
    fields: { name: '', endsAt: '2020-01-01T00:00' },
  },
  {
    path: '/app/maintenance',
    act: async (page, words) => {
      await button(page, words.maintenance.add).click()
      await page.getByLabel(words.maintenance.recurring).check()
    },
    fields: { cron: 'every day', name: 'Work', durationMinutes: '0' },
    at: 'durationMinutes',
  },
  {
    // What only the service can judge.
    path: '/app/maintenance',
    act: async (page, words) => {
      await button(page, words.maintenance.add).click()
      await page.getByLabel(words.maintenance.recurring).check()
      await page.getByLabel(words.maintenance.scope.kinds.tags, { exact: true }).check()
    },
    fields: { cron: 'every day', name: 'Work', tags: 'shop' },
  },
  {
    path: '/app/monitors/new',
    fields: { url: 'https://', name: 'Shop', intervalSeconds: '1' },
    at: 'intervalSeconds',
  },
]

const wrongInputOf = (pageId: string, incidentId: string): readonly Wrong[] => [
  {
    path: '/app/profile',
    fields: { currentPassword: 'not this one', newPassword: password },
  },
  {
    // What is longer than it may be is not cut off.
    path: `/app/incidents/${incidentId}`,
    act: (page, words) => button(page, words.common.actions.edit).click(),
    fields: { postmortem: 'What we learnt. '.repeat(1_100) },
  },
  { path: `/app/pages/${pageId}`, fields: { timezone: 'Mars/Olympus', name: 'A page' } },
  { path: `/app/pages/${pageId}?tab=domain`, fields: { hostname: 'no host name' } },
  { path: `/app/pages/${pageId}?tab=domain`, fields: { subdomain: 'No Label!' } },
  {
    path: `/app/pages/${pageId}?tab=subscribers`,
    act: (page, words) => button(page, words.statusPages.subscribers.add).click(),
    fields: { emails: 'grace@example.com, nobody' },
  },
]
