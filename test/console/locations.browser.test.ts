// Locations in the console: they are made, a probe is set up, and what it says is seen.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { probeSecrets } from '../../src/seal/probe-token.ts'
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

  /** Speaks for a probe with this token. */
  async function speakAs(token: string) {
    daemon.secrets.add(token)
    const bearer = probeSecrets(token).auth
    const ask = async (path: string) =>
      (await daemon.ask('GET', `/api/v1/probe/${path}`, { bearer })).json
    const hello = { protocol: 1, version: '9.8.7', kinds: ['endpoint'] }
    const { json } = await daemon.ask('POST', '/api/v1/probe/session', { bearer, json: hello })
    const { session } = json
    let tries = 0
    return {
      /** What it sees of the one monitor that it checks. */
      async say(seen: object) {
        const { put, nowMs } = await until(async () => {
          const plan = await ask(`plan?session=${session}&since=0`)
          return plan.put.length > 0 && plan
        })
        tries += 1
        const [{ monitorId, revision }] = put
        const slot = { monitorId, revision, dueAtMs: nowMs, try: tries, ageMs: 5, durationMs: 42 }
        const self = { checks: tries, dropped: 0, lateMs: 3, monitors: 1 }
        const json = { session, results: [{ ...slot, ...seen }], self }
        await daemon.ask('POST', '/api/v1/probe/results', { bearer, json })
      },
    }
  }
  const good = { result: 'good', status: 200 }

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
    await dialog.getByText('is taken by another location').waitFor()
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
    const unit = readFileSync(
      join(import.meta.dirname, '../../systemd/stillup-probe.service'),
      'utf8',
    )
    const settings = unit.split('\n').filter((line) => /^[A-Z]\w+=/.test(line))
    const lacking = settings.filter((line) => !pasted.includes(`\n${line}\n`))
    t.match(lacking, [/^ExecStart=/], 'the unit of the release, with this address')
    t.equal(lacking.length, 1)

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

  await t.test('a monitor is checked from a location, and its probe is heard', async (t) => {
    const choices = en.editor.places
    const { id } = await need('POST', '/monitors', {
      name: 'Website',
      url: 'https://site.example.com/',
      ...{ failureThreshold: 1, recoveryThreshold: 1 },
    })
    for (const name of ['Oslo', 'Lima']) await need('POST', '/locations', { name })
    const { page } = await show(`/app/monitors/${id}/edit`, ann)
    await page.getByText(en.editor.sections.places).first().click()
    const box = (name: string) => page.getByRole('checkbox', { name })
    t.ok(await box(choices.home).isDisabled(), 'the only place stays')
    await box('Frankfurt').check()
    await page.getByText(choices.means({ needed: 2, all: 2 })).waitFor()
    await box('Oslo').check()
    await box('Lima').check()
    await box(choices.home).uncheck()
    await page.getByText(choices.means({ needed: 2, all: 3 })).waitFor()
    await page.getByLabel(choices.downWhen).selectOption(choices.any)
    await page.getByText(choices.means({ needed: 1, all: 3 })).waitFor()
    await button(page, en.common.actions.save).click()
    await page.waitForURL(/\/monitors\/mon_\w+$/)
    const ids = new Map<string, string>(
      (await need('GET', '/locations')).map(({ name, id }: Record<string, string>) => [name, id]),
    )
    const chosen = ['Frankfurt', 'Oslo', 'Lima'].map((name) => ids.get(name))
    t.match(await need('GET', `/monitors/${id}`), { downWhen: 'any', locations: chosen })

    await page.goto('/app/locations')
    const card = page.locator('.location', { hasText: 'Oslo' })
    await card.getByText(texts.monitors({ count: 1 })).waitFor()
    await card.getByRole('button', { name: texts.addProbe }).click()
    const dialog = page.getByRole('dialog')
    await page.locator('#field-name:focus').fill('osl-1')
    await dialog.getByRole('button', { name: texts.addProbe }).click()
    const oslo = await speakAs(await dialog.locator('code').first().innerText())
    await dialog.getByText(setup.connected({ address: '127.0.0.1', version: '9.8.7' })).waitFor()
    await dialog.getByText(setup.waitingResult).waitFor()
    await oslo.say(good)
    await dialog.getByText(setup.firstResult({ count: 1 })).waitFor()
    await dialog.getByRole('button', { name: en.common.actions.close }).click()
    await card
      .locator('tr', { hasText: 'osl-1' })
      .getByText(texts.checks({ count: 1 }))
      .waitFor()

    const bad = { result: 'failed', status: 503, error: { kind: 'status', message: 'found 503' } }
    const { token } = await daemon.need('POST', `${ann.org}/locations/${ids.get('Lima')}/probes`, {
      ...{ cookie: ann.cookie, json: { name: 'lim-1' } },
    })
    const lima = await speakAs(token)
    await oslo.say(good)
    await lima.say(bad)
    await page.goto(`/app/monitors/${id}`)
    await page.getByText('Fails from Lima, works from Oslo').waitFor()
    const places = page.locator('section', { hasText: en.monitor.places.sees })
    await places.locator('tr', { hasText: 'Oslo' }).getByText('Up', { exact: true }).waitFor()
    await places.locator('tr', { hasText: 'Lima' }).getByText('found 503').waitFor()
    await places
      .locator('tr', { hasText: 'Frankfurt' })
      .getByText(/Silent|Pending/)
      .waitFor()
    const from = page.getByLabel(en.monitor.places.from).first()
    await from.selectOption('Lima')
    await page.getByText(en.monitor.noTimes).waitFor()
    await from.selectOption('Oslo')
    await page.getByText(en.monitor.noTimes).waitFor({ state: 'detached' })
    const log = page.locator('section', {
      has: page.getByRole('heading', { name: en.monitor.log, exact: true }),
    })
    await log.locator('tr', { hasText: 'found 503' }).getByText('Lima').waitFor()
    t.equal(await log.locator('tr', { hasText: 'Oslo' }).count(), 2, 'each says from where it is')
    await log.getByLabel(en.monitor.places.from).selectOption('Oslo')
    await log.getByText('found 503').waitFor({ state: 'detached' })
    t.equal(await log.locator('tbody tr').count(), 2, 'what Oslo saw')

    await need('PATCH', `/monitors/${id}`, { downWhen: 'all' })
    const { page: overview } = await show('/app', ann)
    const row = overview.locator('.monitor-row.is-up', { hasText: 'Website' })
    const fails = overview.getByText('fails from Lima')
    await until(async () => {
      await lima.say(bad)
      await oslo.say(good)
      return (await need('GET', `/monitors/${id}`)).failingFrom !== null
    })
    await row.filter({ has: fails }).waitFor()
    await overview.getByRole('button', { name: en.overview.partly }).click()
    await overview.waitForURL(/state=partly/)
    await row.filter({ has: fails }).waitFor()
    await lima.say(good)
    await overview.getByText(en.overview.nothingFits).waitFor()
    await lima.say(bad)
    await row.filter({ has: fails }).waitFor()
    await page.goto('/app/locations')

    const head = page.locator('.location', { hasText: 'Lima' }).locator('header')
    await head.getByRole('button', { name: en.common.actions.menu }).click()
    await page.getByRole('menuitem', { name: en.common.actions.remove }).click()
    await dialog.getByRole('button', { name: en.common.actions.remove }).click()
    await dialog.getByText(/This location checks Website/).waitFor()
    await page.keyboard.press('Escape')
    await need('DELETE', `/monitors/${id}`)
    for (const name of ['Oslo', 'Lima']) await need('DELETE', `/locations/${ids.get(name)}`)
  })

  await t.test('the operator shares a location, which no organization changes', async (t) => {
    const bob = await register(daemon, 'bob')
    const { ofOperator } = texts
    const { page } = await show('/app/system?tab=locations', ann)
    await page.getByText(ofOperator.none).waitFor()
    await button(page, texts.add).click()
    const dialog = page.getByRole('dialog')
    await page.locator('#field-name:focus').fill('Berlin')
    await dialog.getByRole('button', { name: texts.add }).click()
    await dialog.waitFor({ state: 'detached' })
    const card = page.locator('.location', { hasText: 'Berlin' })
    await card.getByRole('button', { name: texts.addProbe }).click()
    await page.locator('#field-name:focus').fill('ber-1')
    await dialog.getByRole('button', { name: texts.addProbe }).click()
    await speakAs(await dialog.locator('code').first().innerText())
    await dialog.getByText(setup.connected({ address: '127.0.0.1', version: '9.8.7' })).waitFor()
    await dialog.getByRole('button', { name: en.common.actions.close }).click()
    await card.locator('tr', { hasText: 'ber-1' }).getByText(texts.states.live).waitFor()
    t.equal(await card.getByText(texts.shared, { exact: true }).count(), 0)

    const { page: theirs } = await show('/app/locations', bob)
    const shared = theirs.locator('.location', { hasText: 'Berlin' })
    await shared.getByText(texts.shared, { exact: true }).waitFor()
    t.equal(await shared.getByRole('button').count(), 0)
    await theirs.goto('/app/system?tab=locations')
    t.equal(await theirs.getByText(ofOperator.about).count(), 0)

    const { page: again } = await show('/app/system?tab=locations', ann)
    await again.locator('tr', { hasText: 'ber-1' }).getByRole('button').click()
    await again.getByRole('menuitem', { name: en.common.actions.remove }).click()
    await dialog.getByRole('button', { name: en.common.actions.remove }).click()
    await again.getByText(texts.noProbes).waitFor()
    await again
      .locator('.location header')
      .getByRole('button', { name: en.common.actions.menu })
      .click()
    await again.getByRole('menuitem', { name: en.common.actions.remove }).click()
    await dialog.getByRole('button', { name: en.common.actions.remove }).click()
    await again.getByText(ofOperator.none).waitFor()
    t.pass('it is gone')
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
