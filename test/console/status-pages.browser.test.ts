// Status pages in the console: made with two sections, put in order by keyboard, and read.
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { registerWithKey } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'

t.test('status pages in the console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await registerWithKey(daemon, 'shop')
  const { org, key } = owner
  for (const name of ['Front page', 'Mail delivery']) {
    const json = { name, checkType: 'push', isPublic: true, intervalMinutes: 5 }
    await daemon.need('POST', `${org}/monitors`, { key, json })
  }
  const { page } = await show('/app/pages/new', owner)
  await page.getByLabel(/^Name ·/).fill('Acme')
  for (const [at, section, monitor] of [
    [0, 'Shop', 'Front page'],
    [1, 'Office', 'Mail delivery'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a section' }).click()
    await page.getByLabel('Name of the section').nth(at).fill(section)
    await page.getByLabel(`Add a monitor: ${section}`).selectOption({ label: monitor })
  }
  const up = page.getByRole('button', { name: 'Move Office up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Office: 1 of 2').waitFor({ state: 'attached' })
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { name: 'Office' }).waitFor()
  await page.getByRole('button', { name: 'Create the page' }).click()
  await page.waitForURL(/\/app\/pages\/pag_/)
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
  const look = await looksOf(page, { widthMin: 390 })
  await look(t, 'a page that was made')

  await page.goto('/status/acme')
  const text = await page.innerText('main')
  t.ok(text.indexOf('Office') < text.indexOf('Shop'), 'readers see the order')
  t.ok(text.includes('Office'))
})
