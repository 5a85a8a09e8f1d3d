// The console where several people, tabs and sessions meet: nobody's work is overwritten, shown to
// somebody else or lost.
import type { Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { mintKey, needOf, password, register } from '../support/cast.ts'
import { follow, startAt } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { leastOfRounds, timed } from '../support/starvation.ts'
import { until } from '../support/until.ts'

t.test('people, tabs and sessions in the console', { skip }, async (t) => {
  const { daemon, open, show } = await startConsole(t)
  const owner = await register(daemon, 'care')
  const key = await mintKey(daemon, owner)
  const need = needOf(daemon, { ...owner, key })
  const job = (name: string) =>
    need('POST', '/monitors', { name, checkType: 'push', intervalMinutes: 5 })

  async function signInAgain(page: Page, email: string): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }

  await t.test('an open list follows what others do within a second', async (t) => {
    const { page } = await show('/app', owner)
    await page.locator('.connection.is-live').waitFor()
    const incidents = page.locator('.open-incidents')
    const row = (name: string) => page.locator('.monitor-row', { hasText: name })
    const least = await leastOfRounds(1_000, async () => {
      const incident = await need('POST', '/incidents', { title: 'Mail is slow' })
      await incidents.getByText('Mail is slow').waitFor()
      await need('POST', `/incidents/${incident.id}/acknowledge`, {})
      const [, acknowledged] = await timed(() => incidents.getByText(/Acknowledged/).waitFor())
      await need('POST', `/incidents/${incident.id}/resolve`, {})
      const { id } = await job('Nightly job')
      const [, created] = await timed(() => row('Nightly job').waitFor())
      await need('PATCH', `/monitors/${id}`, { name: 'Weekly job' })
      const [, renamed] = await timed(() => row('Weekly job').waitFor())
      await need('POST', `/monitors/${id}/pause`)
      const [, paused] = await timed(() =>
        page.locator('.monitor-row.is-paused', { hasText: 'Weekly job' }).waitFor(),
      )
      await incidents.waitFor({ state: 'detached' })
      await need('DELETE', `/monitors/${id}`)
      const [, deleted] = await timed(() => row('Weekly job').waitFor({ state: 'detached' }))
      return { created, renamed, paused, acknowledged, deleted }
    })
    for (const [what, ms] of least) t.ok(ms < 1_000, `${what}: ${Math.round(ms)}`)
  })

  await t.test('an organization is downloaded for another product', async (t) => {
    const { page } = await show('/app/people?tab=organization', owner)
    const products = page.getByRole('combobox', { name: /^For(?!mat)/ })
    await products.selectOption('Gatus')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the export' }).click(),
    ])
    t.equal(download.suggestedFilename(), 'gatus.yaml')
    await products.selectOption('Prometheus')
    const [modules] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'blackbox.yml' }).click(),
    ])
    t.equal(modules.suggestedFilename(), 'blackbox.yml')
  })

  await t.test('somebody is invited where members are listed', async (t) => {
    const { page } = await show('/app/people', owner)
    const invite = page.getByRole('button', { name: 'Invite', exact: true })
    await invite.click()
    const form = page.getByRole('dialog', { name: 'Invite' })
    await page.locator('#field-email:focus').fill('dan@example.com')
    await form.getByLabel('Role').selectOption('Viewer')
    await form.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = page.getByRole('dialog', { name: 'The link of the invitation' })
    daemon.secrets.add(new URL(await link.locator('code').innerText()).pathname)
    await link.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('link', { name: 'Invitations' }).click()
    await page.locator('tr', { hasText: 'dan@example.com' }).getByText('Viewer').waitFor()
    t.equal(
      await page.getByRole('heading', { name: 'Invite' }).count(),
      1,
      'the form is there once',
    )
  })

  await t.test('the name in the navigation leads to the status pages, too', async (t) => {
    const { page } = await show('/app', owner)
    for (const [path, leads] of [
      ['/app/status-pages', /\/app\/pages$/],
      ['/app/status-pages/', /\/app\/pages\/?$/],
      ['/app/status-pages/new', /\/app\/pages\/new$/],
    ] as const) {
      await page.goto(path)
      await page.waitForURL(leads)
      await page.getByRole('heading', { level: 1, name: /status page/i }).waitFor()
    }
    t.pass('each is shown')
  })

  await t.test('an organization is made at an address of its own, and then shown', async (t) => {
    const founder = await register(daemon, 'fay')
    const { page } = await open(t, founder)
    await page.goto('/app/organizations/new')
    await page.getByRole('heading', { level: 1, name: 'Make another organization' }).waitFor()
    await page.getByLabel('Name of the organization').fill('Second house')
    await page.getByRole('button', { name: 'Make the organization' }).click()
    await page.waitForURL(/\/app\?org=/)
    await page.getByRole('button', { name: 'Second house' }).first().waitFor()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  await t.test('who takes rights from a member sees which keys lose them', async (t) => {
    const email = 'ben@example.com'
    const { token: inviteToken } = await daemon.need('POST', `${owner.org}/invites`, {
      ...{ cookie: owner.cookie, json: { email, role: 'admin' } },
    })
    const json = { email, password, inviteToken, name: 'Ben' }
    const { token: cookie } = await daemon.need('POST', '/auth/register', { json })
    const made = (name: string, role: string) =>
      daemon.need('POST', `${owner.org}/api-keys`, { cookie, json: { name, role } })
    await made('Wall', 'viewer')
    await made('Old script', 'member')
    const deploy = await made('Deploy', 'admin')
    const { page } = await show('/app/people', owner)
    const ben = page.locator('tr', { hasText: email })
    const dialog = page.getByRole('dialog')
    const listed = () => dialog.locator('li').allInnerTexts()

    const role = ben.getByRole('combobox')
    await role.selectOption('member')
    await dialog.waitFor()
    t.match(await listed(), [/Deploy.*Admin.*becomes Member.*Adopt/s])
    t.equal((await listed()).length, 1, 'the others may do no more than that')
    await page.keyboard.press('Escape')
    t.equal(await role.inputValue(), 'admin', 'nothing has changed')
    await role.selectOption('member')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await dialog.waitFor({ state: 'detached' })
    // The list is asked for anew, once the role is changed.
    await until(async () => (await role.inputValue()) === 'member')

    await ben.getByRole('button', { name: 'Remove' }).click()
    await dialog.waitFor()
    t.match(await listed(), [/Deploy.*ends/s, /Old script.*ends/s, /Wall.*ends/s])
    await dialog.locator('li', { hasText: 'Deploy' }).getByRole('button').click()
    await dialog.getByText('yours now, stays').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await ben.waitFor({ state: 'detached' })
    const works = async (key: string) =>
      (await daemon.ask('GET', `/api/v1${owner.org}/monitors`, { key })).status
    t.equal(await works(deploy.key), 200)

    await follow(page, '/app/people?tab=keys')
    const wall = page.locator('tr', { hasText: 'Wall' })
    await wall.getByText('Its maker left the organization.').waitFor()
    t.match(await wall.innerText(), /ended.*Made by Ben/s)
    await wall.getByRole('button', { name: 'Adopt' }).click()
    await wall.getByText('Its maker left').waitFor({ state: 'detached' })
    t.match(await wall.innerText(), /Viewer.*Made by care@example.com/s)
    t.match(await page.locator('tr', { hasText: 'Old script' }).innerText(), /ended/)
  })

  await t.test('two people who edit the same thing overwrite nothing', async (t) => {
    const { id } = await job('Backups')
    const { page } = await show(`/app/monitors/${id}/edit`, owner)
    await page.fill('#field-name', 'My backups')
    await need('PATCH', `/monitors/${id}`, { name: 'Their backups', tags: ['disk'] })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const note = page.getByRole('alert')
    await note.waitFor()
    t.match(await note.innerText(), /changed this meanwhile.*Name.*Tags/s)
    t.equal(await page.inputValue('#field-name'), 'My backups', 'what was typed is still there')
    await page.getByRole('button', { name: 'Show theirs' }).click()
    t.equal(await page.inputValue('#field-name'), 'Their backups')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    t.equal(await page.inputValue('#field-name'), 'My backups')
    await save.click()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('heading', { level: 1, name: 'My backups' }).waitFor()
    t.match(await need('GET', `/monitors/${id}`), { name: 'My backups', tags: ['disk'] })
  })

  await t.test('pages, planned work, post-mortems and settings are not overwritten', async (t) => {
    const shown = await need('POST', '/status-pages', { name: 'Acme' })
    const window = await need('POST', '/maintenance-windows', {
      ...{ name: 'Disks', startsAt: new Date(Date.now() + 3_600_000).toISOString() },
      endsAt: new Date(Date.now() + 7_200_000).toISOString(),
    })
    const incident = await need('POST', '/incidents', { title: 'A short outage' })
    await need('POST', `/incidents/${incident.id}/resolve`, {})
    const { page } = await show('/app', owner)
    const press = (name: string) =>
      page.locator('main').getByRole('button', { name, exact: true }).first().click()
    const edited: readonly Edited[] = [
      { at: `/pages/${shown.id}`, api: `/status-pages/${shown.id}`, field: 'name' },
      {
        ...{ at: `/pages/${shown.id}?tab=domain`, api: `/status-pages/${shown.id}` },
        ...{ patch: `/status-pages/${shown.id}/subdomain`, field: 'subdomain' },
      },
      { at: '/people?tab=organization', api: '', field: 'name' },
      {
        ...{ at: '/maintenance', api: `/maintenance-windows/${window.id}`, field: 'name' },
        begin: () => press('Edit'),
      },
      {
        ...{ at: `/incidents/${incident.id}`, api: `/incidents/${incident.id}` },
        ...{ field: 'postmortem', begin: () => press('Edit') },
      },
    ]
    for (const { at, api, patch = api, field, begin } of edited) {
      const control = page.locator(`#field-${field}`)
      const form = page.locator('form', { has: control })
      const save = form.locator('[type=submit]')
      await startAt(page, `/app${at}`)
      await begin?.()
      await control.fill('mine')
      await need('PATCH', patch, { [field]: 'theirs' })
      // A page that follows live moves its buttons; a key goes to the one that has the focus.
      await save.press('Enter')
      await form
        .getByRole('alert')
        .getByText(/ changed this meanwhile/)
        .waitFor()
      t.equal((await need('GET', api))[field], 'theirs', `${at} overwrites nothing`)
      t.equal(await control.inputValue(), 'mine', `${at} keeps what was typed`)
      await form.getByRole('button', { name: 'Show theirs' }).press('Enter')
      t.equal(await control.inputValue(), 'theirs')
      t.ok(await save.evaluate((one) => one.matches(':focus')), `${at} keeps the focus in the form`)
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      t.equal(await control.inputValue(), 'mine')
      await save.press('Enter')
      await form.getByRole('button', { name: 'Save mine over it' }).click()
      await form
        .getByRole('alert')
        .or(form.locator('[aria-busy=true]'))
        .waitFor({ state: 'detached' })
      t.equal((await need('GET', api))[field], 'mine', at)
    }
  })

  await t.test('what a form does not show is no conflict', async (t) => {
    const { id } = await job('Pumps')
    const { page } = await show(`/app/monitors/${id}/edit`, owner)
    await page.fill('#field-name', 'Our pumps')
    await need('POST', `/monitors/${id}/pause`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Our pumps' }).waitFor()
    t.match(await need('GET', `/monitors/${id}`), { name: 'Our pumps', state: 'paused' })
  })

  await t.test('a draft that somebody overtook is not saved over it unasked', async (t) => {
    const channel = await need('POST', '/alert-channels', {
      ...{ name: 'Chat', type: 'webhook', config: { url: 'http://127.0.0.1:9/hook' } },
    })
    daemon.secrets.delete(channel.config.secret)
    const { page } = await show(`/app/channels/${channel.id}`, owner)
    await page.fill('#field-name', 'My chat')
    await need('PATCH', `/alert-channels/${channel.id}`, { name: 'Their chat' })
    await page.getByRole('link', { name: 'Channels' }).first().click()
    await page.getByRole('link', { name: 'Their chat' }).click()
    await page.getByText('Your unsaved changes are back.').waitFor()
    t.equal(await page.inputValue('#field-name'), 'My chat')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Show theirs' }).click()
    t.equal(await page.inputValue('#field-name'), 'Their chat')
    // What this page itself stores is no conflict.
    for (const name of ['Our chat', 'Our new chat']) {
      await page.fill('#field-name', name)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
  })

  await t.test('whoever signs in for somebody else gets nothing of theirs', async (t) => {
    const first = await register(daemon, 'first')
    const other = await register(daemon, 'other')
    const { page } = await open(t, first)
    await page.goto('/app/monitors/new')
    await page.fill('#field-name', 'A secret plan')
    await page.fill('#field-url', `${daemon.url}/healthz`)
    await daemon.ask('POST', '/api/v1/auth/logout', { cookie: first.cookie })
    await page.getByRole('button', { name: 'Add the monitor' }).click()
    await signInAgain(page, other.email)
    await page.getByText(`You are signed in as ${other.email}.`).waitFor()
    await page.goto('/app/monitors/new')
    await page.locator('#field-name').waitFor()
    t.equal(await page.inputValue('#field-name'), '')
    for (const one of [first, other]) {
      const signedIn = await daemon.need('POST', '/auth/login', {
        json: { email: one.email, password },
      })
      const listed = await daemon.need('GET', `${one.org}/monitors`, { cookie: signedIn.token })
      t.same(listed, [], `${one.email} has no monitor that ${other.email} did not make`)
    }
  })

  await t.test('signing out ends every tab; unsaved work asks first', async (t) => {
    const who = await register(daemon, 'tabs')
    const { page } = await open(t, who)
    const [idle, busy] = [await page.context().newPage(), await page.context().newPage()]
    await idle.goto('/app')
    await idle.locator('h1').waitFor()
    await busy.goto('/app/monitors/new')
    await busy.fill('#field-name', 'Half a thought')
    await page.goto('/app/profile')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${daemon.url}/`)
    await idle.waitForURL(`${daemon.url}/`)
    await busy.getByRole('dialog').getByText('Your session ended').waitFor()
    await busy.bringToFront()
    // Another tab signs in, by whatever way: this one goes on.
    await page.goto('/sign-in')
    const form = page.locator('form', { hasText: 'Password' })
    await form.getByLabel('E-mail address').fill(who.email)
    await form.getByLabel('Password').fill(password)
    await form.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${daemon.url}/app`)
    await busy.getByRole('dialog').waitFor({ state: 'detached' })
    t.equal(await busy.inputValue('#field-name'), 'Half a thought')
  })

  await t.test('a tag gets a colour, which the list of monitors shows', async (t) => {
    await need('POST', '/monitors', { name: 'Tagged', checkType: 'push', tags: ['prod'] })
    const { page } = await show('/app/people?tab=organization', owner)
    const name = page.locator('#field-name')
    await name.fill('Care of houses')
    const color = page.getByLabel('Colour of prod')
    await color.evaluate((input) => {
      const field = input as unknown as { value: string } & EventTarget
      field.value = '#16a34a'
      field.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await page.getByRole('button', { name: 'Remove the colour of prod' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const stored = await until(async () => {
      const organization = await need('GET', '')
      return organization.name === 'Care of houses' && organization
    })
    t.same(stored.tagColors, [{ tag: 'prod', color: '#16a34a' }])
    await follow(page, '/app')
    const tag = page.locator('.monitor-row .tag.is-colored', { hasText: 'prod' })
    await tag.waitFor()
    const dot = await page.evaluate(
      "getComputedStyle(document.querySelector('.tag.is-colored'), '::before').backgroundColor",
    )
    t.equal(dot, 'rgb(22, 163, 74)')
  })

  await t.test('each tab stays with its organization', async (t) => {
    const who = await register(daemon, 'two-orgs')
    await daemon.need('POST', '/orgs', { cookie: who.cookie, json: { name: 'The second' } })
    const { page } = await open(t, who)
    const other = await page.context().newPage()
    for (const tab of [page, other]) {
      await tab.goto('/app/incidents')
      await tab.locator('h1').waitFor()
    }
    const names = ["two-orgs's", 'The second']
    const choose = async (tab: typeof page, name: string) => {
      await tab.getByRole('button', { name: /^Organization: / }).click()
      await tab.getByRole('menuitem', { name }).click()
    }
    for (const [at, chosen] of names.entries()) {
      await choose(page, chosen)
      await choose(other, names[1 - at] ?? '')
      await page.reload()
      await page.getByRole('button', { name: `Organization: ${chosen}` }).waitFor()
    }
  })
})

/** What two people edit at the same time. */
interface Edited {
  /** Its page, below /app. */
  readonly at: string
  readonly api: string
  /** Default: `api`. */
  readonly patch?: string
  readonly field: string
  /** Opens the form. */
  readonly begin?: () => Promise<void>
}
