// Status pages in the console: made with two sections, put in order by keyboard, and read.
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { registerWithKey } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'
import { pictureSample } from '../support/picture-files.ts'
import { until } from '../support/until.ts'

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

  await page.getByText('Look and language').click()
  const buffer = pictureSample('jpeg')
  const logo = page.getByLabel('Choose a file: Logo')
  await logo.setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByText('Logo: stored.').waitFor()
  await preview.locator('img.logo').waitFor()
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"/>')
  const icon = page.getByLabel('Choose a file: Icon of the tab')
  await icon.setInputFiles({ name: 'i.svg', mimeType: 'image/svg+xml', buffer: drawing })
  await page.getByText('Icon of the tab: stored.').waitFor()
  const noPicture = { name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  await page.getByLabel('Choose a file: Cover').setInputFiles(noPicture)
  await page.getByText('no.png is no picture that this browser can read.').waitFor()
  await page.getByRole('radio', { name: 'Paper' }).check()
  await page.getByLabel('Style sheet').fill('h1 { color: rgb(1, 2, 3) }')
  await preview.locator('link[href*="/assets/paper."]').waitFor({ state: 'attached' })
  const colorOf = () =>
    page.frames().at(-1)?.evaluate("getComputedStyle(document.querySelector('h1')).color")
  t.ok(await until(async () => (await colorOf()) === 'rgb(1, 2, 3)'), 'before it is stored')
  const frame = page.locator('iframe')
  await page.getByRole('button', { name: 'Phone' }).click()
  t.equal(await frame.evaluate((element) => element.offsetWidth), 390)
  await page.getByRole('button', { name: 'Desktop' }).click()
  t.equal(await frame.evaluate((element) => element.offsetWidth), 1_280)
  await preview.locator('html:not(.dark)').waitFor()
  await page.locator('.preview-head').getByRole('button', { name: 'Dark' }).click()
  await preview.locator('html.dark').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Readers see it now.').waitFor()
  await look(t, 'a page with pictures and a look')
  const [stored] = await daemon.need('GET', `${org}/status-pages`, { key })
  t.match(stored, { look: 'paper', theme: { mode: 'auto' }, pictures: { cover: null } })
  t.match(stored.pictures, { logo: { format: 'jpeg' }, favicon: { format: 'png' } })
  const { widthPx, heightPx } = stored.pictures.favicon
  t.equal(widthPx, heightPx, 'an icon is a square')

  await page.goto('/status/acme')
  t.ok(await page.evaluate("document.querySelector('img.logo').naturalWidth > 0"))
  const text = await page.innerText('main')
  t.ok(text.indexOf('Office') < text.indexOf('Shop'), 'readers see the order')
  t.ok(text.includes('Office'))
})
