// A monitor of several steps in the console: typed, seen running, saved, and its failure read.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { sharedBrowser, skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { button, openDetails } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import { answerJson, startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

/** A shop: signing in gives a token, and with it there is an order. */
const session = { order: { id: 'A17', count: 2 }, token: 'tok-4711-abcd' }
const shopScript = {
  '/session': answerJson(session),
  '/orders/A17': answerJson({ state: 'new', id: 'A17' }),
}

const texts = en.editor.steps
const stepOf = (page: Page, place: number) => page.locator('.step-list .sortable > li').nth(place)

t.test('steps in the console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const shop = await startTarget(shopScript)
  t.teardown(() => shop.close())

  await t.test('they run as somebody types, and become a monitor', async (t) => {
    const { page, complaints } = await show('/app/monitors/new', ann)
    await page.getByRole('radio', { name: en.editor.kinds.steps }).check()
    await page.fill('#field-url', `${shop.url}/`)
    await page.fill('#field-name', 'Shop')
    const first = stepOf(page, 0)
    await page.fill('#field-steps-0-name', 'Sign in')
    await page.fill('#field-steps-0-url', 'session')
    // Nobody asked for it.
    await first.locator('.step-line.is-up').waitFor()
    t.ok(shop.calls.some(({ path }) => path === '/session'))
    await first.getByText(texts.answer, { exact: true }).click()
    await first.getByRole('button', { name: 'id "A17"' }).click()
    await first.getByText('id = A17').waitFor()
    await button(page, texts.add).click()
    const second = stepOf(page, 1)
    await page.fill('#field-steps-1-name', 'Look')
    await page.fill('#field-steps-1-url', 'orders/')
    await second.getByText(texts.more).click()
    await page.locator('#field-steps-1-url').focus()
    await page.keyboard.press('End')
    await second.getByRole('button', { name: '{{id}}', exact: true }).click()
    t.equal(await page.inputValue('#field-steps-1-url'), 'orders/{{id}}')
    await second.locator('.step-line.is-up').waitFor()
    await second.getByText(texts.answer, { exact: true }).click()
    await second.getByRole('button', { name: texts.meanings.expect }).click()
    await second.getByRole('button', { name: 'state "new"' }).click()
    await button(page, en.editor.create).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    const [monitor] = await need('GET', '/monitors')
    t.match(monitor, {
      checkType: 'steps',
      steps: [
        { name: 'Sign in', url: 'session', captures: [{ name: 'id', path: '$.order.id' }] },
        { name: 'Look', url: 'orders/{{id}}', assertions: [{ path: '$.state', value: 'new' }] },
      ],
    })
    // Which of them takes the time.
    t.equal(await page.locator('.step-reports > .is-up .step-bar rect').count(), 2)
    t.same(complaints, [])
  })

  await t.test('a value that is not found is told at its step, and in the evidence', async (t) => {
    const [{ id }] = await need('GET', '/monitors')
    const { page, complaints } = await show(`/app/monitors/${id}/edit`, ann)
    await stepOf(page, 0).getByText(texts.more).click()
    await stepOf(page, 0).getByLabel(en.editor.assertionPath).fill('$.order.number')
    await stepOf(page, 0).locator('.step-line.is-down').waitFor()
    t.match(await stepOf(page, 0).locator('.step-line').innerText(), /\$\.order\.number/)
    await stepOf(page, 1).locator('.step-line.is-none').waitFor()
    await button(page, en.common.actions.save).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await button(page, en.monitor.run).click()
    const reports = page.locator('.step-reports > li')
    await page.locator('.step-reports > .is-down').waitFor()
    t.equal(await reports.count(), 2)
    t.match(await reports.nth(0).innerText(), /Sign in\s+200\s+.*\$\.order\.number to be found/s)
    await reports.nth(0).getByText('/session').click()
    await reports.nth(0).getByText('"A17"').waitFor()
    t.match(await reports.nth(1).innerText(), /Look/)
    t.same(complaints, [])
  })

  await t.test(
    'steps that change something run by themselves only if somebody wants it',
    async (t) => {
      const { page } = await show('/app/monitors/new', ann)
      await page.getByRole('radio', { name: en.editor.kinds.steps }).check()
      await page.fill('#field-url', `${shop.url}/`)
      const runs = page.getByLabel(texts.whileTyping)
      t.ok(await runs.isChecked())
      await page.selectOption('#field-steps-0-method', 'POST')
      t.notOk(await runs.isChecked())
      await page.getByText(texts.changing({ methods: 'POST' })).waitFor()
      await runs.check()
      await page.fill('#field-steps-0-url', 'session')
      await stepOf(page, 0).locator('.step-line').waitFor()
      await show('/app/monitors/new', ann)
      await page.getByRole('radio', { name: en.editor.kinds.steps }).check()
      await page.selectOption('#field-steps-0-method', 'POST')
      t.ok(await runs.isChecked(), 'the browser remembers it')
    },
  )

  await t.test('a command of curl becomes steps, and its secrets become variables', async (t) => {
    const { page, complaints } = await show('/app/monitors/new', ann)
    const command = `curl -X POST ${shop.url}/session -H 'Authorization: Bearer a-long-secret-4711' -d 'user=ann'`
    await page.fill('#field-url', command)
    await page.getByText(texts.import.offer).waitFor()
    await button(page, texts.import.make).click()
    await stepOf(page, 0).waitFor()
    await page.getByText(texts.import.made({ count: 1 })).waitFor()
    t.ok(await page.getByRole('radio', { name: en.editor.kinds.steps }).isChecked())
    t.equal(await page.inputValue('#field-steps-0-method'), 'POST')
    const draft = await page.evaluate('JSON.stringify({ ...sessionStorage })')
    t.notMatch(draft, /a-long-secret/)
    t.equal(await page.getByLabel(texts.variableValue).count(), 1)
    await page.getByText(texts.import.open).click()
    await page.getByLabel(texts.import.text).fill('no command of anything')
    await button(page, texts.import.make).click()
    await page.locator('.step-list [role=alert]').waitFor()
    complaints.length = 0
  })

  await t.test('a recording, a collection and a description become steps, as files', async (t) => {
    const folder = testFolder(t)
    const recorded = join(folder, 'shop.har')
    const browser = await sharedBrowser()
    const context = await browser.newContext({ recordHar: { path: recorded } })
    const tab = await context.newPage()
    await tab.goto(`${shop.url}/session`)
    await tab.goto(`${shop.url}/orders/A17`)
    await context.close()
    const collection = join(folder, 'shop.postman_collection.json')
    const item = { name: 'Session', request: { method: 'GET', url: `${shop.url}/session` } }
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
    writeFileSync(collection, JSON.stringify({ info: { name: 'Shop', schema }, item: [item] }))
    const description = join(folder, 'shop.yaml')
    writeFileSync(
      description,
      `openapi: 3.1.0\ninfo: {title: Shop}\nservers: [{url: '${shop.url}'}]
paths: {/session: {get: {responses: {'200': {description: A session}}}}}`,
    )
    const { page, complaints } = await show('/app/monitors/new', ann)
    await page.getByRole('radio', { name: en.editor.kinds.steps }).check()
    await page.getByText(texts.import.open).click()
    for (const [file, count, url] of [
      [recorded, 2, '/orders/A17'],
      [collection, 1, '/session'],
      [description, 1, '/session'],
    ] as const) {
      await page.getByLabel(texts.import.file).setInputFiles(file)
      await page.getByText(texts.import.made({ count })).last().waitFor()
      const last = page.locator(`#field-steps-${count - 1}-url`)
      await until(async () => (await last.inputValue()) === url)
      t.equal(await page.locator('.step-list .sortable > li').count(), count, file)
      await stepOf(page, count - 1)
        .locator('.step-line.is-up')
        .waitFor()
    }
    t.same(complaints, [])
  })

  await t.test('they are copied, moved and taken away with what became of them', async (t) => {
    const [{ id }] = await need('GET', '/monitors')
    const { page } = await show(`/app/monitors/${id}/edit`, ann)
    await page.locator('.trial button').first().click()
    await stepOf(page, 0).locator('.step-line.is-down').waitFor()
    const { sort } = en.statusPages
    const names = () =>
      page
        .locator('.step-name input')
        .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
    // What a press changes is drawn in a later frame.
    const named = async (wanted: readonly string[]) => {
      await until(async () => isDeepStrictEqual(await names(), wanted)).catch(() => undefined)
      t.same(await names(), wanted)
    }
    await button(page, sort.down({ name: 'Sign in' })).click()
    await named(['Look', 'Sign in'])
    await stepOf(page, 1).locator('.step-line.is-down').waitFor()
    await stepOf(page, 1).getByText(texts.more).click()
    await stepOf(page, 1).getByRole('button', { name: texts.duplicate }).click()
    const copy = en.editor.copyOf({ name: 'Sign in' })
    await named(['Look', 'Sign in', copy])
    t.equal(await stepOf(page, 2).locator('.step-line').count(), 0)
    await button(page, sort.remove({ name: 'Look' })).click()
    await named(['Sign in', copy])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await named(['Look', 'Sign in', copy])
  })

  await t.test('what the service refuses is told at its step', async (t) => {
    const [{ id }] = await need('GET', '/monitors')
    const { page } = await show(`/app/monitors/${id}/edit`, ann)
    const first = stepOf(page, 0)
    await first.getByText(texts.more).click()
    await first.getByRole('button', { name: en.editor.addHeader }).click()
    await first.getByLabel(en.editor.headerName).fill('Authorization')
    await first.getByLabel(en.editor.headerValue).fill('Bearer plain')
    // The trial says it beside the step, the form at the field.
    await first.locator('.step-line.is-down', { hasText: 'Authorization' }).waitFor()
    await button(page, en.common.actions.save).click()
    await page.locator('#field-steps-0-headers-help.wrong').waitFor()
    t.match(await page.locator('#field-steps-0-headers-help').innerText(), /variable or a secret/)
  })

  await t.test('it waits when the service takes no more checks', async () => {
    const [{ id }] = await need('GET', '/monitors')
    const { page } = await show(`/app/monitors/${id}/edit`, ann)
    await page.route(
      '**/monitors/test*',
      (route) =>
        route.fulfill({
          status: 429,
          json: { code: 'rate_limited' },
          headers: { 'retry-after': '2' },
        }),
      { times: 1 },
    )
    await page.fill('#field-steps-0-url', 'session?again=1')
    await page.getByText(texts.waits({ seconds: 2 })).waitFor()
    await stepOf(page, 0).locator('.step-line').waitFor()
    await page.getByText(texts.waits({ seconds: 2 })).waitFor({ state: 'detached' })
  })

  await t.test('everybody can use them, at every width and in the dark', async (t) => {
    const [{ id }] = await need('GET', '/monitors')
    const { page } = await show(`/app/monitors/${id}`, ann)
    const look = await looksOf(page, { widthMin: 390, atEnd: true })
    await page.locator('.step-reports').first().waitFor()
    await look(t, 'what became of them')
    await show(`/app/monitors/${id}/edit`, ann)
    await page.locator('.trial button').first().click()
    await page.locator('.step-line').first().waitFor()
    await openDetails(page)
    await look(t, 'their form')
  })
})
