// The settings of the service in the console: a mail server is set up and used without a restart.
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { button } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'

t.test('the settings of a service without a mail server', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const inbox = await startSmtpInbox(t)
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const texts = en.settings.mail

  await t.test('a letter is tried, the server is saved, and mail goes through it', async (t) => {
    const { page } = await show('/app/channels/new', ada)
    await page.locator('.gallery a', { hasText: 'E-mail' }).click()
    await page.getByRole('link', { name: en.common.openSettings }).click()
    const section = page.locator('section#mail')
    await section.getByLabel(texts.host).fill(`127.0.0.1:${inbox.port}`)
    await section.getByLabel(texts.encryption).selectOption({ label: texts.startTls })
    await section.getByLabel(en.settings.titles['mail.from']).fill('up@example.com')
    inbox.refuse = (stage) => (stage === 'rcpt' ? 550 : undefined)
    await button(page, texts.sendTest).click()
    const result = section.getByRole('status')
    await result.getByText(texts.notSent).waitFor()
    await result.getByText(/^550 /).waitFor()
    inbox.refuse = () => undefined
    await button(page, texts.sendTest).click()
    await result.getByText(ada.email).waitFor()
    t.match((await inbox.mailTo(ada.email)).subject, 'Test letter')

    await section.getByRole('button', { name: en.common.actions.save }).click()
    await page.getByText(en.settings.saved).waitFor()
    await page.goto(`${daemon.url}/app/channels/new?type=email`)
    await page.locator('#field-name').fill('Desk')
    await page.locator('#field-config-to').fill('desk@example.com')
    await button(page, en.channels.test).click()
    t.ok(await inbox.mailTo('desk@example.com'))
  })

  await t.test('a password is not shown again, and asked for where the server moves', async (t) => {
    const password = 'a-very-secret-word'
    daemon.secrets.add(password)
    const json = {
      mail: { smtpUrl: `smtps://up:${password}@mail.test:465`, from: 'up@example.com' },
    }
    await daemon.need('PATCH', '/system/settings', { cookie: ada.cookie, json })
    const { page } = await show('/app/system?tab=settings', ada)
    const section = page.locator('section#mail')
    await section.getByLabel(texts.host).fill('thief.test')
    t.equal(await section.getByLabel(texts.password).inputValue(), '••••')
    await section.getByRole('button', { name: en.common.actions.save }).click()
    await section.getByText(texts.passwordAgain).waitFor()
    await page.locator('#field-password[aria-invalid=true]:focus').waitFor()
  })

  await t.test('a provider is added, and the form of a sign-in offers it', async (t) => {
    const { page } = await show('/app/system?tab=settings', ada)
    const section = page.locator('section#providers')
    const { providers: words } = en.settings
    await button(page, words.add).click()
    await section.getByLabel(words.name).fill('company')
    await section.getByLabel(words.label).fill('Company account')
    await section.getByLabel(words.issuer).fill('login.example.com')
    await section.getByLabel(words.clientId).fill('stillup')
    await section.getByLabel(words.clientSecret).fill('another-secret-word')
    await section.getByRole('button', { name: en.common.actions.save }).click()
    await page.locator('#field-providers-0-issuer[aria-invalid=true]:focus').waitFor()
    await section.getByLabel(words.issuer).fill('https://login.example.com')
    await section.getByRole('button', { name: en.common.actions.save }).click()
    await page.getByText(en.settings.saved).waitFor()
    t.match((await daemon.ask('GET', '/api/v1/auth/oidc')).json.data, [
      { name: 'company', label: 'Company account' },
    ])
  })

  await t.test('addresses are checked before they are saved', async (t) => {
    const { page } = await show('/app/system?tab=settings', ada)
    const section = page.locator('section#address')
    const { check, leadsHere, leadsElsewhere } = en.settings.address
    await section.getByLabel(en.settings.titles['http.baseUrl']).fill(daemon.url)
    await button(page, check).click()
    await section.getByText(leadsHere({ host: '127.0.0.1' })).waitFor()
    await section.getByLabel(en.settings.titles['http.baseUrl']).fill('http://127.0.0.1:1')
    await button(page, check).click()
    await section.getByText(leadsElsewhere({ host: '127.0.0.1' })).waitFor()
    await section.getByLabel(en.settings.titles['http.baseUrl']).fill('up.example.com')
    await button(page, check).click()
    await section.locator('[aria-invalid=true]:focus').waitFor()
    const stored = await daemon.need('GET', '/system/settings', { cookie: ada.cookie })
    t.same(stored.waiting, [], 'nothing was stored')
  })

  await t.test('it reads well in German, on a phone, and with a screen reader', async (t) => {
    const { page } = await show('/app/system?tab=settings', ada, { locale: 'de-DE' })
    await page.getByText(de.settings.mail.sendTest).waitFor()
    const look = await looksOf(page)
    await look(t, 'the settings')
    await look(t, 'the settings on a phone')
  })
})

t.test('what the environment sets is shown and cannot be changed', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t, { env: { MAIL_FROM: 'up@file.test' } })
  const ada = await register(daemon, 'ada', daemon.setupToken)
  const { page } = await show('/app/system?tab=settings', ada)
  await page.getByText('Set in STILLUP_MAIL_FROM: change it there.').waitFor()
  const from = page.locator('section#mail').getByLabel(en.settings.titles['mail.from'])
  t.equal(await from.inputValue(), 'up@file.test')
  t.ok(await from.isDisabled())
})
