// Channels as a person sets them up: what is offered, what a test says, and what "Works" means.

import type { Page } from 'playwright-core'
import t from 'tap'
import { axeIn } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { button, overhang } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'

t.test('channels in the console of a service without a mail server', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  await register(daemon, 'operator', daemon.setupToken)

  /** Closes the note with the new signing secret. */
  async function closeSecret(page: Page) {
    const dialog = page.getByRole('dialog')
    daemon.secrets.delete(await dialog.locator('code').first().innerText())
    await dialog.getByRole('button', { name: en.common.actions.close }).click()
  }

  await t.test('mail without a mail server says what it needs, and takes one', async (t) => {
    const ann = await register(daemon, 'ann')
    const inbox = await startSmtpInbox(t)
    const { page } = await show('/app/channels/new', ann)
    const mail = page.locator('.gallery li', { hasText: 'E-mail' })
    await mail.getByText(/^Needs mail\.smtpUrl.*, or a mail server of its own\.$/).waitFor()
    const titles = await page.locator('.gallery li').allInnerTexts()
    t.match(titles.at(-1), /E-mail/, 'it is the last')
    const german = await show('/app/channels/new', ann, { locale: 'de-DE' })
    await german.page.getByText('Braucht mail.smtpUrl').waitFor()

    await mail.locator('a').click()
    await page.getByText(en.channels.orOwnServer).waitFor()
    await page.locator('#field-config-to').fill('ann@example.com')
    await page.locator('summary', { hasText: en.channels.more }).click()
    await page.locator('#field-config-server').fill('mail.example.com')
    await button(page, en.channels.test).click()
    await page.locator('#field-config-server[aria-invalid=true]:focus').waitFor()
    await page.locator('#field-config-server').fill(`smtp://127.0.0.1:${inbox.port}`)
    await page.locator('#field-config-from').fill('Alerts <alerts@example.com>')
    await button(page, en.channels.test).click()
    await page
      .locator('form [role=status]')
      .getByText(/The test arrived/)
      .waitFor()
    t.equal((await inbox.mailTo('ann@example.com')).from, 'Alerts <alerts@example.com>')
    await button(page, en.channels.create).click()
    await page.locator('.monitor-head .is-up', { hasText: en.channels.health.ok }).waitFor()
  })

  await t.test('a test sends what is in the form, and its result stays there', async (t) => {
    const bob = await register(daemon, 'bob')
    const need = needOf(daemon, bob)
    receiver.script({ status: 404, body: 'no such hook' })
    const { page } = await show('/app/channels/new?type=webhook', bob)
    await button(page, en.channels.test).click()
    await page.locator('#field-config-url[aria-invalid=true]:focus').waitFor()
    await page.locator('#field-config-url').fill(`${receiver.url}/wrong`)
    await button(page, en.channels.test).click()
    const result = page.locator('form [role=status]')
    await result.getByText(en.channels.testDidNotArrive).waitFor()
    await result.getByText('The receiver answered 404.').waitFor()
    await result.getByText(en.channels.correctIt).waitFor()
    t.equal((await need('GET', '/alert-channels')).length, 0, 'nothing was stored')
    await page.locator('#field-config-url').fill(receiver.url)
    await button(page, en.channels.test).click()
    await result.getByText(/The test arrived/).waitFor()
    t.same(
      (await receiver.received(2)).map(({ path }) => path),
      ['/hook/wrong', '/hook'],
    )
    await button(page, en.channels.create).click()
    await closeSecret(page)
    const head = page.locator('.monitor-head')
    await head.locator('.is-up', { hasText: en.channels.health.ok }).waitFor()
    await page.locator('tr', { hasText: 'Test' }).getByText('Delivered').waitFor()

    // Of a stored channel the form is tried as well, and what is stored stays.
    receiver.script({ status: 500 })
    await page.locator('#field-config-url').fill(`${receiver.url}/other`)
    await button(page, en.channels.test).click()
    await result.getByText(en.channels.testDidNotArrive).waitFor()
    t.match((await receiver.received(3))[2], { path: '/hook/other' })
    t.match(await need('GET', '/alert-channels'), [
      { config: { url: receiver.url }, health: { state: 'ok' } },
    ])
    await button(page, en.common.actions.save).click()
    await head.locator('.is-degraded', { hasText: en.channels.health.test_failed }).waitFor()
    await head.getByText('The receiver answered 500.').waitFor()
    // At the end of the page the foot of the form lies over no field.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const violations = await axeIn(page)
    t.same(await violations(), [])
    await page.setViewportSize({ width: 390, height: 844 })
    t.ok((await overhang(page)) <= 0)
  })

  await t.test('a channel that never sent is untested, one that fails says why', async (t) => {
    const cid = await register(daemon, 'cid')
    const need = needOf(daemon, cid)
    const hook = (name: string) => ({ name, type: 'webhook', config: { url: receiver.url } })
    await need('POST', '/alert-channels', hook('Never'))
    const wrong = await need('POST', '/alert-channels', hook('Wrong'))
    const right = await need('POST', '/alert-channels', hook('Right'))
    receiver.script({ status: 403 })
    await need('POST', `/alert-channels/${wrong.id}/test`)
    await need('POST', `/alert-channels/${right.id}/test`)
    const english = { locale: 'en-GB', texts: en.channels, why: 'The receiver answered 403.' }
    const german = { locale: 'de-DE', texts: de.channels, why: 'Der Empfänger antwortete mit 403.' }
    for (const { locale, texts, why } of [english, german]) {
      const { page } = await show('/app/channels', cid, { locale })
      const row = (name: string) => page.locator('.list-row', { hasText: name })
      await row('Never').locator('.is-pending', { hasText: texts.health.untested }).waitFor()
      await row('Wrong').locator('.is-degraded', { hasText: texts.health.test_failed }).waitFor()
      await row('Wrong').getByText(why).waitFor()
      await row('Right').locator('.is-up', { hasText: texts.health.ok }).waitFor()
      t.equal(await page.locator('.list-row .is-up').count(), 1)
    }
    t.match(
      (await need('GET', '/alert-channels')).map((one: { isDefault: boolean }) => one.isDefault),
      [true, false, true],
      'the one that works became a default channel beside the untested one',
    )
  })

  await t.test(
    'a channel that cannot send says so, and that no default channel is on',
    async (t) => {
      const eve = await register(daemon, 'eve')
      const need = needOf(daemon, eve)
      const mail = { name: 'Mail', type: 'email', config: { to: ['eve@example.com'] } }
      await need('POST', '/alert-channels', mail)
      const { page } = await show('/app/channels', eve)
      await page.getByText(en.channels.noDefault).waitFor()
      const row = page.locator('.list-row', { hasText: 'Mail' })
      await row.getByText('Without mail.smtpUrl').waitFor()
      const config = { url: receiver.url }
      await need('POST', '/alert-channels', { name: 'Hook', type: 'webhook', config })
      await page.reload()
      await page.locator('.list-row', { hasText: 'Hook' }).getByText('default').waitFor()
      t.equal(await page.getByText(en.channels.noDefault).count(), 0)
    },
  )

  await t.test('the first run ends with one channel that works, whatever comes', async (t) => {
    const dan = await register(daemon, 'dan')
    const need = needOf(daemon, dan)
    const { page } = await show('/app/setup', dan)
    await button(page, en.setup.skip).click()
    const way = page.getByLabel(en.setup.channel.type)
    t.equal(await way.inputValue(), 'ntfy', 'it needs no account')
    t.match(await page.inputValue('#field-config-topic'), /^stillup-[a-z0-9]{10}$/)
    t.ok(await way.locator('option', { hasText: 'E-mail' }).isDisabled())
    await way.selectOption('webhook')
    receiver.script({ status: 404 })
    await page.locator('#field-config-url').fill(`${receiver.url}/dead`)
    await button(page, en.channels.create).click()
    await closeSecret(page)
    await page.getByText(en.channels.health.untested).waitFor()
    await button(page, en.channels.test).click()
    await page.getByText(en.channels.testDidNotArrive).waitFor()
    await page.getByText(en.channels.health.test_failed).waitFor()
    // After a reload the same channel is there to be corrected.
    await page.reload()
    t.equal(await page.inputValue('#field-config-url'), `${receiver.url}/dead`)
    await page.locator('#field-config-url').fill(receiver.url)
    await button(page, en.channels.test).click()
    await page.getByText(/The test arrived/).waitFor()
    await button(page, en.common.actions.save).click()
    await page.getByText(en.channels.health.ok, { exact: true }).waitFor()
    t.match(await need('GET', '/alert-channels'), [
      { isDefault: true, config: { url: receiver.url }, health: { state: 'ok' } },
    ])
    await button(page, en.setup.next).click()
    await page.getByLabel(en.setup.page.name).waitFor()
  })
})
