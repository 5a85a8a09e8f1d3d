// A page in a browser, in the console: its actions typed, tried with a picture, saved, and its failure seen.
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { button } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { browserPath } from '../support/programs.ts'
import { startShop } from '../support/shop.ts'

const texts = en.editor.browser

t.test('a page in a browser', { skip }, async (t) => {
  const env = { AUTH_REGISTRATION: 'first-user', CHECKS_BROWSERS: browserPath() ?? '' }
  const { daemon, show } = await startConsole(t, { env })
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const shop = await startShop(t, {
    '/': `<title>Sign in</title><form action="/in"><label>Name <input name="who"></label>
      <button>Sign in</button></form>`,
    '/in': '<title>In</title><h1>Welcome</h1>',
  })

  await t.test('its actions are typed, tried, and become a monitor', async (t) => {
    const { page, complaints } = await show('/app/monitors/new', ann)
    await page.getByRole('radio', { name: en.editor.kinds.browser }).check()
    await page.fill('#field-url', `${shop.url}/`)
    await page.fill('#field-name', 'Shop')
    await page.fill('#field-timeoutMs', '30000')
    const rows = page.locator('#field-actions .row')
    for (let at = 0; at < 3; at += 1) await button(page, texts.add).click()
    await rows.nth(0).getByLabel(`${texts.action} 1`).selectOption('fill')
    await rows.nth(0).getByLabel(texts.selector).fill('label=Name')
    await rows.nth(0).getByLabel(texts.value).fill('{{who}}')
    await rows.nth(1).getByLabel(`${texts.action} 2`).selectOption('expect')
    await rows.nth(1).getByLabel(texts.value).fill('Welcome')
    await rows.nth(2).getByLabel(texts.selector).fill('text=Sign in')
    t.equal(await rows.nth(2).getByLabel(texts.value).count(), 0, 'a click has no value')
    await rows.nth(2).getByRole('button', { name: texts.earlier }).click()
    await button(page, en.editor.steps.addVariable).click()
    await page.getByLabel(en.editor.steps.variableName).fill('who')
    await page.getByLabel(en.editor.steps.variableValue).fill('ada')
    await button(page, en.editor.tryNow).click()
    const picture = page.getByAltText(en.monitor.picture)
    await picture.waitFor()
    t.ok(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 100))
    const look = await looksOf(page, { widthMin: 390 })
    await look(t, 'the actions')
    await page.setViewportSize({ width: 1_280, height: 720 })
    await button(page, en.editor.create).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    const [monitor] = await need('GET', '/monitors')
    t.match(monitor.actions, [
      { action: 'fill', selector: 'label=Name', value: '{{who}}' },
      { action: 'click', selector: 'text=Sign in', value: null },
      { action: 'expect', selector: null, value: 'Welcome' },
    ])
    t.same(complaints, [])
  })

  await t.test('a script of Playwright becomes actions, which are tried', async (t) => {
    const { page, complaints } = await show('/app/monitors/new', ann)
    await page.getByRole('radio', { name: en.editor.kinds.browser }).check()
    await page.getByText(texts.import.open).click()
    const script = `import { test, expect } from '@playwright/test'
      test('signs in', async ({ page }) => {
        await page.goto('${shop.url}/')
        await page.getByLabel('Name').fill(process.env.WHO)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await expect(page.getByRole('heading')).toHaveText('Welcome')
        await page.evaluate(() => document.title)
      })`
    await page.getByLabel(en.editor.steps.import.text, { exact: true }).fill(script)
    await button(page, texts.import.make).click()
    await page.getByText(texts.import.made({ count: 3 })).waitFor()
    await page.getByText(/^Line 7 is left out: await page\.evaluate/i).waitFor()
    t.equal(await page.inputValue('#field-name'), 'signs in')
    t.equal(await page.locator('#field-actions .row').count(), 3)
    await page.fill('#field-timeoutMs', '30000')
    await page.getByLabel(en.editor.steps.variableValue).fill('ada')
    await button(page, en.editor.tryNow).click()
    await page.getByAltText(en.monitor.picture).waitFor()
    await page
      .getByText(/expect “Welcome” in/)
      .first()
      .waitFor({ state: 'attached' })
    await page
      .getByLabel(en.editor.steps.import.text, { exact: true })
      .fill('no script of anything')
    await button(page, texts.import.make).click()
    await page.getByText(/is no JavaScript or TypeScript: line 1/).waitFor()
    t.match(complaints, [/422/])
  })

  await t.test('a wrong action is told at its row, and a failure has a picture', async (t) => {
    const [{ id }] = await need('GET', '/monitors')
    const { page, complaints } = await show(`/app/monitors/${id}/edit`, ann)
    const last = page.locator('#field-actions .row').nth(2)
    await last.getByLabel(texts.selector).fill('role=')
    await button(page, en.common.actions.save).click()
    await last.getByText(/must name a role/).waitFor()
    await last.getByLabel(texts.selector).fill('')
    await last.getByLabel(texts.value).fill('Goodbye')
    await page.fill('#field-timeoutMs', '8000')
    await button(page, en.common.actions.save).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await button(page, en.monitor.run).click()
    await page.getByAltText(en.monitor.picture).waitFor()
    await page
      .getByText(/action 3, expect “Goodbye”: the text did not appear within/)
      .first()
      .waitFor()
    // The browser notes the one that was refused.
    t.match(complaints, [/422/])
  })
})
