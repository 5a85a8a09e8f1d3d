// What is planned and what is declared: for which monitors, in which zone, and who is told of it.

import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { button, overhang, type Place, visit } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import { until } from '../support/until.ts'

t.test('plans of the console', { skip }, async (t) => {
  const { daemon, open, show } = await startConsole(t, { env: { QUOTAS_MAINTENANCE: '300' } })
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  await need('PATCH', '', { timezone: 'Asia/Tokyo' })
  const monitorIds = new Map<string, string>()
  for (const name of ['Cellar', 'Hall', 'Kitchen', 'Loft', 'Porch', 'Shop', 'Tower']) {
    const tags = name < 'L' ? ['house'] : []
    const json = { name, checkType: 'push', intervalMinutes: 5, isPublic: true, tags }
    const { id } = await need('POST', '/monitors', json)
    monitorIds.set(name, id)
  }
  const windows = () => need('GET', '/maintenance-windows')

  const timezoneId = 'Europe/Berlin'
  const english = (path: string) => show(path, ann, { timezoneId })
  const german = (path: string) => show(path, ann, { timezoneId, locale: 'de-DE' })

  await t.test('maintenance needs a choice of monitors, and says what it covers', async (t) => {
    const texts = en.maintenance
    const { page } = await english('/app/maintenance')
    await button(page, texts.add).click()
    const form = page.getByRole('dialog').first()
    const plan = () => form.getByRole('button', { name: texts.add, exact: true }).click()
    await page.fill('#field-name', 'New disks')
    t.equal(await form.locator('input[type=radio]:checked').count(), 0)
    await plan()
    await form.getByText(en.form.rules.required).waitFor()
    t.same(await windows(), [])

    await form.getByLabel(texts.scope.kinds.monitors, { exact: true }).check()
    await plan()
    await form.getByText(en.form.rules.required).waitFor()
    t.same(await windows(), [], 'no monitor is not all of them')
    await form.getByLabel(texts.scope.kinds.tags, { exact: true }).check()
    await page.fill('#field-tags', 'house')
    await form.getByText('It covers 3 monitors now: Cellar, Hall, Kitchen.').waitFor()
    await page.fill('#field-tags', 'hose')
    await form.getByText(texts.scope.coversNone).waitFor()
    await form.getByLabel(texts.scope.kinds.monitors, { exact: true }).check()
    await form.getByLabel('Shop', { exact: true }).check()
    await form.getByText('It covers 1 monitor now: Shop.').waitFor()
    await form.getByText(texts.zones.own({ zone: 'Europe/Berlin' })).waitFor()
    t.match(await form.innerText(), /In Asia\/Tokyo, the time zone of the organization: .+ to .+\./)
    await plan()
    await form.waitFor({ state: 'detached' })
    t.match(await windows(), [{ monitorIds: [monitorIds.get('Shop')], tags: [], isForAll: false }])
  })

  await t.test('maintenance of all monitors is asked for once more', async (t) => {
    const texts = en.maintenance
    const [{ id }] = await windows()
    const { page } = await english('/app/maintenance')
    await button(page, en.common.actions.edit).click()
    const form = page.getByRole('dialog', { name: texts.change })
    await form.getByLabel(texts.scope.kinds.all, { exact: true }).check()
    await form
      .getByText('It covers 7 monitors now: Cellar, Hall, Kitchen, Loft, Porch and 2 more.')
      .waitFor()
    const question = page.getByRole('dialog', { name: texts.scope.question.title({ count: 7 }) })
    const save = () => form.getByRole('button', { name: en.common.actions.save }).click()
    await save()
    await question.getByRole('button', { name: en.common.actions.cancel }).click()
    await question.waitFor({ state: 'detached' })
    t.match(await need('GET', `/maintenance-windows/${id}`), { isForAll: false })
    await save()
    await question.getByRole('button', { name: texts.scope.question.button }).click()
    await form.waitFor({ state: 'detached' })
    t.match(await need('GET', `/maintenance-windows/${id}`), { isForAll: true, monitorIds: [] })

    // What is for all already is not asked for again.
    await button(page, en.common.actions.edit).click()
    await form.getByLabel(texts.description).fill('New disks')
    await save()
    await form.waitFor({ state: 'detached' })
  })

  await t.test('a list of more than 200 is shown whole', async (t) => {
    const startsAt = new Date(Date.now() + 86_400_000).toISOString()
    const endsAt = new Date(Date.now() + 90_000_000).toISOString()
    // Somebody else, so that no open page follows each of them.
    const bob = await register(daemon, 'bob')
    const needOfBob = needOf(daemon, bob)
    for (let number = 1; number <= 205; number += 1) {
      const json = { name: `Work ${number}`, startsAt, endsAt }
      await needOfBob('POST', '/maintenance-windows', json)
    }
    const { page } = await show('/app/maintenance', bob, { timezoneId })
    const rows = page.locator('.window-row')
    await rows.getByText('Work 1', { exact: true }).waitFor()
    t.equal(await rows.count(), 205)
  })

  await t.test(
    'a window turns to on and to ended by the clock, while somebody looks',
    async (t) => {
      const { page } = await open(t, ann)
      await page.clock.install()
      const atMs = Date.now() + 3_600_000
      const { id } = await need('POST', '/maintenance-windows', {
        name: 'Short work',
        startsAt: new Date(atMs).toISOString(),
        endsAt: new Date(atMs + 3_600_000).toISOString(),
      })
      await page.goto('/app/maintenance')
      const row = page.locator('.window-row', { hasText: 'Short work' })
      await row.getByText('Planned', { exact: true }).waitFor()
      await page.clock.runFor(3_600_000)
      await row.getByText('On', { exact: true }).waitFor()
      await row.getByRole('button', { name: 'End it now' }).waitFor()
      await page.clock.runFor(3_600_000)
      await row.getByText('Ended', { exact: true }).waitFor()
      t.equal(await row.getByRole('button', { name: 'Edit' }).count(), 0)
      await need('DELETE', `/maintenance-windows/${id}`)
    },
  )

  await t.test('a schedule is said in words, with its next runs', async (t) => {
    const { page } = await english('/app/maintenance')
    await button(page, en.maintenance.add).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(en.maintenance.recurring).check()
    const runs = form.getByText(/^That is every Sunday at 03:00\. Next: /)
    await runs.waitFor()
    t.equal((await runs.innerText()).split('·').length, 5)
    await page.fill('#field-cron', '30 9 * * 1-5')
    await form.getByText(/^That is Monday to Friday at 09:30/).waitFor()
    await page.fill('#field-cron', '*/20 6-18 * * sat,sun')
    await form.getByText(/^That is every 20 minutes, 06:00–18:59, on Saturday and Sunday/).waitFor()
    await page.fill('#field-cron', '0 0 1 13 *')
    await form.getByText(/^That is/).waitFor({ state: 'detached' })

    const { id } = await need('POST', '/maintenance-windows', {
      ...{ name: 'Weekly work', cron: '30 2 * * 0', durationMinutes: 45, timezone: 'Asia/Tokyo' },
    })
    const list = (await german('/app/maintenance')).page
    const row = list.locator('.window-row', { hasText: 'Weekly work' })
    await row.getByText('jeden Sonntag um 02:30 (Asia/Tokyo)').waitFor()
    await need('DELETE', `/maintenance-windows/${id}`)
  })

  await t.test('a schedule says in which time zone it is, in German too', async () => {
    const texts = de.maintenance
    const { page } = await german('/app/maintenance')
    await button(page, texts.add).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(texts.recurring).check()
    await form.getByText(texts.zones.scheduleOwn({ zone: 'Europe/Berlin' })).waitFor()
    await page.fill('#field-timezone', 'America/New_York')
    await form.getByText(/^Der Zeitplan gilt in America\/New_York: dort ist es jetzt/).waitFor()
  })

  await t.test('a declared incident stands at the services that it is about', async (t) => {
    const texts = en.incidents
    await need('POST', '/status-pages', { name: 'House', slug: 'house' })
    const { page } = await english('/app/incidents')
    await button(page, texts.declare).click()
    const form = page.getByRole('dialog', { name: texts.declare })
    await page.fill('#field-title', 'The roof leaks')
    await form.getByLabel('Loft', { exact: true }).check()
    await form.getByLabel(texts.isPublic).check()
    await form.getByRole('button', { name: texts.declare }).click()
    await page.getByRole('heading', { level: 1, name: 'The roof leaks' }).waitFor()
    const [incident] = await need('GET', '/incidents')
    t.match(incident, { monitorIds: [monitorIds.get('Loft')], isDeclared: true })

    await page.goto('/status/house')
    const row = page.locator('.svc > li', { has: page.getByRole('heading', { name: 'Loft' }) })
    t.equal(await row.getAttribute('class'), 'degraded')
    // Each service has a link to its own page, too.
    const toIncident = '.svc a[href*="/incidents/"]'
    const link = row.getByRole('link', { name: 'The roof leaks' })
    t.equal(await link.getAttribute('href'), `/status/house/incidents/${incident.id}`)
    t.equal(await page.locator(toIncident).count(), 1, 'at no other service')
    const { json } = await daemon.ask('GET', '/status/house/api/v2/summary.json')
    const component = (name: string) =>
      json.components.find((one: { name: string }) => one.name === name)
    t.match(component('Loft'), { status: 'degraded_performance' })
    t.match(component('Shop'), { status: 'under_maintenance' })
    t.match(json.incidents, [{ name: 'The roof leaks', components: [{ name: 'Loft' }] }])
    t.match(json.status, { indicator: 'minor' })

    await need('POST', `/incidents/${incident.id}/resolve`, {})
    // A page that was made less than 20 ms ago is served once more.
    const isNowhere = async () => {
      await page.goto('/status/house')
      return (await page.locator(toIncident).count()) === 0
    }
    t.ok(await until(isNowhere), 'once it is over, nowhere')
  })

  await t.test('the fields of a row line up, on a phone and on a desk', async (t) => {
    const { page } = await english('/app')
    const places: readonly Place[] = [
      { path: '/app/monitors/new' },
      { path: '/app/channels/new?type=webhook' },
      { path: '/app/pages/new' },
      { path: '/app/people?tab=organization' },
      {
        path: '/app/maintenance',
        act: async (page) => {
          await button(page, en.maintenance.add).click()
          await page.getByLabel(en.maintenance.recurring).check()
        },
      },
    ]
    for (const place of places) {
      await visit(page, place, en)
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const { rows, crooked } = (await page.evaluate(findCrooked)) as Crooked
        t.same(crooked, [], place.path)
        t.ok(rows > 0, place.path)
        t.ok((await overhang(page)) <= 0, place.path)
      }
    }
  })

  await t.test('a tag is no day in German', async (t) => {
    const { page } = await german('/app')
    const tags = page.locator('select', { has: page.locator('option', { hasText: 'house' }) })
    t.equal(await tags.locator('option').first().innerText(), 'Jedes Schlagwort')
  })
})

t.test('the frame of the console', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const ann = await register(daemon, 'ann', daemon.setupToken)

  await t.test('the dialog that makes one says what it ends, once', async (t) => {
    const texts = en.shell.newOrganization
    const { page } = await show('/app', ann)
    const begin = async () => {
      await visit(page, { path: '/app/people?tab=organization' }, en)
      await button(page, texts.open).click()
      const dialog = page.getByRole('dialog', { name: texts.open })
      await dialog.waitFor()
      return dialog
    }
    const dialog = await begin()
    await dialog.getByText(texts.endsPrivate).waitFor()
    await dialog.getByLabel(texts.name).fill('Second')
    await dialog.getByRole('button', { name: texts.submit }).click()
    await dialog.waitFor({ state: 'detached' })
    const isChosen = (name: string) =>
      page.getByRole('button', { name: en.shell.organizationNow({ name }) }).isVisible()
    t.ok(await isChosen('Second'))
    const another = await begin()
    t.equal(await another.getByText(texts.endsPrivate).count(), 0, 'it has ended already')
    await another.getByLabel(texts.name).fill('Third')
    await another.getByRole('button', { name: texts.submit }).click()
    await another.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: en.shell.places.overview }).waitFor()
    t.ok(await isChosen('Third'))
    await visit(page, { path: '/app/system' }, en)
    await page.getByText(en.system.privateAnswers).waitFor()
    await page.getByText(en.system.privateAnswerStates.not_kept, { exact: true }).waitFor()
  })

  await t.test('the bar fits into every window, folded or not', async (t) => {
    for (const [locale, words] of [
      ['en-GB', en],
      ['de-DE', de],
    ] as const) {
      const { page } = await show('/app', ann, { locale })
      const fold = page.getByRole('button', { name: words.shell.fold })
      await fold.waitFor()
      for (const isFolded of [false, true]) {
        if (isFolded) await fold.click()
        for (const width of [961, 1_000, 1_280, 1_440]) {
          await page.setViewportSize({ width, height: 800 })
          const bar = (await page.evaluate(measureBar)) as Record<string, boolean>
          t.same(bar, { fits: true, isBrandWhole: true }, `${locale}, ${width} px, ${isFolded}`)
        }
      }
      await page.reload()
      await page.getByRole('button', { name: words.shell.unfold }).click()
      await page.getByRole('link', { name: words.shell.places.people }).waitFor()
    }
  })
})

/** Whether all of the bar is in it and in the window, and its brand in one line. */
const measureBar = `(() => {
  const parts = [...document.querySelectorAll('.side *')].map((one) => one.getBoundingClientRect())
  const brand = document.querySelector('.brand')
  return {
    fits: parts.every(({ right }) => right <= document.querySelector('.stage').offsetLeft)
      && document.documentElement.scrollWidth <= innerWidth,
    isBrandWhole: brand.getClientRects().length === 1
      && brand.getBoundingClientRect().height < 2 * parseFloat(getComputedStyle(brand).fontSize),
  }
})()`

interface Crooked {
  readonly rows: number
  readonly crooked: readonly string[]
}

/** The labels of fields whose control is higher or lower than that of a field beside it. */
const findCrooked = `(() => {
  const rows = [...document.querySelectorAll('.form-row')]
  const crooked = rows.flatMap((row) => {
    const places = [...row.children].map((field) => ({
      label: (field.matches('label') ? field : field.querySelector('label')).innerText,
      top: field.getBoundingClientRect().top,
      control: field.querySelector('input:not([type=checkbox]), select')?.getBoundingClientRect(),
    }))
    return places.flatMap((one) => places
      .filter((other) => one.control && other.control && Math.abs(other.top - one.top) < 2)
      .filter((other) => Math.abs(other.control.top - one.control.top) > 1
        || Math.abs(other.control.height - one.control.height) > 3)
      .map((other) => one.label + ' and ' + other.label))
  })
  return { rows: rows.length, crooked }
})()`
