// What the console keeps from others: texts that are no markup, links that end, what a role may not do,
// and what was typed.

import type { FrameLocator, Page } from 'playwright-core'
import t from 'tap'
import { axeIn } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { mintKey, needOf, password, register } from '../support/cast.ts'
import { button, follow, load } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { person } from '../support/kyc-person.ts'
import { until } from '../support/until.ts'

const markup = '<img src=x onerror="hacked=1"><script>hacked=1</script>"\'>'
const link = '[here](javascript:hacked=1)'

/** How many pixels of the document of a frame are below its edge. */
const hiddenInFrame = 'frames[0].document.documentElement.scrollHeight - frames[0].innerHeight'
const frameColour = 'getComputedStyle(frames[0].document.documentElement).backgroundColor'
const cardColour =
  "getComputedStyle(document.querySelector('iframe').closest('.card')).backgroundColor"

t.test('the console among strangers', { skip }, async (t) => {
  const { daemon, browser, open, show, signIn } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const bob = await register(daemon, 'bob')
  const key = await mintKey(daemon, ann)
  const need = needOf(daemon, { ...ann, key })
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
    const { page, complaints } = await show('/app', ann)
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
    const { page, complaints } = await open(t, ann)
    await load(page, path)
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
      await load(page, path)
      await stored.locator('em').waitFor()
      await until(async () => (await page.evaluate(hiddenInFrame)) === 0)
      t.equal(await page.evaluate(frameColour), await page.evaluate(cardColour), theme)
    }
    const json = { email: 'reader@example.com', role: 'viewer' }
    const { cookie, org, orgId } = ann
    const { token } = await daemon.need('POST', `${org}/invites`, { cookie, json })
    const joined = await daemon.need('POST', `/invites/${token}/join`, { json: { password } })
    const reader = await open(t, { cookie: joined.token })
    await reader.page.addInitScript(`localStorage.setItem('stillup.organization', '${orgId}')`)
    await load(reader.page, path)
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
    const { page } = await open(t, ann)
    const summary = '**/api/v1/orgs/*/summary'
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
    const { page } = await open(t, ann)
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
    const { page } = await open(t, ann)
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
    const { page } = await open(t, { cookie: eve.token })
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    for (const path of ['/channels/new', '/monitors/new', '/pages/new', '/setup', '/system']) {
      await follow(page, `/app${path}`)
      await page.getByRole('heading', { level: 1, name: /does not allow/ }).waitFor()
      t.equal(await page.locator('main button').count(), 0, path)
    }
    t.same(refused, [])
    // A member may add a monitor, but neither a channel nor a status page.
    const mail = { email: 'mia@example.com', role: 'member' }
    const second = await daemon.need('POST', `${org}/invites`, { cookie, json: mail })
    const mia = await daemon.need('POST', `/invites/${second.token}/join`, { json: { password } })
    const member = await open(t, { cookie: mia.token })
    await member.page.goto('/app/setup')
    await member.page.getByLabel(en.setup.monitor.address).waitFor()
    t.equal(await member.page.locator('.steps li').count(), 2)
    await member.page.getByRole('button', { name: en.setup.skip }).click()
    await member.page.getByRole('heading', { name: en.setup.doneTitle }).waitFor()
    await follow(member.page, '/app/channels')
    t.equal(await member.page.getByRole('link', { name: en.channels.add }).count(), 0)
    await follow(member.page, '/app/channels/new')
    await member.page.getByRole('heading', { level: 1, name: /does not allow/ }).waitFor()
  })

  await t.test('an identity is decided by somebody who saw it', async (t) => {
    const headers = { 'auth-token': bob.cookie }
    await daemon.need('POST', '/identity/kyc/verify', { headers, json: person })
    const { page } = await show('/app/system?tab=kyc', ann)
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
    const { page } = await show('/app', bob)
    await page.locator('.empty').waitFor()
    const { cookie } = ann
    const path = `/system${bob.org}`
    await daemon.need('PATCH', path, { cookie, json: { isDisabled: true } })
    await follow(page, '/app/channels')
    await page.getByRole('alert').getByText('switched off by the operator').waitFor()
    await daemon.need('PATCH', path, { cookie, json: { isDisabled: false } })
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('Nobody is told yet').waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
  })

  await t.test('an empty list asks for its first entry in one place', async (t) => {
    const { page } = await show('/app', bob)
    for (const [path, name] of [
      ['/app', en.overview.add],
      ['/app/maintenance', en.maintenance.add],
      ['/app/channels', en.channels.add],
      ['/app/pages', en.statusPages.add],
    ] as const) {
      await follow(page, path)
      const empty = page.locator('.empty', { hasText: name })
      await empty.waitFor()
      t.equal(await page.locator('main').getByText(name, { exact: true }).count(), 1, path)
    }
  })

  await t.test('drafts hold no secrets', async (t) => {
    const { page } = await show('/app/channels/new?type=telegram', ann)
    await page.fill('#field-name', 'The chat')
    await page.fill('#field-config-botToken', '123456:a-secret-token')
    await page.fill('#field-config-chatId', '-1001')
    t.match(await drafts(page), '-1001')
    t.notMatch(await drafts(page), 'a-secret-token')
    await leaveForm(page)
    await follow(page, '/app/channels/new?type=telegram')
    t.equal(await page.inputValue('#field-config-chatId'), '-1001')
    t.equal(await page.inputValue('#field-config-botToken'), '')
  })

  await t.test('what one person typed, the next one at the computer does not find', async (t) => {
    const { page } = await open(t, ann)
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
    const { page } = await open(t, { cookie: own.token })
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
})
