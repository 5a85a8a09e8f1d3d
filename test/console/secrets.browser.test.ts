// Secrets in the console: they are made, replaced and deleted, and their values are never shown.
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { button } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'

const key = '-----BEGIN KEY-----\nc2hlIHNlbGxz\n-----END KEY-----'

t.test('secrets of the console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const texts = en.secrets
  for (const value of [key, 'another value', 'a third value']) daemon.secrets.add(value)
  const stored = () => need('GET', '/secrets')

  await t.test(
    'a secret is made, with its hosts, and its value is gone from the page',
    async (t) => {
      const { page } = await show('/app/people?tab=secrets', ann)
      await page.getByText(texts.none).waitFor()
      await button(page, texts.add).click()
      const dialog = page.getByRole('dialog')
      await page.locator('#field-name:focus').fill('1 TOKEN')
      await page.locator('#field-value').fill(key)
      await page.locator('#field-hosts').fill('API.example.com, https://b.example')
      const add = dialog.getByRole('button', { name: texts.add })
      await add.click()
      await dialog.getByText('must be a letter or _').waitFor()
      await page.locator('#field-name').fill('SHOP_TOKEN')
      await add.click()
      await dialog.getByText('must be a host name such as').waitFor()
      await page.locator('#field-hosts').fill('API.example.com')
      await page.locator('#field-description').fill('Of the test customer')
      const shown = await page
        .locator('#field-value')
        .evaluate('getComputedStyle(document.getElementById("field-value")).webkitTextSecurity')
      t.equal(shown, 'disc', 'what is typed is not read over a shoulder')
      await add.click()
      await dialog.waitFor({ state: 'detached' })
      const row = page.locator('tr', { hasText: 'SHOP_TOKEN' })
      await row.getByText('api.example.com').waitFor()
      await row.getByText(texts.unused).waitFor()
      t.notMatch(await page.content(), /c2hlIHNlbGxz/)
      t.notMatch(await page.evaluate('JSON.stringify(sessionStorage)'), /c2hlIHNlbGxz/)
      t.match(await stored(), [{ name: 'SHOP_TOKEN', hosts: ['api.example.com'], value: '••••' }])
    },
  )

  await t.test('its value is replaced alone, and more hosts ask for it again', async () => {
    const { page } = await show('/app/people?tab=secrets', ann)
    const row = page.locator('tr', { hasText: 'SHOP_TOKEN' })
    await row.getByRole('button', { name: texts.replace }).click()
    const dialog = page.getByRole('dialog')
    await page.locator('#field-value:focus').fill('another value')
    await dialog.getByRole('button', { name: texts.replace }).click()
    await page.getByText(texts.replaced({ name: 'SHOP_TOKEN' })).waitFor()
    t.match(await stored(), [{ description: 'Of the test customer', revision: 2 }])

    await row.getByRole('button', { name: en.common.actions.menu }).click()
    await page.getByRole('menuitem', { name: en.common.actions.edit }).click()
    await page.locator('#field-hosts').fill('*.example.com')
    await page.locator('#field-description').fill('')
    const save = dialog.getByRole('button', { name: en.common.actions.save })
    await save.click()
    await dialog.getByText('must be given again').waitFor()
    await page.locator('#field-value').fill('a third value')
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    t.match(await stored(), [{ hosts: ['*.example.com'], description: null, revision: 3 }])
  })

  await t.test(
    'it is deleted after a question, and members who are no admins only see it',
    async () => {
      const { token } = await need('POST', '/invites', { email: 'bo@example.com', role: 'member' })
      const json = { password: 'a long enough passphrase' }
      const joined = await daemon.need('POST', `/invites/${token}/join`, { json })
      const { page: theirs } = await show('/app/people?tab=secrets', { cookie: joined.token })
      await theirs.locator('tr', { hasText: 'SHOP_TOKEN' }).waitFor()
      t.equal(await button(theirs, texts.add).count(), 0)
      t.equal(await button(theirs, texts.replace).count(), 0)

      const { page } = await show('/app/people?tab=secrets', ann)
      const row = page.locator('tr', { hasText: 'SHOP_TOKEN' })
      await row.getByRole('button', { name: en.common.actions.menu }).click()
      await page.getByRole('menuitem', { name: en.common.actions.remove }).click()
      const dialog = page.getByRole('dialog', { name: texts.deleteTitle({ name: 'SHOP_TOKEN' }) })
      await dialog.getByRole('button', { name: en.common.actions.remove }).click()
      await row.waitFor({ state: 'detached' })
      t.same(await stored(), [])
    },
  )
})
