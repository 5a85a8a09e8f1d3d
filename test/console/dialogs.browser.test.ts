// Dialogs, notes and the language of the console: where the focus is, what is kept, and how it is told.

import type { Locator, Page, Route } from 'playwright-core'
import t from 'tap'
import { hotp, totpStep } from '../../src/domain/sign-in/totp.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, password, register } from '../support/cast.ts'
import {
  answerOnce,
  button,
  choose,
  follow,
  kumaList,
  load,
  visit,
} from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import { until } from '../support/until.ts'

/** Tries to leave as soon as the dialog is gone: `isFree` is false if the browser would ask whether to stay. */
const leaveAfterwards = `new MutationObserver((_, watch) => {
  if (document.querySelector('dialog')) return
  watch.disconnect()
  isFree = dispatchEvent(new Event('beforeunload', { cancelable: true }))
}).observe(document.body, { childList: true, subtree: true })`

t.test('dialogs and notes of the console', { skip }, async (t) => {
  const { daemon, open, show } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const need = needOf(daemon, ann)
  const { id: pageId } = await need('POST', '/status-pages', { name: 'A page' })

  await t.test('a dialog gives back the focus, and keeps what was typed', async (t) => {
    const { id: jobId, pushUrl } = await need('POST', '/monitors', {
      ...{ name: 'Backup', checkType: 'push', intervalMinutes: 5 },
    })
    const report = { method: 'POST', body: 'no space left' }
    await fetch(`${pushUrl}/3?runId=n1&durationMs=8320`, report)
    await need('POST', '/maintenance-windows', { name: 'Disks', ...soon() })
    const { page } = await show('/app', ann)
    const dialog = page.getByRole('dialog')
    for (const { path, opener, item, field, close } of dialogs(pageId, jobId)) {
      await visit(page, { path }, en)
      const from = opener(page)
      for (const round of ['first', 'again']) {
        await from.focus()
        const key = round === 'first' ? 'Enter' : 'Space'
        await page.keyboard.press(key)
        if (item !== undefined) await page.getByRole('menuitem', { name: item }).press(key)
        await dialog.locator(':focus').waitFor()
        if (field !== undefined && round === 'first') {
          await page.locator(`#field-${field}:focus`).waitFor()
          await page.keyboard.type('half@a.thought, ')
        }
        if (field !== undefined && round === 'again')
          t.match(await page.inputValue(`#field-${field}`), 'half@a.thought', path)
        await page.evaluate(leaveAfterwards)
        if (close) await dialog.getByRole('button', { name: close }).last().press('Enter')
        else await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        const isBack = await from.evaluate((one) => one.matches(':focus'))
        t.ok(isBack, `${path}: the focus is back at ${await from.innerText()}`)
        const isFree = await page.evaluate('isFree')
        t.ok(isFree, `${path}: what was typed is kept, and does not hold the page`)
      }
    }
    await page.locator('a.brand').focus()
    await page.keyboard.press('?')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('a.brand:focus').waitFor()

    // A note can be heard and taken back although a dialog is open.
    await load(page, '/app/incidents')
    await button(page, en.incidents.declare).press('Enter')
    const undo = dialog.getByRole('status').getByRole('button', { name: en.common.actions.undo })
    await undo.click()
    t.equal(await page.inputValue('#field-title'), '')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // What had the focus is deleted: it goes on at the content, not at the beginning of the page.
    await visit(page, { path: '/app/maintenance' }, en)
    await button(page, en.common.actions.menu).press('Enter')
    await page.getByRole('menuitem', { name: en.common.actions.remove }).press('Enter')
    const confirm = dialog.getByRole('button', { name: en.common.actions.remove })
    await answerOnce(page, '/orgs/*/maintenance-windows/', 503, 'unavailable')
    await confirm.press('Enter')
    // What went wrong is told in the dialog, too.
    await dialog.locator('.toast.is-problem').waitFor()
    await confirm.press('Enter')
    await page.getByText(en.maintenance.empty.title).waitFor()
    await page.locator('main:focus').waitFor()
  })

  await t.test('a note waits for whoever has the focus in it', async (t) => {
    const { page } = await open(t, ann)
    await page.clock.install()
    await load(page, `/app/pages/${pageId}`)
    await button(page, en.statusPages.disable).or(button(page, en.statusPages.enable)).click()
    const undo = page.locator('.toast').getByRole('button', { name: en.common.actions.undo })
    await undo.focus()
    await page.clock.fastForward(60_000)
    t.equal(await undo.count(), 1)
    await page.locator('a.brand').focus()
    await page.clock.fastForward(10_000)
    await undo.waitFor({ state: 'detached' })
    // Whoever takes it back goes on where they were.
    const toggle = button(page, en.statusPages.disable).or(button(page, en.statusPages.enable))
    await toggle.press('Enter')
    await undo.press('Enter')
    await undo.waitFor({ state: 'detached' })
    t.ok(await toggle.evaluate((one) => one.matches(':focus')), 'the focus is where it was')
  })

  await t.test('dates, numbers and plurals follow the language that was chosen', async (t) => {
    const { page } = await open(t, ann, { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    const [{ id: jobId }] = await need('GET', '/monitors')
    await need('POST', '/maintenance-windows', { name: 'Disks', ...soon() })
    const main = () => page.innerText('main')
    const askedIn = async () => {
      const request = await page.waitForRequest(/\/api\/v1\/.*\/mon_/)
      return (await request.allHeaders())['accept-language']
    }
    const askedFirst = askedIn()
    await visit(page, { path: `/app/monitors/${jobId}` }, de)
    t.equal(await askedFirst, 'de', 'for letters that follow from a request')
    t.match(await main(), /8,32 Sek\./)
    t.match(await main(), /\d\d\.\d\d\.20\d\d, \d\d:\d\d:\d\d/)
    t.match(await main(), /(vor|in) \d+ (Sek|Min)/)
    await visit(page, { path: '/app/maintenance' }, de)
    t.same((await page.locator('.calendar th').allInnerTexts()).slice(0, 3), ['Mo', 'Di', 'Mi'])
    await visit(page, { path: '/app/import' }, de)
    for (const [urls, told] of [
      [1, '1 Monitor'],
      [2, '2 Monitore'],
    ] as const) {
      await choose(page, 'kuma.json', kumaList(...Array(urls).fill(daemon.url)))
      await page.locator('.plan-counts').getByText(told, { exact: true }).waitFor()
    }
    await visit(page, { path: '/app/people?tab=keys' }, de)
    await page.fill('#field-name', 'x'.repeat(1_200))
    await page.locator('main form [type=submit]').click()
    const wrong = page.locator('.wrong', { hasText: 'Höchstens 120 Zeichen' })
    t.equal(await wrong.getAttribute('lang'), null)
    // What the service says in English is said in the language of the person.
    await page.fill('#field-name', '')
    await visit(page, { path: `/app/pages/${pageId}?tab=domain` }, de)
    await page.fill('#field-hostname', 'no host name')
    await page.keyboard.press('Enter')
    const refused = page.locator('#field-hostname-help .wrong')
    await refused.waitFor()
    t.equal(await refused.getAttribute('lang'), null)
    t.notMatch(await refused.textContent(), /\bmust\b/)
    await page.fill('#field-hostname', '')

    await visit(page, { path: '/app/profile' }, de)
    await page.getByRole('combobox', { name: de.shell.language }).selectOption('en')
    await page.getByRole('heading', { level: 1, name: en.profile.title }).waitFor()
    await page.locator('html[lang=en]').waitFor()
    // The title follows after the frame that shows the heading.
    await until(async () => (await page.title()).includes(`${en.profile.title} ·`))
    const askedNow = askedIn()
    await load(page, `/app/monitors/${jobId}`)
    t.equal(await askedNow, 'en')
    t.match(await main(), /8\.32 s/)
    t.match(await main(), /\d+ [A-Z][a-z]+ 20\d\d, \d\d:\d\d:\d\d/)
    t.match(await main(), /in \d+ (sec|min)|\d+ (sec|min)s? ago/)
    t.equal(await page.getAttribute('html', 'lang'), 'en', 'also after it was loaded anew')
  })

  await t.test('a wrong second factor is told at its field', async (t) => {
    const { page } = await open(t, ann)
    const wrong = page.locator('[aria-invalid=true]:focus')
    await page.goto('/app/profile')
    await button(page, en.profile.factor.turnOn).focus()
    await page.keyboard.press('Enter')
    // The button is gone; the focus is where the code belongs.
    await page.locator('#field-code:focus').waitFor()
    await page.keyboard.type('123 456')
    await page.keyboard.press('Enter')
    await wrong.waitFor()
    t.equal(await page.innerText('#field-code-help .wrong'), en.shell.signIn.wrongCode)
    t.equal(await page.inputValue('#field-code'), '123 456')
    t.equal(await page.getByRole('dialog').count(), 0, 'nobody is asked to sign in again')
    const secret = fromBase32(await page.locator('.qr + .copyable code').innerText())
    const code = (steps: number) => hotp(secret, totpStep(Date.now()) + steps)
    await page.fill('#field-code', code(0))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: en.common.actions.close }).click()

    await follow(page, '/app/monitors/new')
    await page.fill('#field-name', 'Half a thought')
    await page.fill('#field-url', `${daemon.url}/healthz`)
    // The session ends while the form is sent: what the page asks for besides learns it later.
    const endSession = async (route: Route) => {
      await daemon.ask('POST', '/api/v1/auth/logout', { cookie: ann.cookie })
      await route.continue()
    }
    await page.route(`**${ann.org}/monitors`, endSession, { times: 1 })
    await page.locator('main [type=submit]').click()
    const { signIn } = en.shell
    const passwordField = dialog.getByLabel(signIn.password)
    await passwordField.fill('not this one')
    await page.keyboard.press('Enter')
    await wrong.waitFor()
    t.equal(await wrong.inputValue(), 'not this one')
    await passwordField.fill(password)
    await page.keyboard.press('Enter')
    const codeField = dialog.getByLabel(signIn.code)
    await dialog.getByText(signIn.codeNeeded).waitFor()
    t.equal(await wrong.getAttribute('id'), await codeField.getAttribute('id'))
    await page.keyboard.type('000 000')
    await page.keyboard.press('Enter')
    await dialog.getByText(signIn.wrongCode).waitFor()
    t.equal(await wrong.inputValue(), '000 000')
    t.equal(await passwordField.inputValue(), password)
    // The code of enrolment was used up.
    await codeField.fill(code(1))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Half a thought' }).waitFor()
  })
})

/** RFC 4648, without the sign for what is missing at the end. */
function fromBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

const hourMs = 3_600_000

const soon = () => ({
  startsAt: new Date(Date.now() + hourMs).toISOString(),
  endsAt: new Date(Date.now() + 2 * hourMs).toISOString(),
})

interface Opened {
  readonly path: string
  readonly opener: (page: Page) => Locator
  /** The entry that opens it, where the opener is a menu. */
  readonly item?: string
  /** Has the focus first, and a draft. */
  readonly field?: string
  /** The button that closes what Escape must not, because it is shown once. */
  readonly close?: string
}

const dialogs = (pageId: string, jobId: string): readonly Opened[] => {
  const { close, edit, remove } = en.common.actions
  const inMain = (name: string) => (page: Page) => button(page, name)
  return [
    { path: '/app', opener: (page) => page.getByRole('button', { name: /Ctrl K/ }) },
    { path: '/app', opener: inMain(en.wall.make), close },
    { path: '/app/incidents', opener: inMain(en.incidents.declare), field: 'title' },
    { path: '/app/maintenance', opener: inMain(en.maintenance.add), field: 'name' },
    { path: '/app/maintenance', opener: inMain(edit), field: 'name' },
    { path: '/app/maintenance', opener: inMain(en.common.actions.menu), item: remove },
    { path: `/app/pages/${pageId}`, opener: inMain(remove) },
    {
      path: `/app/pages/${pageId}?tab=subscribers`,
      opener: inMain(en.statusPages.subscribers.add),
      field: 'emails',
    },
    {
      path: `/app/monitors/${jobId}`,
      opener: inMain(en.common.actions.menu),
      item: en.monitor.testAlert,
    },
    { path: `/app/monitors/${jobId}`, opener: inMain(en.monitor.runs.showOutput) },
    {
      path: `/app/monitors/${jobId}`,
      opener: inMain(en.common.actions.menu),
      item: en.monitor.deleteAsk,
    },
  ]
}
