// The bar beside the page and the palette: what is wrong shows from every page, and everything is found.
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { until } from '../support/until.ts'

t.test('the side bar and the palette', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const job = (name: string, tags: readonly string[]) =>
    need('POST', '/monitors', { name, checkType: 'push', intervalMinutes: 5, tags })
  const { id: backupId, pushUrl } = await job('Backup', ['nightly'])
  await job('Invoices', ['billing'])
  await fetch(pushUrl, { method: 'POST' })
  await need('POST', '/alert-channels', {
    ...{ name: 'On-call hook', type: 'webhook', config: { url: daemon.url } },
  })

  await t.test('a tag has the worst state of its monitors, and so has the tab', async (t) => {
    const { page } = await show('/app/channels', ann)
    const groups = page.getByRole('navigation', { name: en.shell.groups.tags })
    const tag = groups.getByRole('link', { name: 'nightly' })
    await tag.getByText(en.common.states.up).waitFor({ state: 'attached' })
    const icon = () => page.locator('link[rel=icon]').getAttribute('href')
    const calm = await icon()
    await fetch(`${pushUrl}/1`, { method: 'POST', body: 'no space left' })
    await tag.getByText(en.common.states.down).waitFor({ state: 'attached' })
    await page.locator('.brand-mark.is-down').waitFor()
    t.not(await icon(), calm, 'the icon of the tab is another one')
    await tag.click()
    await page.waitForURL(/\/app\?tag=nightly/)
  })

  await t.test('a pinned monitor stays in the bar until it is taken off', async () => {
    const { page } = await show(`/app/monitors/${backupId}`, ann)
    const choose = async (text: string) => {
      await page.getByRole('button', { name: en.common.actions.menu }).click()
      await page.getByRole('menuitem', { name: text }).click()
    }
    await choose(en.monitor.pin)
    await page.reload()
    const pins = page.getByRole('navigation', { name: en.shell.groups.pinned })
    await pins.getByRole('link', { name: 'Backup' }).waitFor()
    // Another browser of the person knows nothing but what the service tells it.
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await pins.getByRole('link', { name: 'Backup' }).waitFor()
    await choose(en.monitor.unpin)
    await pins.waitFor({ state: 'detached' })
  })

  await t.test('the palette finds channels and parts of pages by any of their words', async (t) => {
    const { page } = await show('/app', ann)
    const find = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(text)
    }
    await find('hook on-call')
    await page.getByRole('option', { name: 'On-call hook' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'On-call hook' }).waitFor()
    await find(en.people.audit)
    await page.getByRole('option', { name: en.people.audit }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/people\?tab=audit/)
    t.equal(await page.getByRole('dialog').count(), 0)
  })

  await t.test('the guide opens beside the console, at what belongs to the place', async (t) => {
    const { page } = await show('/app/channels', ann)
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: en.shell.guide }).click()
    const guide = await opened
    await guide.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
    t.match(guide.url(), /\/guide\/alerts$/)
    await guide.close()
  })

  await t.test('the palette finds sections of the guide by other words for them', async () => {
    const { page } = await show('/app', ann)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('rotate master')
    const option = page.getByRole('option', { name: 'Rotate it' })
    await option.getByText('The master key').waitFor()
    const opened = page.waitForEvent('popup')
    await option.click()
    const guide = await opened
    await guide.waitForURL(/\/guide\/master-key#rotate-it$/)
    await guide.close()
  })

  await t.test(
    'a single monitor is paused from the palette, and the note takes it back',
    async (t) => {
      const { page } = await show('/app/people', ann)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('invoi')
      await page.getByRole('option', { name: en.monitor.pause }).click()
      await page.getByText(en.monitor.paused).waitFor()
      const monitors = async () =>
        (await need('GET', '/monitors')) as { name: string; isActive: boolean }[]
      const isActive = async () =>
        (await monitors()).find(({ name }) => name === 'Invoices')?.isActive
      t.equal(await isActive(), false)
      await page.getByRole('button', { name: en.common.actions.undo }).click()
      await until(isActive)
    },
  )
})
