// Many monitors in the overview at once: selected by pointer and by keyboard, changed, and taken back.
import type { Page } from 'playwright-core'
import t from 'tap'
import { looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { addJob, needOf, type Owner, password, registerWithKey } from '../support/cast.ts'
import { drawn, follow } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import type { Daemon } from '../support/daemon.ts'
import { until } from '../support/until.ts'

const jobs = 30

t.test('many monitors at once', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const site = await openSite(daemon)

  await t.test('rows are selected by pointer: one, a range, all that fit', async (t) => {
    const { page, complaints } = await show('/app', site.owner)
    const { box, count, row } = selectionOf(page)
    await box(3).click()
    await count(1)
    t.equal(await page.locator('.row-frame.is-picked').count(), 1)
    await box(6).click({ modifiers: ['Shift'] })
    await count(4)
    // A shorter range takes the place of the former one, and a row is as good as its box.
    await row(5).click({ modifiers: ['Shift'] })
    await count(3)
    await box(4).click()
    await count(2)
    await page.getByRole('button', { name: `Select all ${jobs + 2}`, exact: true }).click()
    await count(jobs + 2)
    const every = page.getByRole('checkbox', { name: 'Select every monitor in the list' })
    t.ok(await every.isChecked())
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.locator('.row-frame.is-picked', { hasText: 'Job 30' }).waitFor()
    await every.uncheck()
    await page.locator('.picked-bar').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('job 1')
    await every.check()
    await count(11)
    await page.getByRole('searchbox').fill('job 2')
    await page.getByText('11 are not in the list').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator('.picked-bar').waitFor({ state: 'detached' })
    t.same(complaints, [])
  })

  await t.test('rows are selected by keyboard', async (t) => {
    const { page, complaints } = await show('/app', site.owner)
    const { count, names } = selectionOf(page)
    await page.locator('.monitor-row').first().waitFor()
    await drawn(page)
    for (const key of ['j', 'j', 'x']) await page.keyboard.press(key)
    await count(1)
    t.same(await names(), ['Job 1'])
    await page.keyboard.press('j')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(`Shift+${key}`)
    }
    await count(3)
    t.same(await names(), ['Job 1', 'Job 2', 'Job 3'])
    await page.locator('.monitor-row[aria-current=true]:focus', { hasText: 'Job 3' }).waitFor()
    await page.keyboard.press('x')
    t.same(await names(), ['Job 1', 'Job 2'])
    await page.keyboard.press('.')
    await page.locator('.picked-actions button:focus').waitFor()
    t.same(await page.locator('.picked-actions button').allInnerTexts(), [
      'Pause',
      'Check now',
      'Tags…',
      'Interval…',
      'Channels…',
      'Places…',
      'Status page…',
      'Delete',
    ])
    await page.keyboard.press('Escape')
    await page.locator('.picked-bar').waitFor({ state: 'detached' })
    t.same(complaints, [])
  })

  await t.test('a change says what it would do, does it, and is taken back', async (t) => {
    const { page, complaints } = await show('/app?q=job+1', site.owner)
    await page.getByRole('checkbox', { name: 'Select every monitor in the list' }).check()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('11 monitors would change.').waitFor()
    await dialog.getByRole('button', { name: 'Change 11 monitors' }).click()
    await page.getByRole('status').getByText('11 monitors paused.').waitFor()
    await page.locator('.monitor-row.is-paused').nth(10).waitFor()
    await undo(page)
    await page.getByText('11 monitors are as they were before.').waitFor()
    await page.locator('.monitor-row.is-paused').first().waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Tags…' }).click()
    await dialog.getByLabel('Add tags').fill('night, jobs')
    await dialog.getByRole('checkbox', { name: 'old' }).click()
    await dialog.getByText('none keeps it').waitFor()
    await dialog.getByRole('button', { name: 'Change 11 monitors' }).click()
    await page.locator('.monitor-row', { hasText: 'night' }).nth(10).waitFor()
    const tagsNow = async () => (await site.stored('Job 1')).tags
    t.same(await tagsNow(), ['night', 'jobs'])
    await undo(page)
    await until(async () => (await tagsNow()).join() === 'old')

    await page.getByRole('button', { name: 'Channels…' }).click()
    await dialog.getByRole('checkbox', { name: 'Chat' }).click()
    await dialog.getByRole('button', { name: 'Change 11 monitors' }).click()
    await dialog.waitFor({ state: 'detached' })
    t.same((await site.stored('Job 1')).notifyChannelIds, [site.channelId])
    await undo(page)
    await until(async () => (await site.stored('Job 1')).notifyChannelIds.length === 0)
    t.same(complaints, [])
  })

  await t.test(
    'monitors that a change does not suit are named, and stay as they are',
    async (t) => {
      const { page, complaints } = await show('/app?q=web', site.owner)
      await page.getByRole('checkbox', { name: 'Select every monitor in the list' }).check()
      await page.getByRole('button', { name: 'Interval…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Check every').fill('5')
      await dialog.getByRole('alert').getByText('must be at least 10').waitFor()
      t.ok(await dialog.getByRole('button', { name: 'Change', exact: true }).isDisabled())
      await dialog.getByRole('button', { name: '30 s' }).click()
      await dialog.getByText('1 monitor would change. 1 stays as it is:').waitFor()
      await dialog.getByText('must not be above the interval Slow web').waitFor()
      await dialog.getByRole('button', { name: 'Change 1 monitor', exact: true }).click()
      await page.getByText('1 monitor changed. 1 stayed as it was.').waitFor()
      t.equal((await site.stored('Fast web')).intervalSeconds, 30)
      t.equal((await site.stored('Slow web')).intervalSeconds, 300)
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('2 checks started.').waitFor()
      await page.getByRole('searchbox').fill('')
      await page.getByRole('button', { name: `Select all ${jobs + 2}`, exact: true }).click()
      await page.getByRole('button', { name: 'Places…' }).click()
      for (const name of ['Oslo', 'Here']) await dialog.getByRole('checkbox', { name }).click()
      await dialog.getByText(`2 monitors would change. ${jobs} stay as they are:`).waitFor()
      await dialog.getByRole('button', { name: 'Change 2 monitors', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      t.same((await site.stored('Slow web')).locations, [site.locationId, 'home'])
      await undo(page)
      await until(async () => (await site.stored('Slow web')).locations.length === 0)
      t.same(
        complaints.filter((line) => !/status of 422/.test(line)),
        [],
      )
    },
  )

  await t.test('monitors come to a status page, and leave it again', async (t) => {
    const { page, complaints } = await show('/app?q=web', site.owner)
    const shown = async () =>
      (await site.need('GET', `/status-pages/${site.pageId}`)).publicMonitorIds
    await page.getByRole('checkbox', { name: 'Select every monitor in the list' }).check()
    await page.getByRole('button', { name: 'Status page…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add to the page' }).click()
    await page.getByText('2 monitors are on Public.').waitFor()
    t.equal((await shown()).length, 2)
    t.ok((await site.stored('Fast web')).isPublic)
    await undo(page)
    await until(async () => (await shown()).length === 0)
    await until(async () => !(await site.stored('Fast web')).isPublic)

    // Somebody else changed the page meanwhile: the monitors are as private as before.
    await page.route(`**/status-pages/${site.pageId}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Status page…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add to the page' }).click()
    await page.locator('.toast.is-problem').waitFor()
    t.notOk((await site.stored('Fast web')).isPublic)
    t.same(
      complaints.filter((line) => !/ERR_FAILED/.test(line)),
      [],
    )
  })

  await t.test('a deletion waits for its note, and whoever leaves sends it', async (t) => {
    const { page, complaints } = await show('/app?q=job+2', site.owner)
    const { box, count } = selectionOf(page)
    const gone = (name: string) =>
      page.locator('.monitor-row', { has: page.getByText(name, { exact: true }) })
    const select = async (...places: number[]) => {
      for (const place of places) await box(place).click()
      await count(places.length)
    }
    const remove = () => page.locator('.picked-bar').getByRole('button', { name: 'Delete' }).click()
    await select(1, 2)
    await remove()
    await page.getByText('2 monitors deleted.').waitFor()
    await gone('Job 2').waitFor({ state: 'detached' })
    await page.locator('.picked-bar').waitFor({ state: 'detached' })
    t.ok(await site.stored('Job 2'), 'it is still there')
    await undo(page)
    await gone('Job 2').waitFor()

    await select(1)
    await remove()
    const note = page.locator('.toast', { hasText: '1 monitor deleted.' })
    await note.getByRole('button', { name: 'Close' }).click()
    await until(async () => (await site.stored('Job 2')) === undefined)
    await gone('Job 20').waitFor()
    await gone('Job 2').waitFor({ state: 'detached' })

    await select(1)
    await remove()
    await gone('Job 20').waitFor({ state: 'detached' })
    await page.goto('/sign-in')
    await until(async () => (await site.stored('Job 20')) === undefined)
    t.ok(await site.stored('Job 21'))
    t.same(complaints, [])
  })

  await t.test('whoever signs out sends it as well', async (t) => {
    const { page } = await show('/app?q=job+22', await site.invite('member'))
    const { box } = selectionOf(page)
    await box(1).click()
    await page.locator('.picked-bar').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 monitor deleted.').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await until(async () => (await site.stored('Job 22')) === undefined)
    t.ok(await site.stored('Job 21'))
  })

  await t.test('columns order the list, and the address and the browser remember it', async (t) => {
    const { page, complaints } = await show('/app?q=web', site.owner)
    const names = page.locator('.monitor-row strong')
    const wanted = (text: string) =>
      until(async () => (await names.allInnerTexts()).join(', ') === text)
    const head = page.getByRole('button', { name: /^Monitor/ })
    await head.click()
    await wanted('Fast web, Slow web')
    await head.click()
    await wanted('Slow web, Fast web')
    t.match(page.url(), 'sort=-name')
    t.equal(await head.getAttribute('aria-pressed'), 'true')
    const display = page.getByRole('button', { name: en.overview.display.open })
    const compact = page.getByRole('menuitemcheckbox', { name: en.overview.compact })
    await display.click()
    await compact.click()
    t.equal(
      await compact.getAttribute('aria-checked'),
      'true',
      'the menu stays for the next choice',
    )
    await page.keyboard.press('Escape')
    const height = async () => (await page.locator('.row-frame').first().boundingBox())?.height
    await until(async () => (await height()) === 32)
    await page.reload()
    await wanted('Slow web, Fast web')
    t.equal(await height(), 32)
    await display.click()
    await compact.click()
    await page.keyboard.press('Escape')
    await until(async () => (await height()) === 56)
    t.same(complaints, [])
  })

  await t.test('a viewer selects nothing', async (t) => {
    const { page } = await show('/app', await site.invite('viewer'))
    await page.locator('.monitor-row').first().waitFor()
    for (const key of ['j', 'x', 'Shift+ArrowDown']) await page.keyboard.press(key)
    t.equal(await page.locator('.row-pick').count(), 0)
    t.equal(await page.locator('.picked-bar').count(), 0)
    const { page: other } = await show('/app', await site.invite('member', 'other'))
    await selectionOf(other).box(1).click()
    await other.getByRole('button', { name: 'Pause' }).waitFor()
    t.equal(await other.getByRole('button', { name: 'Status page…' }).count(), 0)
  })

  await t.test('the selection and its dialogs have no barrier', async (t) => {
    const { page, complaints } = await show('/app', site.owner)
    const look = await looksOf(page, { widthMin: 390 })
    await selectionOf(page).box(1).click()
    await look(t, 'selected')
    for (const name of ['Pause', 'Tags…', 'Interval…', 'Channels…', 'Places…', 'Status page…']) {
      await page.getByRole('button', { name, exact: true }).click()
      if (name === 'Pause') continue
      await page.getByRole('dialog').locator('fieldset, input, select').first().waitFor()
      await look(t, name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await follow(page, '/app')
    t.same(complaints, [])
  })
})

function selectionOf(page: Page) {
  const row = (place: number) => page.locator('.row-frame').nth(place - 1)
  return {
    row: (place: number) => row(place).locator('.monitor-row'),
    box: (place: number) => row(place).getByRole('checkbox'),
    count: (count: number) => page.getByText(`${count} selected`, { exact: true }).waitFor(),
    names: () => page.locator('.is-picked strong').allInnerTexts(),
  }
}

async function undo(page: Page): Promise<void> {
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).last().click()
}

async function openSite(daemon: Daemon) {
  const owner = await registerWithKey(daemon, 'bulk')
  const need = needOf(daemon, owner)
  for (let number = 1; number <= jobs; number += 1) {
    await addJob(daemon, owner, `Job ${number}`, { tags: ['old'] })
  }
  const web = { url: `${daemon.url}/healthz`, intervalSeconds: 300 }
  await need('POST', '/monitors', { ...web, name: 'Fast web' })
  await need('POST', '/monitors', { ...web, name: 'Slow web', timeoutMs: 40_000 })
  const location = await need('POST', '/locations', { name: 'Oslo' })
  const channel = await need('POST', '/alert-channels', {
    ...{ name: 'Chat', type: 'webhook', config: { url: 'http://127.0.0.1:9/hook' } },
  })
  daemon.secrets.delete(channel.config.secret)
  const page = await need('POST', '/status-pages', { name: 'Public', publicMonitorIds: [] })
  async function stored(name: string) {
    const found = await need('GET', `/monitors?q=${encodeURIComponent(name)}`)
    return found.find((one: { name: string }) => one.name === name)
  }
  async function invite(role: 'viewer' | 'member', name: string = role): Promise<Owner> {
    const { cookie, org, orgId } = owner
    const email = `${name}-of-many@example.com`
    const { token } = await daemon.need('POST', `${org}/invites`, { cookie, json: { email, role } })
    const joined = await daemon.need('POST', `/invites/${token}/join`, { json: { password } })
    return { email, org, orgId, cookie: joined.token, userId: joined.user.id }
  }
  return {
    owner,
    need,
    stored,
    invite,
    channelId: channel.id,
    locationId: location.id,
    pageId: page.id,
  }
}
