// What forms of the console keep, send and say, also where what was typed is wrong.

import type { Page } from 'playwright-core'
import t from 'tap'
import { axeIn, fieldRules } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, password, register } from '../support/cast.ts'
import {
  button,
  choose,
  fieldsIn,
  follow,
  mailServer,
  openDetails,
  overhang,
  type Place,
  visit,
} from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import { isDeep } from '../support/depth.ts'
import { until } from '../support/until.ts'

t.test('forms of the console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t, { env: mailServer })
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const drafts = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage })')
  const { id: pageId } = await need('POST', '/status-pages', { name: 'A page' })

  await t.test(
    'what is typed while a form is sent stays, and is not taken for stored',
    async (t) => {
      const made = await need('POST', '/status-pages', { name: 'Slow to save' })
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      const { page } = await show(`/app/pages/${made.id}`, ann)
      await page.route(`**/status-pages/${made.id}`, async (route) => {
        if (route.request().method() === 'PATCH') await held
        await route.continue()
      })
      await page.fill('#field-title', 'First')
      const sent = page.waitForRequest((one) => one.method() === 'PATCH')
      await page.getByRole('button', { name: 'Save' }).click()
      await sent
      await page.fill('#field-title', 'First and second')
      answer()
      await page.getByText('Readers see it now').waitFor()
      t.equal(await page.inputValue('#field-title'), 'First and second')
      t.match(await drafts(page), 'First and second')
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Readers see it now').nth(1).waitFor()
      t.notMatch(await drafts(page), 'First and second')
      t.equal((await need('GET', `/status-pages/${made.id}`)).title, 'First and second')
    },
  )

  await t.test('a field that is emptied is emptied where it is stored, too', async (t) => {
    const chosen = { degradedThresholdMs: 1_500, sloPercent: 99.5, reminderMinutes: 30 }
    const headers = { 'x-kept': 'a', 'x-gone': 'b' }
    const shop = await need('POST', '/monitors', {
      ...{ name: 'Shop', url: 'https://shop.test/', intervalSeconds: 90, isActive: false },
      ...{ ...chosen, headers },
    })
    const { page } = await show(`/app/monitors/${shop.id}/edit`, ann)
    await openDetails(page)
    for (const name of [...Object.keys(chosen), 'intervalSeconds']) {
      await page.fill(`#field-${name}`, '')
    }
    await button(page, `${en.common.actions.remove} x-gone`).click()
    await button(page, en.common.actions.save).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    t.match(await need('GET', `/monitors/${shop.id}`), {
      ...{ degradedThresholdMs: null, sloPercent: null, reminderMinutes: 0, intervalSeconds: 300 },
      headers: { 'x-kept': /./, 'x-gone': undefined },
    })
    await visit(page, { path: `/app/monitors/${shop.id}/edit` }, en)
    t.equal(await page.getAttribute('#field-degradedThresholdMs', 'placeholder'), 'never')

    const config = { url: 'http://127.0.0.1:9/', headers }
    const hook = await need('POST', '/alert-channels', {
      ...{ name: 'Hook', type: 'webhook', config, delayMinutes: 5, minSeverity: 'down' },
    })
    await visit(page, { path: `/app/channels/${hook.id}` }, en)
    await page.fill('#field-delayMinutes', '')
    await page.locator('#field-minSeverity').selectOption('')
    await button(page, `${en.common.actions.remove} x-gone`).click()
    await page.fill('#field-config-secret', '')
    await button(page, en.common.actions.save).click()
    // A secret that was taken away is made anew, and shown this once.
    const dialog = page.getByRole('dialog')
    const fresh = await dialog.locator('code').first().innerText()
    t.match(fresh, /^whsec_/)
    t.not(fresh, hook.config.secret)
    const stored = await need('GET', `/alert-channels/${hook.id}`)
    t.match(stored, { delayMinutes: 0, minSeverity: 'degraded' })
    t.same(Object.keys(stored.config.headers), ['x-kept'])
  })

  await t.test('a monitor that is led to another server needs its headers again', async (t) => {
    const shop = await need('POST', '/monitors', {
      ...{ name: 'Moved', url: 'https://moved.test/', isActive: false },
      headers: { 'x-key': 'the-key-of-this-shop' },
    })
    const { page } = await show(`/app/monitors/${shop.id}/edit`, ann)
    const asked = page.getByText(en.editor.headersAgain({ names: 'x-key' }))
    t.equal(await asked.count(), 0)
    await page.fill('#field-url', 'https://another.test/')
    await asked.waitFor()
    const refused = page.waitForResponse((one) => one.status() === 422)
    await button(page, en.common.actions.save).click()
    await refused
    t.match(await need('GET', `/monitors/${shop.id}`), { url: 'https://moved.test/' })
    await page.getByLabel(en.editor.headerValue).fill('another-key-1234')
    t.equal(await asked.count(), 0)
    await button(page, en.common.actions.save).click()
    await page.getByRole('heading', { level: 1, name: 'Moved' }).waitFor()
    t.match(await need('GET', `/monitors/${shop.id}`), { url: 'https://another.test/' })
  })

  await t.test('a channel is changed without its secrets', async () => {
    const config = { topic: 'acme-alerts-7Qm3xT', token: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' }
    const made = await need('POST', '/alert-channels', { name: 'Phone', type: 'ntfy', config })
    const { page } = await show(`/app/channels/${made.id}`, ann)
    await page.fill('#field-name', 'Pager')
    await button(page, en.common.actions.save).click()
    await until(async () => (await need('GET', `/alert-channels/${made.id}`)).name === 'Pager')
  })

  await t.test('what was made although its answer was lost is not made twice', async (t) => {
    const { page } = await show('/app/pages/new', ann)
    await page.fill('#field-name', 'Made once')
    await page.route(
      '**/api/v1/orgs/*/status-pages',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const make = button(page, en.statusPages.create)
    await make.click()
    await page.getByRole('alert').getByText(en.common.problems.unreachable).waitFor()
    await make.click()
    await page.getByRole('heading', { level: 1, name: 'Made once' }).waitFor()
    const pages: { name: string }[] = await need('GET', '/status-pages')
    t.equal(pages.filter(({ name }) => name === 'Made once').length, 1)
  })

  await t.test('a new form shows what holds where nothing was chosen', async (t) => {
    const { page } = await show('/app/monitors/new', ann)
    await button(page, en.editor.create).click()
    await page.locator('#field-url:focus').waitFor()
    t.equal(await page.getAttribute('#field-checkType', 'aria-invalid'), 'false')
    await page.getByText('Request', { exact: true }).click()
    t.ok(await page.getByLabel('Follow redirects').isChecked())
    t.equal(await page.getByLabel('Method').inputValue(), 'GET')
    const interval = page.locator('#field-intervalSeconds')
    t.equal(await interval.inputValue(), '300', 'as a value, which can be changed')
    await interval.fill('')
    t.equal(await interval.inputValue(), '', 'who empties it can type')
    await page.locator('#field-name').focus()
    t.equal(await interval.inputValue(), '300', 'what is empty holds again')
    await follow(page, '/app/channels/new?type=telegram')
    await page.getByText('Which alerts it gets').click()
    t.ok(await page.getByLabel('On', { exact: true }).isChecked())
    await page.getByLabel('On', { exact: true }).uncheck()
    t.notOk(await page.getByLabel('On', { exact: true }).isChecked())
    await follow(page, '/app/incidents')
    await page.getByRole('button', { name: 'Declare an incident' }).click()
    t.equal(await page.getByLabel('Severity').inputValue(), 'declared')
  })

  await t.test('a draft of work that recurs comes back as that', async (t) => {
    const { page } = await show('/app/maintenance', ann)
    const begin = () =>
      page.getByRole('button', { name: 'Plan maintenance', exact: true }).first().click()
    await begin()
    await page.fill('#field-name', 'Each night')
    await page.getByLabel('It recurs').check()
    await page.fill('#field-cron', '30 2 * * *')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await begin()
    t.equal(await page.inputValue('#field-cron'), '30 2 * * *')
    t.ok(await page.getByLabel('It recurs').isChecked())
    await page.getByLabel('It recurs').uncheck()
    t.not(await page.inputValue('#field-startsAt'), '')
  })

  await t.test('a message that comes with a click does not move the click away', async (t) => {
    const { page } = await show('/app/maintenance', ann)
    await page.getByRole('button', { name: 'Plan maintenance', exact: true }).first().click()
    await page.locator('#field-name:focus').waitFor()
    const box = await page.getByText('It recurs').boundingBox()
    if (!box) throw new Error('it is not shown')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 3)
    await page.mouse.down()
    // The press takes the focus; a slow hand then holds the button for many frames.
    await page.locator('#field-name:not(:focus)').waitFor()
    await page.evaluate(`new Promise((resolve) => {
      const wait = (left) => left === 0 ? resolve() : requestAnimationFrame(() => wait(left - 1))
      wait(20)
    })`)
    await page.mouse.up()
    t.ok(await page.getByLabel('It recurs').isChecked())
    await page.locator('#field-name-help .wrong').waitFor()
  })

  await t.test('every form of a channel is fit to be used, and asks in German', async (t) => {
    const viewport = { width: 390, height: 844 }
    const { page } = await show('/app/channels/new', ann, { locale: 'de-DE', viewport })
    await page.locator('.gallery a').first().waitFor()
    const violations = await axeIn(page)
    const links = await page
      .locator('.gallery a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    t.ok(links.length > 20)
    const shown = new Set<string>()
    for (const [index, path] of links.entries()) {
      await follow(page, path)
      await openDetails(page)
      const fields = await fieldsIn(page)
      // A usual run takes those with a field that none before had.
      if (!isDeep && fields.every((field) => shown.has(field))) continue
      for (const field of fields) shown.add(field)
      t.same(await violations(...(index === 0 ? [] : fieldRules)), [], path)
      t.notMatch(await page.innerText('.as-is'), / (the|where|with|each) /, `${path} is German`)
      t.equal(await page.locator('main [lang=en]').count(), 0, path)
      t.ok((await overhang(page)) <= 0, `${path} fits into 390 px`)
      // Without anything filled in, what is needed is said at the field, and the focus is there.
      await page.fill('#field-name', '')
      await page.getByRole('button', { name: de.channels.create }).click()
      const isTold = await page
        .locator('[aria-invalid=true]:focus')
        .waitFor()
        .then(
          () => true,
          () => false,
        )
      t.ok(isTold, `${path} says at the field what is missing`)
    }
  })

  await t.test('every form says at the field what is wrong, and keeps it', async (t) => {
    const { id: incidentId } = await need('POST', '/incidents', { title: 'A short outage' })
    await need('POST', `/incidents/${incidentId}/resolve`, {})
    for (const wrong of [...wrongInput, ...wrongInputOf(pageId, incidentId)]) {
      const { page } = await show(wrong.path, ann)
      await wrong.act?.(page, en)
      await openDetails(page)
      for (const [field, value] of Object.entries(wrong.fields)) {
        await page.locator(`#field-${field}`).fill(value)
      }
      // What is folded away is opened where something is wrong.
      await page.evaluate(
        `document.querySelectorAll('details').forEach((one) => { one.open = false })`,
      )
      const [first = ''] = Object.keys(wrong.fields)
      const at = page.locator(`#field-${wrong.at ?? first}`)
      // A page may have the same button twice: the one that sends the form.
      await page.locator('form', { has: at }).locator('[type=submit]').click()
      await page.locator(`#field-${wrong.at ?? first}[aria-invalid=true]`).waitFor()
      await page.locator('[aria-invalid=true]:focus').waitFor()
      t.not(await page.innerText(`#field-${wrong.at ?? first}-help .wrong`), '', wrong.path)
      for (const [field, value] of Object.entries(wrong.fields)) {
        t.equal(await page.inputValue(`#field-${field}`), value, `${wrong.path} ${field}`)
      }
    }
    // Who only left a field hears of it there, and nothing of the whole form.
    const { page: left } = await show('/app/monitors/new', ann)
    await left.locator('#field-name').focus()
    await left.keyboard.press('Tab')
    await left.locator('#field-name[aria-invalid=true]').waitFor()
    const note = left.getByText(en.common.problems.checkFields)
    t.equal(await note.count(), 0)
    await left.locator('form [type=submit]').click()
    await note.waitFor()
    // Fields that stand in rows.
    const rows = [
      { add: en.editor.addHeader, name: en.editor.headerName, value: 'no name' },
      { add: en.editor.addAssertion, name: en.editor.assertionPath, value: 'status' },
    ]
    for (const { add, name, value } of rows) {
      const { page } = await show('/app/monitors/new', ann)
      await openDetails(page)
      await page.fill('#field-url', daemon.url)
      await page.fill('#field-name', 'Shop')
      await button(page, add).click()
      await page.locator('form').getByLabel(name).fill(value)
      await page.setViewportSize({ width: 320, height: 844 })
      t.ok((await overhang(page)) <= 0, `${name} fits into 320 px`)
      await page.locator('form [type=submit]').click()
      const wrong = page.locator('[aria-invalid=true]:focus')
      await wrong.waitFor()
      t.equal(await wrong.inputValue(), value, name)
      const help = await wrong.getAttribute('aria-describedby')
      t.match(await page.innerText(`[id="${help}"]`), /[a-z]/, name)
      await page.setViewportSize({ width: 1_280, height: 720 })
    }
  })

  await t.test('a file that is no export says so, and stays chosen', async (t) => {
    const { page } = await show('/app/import', ann)
    await choose(page, 'gatus.yaml', 'endpoints: [')
    await page.getByRole('alert').getByText('not YAML').waitFor()
    await page.locator('main select').selectOption('stillup')
    await page.getByRole('alert').getByText(en.moving.noJson).waitFor()
    t.equal(await page.getAttribute('input[type=file]', 'aria-invalid'), 'true')
    const chosen = await page.evaluate(`document.querySelector('input[type=file]').files[0].name`)
    t.equal(chosen, 'gatus.yaml')
  })
})

interface Wrong extends Place {
  readonly fields: Readonly<Record<string, string>>
  /** The field with the message; default: the first. */
  readonly at?: string
}

const long = 'x'.repeat(41)
const wrongInput: readonly Wrong[] = [
  { path: '/app/profile', fields: { email: 'no address' } },
  {
    path: '/app/profile',
    fields: { newPassword: 'short', currentPassword: 'not this one' },
  },
  { path: '/app/people?tab=invites', fields: { email: 'nobody' } },
  { path: '/app/people?tab=keys', fields: { name: '' } },
  {
    path: '/app/people?tab=secrets',
    act: (page, words) => button(page, words.secrets.add).click(),
    fields: { name: '1A', value: '' },
  },
  {
    path: '/app/people?tab=organization',
    fields: { timezone: 'Mars/Olympus', name: 'Acme' },
  },
  { path: '/app/people?tab=organization', fields: { name: '' } },
  {
    path: '/app/pages/new',
    fields: { slug: 'Not A Slug', name: 'A page', timezone: 'Nowhere' },
  },
  {
    path: '/app/incidents',
    act: (page, words) => button(page, words.incidents.declare).click(),
    fields: { title: '', message: long },
  },
  {
    path: '/app/maintenance',
    act: (page, words) => button(page, words.maintenance.add).click(),
    fields: { name: '', endsAt: '2020-01-01T00:00' },
  },
  {
    path: '/app/maintenance',
    act: async (page, words) => {
      await button(page, words.maintenance.add).click()
      await page.getByLabel(words.maintenance.recurring).check()
    },
    fields: { cron: 'every day', name: 'Work', durationMinutes: '0' },
    at: 'durationMinutes',
  },
  {
    // What only the service can judge.
    path: '/app/maintenance',
    act: async (page, words) => {
      await button(page, words.maintenance.add).click()
      await page.getByLabel(words.maintenance.recurring).check()
      await page.getByLabel(words.maintenance.scope.kinds.tags, { exact: true }).check()
    },
    fields: { cron: 'every day', name: 'Work', tags: 'shop' },
  },
  {
    path: '/app/monitors/new',
    fields: { url: 'https://', name: 'Shop', intervalSeconds: '1' },
    at: 'intervalSeconds',
  },
]

const wrongInputOf = (pageId: string, incidentId: string): readonly Wrong[] => [
  {
    path: '/app/profile',
    fields: { currentPassword: 'not this one', newPassword: password },
  },
  {
    // What is longer than it may be is not cut off.
    path: `/app/incidents/${incidentId}`,
    act: (page, words) => button(page, words.common.actions.edit).click(),
    fields: { postmortem: 'What we learnt. '.repeat(1_100) },
  },
  { path: `/app/pages/${pageId}`, fields: { timezone: 'Mars/Olympus', name: 'A page' } },
  { path: `/app/pages/${pageId}?tab=domain`, fields: { hostname: 'no host name' } },
  { path: `/app/pages/${pageId}?tab=domain`, fields: { subdomain: 'No Label!' } },
  {
    path: `/app/pages/${pageId}?tab=subscribers`,
    act: (page, words) => button(page, words.statusPages.subscribers.add).click(),
    fields: { emails: 'grace@example.com, nobody' },
  },
]
