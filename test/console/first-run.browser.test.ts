// The first run as people do it, with mistakes: what was mistyped is not kept, and a reload loses
// nothing. And the address of a monitor, which is typed once.
import type { Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { password } from '../support/cast.ts'
import { follow } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import type { Daemon } from '../support/daemon.ts'
import { freePort } from '../support/free-port.ts'
import { startReceiver } from '../support/receiver.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

t.test('the first run', { skip }, async (t) => {
  const { daemon, browser, show } = await startConsole(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const owner = { cookie: '', org: '' }
  const listed = (what: string): Promise<readonly Record<string, string>[]> =>
    daemon.need('GET', `${owner.org}/${what}`, { cookie: owner.cookie })

  await t.test('four mistakes end with one monitor, one channel and a page', async (t) => {
    const { page, complaints } = await browser.open(t, { locale: 'en-GB' })
    await makeAccount(page, daemon)
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'auth-token')
    owner.cookie = cookie?.value ?? ''
    daemon.secrets.add(owner.cookie)
    const { organizations } = await daemon.need('GET', '/auth/session', { cookie: owner.cookie })
    owner.org = `/orgs/${organizations[0].id}`
    const monitors = () => listed('monitors')

    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('#field-address[aria-invalid=true]').waitFor()

    // The first mistake, a mistyped address: it does not answer, and nothing is stored.
    const deadPort = await freePort()
    await tryAddress(page, `https://127.0.0.1:${deadPort}`)
    await page.locator('#step', { hasText: 'Down' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Use http:// instead' }).count(), 0)
    t.same(await monitors(), [])

    // The second, the wrong scheme.
    await tryAddress(page, target.url.replace('http:', 'https:'))
    await page.getByRole('button', { name: 'Use http:// instead' }).click()
    t.equal(await page.inputValue('#field-address'), target.url)
    await page.locator('#step', { hasText: 'Up' }).waitFor()
    t.same(await monitors(), [])
    await page.getByRole('button', { name: 'Next' }).click()

    // The third, a dead webhook: its test fails, and it stays there to be corrected.
    await page.getByLabel('Way').selectOption('webhook')
    await page.locator('#field-config-url').fill(`http://127.0.0.1:${deadPort}/hook`)
    await page.getByRole('button', { name: 'Add the channel' }).click()
    const secret = page.getByRole('dialog')
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test did not arrive.').waitFor()

    // The fourth, a reload in the middle.
    await page.reload()
    await page.locator('#field-config-url').waitFor()
    t.equal(await page.inputValue('#field-config-url'), `http://127.0.0.1:${deadPort}/hook`)
    await page.locator('#field-config-url').fill(receiver.url)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/The test arrived/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Works', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()

    // Others see a name without an address; one with an address is warned of, and not refused.
    const publicName = page.getByLabel('Public name of 127.0.0.1')
    t.equal(await publicName.inputValue(), 'Website')
    await publicName.fill('Shop at 127.0.0.1')
    await page.getByText('Readers would see the address 127.0.0.1').waitFor()
    await publicName.fill('Shop')
    await page.getByText('Readers would see').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make the page' }).click()
    const link = page.getByRole('link', { name: 'To the status page' })
    const pageUrl = (await link.getAttribute('href')) ?? ''
    await page.reload()
    t.equal(await link.getAttribute('href'), pageUrl)

    // An outage: the one channel gets an alert, and no document of the page has an address.
    target.script = answer({ status: 503 })
    await page.getByRole('link', { name: 'To the overview' }).click()
    await page.locator('.monitor-row.is-up').click()
    for (let checks = 0; checks < 3; checks += 1) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Check now' }).click()
      await answered
    }
    const [, alert] = await receiver.received(2)
    t.match(alert?.body, /incident\.opened/)
    await page.getByRole('link', { name: 'Open incident' }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.locator('main', { hasText: '503' }).waitFor()
    t.same(
      complaints.filter((line) => !/status of (401|422)/.test(line)),
      [],
    )
    target.script = answer()
    const [monitor, ...others] = await monitors()
    t.same(others, [])
    t.match(monitor, { url: target.url, name: '127.0.0.1', publicName: 'Shop' })
    const channels = await listed('alert-channels')
    t.match(channels, [{ config: { url: receiver.url }, isDefault: true }])
    t.equal(channels.length, 1)
    const documents = ['', '/api/v2/summary.json', '/feed.atom', '/widget', '/history']
    for (const document of documents) {
      const answered = await page.request.get(`${pageUrl}${document}`)
      // Where the page itself is, is no secret.
      const own = [daemon.url, 'tag:127.0.0.1,']
      const text = own.reduce((rest, one) => rest.replaceAll(one, ''), await answered.text())
      t.equal(answered.status(), 200)
      t.notMatch(text, /127\.0\.0\.1/, document)
      if (document !== '/widget') t.match(text, 'Shop', document)
    }
  })

  await t.test('a reload goes on, and going back corrects the monitor that is there', async (t) => {
    const { page } = await show('/app/setup', owner)
    const [shop] = await listed('monitors')
    const added = async () => (await listed('monitors')).filter(({ id }) => id !== shop?.id)
    const next = async () => {
      await page.getByRole('button', { name: 'Next' }).click()
      await page.locator('.steps [aria-current=step]', { hasText: 'Alerts' }).waitFor()
    }
    const back = () => page.getByRole('button', { name: 'Monitor', exact: true }).click()
    await tryAddress(page, `${target.url}/one`)
    await page.reload()
    await page.locator('#field-address').waitFor()
    t.equal(await page.inputValue('#field-address'), `${target.url}/one`)
    await tryAddress(page, `${target.url}/one`)
    await next()
    const [first] = await added()
    await page.reload()
    await page.locator('.steps [aria-current=step]', { hasText: 'Alerts' }).waitFor()
    await back()
    await tryAddress(page, `${target.url}/two`)
    await next()
    t.match(await added(), [{ id: first?.id, url: `${target.url}/two`, name: '127.0.0.1' }])
    // Another kind of check takes its place.
    await back()
    await tryAddress(page, target.url.replace('http:', 'tcp:'))
    await next()
    const last = await added()
    t.equal(last.length, 1)
    t.match(last, [{ checkType: 'tcp' }])
    await daemon.need('DELETE', `${owner.org}/monitors/${last[0]?.id}`, { cookie: owner.cookie })
  })

  await t.test('a page asks for a name in place of an address', async (t) => {
    const [shop] = await daemon.need('GET', `${owner.org}/monitors`, { cookie: owner.cookie })
    const json = { publicName: null }
    await daemon.need('PATCH', `${owner.org}/monitors/${shop.id}`, { cookie: owner.cookie, json })
    const { page } = await show('/app/pages/new', owner)
    await page.getByText('Readers would see the address 127.0.0.1').waitFor()
    const publicName = page.getByLabel('Public name of 127.0.0.1')
    await publicName.fill('Our shop')
    await publicName.press('Enter')
    await page.getByText('Readers now see Our shop.').waitFor()
    await page.getByText('Readers would see').waitFor({ state: 'detached' })
    await page
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Our shop', exact: true })
      .waitFor()
    await follow(page, `/app/monitors/${shop.id}/edit`)
    await page.getByText('Tags, description, status pages').click()
    t.equal(await page.inputValue('#field-publicName'), 'Our shop')
    await page.fill('#field-publicName', '')
    await page.getByText('Readers would see the address 127.0.0.1').waitFor()
  })

  await t.test('the first steps stay until they are done, or hidden', async (t) => {
    const { page, complaints } = await show('/app', owner)
    const { first } = en.setup
    const steps = page.locator('.first-steps')
    await steps.getByRole('heading', { name: first.title }).waitFor()
    t.same(await steps.locator('s').allInnerTexts(), [first.monitor, first.channel, first.page])
    await steps.getByRole('link', { name: first.person }).click()
    await page.locator('.tabs [aria-current]', { hasText: en.people.invites }).waitFor()
    await daemon.need('POST', '/system/backups', { cookie: owner.cookie })
    await page.goBack()
    await steps.locator('s', { hasText: first.backup }).waitFor()
    t.same(await steps.getByRole('link').allInnerTexts(), [first.person])
    await steps.getByRole('button', { name: first.hide }).click()
    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.monitor-row').first().waitFor()
    t.equal(await steps.count(), 0)
    t.same(complaints, [])
  })

  await t.test('an address is typed once, and the kind of check follows from it', async (t) => {
    const { page } = await show('/app/monitors/new', owner)
    const address = page.locator('#field-url:focus')
    await address.waitFor()
    t.equal(await page.locator('form input.code').first().getAttribute('id'), 'field-url')
    const kind = page.locator('[name=checkType]:checked')
    const choose = (value: string) => page.locator(`[name=checkType][value=${value}]`).check()
    const leave = () => page.locator('#field-name').focus()
    for (const [typed, url, checkType, name] of [
      ['postgres://ann:pass@127.0.0.1/shop', 'postgres://127.0.0.1/shop', 'postgres', '127.0.0.1'],
      ['ping 127.0.0.1', 'ping://127.0.0.1', 'ping', '127.0.0.1'],
      ['example.com/shop', 'https://example.com/shop', 'endpoint', 'example.com'],
    ] as const) {
      await page.fill('#field-url', typed)
      t.equal(await page.inputValue('#field-url'), typed, 'it stays while it is typed')
      await leave()
      t.equal(await page.inputValue('#field-url'), url)
      t.equal(await kind.inputValue(), checkType)
      t.equal(await page.inputValue('#field-name'), name)
    }
    // A kind that is chosen rewrites the address; one that takes the address stays.
    await choose('ping')
    t.equal(await page.inputValue('#field-url'), 'ping://example.com')
    await choose('keyword')
    await page.fill('#field-url', 'example.com/shop')
    await leave()
    t.equal(await page.inputValue('#field-url'), 'https://example.com/shop')
    t.equal(await kind.inputValue(), 'keyword')
    await page.getByRole('searchbox', { name: en.editor.searchKinds }).fill('timescale')
    await until(async () => (await page.locator('.kind').count()) === 1)
    await page.keyboard.press('Enter')
    t.equal(await kind.inputValue(), 'postgres', 'a kind is found by what it is for')
    await page.fill('#field-url', `ping ${new URL(daemon.url).hostname}`)
    await page.getByRole('button', { name: 'Add the monitor' }).click()
    await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor()
    const all = await daemon.need('GET', `${owner.org}/monitors`, { cookie: owner.cookie })
    t.match(all[0], { url: 'ping://127.0.0.1', checkType: 'ping' })
  })
})

async function makeAccount(page: Page, daemon: Daemon): Promise<void> {
  await page.goto(`/app/setup#${daemon.setupToken}`)
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Name of your organization').fill('Acme')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.locator('#field-address').waitFor()
}

/** Tries it, and waits for what comes back. */
async function tryAddress(page: Page, address: string): Promise<void> {
  await page.fill('#field-address', address)
  const answered = page.waitForResponse((response) => response.url().endsWith('/monitors/test'))
  await page.getByRole('button', { name: 'Try it' }).click()
  await answered
  await page.locator('.tried').waitFor()
}
