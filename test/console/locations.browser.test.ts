// Locations in the console: they are made, a probe is set up, and what it says is seen.

import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { button } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { until } from '../support/until.ts'

t.test('locations of the console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const texts = en.locations
  const { setup } = texts

  await t.test('a location is made where there is none yet', async (t) => {
    const { page } = await show('/app/locations', ann)
    await page.getByRole('heading', { name: texts.empty.title }).waitFor()
    await button(page, texts.add).click()
    const dialog = page.getByRole('dialog')
    await page.locator('#field-name:focus').fill('Frankfurt')
    await dialog.getByRole('button', { name: texts.add }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Frankfurt' }).waitFor()
    await page.getByText(texts.noProbes).waitFor()
    t.match(await need('GET', '/locations'), [{ name: 'Frankfurt', state: 'empty' }])

    await button(page, texts.add).click()
    await page.locator('#field-name:focus').fill('frankfurt')
    await dialog.getByRole('button', { name: texts.add }).click()
    await dialog.getByText('is the name of another location').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await t.test('a probe is set up with one command, and its token is shown once', async (t) => {
    const { page } = await show('/app/locations', ann)
    await button(page, texts.addProbe).click()
    const dialog = page.getByRole('dialog')
    await page.locator('#field-name:focus').fill('fra-1')
    await dialog.getByRole('button', { name: texts.addProbe }).click()
    await dialog.getByText(setup.waiting).waitFor()
    const [token = '', command = ''] = await dialog.locator('code').allInnerTexts()
    daemon.secrets.add(token)
    t.match(token, /^stp_/)
    t.ok(command.startsWith('docker run -d '))
    t.ok(command.includes(`STILLUP_PROBE_TOKEN=${token} `))
    t.ok(command.endsWith(`stillup probe --server ${daemon.url}`))
    await dialog.getByText(setup.loopback).waitFor()
    await dialog.getByRole('button', { name: setup.systemd }).click()
    const pasted = await dialog.locator('code').last().innerText()
    t.ok(pasted.includes(`\n${token}\n`) && pasted.includes(`--server ${daemon.url}\n`))

    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: en.common.actions.close }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.locator('tr', { hasText: 'fra-1' })
    await row.getByText(texts.notHeard).waitFor()
  })

  await t.test('a probe gets another name and another token, and is deleted', async (t) => {
    const [{ id: locationId }] = await need('GET', '/locations')
    const probes = () => need('GET', `/locations/${locationId}/probes`)
    const { page } = await show('/app/locations', ann)
    const menu = async (name: string, item: string) => {
      await page.locator('tr', { hasText: name }).getByRole('button').click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const dialog = page.getByRole('dialog')
    await menu('fra-1', texts.rename)
    await dialog.getByLabel(texts.probeName).fill('fra-2')
    await dialog.getByRole('button', { name: texts.rename }).click()
    await page.locator('tr', { hasText: 'fra-2' }).waitFor()

    await menu('fra-2', texts.replace)
    await dialog.getByRole('button', { name: texts.replace }).click()
    const token = await dialog.locator('code').first().innerText()
    daemon.secrets.add(token)
    t.match(token, /^stp_/)
    await dialog.getByRole('button', { name: en.common.actions.close }).click()
    const [{ formerTokenUntil }] = await probes()
    t.ok(Date.parse(formerTokenUntil) > Date.now())
    await page
      .locator('tr', { hasText: 'fra-2' })
      .getByText(/old token works until/)
      .waitFor()

    await menu('fra-2', en.common.actions.remove)
    await dialog.getByText(texts.deleteProbeAbout).waitFor()
    await dialog.getByRole('button', { name: en.common.actions.remove }).click()
    await page.getByText(texts.noProbes).waitFor()
    t.same(await probes(), [])
  })

  await t.test('a location is changed, found and deleted', async (t) => {
    const { page } = await show('/app/locations', ann)
    const dialog = page.getByRole('dialog')
    const menu = async (item: string) => {
      await button(page, en.common.actions.menu).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu(en.common.actions.edit)
    await page.locator('#field-description').fill('Rack 7')
    await dialog.getByRole('button', { name: en.common.actions.save }).click()
    await page.getByText('Rack 7').waitFor()

    await menu(en.common.actions.remove)
    await dialog.getByRole('button', { name: en.common.actions.remove }).click()
    await page.getByRole('heading', { name: texts.empty.title }).waitFor()
    await until(async () => (await need('GET', '/locations')).length === 0)
    t.pass('it is gone')
  })
})
