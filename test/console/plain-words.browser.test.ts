// The console in plain words: reports of a push monitor, marks of states, what is wrong with a value.
import type { Page } from 'playwright-core'
import t from 'tap'
import { axeIn } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, registerWithKey } from '../support/cast.ts'
import { choose, follow, openDetails } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'

/** How the mark of a state is drawn, apart from its colour. */
const shapeOf = (selector: string) => `{
  const { backgroundImage, borderRadius, borderWidth, borderStyle, transform, clipPath, maskImage } =
    getComputedStyle(document.querySelector(${JSON.stringify(selector)}), '::before')
  JSON.stringify({ backgroundImage, borderRadius, borderWidth, borderStyle, transform, clipPath, maskImage })
    .replace(/(rgba?|oklab|color)\\([^)]*\\)/g, '')
}`

t.test('the console in plain words', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await registerWithKey(daemon, 'ann', daemon.setupToken)
  const { key } = owner
  const need = needOf(daemon, owner)

  const german = { locale: 'de-DE' }

  await t.test('a push monitor tells of its last report and of the next', async (t) => {
    const job = await need('POST', '/monitors', {
      ...{ name: 'Night job', checkType: 'push', intervalMinutes: 60 },
    })
    const { page, complaints } = await show(`/app/monitors/${job.id}`, owner)
    const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
    const control = (name: string) => page.getByRole('button', { name, exact: true })
    await page.getByText('No report has come yet.').waitFor()
    await page.getByText('Nothing is due until the first report comes.').waitFor()
    await control('More').waitFor()
    for (const name of ['Last check', 'Simulate other thresholds', 'Report', 'Next check']) {
      t.equal(await page.getByText(name, { exact: true }).count(), 0, name)
    }
    t.equal(await control('Check now').count(), 0)
    t.same(await (await axeIn(page))(), [])

    await daemon.ask('POST', `/api/v1/push/${job.pushToken}`, { json: { status: 'ok' } })
    await page.locator('main').getByText('Next report expected by').first().waitFor()
    const report = page.getByRole('region', { name: 'Last report' })
    await report.getByText('Up', { exact: true }).waitFor()
    t.match(await report.innerText(), /expected by .*\d{4}.*\(in \d+ min\)|in \d+/)
    t.equal(await heading('Last check').count(), 0)
    t.equal(await control('Check now').count(), 0)
    await heading('Report').waitFor()

    await control('More').click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await report.getByText('The monitor is paused and expects no report.').waitFor()
    t.same(complaints, [])
  })

  await t.test('what is pending and what is paused differ in shape, also in public', async (t) => {
    const waiting = await need('POST', '/monitors', {
      ...{ name: 'Waiting job', checkType: 'push', isPublic: true },
    })
    const paused = await need('POST', '/monitors', {
      ...{ name: 'Paused job', checkType: 'push', isPublic: true, isActive: false },
    })
    const { page } = await show('/app', owner)
    const differ = async (page: Page, one: string, other: string, name: string) => {
      await page.locator(one).first().waitFor()
      await page.locator(other).first().waitFor()
      t.not(await page.evaluate(shapeOf(one)), await page.evaluate(shapeOf(other)), name)
    }
    await differ(page, '.state.is-pending', '.state.is-paused', 'overview')
    await page.goto('/')
    await differ(page, '.is-pending .state', '.is-paused .state', 'front page')

    const shown = await need('POST', '/status-pages', {
      ...{
        name: 'Jobs',
        title: 'Jobs',
        sections: [{ name: 'All', monitorIds: [waiting.id, paused.id] }],
      },
    })
    await page.goto(shown.url)
    await differ(page, 'li.pending div', 'li.paused div', 'status page')
  })

  await t.test('a refused value is told with its rule and limit', async (t) => {
    const job = await need('POST', '/monitors', { name: 'Checked job', checkType: 'push' })
    const said = async (language: string, [slo, runbook]: [string, string]) => {
      const { page } = await show(`/app/monitors/${job.id}/edit`, owner, { locale: language })
      await page.locator('#field-name').waitFor()
      await openDetails(page)
      await page.fill('#field-sloPercent', '100.5')
      await page.fill('#field-runbookUrl', 'wiki, page 3')
      await page.locator('#field-name').focus()
      await page.getByText(slo, { exact: true }).waitFor()
      await page.getByText(runbook, { exact: true }).waitFor()
      t.notMatch(await page.innerText('main'), /not possible|nicht möglich/)
    }
    await said('en-GB', ['At most 99.999', 'must be an http or https URL'])
    await said('de-DE', ['Höchstens 99.999', 'Eine Adresse mit http:// oder https://'])
  })

  await t.test('an exported file is imported, and says which secrets it lacks', async (t) => {
    const webhookUrl = 'http://127.0.0.1:9/services/T1'
    const json = { name: 'Team chat', type: 'slack', config: { webhookUrl } }
    await need('POST', '/alert-channels', json)
    daemon.secrets.add(webhookUrl)
    const { page, complaints } = await show('/app/people?tab=organization', owner)
    await page.getByText(/^Secrets are left out/).waitFor()
    const path = await page.getByRole('link', { name: 'Download the export' }).getAttribute('href')
    const { json: exported } = await daemon.ask('GET', String(path), { key })
    const { format, channels, secretsOmitted } = exported.data
    t.ok(secretsOmitted.includes('/channels/0/config/webhookUrl'))

    // As it was downloaded, but for the rest of the organization.
    const file = JSON.stringify({ success: true, data: { format, channels, secretsOmitted } })
    await follow(page, '/app/import')
    await choose(page, 'ann.json', file)
    const preview = page.getByRole('status').filter({ hasText: 'ann.json would bring' })
    await preview.getByText(/1 channel is switched off until you enter what it lacks/).waitFor()
    t.match(await preview.innerText(), /Team chat \(webhookUrl\)/)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText(/1 alert channel is switched off: enter what it lacks/).waitFor()
    await page.locator('main').getByRole('link', { name: 'Team chat' }).first().click()
    await page.getByText('Off: waits for its secrets').waitFor()
    await page.getByText(/left its secrets out: Webhook URL\. Enter them/).waitFor()
    await page.fill('#field-config-webhookUrl', webhookUrl)
    await openDetails(page)
    await page.getByLabel('On', { exact: true }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Off: waits for its secrets').waitFor({ state: 'detached' })
    const copies = await need('GET', '/alert-channels')
    t.match(copies[0], { name: 'Team chat', isActive: true, missingSecrets: [] })
    t.same(complaints, [])

    const other = (await show('/app/import', owner, german)).page
    await choose(other, 'ann.json', file)
    await other.getByText(/1 Kanal ist abgeschaltet, bis eingetragen ist, was ihm fehlt/).waitFor()
  })

  await t.test('the audit log and the tasks are sentences, with names and links', async (t) => {
    const job = await need('POST', '/monitors', { name: 'Invoices', checkType: 'push' })
    await need('PATCH', `/monitors/${job.id}`, { graceSeconds: 120 })
    const { page, complaints } = await show('/app/people?tab=audit', owner)
    const row = (text: string) => page.locator('tr', { hasText: text }).first()
    await row('created the monitor Invoices').getByText('The API key').waitFor()
    await row('changed the monitor Invoices').getByText('changed: grace seconds').waitFor()
    t.notMatch(await page.innerText('main table'), /\b(mon|chn|org|usr|key)_\w{26}|monitor\.\w+/)
    await row('created the monitor Invoices').getByRole('link', { name: 'Invoices' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor()

    await follow(page, '/app/system?tab=tasks')
    await page.getByText('Make a backup and verify it').waitFor()
    t.notMatch(await page.innerText('main table'), /\b(outbox|retention|credentials)\b/)
    t.same(complaints, [])

    const other = (await show('/app/people?tab=audit', owner, german)).page
    await other
      .getByText(/hat den Monitor .* angelegt/)
      .first()
      .waitFor()
    await follow(other, '/app/system?tab=tasks')
    await other.getByText('Eine Sicherung anlegen und prüfen').waitFor()
  })
})
